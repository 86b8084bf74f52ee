"""Tests on a single data set: a t-test corrected for the overlap of the training sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rarewood._docstrings import documented
from rarewood.evaluate._adjust import holm
from rarewood.evaluate._score_matrix import aligned

Floats = NDArray[np.float64]
_SAME = 1e-12


@dataclass(frozen=True)
class TTestResult:
    """Result of :func:`corrected_resampled_ttest`, which describes the attributes."""

    statistic: float
    pvalue: float
    df: int


def corrected_resampled_ttest(diffs: ArrayLike, n_train: float, n_test: float) -> TTestResult:
    """Test whether the mean difference of two models over repeated splits is zero.

    The training sets of the splits overlap, so an ordinary paired t-test rejects far too often.
    Nadeau and Bengio add the ratio of test to training samples to the variance.

    Parameters
    ----------
    diffs : array-like
        Score of one model minus that of the other, for every fold of every repeat.
    n_train, n_test : float
        Number of training and test samples of each split; with 5 x 2-fold cross-validation both
        are half of the data set.

    Returns
    -------
    result : TTestResult
        Attributes: ``statistic``, which is ``mean / sqrt((1 / J + n_test / n_train) var)`` for J
        differences; ``pvalue``, two-sided; ``df``, the J - 1 degrees of freedom. If all differences
        are equal: 0 and p = 1 if they are zero, otherwise infinite and p = 0.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning 52,
           2003.

    Examples
    --------
    >>> from rarewood.evaluate import corrected_resampled_ttest
    >>> diffs = [0.02, 0.03, 0.01, 0.02, 0.04, 0.02, 0.03, 0.01, 0.02, 0.03]
    >>> result = corrected_resampled_ttest(diffs, n_train=100, n_test=100)
    >>> print(round(result.statistic, 3), round(result.pvalue, 4), result.df)
    2.312 0.0461 9
    """
    values: Floats = np.asarray(diffs, dtype=np.float64).ravel()
    if len(values) < 2 or np.isnan(values).any():
        raise ValueError(
            "The test needs at least two differences, none of them missing; got "
            f"{len(values)}, of which {int(np.isnan(values).sum())} missing."
        )
    if not (n_train > 0 and n_test > 0):
        raise ValueError(f"n_train and n_test must be positive; got {n_train} and {n_test}.")
    from scipy.stats import t

    df = len(values) - 1
    mean = float(values.mean())
    if np.ptp(values) < _SAME:
        is_zero = abs(mean) < _SAME
        return TTestResult(0.0 if is_zero else np.sign(mean) * np.inf, float(is_zero), df)
    variance = (1 / len(values) + n_test / n_train) * float(values.var(ddof=1))
    statistic = mean / float(np.sqrt(variance))
    return TTestResult(statistic, 2 * float(t.sf(abs(statistic), df)), df)


@dataclass(frozen=True, eq=False)
class WinDrawLoss:
    """Result of :func:`win_draw_loss`, which describes the attributes.

    Printed in the layout of tables 5 and 6 of HeDEx: the model of the column against the model of
    the row, as win/draw/loss, with the totals below.
    """

    models: list[str]
    wins: NDArray[np.int64]
    draws: NDArray[np.int64]
    losses: NDArray[np.int64]

    def cells(self) -> list[list[str]]:
        """Return the table as text: a list per model, and one for the totals."""
        k = len(self.models)
        counts = np.stack([self.wins, self.draws, self.losses], axis=-1)
        rows = [
            ["" if i == j else "/".join(map(str, counts[i, j])) for j in range(k)] for i in range(k)
        ]
        return [*rows, ["/".join(map(str, total)) for total in counts.sum(axis=0)]]

    def __str__(self) -> str:
        names = [*self.models, "Total"]
        rows = [[name, *row] for name, row in zip(names, self.cells(), strict=True)]
        return aligned([["", *self.models], *rows])


@documented
def win_draw_loss(
    scores: Any,
    sizes: Any,
    models: list[str],
    *,
    alpha: float = 0.05,
    higher_is_better: bool = True,
) -> WinDrawLoss:
    """Count the data sets on which one model is significantly better than another.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_models, n_splits)
        Score of each fold of each repeat. A data set with a missing score is left out of the pairs
        concerned. A list of arrays if the numbers of splits differ.
    sizes : array-like of shape (n_datasets, 2)
        Number of training and of test samples.
    models : list of str
        Names of the models.
    alpha : float, default=0.05
        Level of :func:`corrected_resampled_ttest`.
    {higher_is_better}

    Returns
    -------
    table : WinDrawLoss
        Attributes: ``models``, and ``wins``, ``draws`` and ``losses`` of shape (n_models,
        n_models), whose entry [i, j] is the number of data sets of model j against model i. The
        p-values are not adjusted for the number of tests.

    Examples
    --------
    >>> from rarewood.evaluate import win_draw_loss
    >>> a, b = [0.9, 0.8, 0.9, 0.8], [0.5, 0.3, 0.5, 0.4]
    >>> print(win_draw_loss([[a, b]], [(100, 100)], ["a", "b"]))
               a      b
        a         0/0/1
        b  1/0/0
    Total  1/0/0  0/0/1
    """
    k = len(models)
    counts = np.zeros((3, k, k), dtype=np.int64)
    for table, (n_train, n_test) in zip(scores, np.asarray(sizes, dtype=float), strict=True):
        values = np.asarray(table, dtype=np.float64) * (1 if higher_is_better else -1)
        for i in range(k):
            for j in range(i):
                diffs = values[j] - values[i]
                if np.isnan(diffs).any():
                    continue
                test = corrected_resampled_ttest(diffs, n_train, n_test)
                side = int(np.sign(test.statistic)) if test.pvalue < alpha else 0
                counts[1 - side, i, j] += 1
                counts[1 + side, j, i] += 1
    return WinDrawLoss(list(models), *counts)


@dataclass(frozen=True, eq=False)
class AgainstBest:
    """Result of :func:`against_best`, which describes the attributes."""

    best: int
    difference: Floats
    pvalue: Floats
    holm: Floats


@documented
def against_best(
    scores: ArrayLike, n_train: float, n_test: float, higher_is_better: bool = True
) -> AgainstBest:
    """Compare the model with the best mean with every other model, on one data set.

    The Friedman test and its post-hoc tests need several data sets; the folds of a single one
    overlap, so :func:`corrected_resampled_ttest` is used. That the best model is selected by the
    same scores is not accounted for.

    Parameters
    ----------
    scores : array-like of shape (n_models, n_splits)
        Score of every fold of every repeat; NaN where a model has none.
    n_train, n_test : float
        Number of training and test samples of each split.
    {higher_is_better}

    Returns
    -------
    result : AgainstBest
        Attributes: ``best``, the index of the model with the best mean; and, of shape (n_models,),
        ``difference``, the mean of the best minus that of each model over their common folds;
        ``pvalue``, NaN for the best model and with fewer than two common folds; ``holm``, the
        p-values adjusted by Holm for the number of comparisons.

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
            "scores must be a matrix with one row per model and one column per split, with at "
            f"least one score; got shape {values.shape}."
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
