"""Is one model better than another on a single data set? A t-test that knows of shared rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["TTestResult", "WinDrawLoss", "corrected_resampled_ttest", "win_draw_loss"]

Floats = NDArray[np.float64]
_SAME = 1e-12


@dataclass(frozen=True)
class TTestResult:
    """What :func:`corrected_resampled_ttest` found.

    Attributes
    ----------
    statistic : float
        The t value; positive if the differences are.
    pvalue : float
        Two-sided p-value.
    df : int
        Degrees of freedom.
    """

    statistic: float
    pvalue: float
    df: int


def corrected_resampled_ttest(diffs: ArrayLike, n_train: float, n_test: float) -> TTestResult:
    """Test whether the mean difference of two models over repeated splits is zero.

    The training sets of the splits overlap, so an ordinary paired t-test finds differences far too
    often. Nadeau and Bengio add the ratio of test to training rows to the variance.

    Parameters
    ----------
    diffs : array-like
        Score of one model minus that of the other, one for every fold of every repeat.
    n_train, n_test : float
        Rows for training and for testing in each split; with 5 x 2-fold cross-validation both are
        half of the rows.

    Returns
    -------
    result : TTestResult
        ``mean / sqrt((1 / J + n_test / n_train) var)`` for J differences, with J - 1 degrees of
        freedom. Where all differences are equal: 0 and p = 1 if they are zero, else infinite and
        p = 0.

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
        is_same = abs(mean) < _SAME
        return (
            TTestResult(0.0, 1.0, df) if is_same else TTestResult(np.sign(mean) * np.inf, 0.0, df)
        )
    variance = (1 / len(values) + n_test / n_train) * float(values.var(ddof=1))
    statistic = mean / float(np.sqrt(variance))
    return TTestResult(statistic, 2 * float(t.sf(abs(statistic), df)), df)


@dataclass(frozen=True, eq=False)
class WinDrawLoss:
    """How often each model is significantly better and worse than each other.

    Printed in the layout of HeDEx's tables 5 and 6: the model of the column against the model of
    the row, as win/draw/loss, with the totals below.

    Attributes
    ----------
    models : list of str
        Names of the models.
    wins, draws, losses : ndarray of shape (n_models, n_models)
        Number of data sets; entry [i, j] is about model j against model i. Zero on the diagonal.
    """

    models: list[str]
    wins: NDArray[np.int64]
    draws: NDArray[np.int64]
    losses: NDArray[np.int64]

    def cells(self) -> list[list[str]]:
        """Return the table as texts, a list for every model and one for the totals."""
        k = len(self.models)
        counts = np.stack([self.wins, self.draws, self.losses], axis=-1)
        rows = [
            ["" if i == j else "/".join(map(str, counts[i, j])) for j in range(k)] for i in range(k)
        ]
        return [*rows, ["/".join(map(str, total)) for total in counts.sum(axis=0)]]

    def __str__(self) -> str:
        names = [*self.models, "Total"]
        rows = [["", *self.models]]
        rows += [[name, *row] for name, row in zip(names, self.cells(), strict=True)]
        widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
        lines = (
            "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True))
            for row in rows
        )
        return "\n".join(line.rstrip() for line in lines)


def win_draw_loss(
    scores: Any,
    sizes: Any,
    models: list[str],
    *,
    alpha: float = 0.05,
    higher_is_better: bool = True,
) -> WinDrawLoss:
    """Count on how many data sets one model is significantly better than another.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_models, n_splits)
        Score of each fold of each repeat. Data sets with a missing score are left out of the pairs
        that it concerns. It may be a list of arrays if the numbers of splits differ.
    sizes : array-like of shape (n_datasets, 2)
        Rows for training and for testing.
    models : list of str
        Names of the models.
    alpha : float, default=0.05
        Level of :func:`corrected_resampled_ttest`; 0.05 for 95%.
    higher_is_better : bool, default=True
        Whether the largest score is the best.

    Returns
    -------
    table : WinDrawLoss
        Wins, draws and losses of every pair. No adjustment is made for the number of tests.

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
