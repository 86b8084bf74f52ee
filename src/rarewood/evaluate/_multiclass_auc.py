"""AUC for any number of classes, by Hand and Till."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def binary_auc(scores: Floats, is_positive: NDArray[np.bool_]) -> float:
    """Probability that a positive sample scores above a negative one; NaN without both."""
    from scipy.stats import rankdata  # slow to import

    n_positive = int(is_positive.sum())
    n_others = len(is_positive) - n_positive
    if not n_positive or not n_others:
        return float("nan")
    total = float(rankdata(scores)[is_positive].sum())
    return (total - n_positive * (n_positive + 1) / 2) / (n_positive * n_others)


def hand_till_auc(y: Any, P: Any) -> float:
    """Mean AUC over all pairs of classes, which is the ordinary AUC for two classes.

    For each pair, the AUC of each of the two classes by its own column is computed from the samples
    of these classes only, and averaged. Class sizes have no influence: a rare class weighs as much
    as a common one.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels.
    P : array-like of shape (n_samples, n_classes) or (n_samples,)
        Probabilities or other scores, in the order of the sorted labels of ``y``. A single column
        holds the scores of the larger of two labels.

    Returns
    -------
    auc : float
        Between 0 and 1; NaN if there is a single class.

    See Also
    --------
    rarewood.evaluate.compare : Averages over the pairs of classes among the test samples.

    References
    ----------
    .. [1] D. J. Hand and R. J. Till, "A simple generalisation of the area under the ROC curve for
           multiple class classification problems", Machine Learning 45, 2001.

    Examples
    --------
    >>> from rarewood.evaluate import hand_till_auc
    >>> P = [[0.8, 0.1, 0.1], [0.3, 0.6, 0.1], [0.1, 0.7, 0.2], [0.4, 0.3, 0.15]]
    >>> round(hand_till_auc(["a", "b", "b", "c"], P), 4)
    0.9167
    """
    classes, encoded = np.unique(np.asarray(y), return_inverse=True)
    scores = np.asarray(P, dtype=np.float64)
    if scores.ndim == 1 and len(classes) <= 2:
        scores = np.column_stack([-scores, scores])[:, : max(len(classes), 1)]
    if scores.ndim != 2 or scores.shape != (len(encoded), len(classes)):
        raise ValueError(
            f"P must have one row for each of the {len(encoded)} labels and one column for each of "
            f"the {len(classes)} classes of y, in sorted order; got shape {scores.shape}."
        )
    return pairwise_auc(encoded.ravel(), scores)


def pairwise_auc(y: NDArray[Any], scores: Floats) -> float:
    """Mean AUC over the pairs of classes that have samples; ``y`` are encoded labels."""
    present = np.unique(y)
    if len(present) < 2:
        return float("nan")
    values = []
    for i, j in combinations(present.tolist(), 2):
        rows = (y == i) | (y == j)
        is_i = y[rows] == i
        values.append((binary_auc(scores[rows, i], is_i) + binary_auc(scores[rows, j], ~is_i)) / 2)
    return float(np.mean(values))
