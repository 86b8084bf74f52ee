"""Which rows of the training table the trees of a forest are grown on."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.model._training_data import TrainingData

__all__ = ["RowSample", "expected_size", "row_sample"]


@dataclass(frozen=True, eq=False)
class RowSample:
    """How rows are drawn; what a tree draws follows from the seed and the tree's number.

    Parameters
    ----------
    with_replacement : bool
        Whether a row can be drawn several times.
    total : int
        Number of rows to draw from all rows.
    per_class : tuple of int
        Number of rows to draw from each class; empty if they are drawn from all rows. Without
        amounts every row is taken once.
    n_rows : int
        Rows to draw from.
    y : ndarray of int32 or None
        Their classes, if rows are drawn from each class.
    kept : ndarray or None
        Their places in the training table; None if they are all of it. Both are empty in a forest
        from a model file that left out what is known of single rows, and in one whose rows are on
        a cluster.
    class_counts : tuple of int, default=()
        How many of them each class has.
    """

    with_replacement: bool
    total: int
    per_class: tuple[int, ...]
    n_rows: int
    y: NDArray[np.int32] | None
    kept: NDArray[np.intp] | None
    class_counts: tuple[int, ...] = ()

    @property
    def settings(self) -> dict[str, Any]:
        """Arguments of the row sampling of the core."""
        return {
            "with_replacement": self.with_replacement,
            "total": self.total,
            "per_class": self.per_class,
        }

    @property
    def sampling(self) -> _core.RowSampling:
        """The row sampling of the core."""
        return _core.RowSampling(**self.settings)

    @property
    def is_random(self) -> bool:
        """Whether trees differ in their rows, so that some are out of the bag."""
        return self.total > 0 or bool(self.per_class)

    def agrees_with(self, other: RowSample) -> bool:
        """Whether trees of both draw the same rows."""
        if not (self.is_random or other.is_random):
            return True
        if self.settings != other.settings or self.n_rows != other.n_rows:
            return False
        return not self.per_class or np.array_equal(self.y, other.y)  # type: ignore[arg-type]

    def indices(self, seed: int, tree: int) -> NDArray[np.int32]:
        """Return the rows of the training table that a tree has drawn, as often as it has."""
        per_row = [known for known in (self.y, self.kept) if known is not None]
        if any(len(known) != self.n_rows for known in per_row):
            raise ValueError(
                "Which rows a tree has drawn is not known: the training rows' classes are not "
                "here. A model file holds them after rarewood.save(..., keep_rows=True); the rows "
                "of a fit on a cluster stay there."
            )
        y = np.zeros(self.n_rows, dtype=np.int32) if self.y is None else self.y
        n_classes = len(self.per_class) or 1
        copies = self.sampling.copies(y, n_classes, seed, tree)
        rows = np.arange(self.n_rows) if self.kept is None else self.kept
        return np.repeat(rows, copies).astype(np.int32)


def row_sample(estimator: Any, data: TrainingData) -> RowSample:
    """Return how a forest with the given parameters draws from a training table."""
    replace, balance = bool(estimator.bootstrap), bool(estimator.balance)
    max_samples, n_rows = estimator.max_samples, data.n_rows
    class_counts = tuple(data.class_counts.tolist())
    if not (replace or balance):
        if max_samples is not None:
            raise ValueError(
                f"max_samples={max_samples} has no meaning when every tree takes all rows. Set "
                "bootstrap=True or balance=True to draw rows, or max_samples=None."
            )
        return RowSample(False, 0, (), n_rows, None, data.rows, class_counts)
    total = 0
    per_class: tuple[int, ...] = ()
    if balance:
        sizes = [size for size in class_counts if size > 0]
        amount = _number(max_samples, min(sizes), n_parts=len(sizes))
        if not replace:
            amount = min(amount, min(sizes))
        per_class = (amount,) * len(class_counts)
    else:
        total = _number(max_samples, n_rows)
    return RowSample(
        replace,
        total,
        per_class,
        n_rows,
        data.y if balance else None,
        data.rows,
        class_counts,
    )


def _number(max_samples: float | None, n_rows: int, n_parts: int = 1) -> int:
    """Return how many rows to draw: a share of the rows, or a number for all parts together."""
    if max_samples is None:
        return n_rows
    if isinstance(max_samples, Integral):
        return max(1, int(max_samples) // n_parts)
    return max(1, int(max_samples * n_rows))


def expected_size(sample: RowSample, data: TrainingData) -> tuple[int, float]:
    """Return how many rows a tree is grown on, and what they weigh on average."""
    totals = data.class_totals()
    if not sample.is_random:
        return data.n_rows, totals.total
    if not sample.per_class:
        return sample.total, totals.total * sample.total / data.n_rows
    sizes = data.class_counts
    is_present = sizes > 0
    amounts = np.array(sample.per_class)[is_present]
    means = totals.values[is_present] / sizes[is_present]
    # The largest amount last: with equal amounts the ratios are exactly one.
    most = int(amounts.max())
    return int(amounts.sum()), float((means * (amounts / most)).sum()) * most
