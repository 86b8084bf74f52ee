"""Friedman test, with the correction of Iman and Davenport."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood._docstrings import documented
from rarewood.evaluate._score_matrix import midranks

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FriedmanResult:
    """Result of :func:`friedman`, which describes the attributes."""

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


@documented
def friedman(matrix: Any, higher_is_better: bool = True) -> FriedmanResult:
    """Test whether all models have the same average rank.

    Parameters
    ----------
    {matrix, higher_is_better}

    Returns
    -------
    result : FriedmanResult
        Attributes: ``n_datasets`` and ``n_models``; ``average_ranks``, 1 for the best; ``chi2`` and
        ``pvalue``, the statistic as Demšar prints it, without a correction for ties;
        ``chi2_tie_corrected`` and ``pvalue_tie_corrected``, as SciPy computes them; ``f`` and
        ``f_pvalue``, the statistic of Iman and Davenport derived from ``chi2``; and
        ``f_tie_corrected`` and ``f_pvalue_tie_corrected``, derived from ``chi2_tie_corrected``.

    Notes
    -----
    With N data sets, k models and average ranks R the statistic is
    ``12 N / (k (k + 1)) * (sum(R**2) - k (k + 1)**2 / 4)``, with k - 1 degrees of freedom; that of
    Iman and Davenport is ``(N - 1) chi2 / (N (k - 1) - chi2)``, with k - 1 and (k - 1)(N - 1)
    degrees. Ties make the plain statistic too small; papers print it nevertheless, so both are
    returned.

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
    from scipy.stats import tiecorrect

    left = float(np.mean([tiecorrect(row) for row in ranks]))
    return chi2 / left if left > 0 else 0.0  # all models are tied everywhere


def _tests(chi2: float, n: int, k: int) -> tuple[float, float, float]:
    """P-value of a chi-square statistic, the F statistic derived from it, and its p-value."""
    from scipy import stats

    rest = n * (k - 1) - chi2
    f = (n - 1) * chi2 / rest if rest > 1e-9 * n else np.inf
    f_pvalue = float(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))
    return float(stats.chi2.sf(chi2, k - 1)), float(f), f_pvalue
