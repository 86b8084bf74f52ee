"""Post-hoc tests: all pairs of models, or one model against the others."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood._docstrings import documented
from rarewood.evaluate._adjust import holm
from rarewood.evaluate._score_matrix import check_scores, midranks

Floats = NDArray[np.float64]
_SAME = 1e-12  # a smaller difference is the rounding of a mean


def nemenyi_critical_difference(k: int, n: int, alpha: float = 0.05) -> float:
    """Smallest significant difference of two average ranks by the Nemenyi test.

    Parameters
    ----------
    k : int
        Number of models.
    n : int
        Number of data sets.
    alpha : float, default=0.05
        Probability of any false rejection among all pairs.

    Returns
    -------
    difference : float
        ``q sqrt(k (k + 1) / (6 n))``; q is the studentized range with infinitely many degrees of
        freedom, divided by the square root of two.

    Examples
    --------
    >>> from rarewood.evaluate import nemenyi_critical_difference
    >>> round(nemenyi_critical_difference(8, 20, alpha=0.05), 3)
    2.348
    """
    from scipy.stats import studentized_range

    if k < 2 or n < 1 or not 0 < alpha < 1:
        raise ValueError(
            "The critical difference needs at least two models, one data set and an alpha between "
            f"0 and 1; got k={k}, n={n}, alpha={alpha}."
        )
    q = float(studentized_range.ppf(1 - alpha, k, np.inf)) / np.sqrt(2)
    return float(q * np.sqrt(k * (k + 1) / (6 * n)))


@documented
def nemenyi(matrix: Any, higher_is_better: bool = True) -> Floats:
    """Compare the average ranks of all pairs of models by the Nemenyi test.

    Parameters
    ----------
    {matrix, higher_is_better}

    Returns
    -------
    pvalues : ndarray of shape (n_models, n_models)
        P-values, adjusted for all pairs; 1 on the diagonal.

    Examples
    --------
    >>> from rarewood.evaluate import nemenyi
    >>> nemenyi([[0.9, 0.8], [0.8, 0.7], [0.9, 0.7], [0.6, 0.5]]).round(4)
    array([[1.    , 0.0455],
           [0.0455, 1.    ]])
    """
    from scipy.stats import studentized_range

    z = _standardized_ranks(matrix, higher_is_better)
    q = np.abs(z[:, None] - z) * np.sqrt(2)
    pvalues: Floats = np.minimum(studentized_range.sf(q, len(z), np.inf), 1.0)
    np.fill_diagonal(pvalues, 1.0)
    return pvalues


def _standardized_ranks(matrix: Any, higher_is_better: bool) -> Floats:
    """Average ranks in units of the standard error of their difference."""
    ranks = midranks(matrix, higher_is_better)
    n, k = ranks.shape
    z: Floats = ranks.mean(axis=0) / np.sqrt(k * (k + 1) / (6 * n))
    return z


@dataclass(frozen=True, eq=False)
class WilcoxonResult:
    """Result of :func:`wilcoxon`, which describes the attributes."""

    statistic: Floats
    pvalue: Floats
    holm: Floats


@documented
def wilcoxon(matrix: Any, control: int | None = None) -> WilcoxonResult:
    """Compare pairs of models over the data sets by the Wilcoxon signed-rank test.

    Parameters
    ----------
    {matrix}
    control : int, default=None
        Column of the model that the others are compared with. By default all pairs are compared.

    Returns
    -------
    result : WilcoxonResult
        Attributes, each of shape (n_models, n_models), with NaN for pairs that are not compared:
        ``statistic``, the smaller of the two sums of ranks; ``pvalue``, two-sided; ``holm``, the
        p-values adjusted by Holm for the number of comparisons.

    Notes
    -----
    Data sets on which both models are equal are split between the two sides, as Demšar advises.

    Examples
    --------
    >>> from rarewood.evaluate import wilcoxon
    >>> result = wilcoxon([[0.9, 0.8], [0.8, 0.6], [0.9, 0.6], [0.6, 0.2], [0.7, 0.2]])
    >>> result.pvalue
    array([[1.    , 0.0625],
           [0.0625, 1.    ]])
    """
    scores = check_scores(matrix)
    k = scores.shape[1]
    pairs = list(combinations(range(k), 2))
    if control is not None:
        control = _column(control, k)
        pairs = [pair for pair in pairs if control in pair]
    found = np.array([_signed_ranks(scores[:, i] - scores[:, j]) for i, j in pairs])
    adjusted = holm(found[:, 1])
    return WilcoxonResult(
        _table(pairs, found[:, 0], k, np.nan),
        _table(pairs, found[:, 1], k, 1.0),
        _table(pairs, adjusted, k, 1.0),
    )


def _signed_ranks(gains: Floats) -> tuple[float, float]:
    from scipy import stats

    gains = np.where(np.abs(gains) < _SAME, 0.0, gains)
    if not gains.any():
        return np.nan, 1.0
    result: Any = stats.wilcoxon(gains, zero_method="zsplit")
    return float(result.statistic), float(result.pvalue)


def _table(pairs: list[tuple[int, int]], values: Floats, k: int, diagonal: float) -> Floats:
    table = np.full((k, k), np.nan)
    np.fill_diagonal(table, diagonal)
    for (i, j), value in zip(pairs, values, strict=True):
        table[i, j] = table[j, i] = value
    return table


def _column(control: int, k: int) -> int:
    if not 0 <= control < k:
        raise ValueError(f"control must be a column of the scores, 0 to {k - 1}; got {control}.")
    return control


@dataclass(frozen=True, eq=False)
class HolmResult:
    """Result of :func:`holm_posthoc`, which describes the attributes."""

    z: Floats
    pvalue: Floats
    holm: Floats


@documented
def holm_posthoc(matrix: Any, control: int, higher_is_better: bool = True) -> HolmResult:
    """Compare the average rank of one model with those of the others.

    Parameters
    ----------
    {matrix}
    control : int
        Column of the model that the others are compared with.
    {higher_is_better}

    Returns
    -------
    result : HolmResult
        Attributes of shape (n_models,): ``z``, the average rank minus that of the control, in
        standard errors, positive where the control is better; ``pvalue``, two-sided; ``holm``, the
        p-values adjusted by Holm. The control itself has z = 0 and p = 1.

    Examples
    --------
    >>> from rarewood.evaluate import holm_posthoc
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.6, 0.5, 0.4]]
    >>> holm_posthoc(scores, control=0).holm.round(3)
    array([1.   , 0.077, 0.027])
    """
    from scipy.stats import norm

    standardized = _standardized_ranks(matrix, higher_is_better)
    control = _column(control, len(standardized))
    z: Floats = standardized - standardized[control]
    pvalue: Floats = 2 * norm.sf(np.abs(z))
    others = np.arange(len(z)) != control
    adjusted = np.ones(len(z))
    adjusted[others] = holm(pvalue[others])
    return HolmResult(z, pvalue, adjusted)
