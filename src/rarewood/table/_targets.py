"""Targets of a fit: class numbers and weights of the samples.

One way for every table: :class:`RawTargets` are labels and weights as given, of a whole table or of
one part of it. Their summaries, merged, decide the classes and class weights, with which they
become :class:`Targets`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rarewood.table._arrow import ArrowColumn
from rarewood.table._checks import check_any_weight, check_lengths, check_weights
from rarewood.table._column_roles import ColumnRoles
from rarewood.table._columns import Column
from rarewood.table._exact_sum import ExactTotals, exact_totals, group_counts
from rarewood.table._labels import encode_labels
from rarewood.table._table import BATCH_ROWS, Table


class Targets(NamedTuple):
    """Class numbers and weights of the samples of a table, or of a part of it."""

    classes: NDArray[Any]
    """Labels of the whole table, sorted."""
    y: NDArray[np.int32]
    """Class number of each sample with nonzero weight."""
    weights: NDArray[np.float64] | None
    """Product of sample and class weight of each of these samples; None without weights."""
    rows: NDArray[np.intp] | None
    """Rows of these samples in the table; None if they are all of it."""
    y_given: NDArray[np.int32]
    """Class number of each sample."""

    @property
    def is_plain(self) -> bool:
        """Whether each weight is one: where that is so for all parts, the fit has no weights."""
        weights = self.weights
        return weights is None or bool(weights.min(initial=1) == 1 == weights.max(initial=1))

    @property
    def weights_or_ones(self) -> NDArray[np.float64]:
        """Weight of each sample in ``y``, also without weights."""
        return np.ones(len(self.y)) if self.weights is None else self.weights

    @property
    def kept(self) -> NDArray[np.bool_] | None:
        """Whether each sample has a nonzero weight; None if all have."""
        if self.rows is None:
            return None
        is_kept = np.zeros(len(self.y_given), dtype=bool)
        is_kept[self.rows] = True
        return is_kept

    @property
    def class_counts(self) -> NDArray[np.int64]:
        """Number of samples of each class with nonzero weight."""
        return group_counts(self.y, len(self.classes))


@dataclass(frozen=True, eq=False)
class TargetSummary:
    """Classes of some samples, with their number and weight. Small, and never rounded."""

    classes: NDArray[Any]  # sorted
    counts: tuple[int, ...]
    totals: ExactTotals

    def merge(self, other: Self) -> TargetSummary:
        """Return the summary of both sets of samples, whose labels are of the same type."""
        if not len(self.classes) or not len(other.classes):
            return self if len(self.classes) else other
        classes, numbers = encode_labels(np.concatenate([self.classes, other.classes]))
        own, others = np.split(numbers, [len(self.classes)])
        n = len(classes)
        counts = np.zeros(n, dtype=np.int64)
        np.add.at(counts, numbers, [*self.counts, *other.counts])
        totals = self.totals.renumbered(own.tolist(), n)
        totals = totals.merge(other.totals.renumbered(others.tolist(), n))
        return TargetSummary(classes, tuple(counts.tolist()), totals)

    def class_weights(self, class_weight: Any) -> NDArray[np.float64] | None:
        """Return the weight of each class for ``class_weight``; None if each is one."""
        check_any_weight(self.totals.total > 0)
        if not np.isfinite(self.totals.total):
            raise ValueError("sample_weight is too large: the sum of the weights is infinite.")
        if class_weight is None:
            return None
        if isinstance(class_weight, str):  # "balanced"
            totals = self.totals.values
            is_present = totals > 0
            totals = np.ldexp(totals, -np.frexp(totals.max())[1])  # near one: nothing overflows
            weights = np.zeros_like(totals)
            weights[is_present] = totals.sum() / np.count_nonzero(is_present) / totals[is_present]
            return weights
        from sklearn.utils.class_weight import compute_class_weight

        given: NDArray[np.float64] = compute_class_weight(
            class_weight, classes=self.classes, y=self.classes
        )
        return given


@dataclass(frozen=True, eq=False)
class RawTargets:
    """Labels and weights of some samples, as given."""

    classes: NDArray[Any]  # of these samples, sorted
    y: NDArray[np.int32]  # the place of each label among them
    weights: NDArray[np.float64] | None  # None if each is one

    @classmethod
    def of(cls, y: Any, sample_weight: Any, n_rows: int) -> Self:
        """Check the labels and weights of a table in memory."""
        classes, numbers = encode_labels(y)
        check_lengths(n_rows, len(numbers))
        if sample_weight is None:
            return cls(classes, numbers, None)
        from rarewood._validation import sample_weights

        return cls(classes, numbers, sample_weights(sample_weight, n_rows))

    def summary(self) -> TargetSummary:
        """Return the classes, with their number of samples and their weight."""
        n = len(self.classes)
        totals = exact_totals(self.weights, self.y, n)
        return TargetSummary(self.classes, tuple(group_counts(self.y, n).tolist()), totals)

    def targets(self, class_weight: Any) -> Targets:
        """Return the targets of a whole table; without weights if each is one."""
        factors = None if class_weight is None else self.summary().class_weights(class_weight)
        targets = self.targets_of_part(self.classes, factors)
        check_any_weight(len(targets.y) > 0)
        return targets._replace(weights=None) if targets.is_plain else targets

    def targets_of_part(
        self, classes: NDArray[Any], class_weights: NDArray[np.float64] | None
    ) -> Targets:
        """Return the targets of a part of a table, with the classes of all of it.

        Samples of weight zero are left out; possibly all of them.
        """
        y, weights, rows = self.y, self.weights, None
        if len(self.classes) not in (0, len(classes)):
            y = np.searchsorted(classes, self.classes).astype(np.int32)[y]
        if class_weights is not None:
            weights = _weighted(class_weights[y], weights)
        if weights is not None and weights.min(initial=1) == 0:
            rows = np.flatnonzero(weights)
            weights = weights[rows]
        return Targets(classes, y if rows is None else y[rows], weights, rows, y)


def _weighted(
    class_weights: NDArray[np.float64], weights: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Return the product of the class weight and the sample weight of each sample, if given."""
    with np.errstate(over="ignore", under="ignore"):
        products = class_weights if weights is None else weights * class_weights
    check_weights(products)
    if weights is not None and ((products == 0) & (weights > 0) & (class_weights > 0)).any():
        raise ValueError(
            "sample_weight is too small: the product of the sample weight and the class weight of "
            "a sample is below the smallest number. Multiply all sample weights by the same number."
        )
    return products


