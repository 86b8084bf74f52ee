"""Adjustment of p-values for the number of tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def holm(p_values: ArrayLike) -> Floats:
    """Holm-adjusted p-values, which bound the probability of any false rejection.

    Parameters
    ----------
    p_values : array-like
        One p-value per test.

    Returns
    -------
    adjusted : ndarray
        Adjusted p-values in the same order.

    Examples
    --------
    >>> from rarewood.evaluate import holm
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p: Floats = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    raised = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(raised, 1.0)
    return adjusted


def benjamini_hochberg(p_values: ArrayLike) -> Floats:
    """Benjamini-Hochberg-adjusted p-values, which bound the false discovery rate."""
    from scipy.stats import false_discovery_control  # slow to import

    p: Floats = np.asarray(p_values, dtype=np.float64)
    return np.asarray(false_discovery_control(p) if len(p) else p, dtype=np.float64)
