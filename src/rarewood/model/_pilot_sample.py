"""Samples on which a pilot grows its trees: those with the smallest hashes of their content."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

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


def sample_rows(hashes: Hashes, y: ClassNumbers, n_classes: int) -> NDArray[np.intp]:
    """Return a uniform sample of the distinct rows, with all their copies, by hash and class.

    The sample of a table is the sample of the joined samples of its parts: a part has the row at
    every limit below, or all rows up to its own limit, which is not smaller.
    """
    enough = max(_nth_distinct(hashes[y == c], MIN_RARE) for c in range(n_classes))
    limit = max(_nth_distinct(hashes, MAX_SAMPLES), min(enough, _QUARTER))
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
