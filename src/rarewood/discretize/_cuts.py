"""Cuts of one feature by recursive splitting, accepted by the minimum description length."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.criteria import CriterionLike, score

Floats = NDArray[np.float64]

_TIE = 1e-12  # relative, as for the splits of trees
_BATCH = 2**20  # counts that are scored at once


def class_counts(
    values: Floats, y: NDArray[np.int32], weights: Floats | None, n_classes: int
) -> tuple[Floats, Floats]:
    """Return the distinct values, sorted, and the weight of each class at each of them."""
    is_present = ~np.isnan(values)
    distinct, places = np.unique(values[is_present], return_inverse=True)
    cells = places * n_classes + y[is_present]
    counts = np.bincount(
        cells,
        None if weights is None else weights[is_present],
        minlength=len(distinct) * n_classes,
    )
    return distinct, counts.astype(np.float64).reshape(len(distinct), n_classes)


def find_cuts(distinct: Floats, counts: Floats, criterion: CriterionLike) -> Floats:
    """Return the cuts of a feature, in ascending order; ``x <= cut`` is below a cut.

    An interval of values is divided at the cut with the best value of the criterion, and both parts
    again, unless :func:`is_accepted` rejects the cut.
    """
    found = []
    stack = [(0, len(distinct))]
    while stack:
        first, end = stack.pop()
        part = counts[first:end]
        if len(part) < 2 or np.count_nonzero(part.any(axis=0)) < 2:
            continue
        # Sums from both ends, not differences: a class that is absent has a count of exactly zero.
        left = part.cumsum(axis=0)[:-1]
        right = part[::-1].cumsum(axis=0)[::-1][1:]
        best = _best(left, right, criterion)
        if is_accepted(left[best], right[best]):
            middle = first + best + 1
            found.append(_midpoint(float(distinct[middle - 1]), float(distinct[middle])))
            stack += [(first, middle), (middle, end)]
    return np.array(sorted(found), dtype=np.float64)


def is_accepted(left: Floats, right: Floats) -> bool:
    """Return whether a cut shortens the description of the classes (Fayyad and Irani, 1993).

    The information gain, in bits, must exceed ``(log2(n - 1) + delta) / n``, where ``n`` is the
    total weight and ``delta`` the cost of describing the classes of the parts.
    """
    total = left + right
    n = total.sum()
    parts = [(np.count_nonzero(side), side.sum() / n, _entropy(side)) for side in (left, right)]
    n_present, entropy = np.count_nonzero(total), _entropy(total)
    gain = entropy - sum(fraction * bits for _, fraction, bits in parts)
    # log2(3^k - 2), which would overflow for many classes
    delta = n_present * np.log2(3) + np.log2(1 - 2 * 3.0**-n_present)
    delta -= n_present * entropy - sum(k * bits for k, _, bits in parts)
    position = np.log2(max(n - 1, 1.0))  # weights may sum to less than two samples
    return bool(gain * n > position + delta)


def _entropy(counts: Floats) -> Any:
    p = counts[counts > 0] / counts.sum()
    return -(p * np.log2(p)).sum()


def _best(left: Floats, right: Floats, criterion: CriterionLike) -> int:
    """Return the number of the best cut, the lowest of those that tie with it."""
    step = max(1, _BATCH // left.shape[1])
    tables = (
        np.stack([left[i : i + step], right[i : i + step]], axis=1)
        for i in range(0, len(left), step)
    )
    scores = np.concatenate([score(criterion, table) for table in tables])
    highest = scores.max()
    enough = highest if np.isinf(highest) else highest - _TIE * abs(highest)
    return int(np.argmax(scores >= enough))


def _midpoint(low: float, high: float) -> float:
    """Return the middle of two values, or the lower one if the middle rounds to the higher."""
    middle = (low + high) / 2  # plain floats overflow without a warning
    if not np.isfinite(middle):
        middle = low / 2 + high / 2
    return middle if low <= middle < high else low
