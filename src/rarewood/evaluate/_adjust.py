"""P-values of many tests at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["benjamini_hochberg", "holm"]

Floats = NDArray[np.float64]


def holm(p_values: ArrayLike) -> Floats:
    """Holm's adjusted p-values: the chance of any false alarm among the tests.

    Parameters
    ----------
    p_values : array-like
        One for every test.

    Returns
    -------
    adjusted : ndarray
        In the same order.

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
    """Benjamini's and Hochberg's adjusted p-values: the expected share of false alarms.

    Parameters
    ----------
    p_values : array-like
        One for every test.

    Returns
    -------
    adjusted : ndarray
        In the same order.
    """
    from scipy.stats import false_discovery_control  # slow to import

    p: Any = np.asarray(p_values, dtype=np.float64)
    return np.asarray(false_discovery_control(p) if len(p) else p, dtype=np.float64)
