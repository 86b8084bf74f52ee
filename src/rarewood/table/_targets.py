"""The labels and the weights of rows that are read in batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rarewood.table._arrow import ArrowColumn, arrow, dictionary_of, kind_of
from rarewood.table._checks import check_any_weight, check_weights
from rarewood.table._column_roles import ColumnRoles
from rarewood.table._exact_sum import ExactTotals, exact_totals, group_counts
from rarewood.table._labels import class_factors, encode_labels, missing_label, weigh_rows
from rarewood.table._table import BATCH_ROWS, Table

__all__ = ["RawTargets", "TargetSummary", "Targets", "read_targets"]


@dataclass(frozen=True, eq=False)
class TargetSummary:
    """The classes of some rows, and what the rows of each weigh. Small, and never rounded.

    Parameters
    ----------
    classes : ndarray
        The distinct labels, sorted.
    counts : tuple of int
        Rows of each class.
    totals : ExactTotals
        What they weigh.
    """

    classes: NDArray[Any]
    counts: tuple[int, ...]
    totals: ExactTotals

    @property
    def n_rows(self) -> int:
        """Rows of all classes."""
        return sum(self.counts)

    def merge(self, other: Self) -> TargetSummary:
        """Return the summary of both sets of rows, which have labels of the same type."""
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
        """Return the weight of each class, as the parameter of that name says.

        Parameters
        ----------
        class_weight : dict, "balanced" or None
            See ``RareTreeClassifier``.

        Returns
        -------
        weights : ndarray of shape (n_classes,) or None
            None if all weigh one.
        """
        check_any_weight(self.totals.total > 0)
        if not np.isfinite(self.totals.total):
            raise ValueError("sample_weight is too large: the sum of the weights is infinite.")
        if class_weight is None:
            return None
        return class_factors(class_weight, self.classes, self.totals.values)


@dataclass(frozen=True, eq=False)
class Targets:
    """Class numbers and weights of the rows that weigh anything.

    Parameters
    ----------
    y : ndarray of int32 of shape (n_kept,)
        Class numbers.
    weights : ndarray of float64 of shape (n_kept,) or None
        Weights; None where there are none.
    rows : ndarray of shape (n_kept,) or None
        Which rows these are; None if they are all.
    y_given : ndarray of int32
        Class numbers of all rows.
    is_plain : bool
        Whether all weigh exactly one. If that is so for every part of a table, the fit is one
        without weights.
    """

    y: NDArray[np.int32]
    weights: NDArray[np.float64] | None
    rows: NDArray[np.intp] | None
    y_given: NDArray[np.int32]
    is_plain: bool

    @property
    def n_kept(self) -> int:
        """Rows that weigh anything."""
        return len(self.y)

    @cached_property
    def kept(self) -> NDArray[np.bool_] | None:
        """Whether each row weighs anything; None if all do."""
        if self.rows is None:
            return None
        is_kept = np.zeros(len(self.y_given), dtype=bool)
        is_kept[self.rows] = True
        return is_kept

    def class_counts(self, n_classes: int) -> NDArray[np.int64]:
        """Return how many of the rows each class has."""
        return group_counts(self.y, n_classes)


@dataclass(frozen=True, eq=False)
class RawTargets:
    """The labels and weights of some rows, as they are in the table.

    Parameters
    ----------
    classes : ndarray
        The distinct labels of these rows, sorted.
    y : ndarray of int32 of shape (n_rows,)
        The place of each row's label among them.
    weights : ndarray of float64 of shape (n_rows,) or None
        Weights; None if all weigh one.
    """

    classes: NDArray[Any]
    y: NDArray[np.int32]
    weights: NDArray[np.float64] | None

    def summary(self) -> TargetSummary:
        """Return what the other rows of the table must know of these."""
        n = len(self.classes)
        counts = group_counts(self.y, n)
        totals = ExactTotals.of_counts(counts)
        if self.weights is not None:
            totals = exact_totals(self.weights, self.y, n)
        return TargetSummary(self.classes, tuple(counts.tolist()), totals)

    def settle(
        self, classes: NDArray[Any], class_weights: NDArray[np.float64] | None = None
    ) -> Targets:
        """Number the labels, multiply the weights, and find the rows that weigh anything.

        Parameters
        ----------
        classes : ndarray
            The labels of the whole table, sorted.
        class_weights : ndarray of shape (n_classes,) or None
            What :meth:`TargetSummary.class_weights` says for the whole table.

        Returns
        -------
        settled : Targets
            What the core takes.
        """
        y = self.y
        if len(self.classes) not in (0, len(classes)):
            y = np.searchsorted(classes, self.classes).astype(np.int32)[y]
        weighed = weigh_rows(self.weights, class_weights, y)
        kept = y if weighed.rows is None else y[weighed.rows]
        return Targets(kept, weighed.weights, weighed.rows, y, weighed.is_plain)


def read_targets(
    rows: Table,
    roles: ColumnRoles,
    first_row: int = 0,
    batch_rows: int = BATCH_ROWS,
    on_rows: Callable[[int], object] | None = None,
) -> RawTargets:
    """Read the labels and the weights of some rows, and nothing else of them.

    Parameters
    ----------
    rows : Table
        The rows.
    roles : ColumnRoles
        Says which columns.
    first_row : int, default=0
        The number of the first row in its table, for messages.
    batch_rows : int, default=65536
        Rows to read at once.
    on_rows : callable, default=None
        Called with the number of the first row that was not read yet.

    Returns
    -------
    targets : RawTargets
        12 bytes for each row, or 4 without weights.
    """
    columns = [roles.y] if roles.weight is None else [roles.y, roles.weight]
    found: list[NDArray[Any]] = []
    y, weights = [], []
    for batch in rows.batches(columns, batch_rows):
        classes, numbers = _encode(batch.column(0), first_row)
        found.append(classes)
        y.append(numbers)
        if roles.weight is not None:
            weights.append(_weights(batch.column(1), roles.weight, first_row))
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
    all_weights = np.concatenate(weights) if roles.weight is not None else None
    return RawTargets(classes, np.concatenate(together), all_weights)


def _encode(labels: Any, first_row: int) -> tuple[NDArray[Any], NDArray[np.int32]]:
    types = arrow().types
    is_missing = labels.is_null(nan_is_null=True)
    if is_missing.true_count:
        raise missing_label(first_row + int(np.argmax(is_missing.to_numpy(zero_copy_only=False))))
    if types.is_decimal(labels.type):
        labels = labels.cast(arrow().float64())
    if kind_of(labels.type) != "nominal" or types.is_boolean(labels.type):
        return encode_labels(labels.to_numpy(zero_copy_only=False))
    values, places = dictionary_of(labels)
    is_used = np.zeros(len(values), dtype=bool)
    is_used[places] = True
    used = values.filter(arrow().array(is_used)).to_numpy(zero_copy_only=False)
    classes, numbers = encode_labels(used)
    of_value = np.zeros(len(values), dtype=np.int32)
    of_value[is_used] = numbers
    return classes, of_value[places]


def _weights(column: Any, name: str, first_row: int) -> NDArray[np.float64]:
    if kind_of(column.type) != "numeric" and not arrow().types.is_boolean(column.type):
        raise ValueError(
            f"sample_weight={name!r} holds values of the type {column.type}; weights are numbers."
        )
    is_missing = column.is_null(nan_is_null=True)
    if is_missing.true_count:
        row = first_row + int(np.argmax(is_missing.to_numpy(zero_copy_only=False)))
        raise ValueError(
            f"Input sample_weight contains NaN or another missing value, first in row {row}. Every "
            "row needs a weight; zero leaves it out."
        )
    weights: NDArray[np.float64] = ArrowColumn(column, name).numeric().astype(np.float64)
    check_weights(weights)
    return weights
