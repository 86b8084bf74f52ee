"""Do the models differ at all? Friedman's test, and Iman's and Davenport's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate._matrix import midranks

__all__ = ["FriedmanResult", "friedman"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FriedmanResult:
    """What :func:`friedman` found.

    Attributes
    ----------
    n_datasets, n_models : int
        Size of the table.
    average_ranks : ndarray of shape (n_models,)
        Mean rank of every model, 1 for the best.
    chi2, pvalue : float
        Friedman's statistic as Demšar prints it, which takes no notice of ties.
    chi2_tie_corrected, pvalue_tie_corrected : float
        The same divided by one minus the share of ties, as SciPy computes it.
    f, f_pvalue : float
        Iman's and Davenport's statistic, made of ``chi2``.
    f_tie_corrected, f_pvalue_tie_corrected : float
        The same made of ``chi2_tie_corrected``.
    """

    n_datasets: int
    n_models: int
    average_ranks: Floats
    chi2: float
    pvalue: float
    chi2_tie_corrected: float
    pvalue_tie_corrected: float
    f: float
    f_pvalue: float
    f_tie_corrected: float
    f_pvalue_tie_corrected: float


def friedman(matrix: Any, higher_is_better: bool = True) -> FriedmanResult:
    """Test whether all models have the same mean rank.

    Parameters
    ----------
    matrix : array-like of shape (n_datasets, n_models)
        Scores: a row for every data set, a column for every model.
    higher_is_better : bool, default=True
        Whether the largest score is the best.

    Returns
    -------
    result : FriedmanResult
        Statistics, p-values and average ranks.

    Notes
    -----
    With N data sets, k models and average ranks R the statistic is
    ``12 N / (k (k + 1)) * (sum(R**2) - k (k + 1)**2 / 4)``, with k - 1 degrees of freedom; Iman's
    and Davenport's is ``(N - 1) chi2 / (N (k - 1) - chi2)``, with k - 1 and (k - 1)(N - 1) degrees.
    Where models are equal on a data set, the plain statistic is too small; the corrected one is
    not. Papers print the plain one, so both are here.

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7,
           2006.

    Examples
    --------
    >>> from rarewood.evaluate import friedman
    >>> result = friedman([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.6, 0.5, 0.4]])
    >>> print(result.average_ranks, round(result.chi2, 3), round(result.f, 3))
    [1.   2.25 2.75] 6.5 13.0
    """
    ranks = midranks(matrix, higher_is_better)
    n, k = ranks.shape
    average: Floats = ranks.mean(axis=0)
    spread = float(np.square(average).sum()) - k * (k + 1) ** 2 / 4
    chi2 = max(12 * n / (k * (k + 1)) * spread, 0.0)
    corrected = _tie_corrected(chi2, ranks)
    (p, f, f_p), (p_c, f_c, f_p_c) = _tests(chi2, n, k), _tests(corrected, n, k)
    return FriedmanResult(n, k, average, chi2, p, corrected, p_c, f, f_p, f_c, f_p_c)


def _tie_corrected(chi2: float, ranks: Floats) -> float:
    n, k = ranks.shape
    ties = 0
    for row in ranks:
        sizes = np.unique(row, return_counts=True)[1]
        ties += int((sizes**3 - sizes).sum())
    left = 1 - ties / (n * k * (k * k - 1))
    return chi2 / left if left > 0 else 0.0  # all models are equal everywhere


def _tests(chi2: float, n: int, k: int) -> tuple[float, float, float]:
    """P-value of a chi-square statistic, the F statistic made of it, and its p-value."""
    from scipy import stats

    rest = n * (k - 1) - chi2
    f = (n - 1) * chi2 / rest if rest > 1e-9 * n else np.inf
    f_pvalue = float(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))
    return float(stats.chi2.sf(chi2, k - 1)), float(f), f_pvalue
