"""Where the columns of a table are cut into bins in binned mode, from the whole column at once."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np

from oracle.cuts import midpoint
from oracle.random import Random, combine_key

SAMPLE = 16_384
MISSING = 255
BINS = 0x62696E73  # "bins": the stream that draws the sample


def sample_rows(n_rows: int, n_sample: int = SAMPLE) -> list[int]:
    """One row of each of as many strata, drawn by the number of rows alone."""
    if n_rows <= n_sample:
        return list(range(n_rows))
    random = Random(combine_key(BINS, n_rows))
    bounds = [i * n_rows // n_sample for i in range(n_sample + 1)]
    return [low + random.below(high - low) for low, high in pairwise(bounds)]


def class_sample(y: np.ndarray, max_bins: int) -> list[int]:
    """Rows of every class, drawn by rank in the class; those of a small class several times.

    Copies of one row never fill more than half of a bin.
    """
    present = sorted(set(y.tolist()))
    share = max(SAMPLE // len(present), 1)
    rows: list[int] = []
    for of_class in present:
        own = np.flatnonzero(y == of_class)
        taken = [int(own[rank]) for rank in sample_rows(len(own), share)]
        n_copies = min(max(share // len(taken), 1), SAMPLE // (2 * max_bins))
        rows += taken * (n_copies if len(present) > 1 else 1)
    return rows


def with_coordinates(
    column: np.ndarray, y: np.ndarray, max_bins: int
) -> tuple[list[float], list[float]]:
    """Edges and coordinates of a numeric column, from a sample in which classes weigh the same.

    The coordinate of a bin is its only value, or the mean of its values in the sample.
    """
    sample = sorted(float(x) for x in column[class_sample(y, max_bins)] if not math.isnan(x))
    distinct = sorted({float(x) for x in column if not math.isnan(x)})
    if len(distinct) <= max_bins:
        has_missing = bool(np.isnan(column).any())
        if max_bins == 255 and sample and not has_missing and are_whole(sample, distinct):
            distinct = np.arange(distinct[0], distinct[-1] + 1).tolist()
        cuts = [midpoint(low, high) for low, high in pairwise(distinct)]
        return cuts, [x + 0.0 for x in distinct] or [0.0]
    cuts = equal_shares(sample, max_bins)
    coordinates = []
    for low, high in pairwise([-math.inf, *cuts, math.inf]):
        values = [x for x in sample if low < x <= high]
        mean = 0.0
        for x in values:
            mean += x / len(values)
        if column.dtype == np.float32:
            mean = float(np.float32(mean))
        is_single = len(set(values)) == 1
        coordinates.append(values[0] if is_single else min(max(mean, values[0]), values[-1]))
    return cuts, [x + 0.0 for x in coordinates] or [0.0]


def edges(column: np.ndarray, max_bins: int) -> list[float]:
    """Of a numeric column.

    No value in the sample: one bin.  Whole numbers within 255 of each other, none missing: a bin
    for each (255 bins only).  At most `max_bins` distinct values: a bin for each.  Otherwise bins
    that are about equally full in the sample.
    """
    values = [float(x) for x in column]
    present = [x for x in values if not math.isnan(x)]
    sample = sorted(x for x in (values[i] for i in sample_rows(len(values))) if not math.isnan(x))
    if not sample:
        return []
    distinct = sorted(set(present))
    if max_bins == 255 and len(present) == len(values) and are_whole(sample, distinct):
        return [x + 0.5 for x in np.arange(distinct[0], distinct[-1])]
    if len(distinct) <= max_bins:
        return [midpoint(low, high) for low, high in pairwise(distinct)]
    return equal_shares(sample, max_bins)


def are_whole(sample: list[float], distinct: list[float]) -> bool:
    """Do all values lie among the 255 whole numbers about the middle of a narrow sample?"""
    low, high = sample[0], sample[-1]
    if not (high - low < 254 and abs(low) < 1e6 and abs(high) < 1e6):
        return False
    if not all(x.is_integer() for x in sample):
        return False
    first = math.floor((low + high) / 2) - 127
    return all(x.is_integer() and first <= x < first + 255 for x in distinct)


def equal_shares(sample: list[float], max_bins: int) -> list[float]:
    """Close a bin when it has its share of what is left, or before a value that fills one alone."""
    counts = sorted(Counter(sample).items())
    if len(counts) <= max_bins:
        return [midpoint(low, high) for (low, _), (high, _) in pairwise(counts)]
    found: list[float] = []
    left, filled = len(sample), 0  # rows from the open bin on, and in it
    for (value, n), (after, n_after) in pairwise(counts):
        filled += n
        bins_left = max_bins - len(found)
        share = left / bins_left
        if bins_left > 1 and (filled >= share or n_after >= share):
            found.append(midpoint(value, after))
            left, filled = left - filled, 0
    return found


def codes(column: np.ndarray, cuts: list[float], n_categories: int = 0) -> list[int]:
    """The number of edges below each value, or its category; of a wide categorical column 0."""

    def code(x: float) -> int:
        if math.isnan(x):
            return MISSING
        if n_categories:
            return int(x) if n_categories <= 255 else 0
        return sum(cut < x for cut in cuts)

    return [code(float(x)) for x in column]
