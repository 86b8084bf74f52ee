"""A matrix of scores: one row for each data set, one column for each model."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["check_scores", "midranks"]

Floats = NDArray[np.float64]
_DIGITS = 12  # means of the same folds differ in their last digits only


def check_scores(matrix: Any) -> Floats:
    """Return the scores as an array, or raise where no statistic could be computed."""
    scores = np.asarray(matrix, dtype=np.float64)
    if scores.ndim != 2 or scores.shape[0] < 2 or scores.shape[1] < 2:
        raise ValueError(
            "The scores must be a table with a row for every data set and a column for every "
            f"model, at least two of each; the shape is {scores.shape}."
        )
    unknown = np.flatnonzero(np.isnan(scores).any(axis=1))
    if len(unknown):
        raise ValueError(
            f"Scores are missing in the rows {unknown.tolist()[:10]}: a model failed there, or the "
            "metric is not defined. Leave those data sets (rows) out, or those models (columns)."
        )
    return scores


def midranks(matrix: Any, higher_is_better: bool = True) -> Floats:
    """Rank the models on every data set; equals share the mean of their ranks.

    Parameters
    ----------
    matrix : array-like of shape (n_datasets, n_models)
        Scores.
    higher_is_better : bool, default=True
        Whether the largest score gets rank 1, or the smallest.

    Returns
    -------
    ranks : ndarray of shape (n_datasets, n_models)
        1 for the best. Scores that agree to 12 decimals are equal.

    Examples
    --------
    >>> from rarewood.evaluate import midranks
    >>> midranks([[0.9, 0.8, 0.9], [0.7, 0.6, 0.5]])
    array([[1.5, 3. , 1.5],
           [1. , 2. , 3. ]])
    """
    from scipy.stats import rankdata  # slow to import

    scores = np.round(check_scores(matrix), _DIGITS)
    ranks: Floats = rankdata(-scores if higher_is_better else scores, axis=1)
    return ranks
