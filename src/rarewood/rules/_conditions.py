"""Conditions of rules: an interval, a set of categories, or a side of a hyperplane."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Condition", "HalfSpace", "Interval", "Subset"]

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Interval:
    """A numeric feature is above ``low`` and at most ``high``.

    Parameters
    ----------
    feature : int
        Index of the feature.
    low, high : float
        Ends of the interval, possibly infinite.
    missing : bool
        Whether missing values satisfy the condition.
    """

    feature: int
    low: float = -inf
    high: float = inf
    missing: bool = True

    def __and__(self, other: Interval) -> Interval:
        return replace(
            self,
            low=max(self.low, other.low),
            high=min(self.high, other.high),
            missing=self.missing and other.missing,
        )

    def holds(self, matrix: NDArray[Any]) -> Mask:
        """Return which rows of an encoded matrix satisfy the condition."""
        values = matrix[:, self.feature].astype(np.float64)  # as in the tree
        inside: Mask = (values > self.low) & (values <= self.high)
        return inside | np.isnan(values) if self.missing else inside


@dataclass(frozen=True)
class Subset:
    """A categorical feature has one of some categories.

    Parameters
    ----------
    feature : int
        Index of the feature.
    numbers : frozenset of int
        Indices of the categories.
    missing : bool
        Whether missing values and categories not seen in training satisfy the condition.
    """

    feature: int
    numbers: frozenset[int]
    missing: bool

    def __and__(self, other: Subset) -> Subset:
        return replace(
            self, numbers=self.numbers & other.numbers, missing=self.missing and other.missing
        )

    def holds(self, matrix: NDArray[Any]) -> Mask:
        """Return which rows of an encoded matrix satisfy the condition."""
        values = matrix[:, self.feature]
        inside: Mask = np.isin(values, np.fromiter(self.numbers, dtype=values.dtype))
        return inside | np.isnan(values) if self.missing else inside


@dataclass(frozen=True)
class HalfSpace:
    """A weighted sum of numeric features is at most, or above, a threshold.

    Parameters
    ----------
    terms : tuple of (int, float)
        Features and weights.
    threshold : float
        Threshold of the sum.
    above : bool
        Whether the sum must be above the threshold.
    missing : bool
        Whether samples with a missing value in one of the features satisfy the condition.
    """

    terms: tuple[tuple[int, float], ...]
    threshold: float
    above: bool
    missing: bool

    def holds(self, matrix: NDArray[Any]) -> Mask:
        """Return which rows of an encoded matrix satisfy the condition."""
        total = np.zeros(len(matrix))
        for feature, weight in self.terms:  # in the order of the tree, for equal rounding
            total += weight * matrix[:, feature].astype(np.float64)
        inside: Mask = total > self.threshold if self.above else total <= self.threshold
        return inside | np.isnan(total) if self.missing else inside


Condition = Interval | Subset | HalfSpace