def read_targets(
    rows: Table,
    roles: ColumnRoles,
    first_row: int = 0,
    batch_rows: int = BATCH_ROWS,
    on_rows: Callable[[int], object] | None = None,
) -> RawTargets:
    """Read the labels and weights of a table or a part of one, and no other columns.

    ``first_row`` is the number of its first row in the table, for messages. ``on_rows`` is called
    with the number of rows read so far, those before ``first_row`` included.
    """
    columns = [roles.y] if roles.weight is None else [roles.y, roles.weight]
    found: list[NDArray[Any]] = []
    y, weights = [], []
    for batch in rows.batches(columns, batch_rows):
        classes, numbers = encode_labels(batch.column(0), first_row)
        found.append(classes)
        y.append(numbers)
        if roles.weight is not None:
            column = ArrowColumn(batch.column(1), roles.weight)
            weights.append(column_weights(column, roles.weight, first_row))
        first_row += batch.num_rows
        if on_rows is not None:
            on_rows(first_row)
    if not found:
        weights_of_none = None if roles.weight is None else np.empty(0)
        return RawTargets(np.empty(0), np.empty(0, dtype=np.int32), weights_of_none)
    classes, places = encode_labels(np.concatenate(found))
    begins = np.cumsum([len(one) for one in found])[:-1]
    together = [
        own if len(new) == len(classes) else new[own]  # all classes are here: nothing changes
        for new, own in zip(np.split(places, begins), y, strict=True)
    ]
    all_weights = None
    if roles.weight is not None:
        all_weights = np.concatenate(weights)
        check_weights(all_weights)  # their sum, too, must be finite
    return RawTargets(classes, np.concatenate(together), all_weights)


def column_weights(column: Column, name: str, first_row: int = 0) -> NDArray[np.float64]:
    """Return a column of sample weights; an error unless they are finite and not negative."""
    try:
        weights: NDArray[np.float64] = column.numeric().astype(np.float64)
    except ValueError:
        raise ValueError(
            f"sample_weight={name!r} does not hold numbers. Weights must be numbers."
        ) from None
    check_weights(weights, first_row)
    return weights
