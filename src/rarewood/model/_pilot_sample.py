"""Samples on which a pilot grows its trees: those with the smallest hashes of their content."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rarewood.table._exact_sum import group_counts

if TYPE_CHECKING:
    from rarewood.model._training_data import LocalData

Hashes = NDArray[np.uint64]
ClassNumbers = NDArray[np.int32]

MAX_SAMPLES = 20_000
# More samples are used, up to a quarter of the table, if these have fewer of the rarest class.
MIN_RARE = 100
TOO_FEW_RARE = 4
_LARGEST = 2**64 - 1
_QUARTER = 2**62  # hashes are uniform, so a quarter of all samples have smaller ones


class PilotSample(NamedTuple):
    """Samples of a training table, in order of their hashes."""

    data: LocalData
    hashes: Hashes
    rows: NDArray[np.intp]
    """Their rows in the table as given."""

    @property
    def is_sufficient(self) -> bool:
        """Whether there are several classes, each with some distinct samples."""
        n_classes, y = len(self.data.classes), self.data.y
        n_distinct = [len(np.unique(self.hashes[y == c])) for c in range(n_classes)]
        return n_classes > 1 and min(n_distinct) >= TOO_FEW_RARE


def draw_sample(
    hash_blocks: Callable[[], Iterator[Hashes]], y: ClassNumbers, n_classes: int
) -> tuple[NDArray[np.intp], Hashes]:
    """Return the rows of :func:`sample_rows` and their hashes.

    ``hash_blocks`` returns the hashes of consecutive rows. Of a large table few are kept: those
    below a bound under which the sample probably is. Copies of rows may call for a larger one.
    """
    fewest = max(int(group_counts(y, n_classes).min()), 1)
    share = 2 * max(MAX_SAMPLES / max(len(y), 1), MIN_RARE / fewest)
    for bound in (int(share * 2**64), _QUARTER, _LARGEST):
        if bound > _QUARTER and bound != _LARGEST:
            continue
        rows, hashes = _at_most(bound, hash_blocks())
        limit = _limit(hashes, y[rows], n_classes)
        if limit <= bound:
            break
    chosen = _in_order(hashes, y[rows], limit)
    return rows[chosen], hashes[chosen]


def _at_most(bound: int, blocks: Iterator[Hashes]) -> tuple[NDArray[np.intp], Hashes]:
    """Return the rows whose hashes are not above a bound, and these."""
    first, rows, found = 0, [], []
    for hashes in blocks:
        here = np.flatnonzero(hashes <= np.uint64(bound))
        rows.append(first + here)
        found.append(hashes[here])
        first += len(hashes)
    return np.concatenate(rows), np.concatenate(found)


def sample_rows(hashes: Hashes, y: ClassNumbers, n_classes: int) -> NDArray[np.intp]:
    """Return a uniform sample of the distinct rows, with all their copies, by hash and class.

    The sample of a table is the sample of the joined samples of its parts: a part has the row at
    every limit below, or all rows up to its own limit, which is not smaller.
    """
    return _in_order(hashes, y, _limit(hashes, y, n_classes))


def _limit(hashes: Hashes, y: ClassNumbers, n_classes: int) -> int:
    """Return the largest hash of a sample."""
    enough = max(_nth_distinct(hashes[y == c], MIN_RARE) for c in range(n_classes))
    return max(_nth_distinct(hashes, MAX_SAMPLES), min(enough, _QUARTER))


def _in_order(hashes: Hashes, y: ClassNumbers, limit: int) -> NDArray[np.intp]:
    """Return the rows up to a limit, by hash and class."""
    rows = np.flatnonzero(hashes <= np.uint64(limit))
    order: NDArray[np.intp] = rows[np.lexsort((y[rows], hashes[rows]))]
    return order


def _nth_distinct(hashes: Hashes, n: int) -> int:
    """Return the n-th smallest distinct hash; the largest possible one if there are fewer."""
    share = 2 * n / max(len(hashes), 1)  # of all hashes: probably more than n
    while share < 1:
        found = np.unique(hashes[hashes < np.uint64(int(share * 2**64))])
        if len(found) >= n:
            return int(found[n - 1])
        share *= 4
    found = np.unique(hashes)
    return int(found[n - 1]) if len(found) >= n else _LARGEST
