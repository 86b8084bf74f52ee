"""The first pass over the features: categories, and statistics to choose bin edges from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.stream._encoding import Encoding
from rarewood.stream._read_batches import Batch, read_batches
from rarewood.table._checks import naming_infinite
from rarewood.table._column_roles import ColumnRoles
from rarewood.table._columns import in_order
from rarewood.table._schema import Categories, Schema
from rarewood.table._table import BATCH_ROWS, Table
from rarewood.table._values import check_n_categories, values_like


@dataclass(frozen=True, eq=False)
class PartClasses:
    """Classes of the samples with nonzero weight of a part of a table."""

    y: NDArray[np.int32]
    totals: NDArray[np.int64]  # samples of each class in the whole table
    n_before: NDArray[np.int64]  # samples of each class before the part

    def after(self, n: int) -> PartClasses:
        """Return the classes of the part without its first samples."""
        n_here = np.bincount(self.y[:n], minlength=len(self.totals))
        return replace(self, y=self.y[n:], n_before=self.n_before + n_here)


class BinStatistics:
    """Statistics of a part of a table. Those of all parts, merged, make an encoding.

    ``n_samples`` are those of the whole table with nonzero weight; their number determines the rows
    whose values represent a feature. If ``class_totals`` has the number of those of each class,
    all classes weigh the same among these rows, and the bins have coordinates.
    """

    def __init__(
        self,
        roles: ColumnRoles,
        n_samples: int,
        max_bins: int,
        class_totals: NDArray[np.int64] | None = None,
    ) -> None:
        self.roles = roles
        self.max_bins = max_bins
        self._has_coordinates = class_totals is not None
        # Categories are numbered when all are found, so the core reads numeric features only.
        n_categories = np.zeros(len(roles.numeric), dtype=np.int64)
        self._numeric = _core.BinStatistics(
            n_samples, n_categories, max_bins, roles.is_float32, class_totals
        )
        self._values: dict[int, set[Any]] = {j: set() for j in roles.categorical}
        self._missing: set[int] = set()  # categorical features with missing values

    def add(
        self,
        batch: Batch,
        first_kept: int,
        n_threads: int = 1,
        classes: PartClasses | None = None,
    ) -> None:
        """Add a batch, with the values of the numeric features.

        ``first_kept`` is the number of samples with nonzero weight before it in the table, and
        ``classes`` has the classes from this batch on.
        """
        y = None if classes is None else classes.y[: batch.n_kept]
        n_before = None if classes is None else classes.n_before
        for j in self.roles.categorical:
            self._add_categorical(j, batch)
        with naming_infinite(batch.values, self.roles.numeric_names):
            self._numeric.add(first_kept, batch.values, n_threads, y, n_before)

    def _add_categorical(self, j: int, batch: Batch) -> None:
        column, known = batch.categorical[j], self.roles.known.get(j)
        if known is None:
            self._values[j].update(column.distinct())
            check_n_categories(len(self._values[j]), column.label)
            is_missing = column.missing()
        else:
            is_missing = np.isnan(values_like(column, known, self.roles.by_dtype))
        if is_missing[slice(None) if batch.kept is None else batch.kept].any():
            self._missing.add(j)

    def merge(self, other: BinStatistics) -> None:
        """Add the statistics of another part of the same table."""
        for j, values in other._values.items():
            self._values[j] |= values
        self._missing |= other._missing
        self._numeric.merge(other._numeric)

    def finish(self) -> Encoding:
        """Return the encoding of the table, the same for any order of merging."""
        roles, found = self.roles, self._numeric.finish()
        n_features = len(roles.features)
        categories = {j: roles.known.get(j) or self._categories(j) for j in roles.categorical}
        has_missing = np.zeros(n_features, dtype=bool)
        has_missing[list(self._missing)] = True
        has_missing[roles.numeric] = found.has_missing
        any_missing = bool(has_missing.any())
        schema = Schema(n_features, roles.names, categories, roles.by_dtype, any_missing)
        # Without numeric features the core has found none.
        coordinates = self._spread(found.coordinates or []) if self._has_coordinates else None
        bins = _core.Bins(
            self._spread(found.edges), schema.n_categories, has_missing, self.max_bins, coordinates
        )
        if coordinates is not None:
            schema = replace(schema, bins=bins)
        return Encoding(roles, schema, bins)

    def _spread(self, arrays: list[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
        """Return an array for each feature; those of categorical ones are empty."""
        spread = [np.empty(0)] * len(self.roles.features)
        for j, array in zip(self.roles.numeric, arrays, strict=True):
            spread[j] = array
        return spread

    def _categories(self, j: int) -> Categories:
        return Categories(in_order(self._values[j]))


def collect_bin_statistics(
    table: Table,
    roles: ColumnRoles,
    kept: NDArray[np.bool_] | None,
    first_kept: int,
    n_kept: int,
    max_bins: int,
    n_threads: int = 1,
    batch_rows: int = BATCH_ROWS,
    on_rows: Callable[[int], object] | None = None,
    classes: PartClasses | None = None,
) -> BinStatistics:
    """Collect the statistics of a part of a table, to be merged with those of the others.

    ``kept`` are its samples with nonzero weight, ``first_kept`` the number of those before it, and
    ``n_kept`` the number of those of the whole table. With ``classes`` the bins have coordinates.
    """
    totals = None if classes is None else classes.totals
    statistics = BinStatistics(roles, n_kept, max_bins, totals)
    batches = read_batches(table, roles, roles.numeric, {}, kept, batch_rows, n_threads, on_rows)
    for batch in batches:
        statistics.add(batch, first_kept, n_threads, classes)
        first_kept += batch.n_kept
        if classes is not None:
            classes = classes.after(batch.n_kept)
    return statistics
