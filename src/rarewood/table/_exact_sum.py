"""Sums of weights that do not depend on the order of the rows, nor on how they are divided.

A double is an integer multiple of 2**-1127, so a sum of doubles is a sum of integers. It is rounded
once, at the end. (The core rounds each weight to a grid instead, on which histograms are exact.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

_BITS = 53
_LOW = 27  # bits of the lower part of a mantissa
_UNIT = 1074 + _BITS  # the smallest double is 2**-1074
_EXPONENTS = _UNIT - _BITS + 1025  # from that of the smallest to that of the largest double
_BLOCK = 1 << 16  # rows that stay in the cache; their parts of mantissas add up in a double


@dataclass(frozen=True)
class ExactTotals:
    """Totals of groups, as integer multiples of 2**-1127."""

    parts: tuple[int, ...]

    def merge(self, other: Self) -> ExactTotals:
        """Return the totals of both sets of rows."""
        return ExactTotals(tuple(a + b for a, b in zip(self.parts, other.parts, strict=True)))

    def renumbered(self, numbers: Sequence[int], n_groups: int) -> ExactTotals:
        """Return the totals with group i as group ``numbers[i]`` of ``n_groups``."""
        parts = [0] * n_groups
        for part, number in zip(self.parts, numbers, strict=True):
            parts[number] += part
        return ExactTotals(tuple(parts))

    @property
    def values(self) -> NDArray[np.float64]:
        """The totals, each rounded to the nearest double."""
        return np.array([_rounded(part) for part in self.parts], dtype=np.float64)

    @property
    def total(self) -> float:
        """The total of all groups, rounded to the nearest double."""
        return _rounded(sum(self.parts))


def _rounded(part: int) -> float:
    try:
        return part / (1 << _UNIT)
    except OverflowError:
        return float("inf")


def group_counts(groups: NDArray[np.int32], n_groups: int) -> NDArray[np.int64]:
    """Return the number of rows of each group."""
    counts = np.zeros(n_groups, dtype=np.int64)
    for start in range(0, len(groups), _BLOCK):  # NumPy makes a wider copy of what it counts
        counts += np.bincount(groups[start : start + _BLOCK], minlength=n_groups)
    return counts


def exact_totals(
    weights: NDArray[np.float64] | None, groups: NDArray[np.int32], n_groups: int
) -> ExactTotals:
    """Add up the weights of each group.

    ``weights`` are finite, or None if each is 1; ``groups`` is the group of each row. The order of
    the rows does not matter.
    """
    if weights is None:
        return ExactTotals(tuple(n << _UNIT for n in group_counts(groups, n_groups).tolist()))
    n_cells = _EXPONENTS * n_groups
    high, low = np.zeros(n_cells, dtype=np.int64), np.zeros(n_cells, dtype=np.int64)
    for start in range(0, len(groups), _BLOCK):
        fractions, exponents = np.frexp(weights[start : start + _BLOCK])
        mantissas = np.ldexp(fractions, _BITS).astype(np.int64)
        cells = (exponents + np.int64(_UNIT - _BITS)) * n_groups + groups[start : start + _BLOCK]
        n_used = int(cells.max()) + 1
        high[:n_used] += np.bincount(cells, mantissas >> _LOW).astype(np.int64)
        low[:n_used] += np.bincount(cells, mantissas & ((1 << _LOW) - 1)).astype(np.int64)
    parts = [0] * n_groups
    for cell in np.flatnonzero(high | low).tolist():
        exponent, group = divmod(cell, n_groups)
        parts[group] += ((int(high[cell]) << _LOW) + int(low[cell])) << exponent
    return ExactTotals(tuple(parts))
