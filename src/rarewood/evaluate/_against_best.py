"""The best model of a comparison on one data set, against every other one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rarewood.evaluate._adjust import holm
from rarewood.evaluate._resampled import corrected_resampled_ttest

__all__ = ["AgainstBest", "against_best"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AgainstBest:
    """What :func:`against_best` found.

    Attributes
    ----------
    best : int
        Number of the model with the best mean.
    difference : ndarray of shape (n_models,)
        Mean of the best minus that of each model, over the folds that both have.
    pvalue : ndarray of shape (n_models,)
        Of the corrected resampled t-test; NaN for the best, and with fewer than two common folds.
    holm : ndarray of shape (n_models,)
        The same, adjusted by Holm for the number of comparisons with the best.
    """

    best: int
    difference: Floats
    pvalue: Floats
    holm: Floats


def against_best(
    scores: ArrayLike, n_train: float, n_test: float, higher_is_better: bool = True
) -> AgainstBest:
    """Compare the model with the best mean with every other one, on one data set.

    Friedman's test and its successors are about several data sets; on a single one there are only
    folds, which share rows, so :func:`corrected_resampled_ttest` is used. That the best one is
    chosen by the same scores is not accounted for.

    Parameters
    ----------
    scores : array-like of shape (n_models, n_splits)
        A score for every fold of every repeat; NaN where a model has none.
    n_train, n_test : float
        Rows for training and for testing in each split.
    higher_is_better : bool, default=True
        Whether the largest score is the best.

    Returns
    -------
    result : AgainstBest
        P-values, as they are and adjusted.

    Examples
    --------
    >>> from rarewood.evaluate import against_best
    >>> a, b, c = [0.9, 0.8, 0.9, 0.8], [0.5, 0.3, 0.5, 0.4], [0.8, 0.8, 0.9, 0.9]
    >>> found = against_best([a, b, c], n_train=100, n_test=100)
    >>> found.best, found.holm.round(3).tolist()
    (0, [nan, 0.009, 1.0])
    """
    values: Floats = np.asarray(scores, dtype=np.float64)
    if values.ndim != 2 or np.isnan(values).all():
        raise ValueError(
            "scores must be a table with a row for every model and a column for every split, with "
            f"at least one score; the shape is {values.shape}."
        )
    has_any = ~np.isnan(values).all(axis=1)
    means = np.full(len(values), -np.inf)
    means[has_any] = np.nanmean(values[has_any], axis=1) * (1 if higher_is_better else -1)
    best = int(means.argmax())
    difference, pvalue, adjusted = (np.full(len(values), np.nan) for _ in range(3))
    for number, row in enumerate(values):
        diffs = values[best] - row
        diffs = diffs[~np.isnan(diffs)]
        if number == best or not len(diffs):
            continue
        difference[number] = diffs.mean()
        if len(diffs) > 1:
            pvalue[number] = corrected_resampled_ttest(diffs, n_train, n_test).pvalue
    tested: Any = np.flatnonzero(~np.isnan(pvalue))
    if len(tested):
        adjusted[tested] = holm(pvalue[tested])
    return AgainstBest(best, difference, pvalue, adjusted)
