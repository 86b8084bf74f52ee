"""What a rule asks of a row: an interval, a set of categories, or a side of a hyperplane."""

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
    """A numeric column is above ``low`` and at most ``high``.

    Parameters
    ----------
    feature : int
        The column.
    low, high : float
        The ends; infinite for none.
    missing : bool
        Whether a missing value will do, too.
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
        """Return for each row of an encoded matrix whether it satisfies the condition."""
        values = matrix[:, self.feature].astype(np.float64)  # as the tree compares them
        inside: Mask = (values > self.low) & (values <= self.high)
        return inside | np.isnan(values) if self.missing else inside


@dataclass(frozen=True)
class Subset:
    """A nominal column has one of some categories.

    Parameters
    ----------
    feature : int
        The column.
    numbers : frozenset of int
        Numbers of the categories, of those that the training table had.
    missing : bool
        Whether a missing value, or a category that the training table did not have, will do, too.
    """

    feature: int
    numbers: frozenset[int]
    missing: bool

    def __and__(self, other: Subset) -> Subset:
        return replace(
            self, numbers=self.numbers & other.numbers, missing=self.missing and other.missing
        )

    def holds(self, matrix: NDArray[Any]) -> Mask:
        """Return for each row of an encoded matrix whether it satisfies the condition."""
        values = matrix[:, self.feature]
        inside: Mask = np.isin(values, np.fromiter(self.numbers, dtype=values.dtype))
        return inside | np.isnan(values) if self.missing else inside


@dataclass(frozen=True)
class HalfSpace:
    """A weighted sum of numeric columns is at most, or above, a threshold.

    Parameters
    ----------
    terms : tuple of (int, float)
        Columns and weights.
    threshold : float
        What the sum is compared with.
    above : bool
        Whether the sum must be above it.
    missing : bool
        Whether a row that misses one of the values will do, too.
    """

    terms: tuple[tuple[int, float], ...]
    threshold: float
    above: bool
    missing: bool

    def holds(self, matrix: NDArray[Any]) -> Mask:
        """Return for each row of an encoded matrix whether it satisfies the condition."""
        total = np.zeros(len(matrix))
        for feature, weight in self.terms:  # in the order of the tree, so with its rounding
            total += weight * matrix[:, feature].astype(np.float64)
        inside: Mask = total > self.threshold if self.above else total <= self.threshold
        return inside | np.isnan(total) if self.missing else inside


Condition = Interval | Subset | HalfSpace
