"""The first pass over the features: categories, and what the edges of bins are chosen from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.stream._encoding import Encoding
from rarewood.stream._read_batches import Batch, Reading, read_batches
from rarewood.table._checks import naming_infinite
from rarewood.table._column_roles import ColumnRoles
from rarewood.table._columns import in_order
from rarewood.table._schema import Categories
from rarewood.table._table import BATCH_ROWS, Table
from rarewood.table._values import check_n_categories, values_like

__all__ = ["BinStatistics", "collect_bin_statistics"]


class BinStatistics:
    """What was found in some rows of a table. The surveys of all its rows, merged, make a encoding.

    Parameters
    ----------
    roles : ColumnRoles
        The columns.
    n_rows : int
        Rows of the whole table that weigh anything: which of them stand for the values of a column
        follows from their number.
    max_bins : int
        Most bins of a column.
    """

    def __init__(self, roles: ColumnRoles, n_rows: int, max_bins: int) -> None:
        self.roles = roles
        self.max_bins = max_bins
        # Categories are numbered when all are known, so the core looks at numeric features only.
        n_categories = np.zeros(len(roles.numeric), dtype=np.int64)
        self._numbers = _core.Survey(n_rows, n_categories, max_bins, roles.is_float32)
        self._values: dict[int, set[Any]] = {j: set() for j in roles.nominal}
        self._missing: set[int] = set()  # nominal features with missing values

    def add(self, batch: Batch, first_kept: int, n_threads: int = 1) -> None:
        """Look at a batch of rows.

        Parameters
        ----------
        batch : Batch
            The rows, with the values of the numeric features. Each row of the table comes once.
        first_kept : int
            The number of its first row among the rows of the table that weigh anything.
        n_threads : int, default=1
            Threads to use.
        """
        for j in self.roles.nominal:
            self._add_nominal(j, batch)
        with naming_infinite(batch.values, self.roles.numeric_names):
            self._numbers.add(first_kept, batch.values, n_threads)

    def _add_nominal(self, j: int, batch: Batch) -> None:
        column, known = batch.nominal[j], self.roles.known.get(j)
        if known is None:
            self._values[j].update(column.distinct())
            check_n_categories(len(self._values[j]), column.label)
            is_missing = column.missing()
        else:
            is_missing = np.isnan(values_like(column, known, self.roles.by_dtype))
        if is_missing[slice(None) if batch.kept is None else batch.kept].any():
            self._missing.add(j)

    def merge(self, other: BinStatistics) -> None:
        """Add what was found in other rows of the same table."""
        for j, values in other._values.items():
            self._values[j] |= values
        self._missing |= other._missing
        self._numbers.merge(other._numbers)

    def finish(self, classes: NDArray[Any]) -> Encoding:
        """Return how the table is coded, once all its rows have been looked at.

        Parameters
        ----------
        classes : ndarray
            The labels of the table, sorted.

        Returns
        -------
        encoding : Encoding
            Categories and edges, the same for any order of merging.
        """
        roles, found = self.roles, self._numbers.finish()
        categories = {j: roles.known.get(j) or self._categories(j) for j in roles.nominal}
        has_missing = np.zeros(len(roles.features), dtype=bool)
        has_missing[list(self._missing)] = True
        has_missing[roles.numeric] = found.has_missing
        edges = [np.empty(0)] * len(roles.features)
        for j, of_feature in zip(roles.numeric, found.edges, strict=True):
            edges[j] = of_feature
        return Encoding.of(roles, classes, categories, edges, has_missing, self.max_bins)

    def _categories(self, j: int) -> Categories:
        values, order = self._values[j], self.roles.orders.get(self.roles.features[j])
        return Categories(
            in_order(values) if order is None else [value for value in order if value in values]
        )


def collect_bin_statistics(
    rows: Table,
    roles: ColumnRoles,
    kept: NDArray[np.bool_] | None,
    first_kept: int,
    n_kept: int,
    max_bins: int,
    *,
    n_threads: int = 1,
    batch_rows: int = BATCH_ROWS,
    on_rows: Callable[[int], object] | None = None,
) -> BinStatistics:
    """Look at some rows of a table, for the categories and the edges of bins.

    Parameters
    ----------
    rows : Table
        The rows.
    roles : ColumnRoles
        The columns.
    kept : ndarray of bool or None
        Which of the rows weigh anything; None if all do.
    first_kept : int
        Rows of the table before these that weigh anything.
    n_kept : int
        Rows of the whole table that weigh anything.
    max_bins : int
        Most bins of a column.
    n_threads : int, default=1
        Threads to use.
    batch_rows : int, default=65536
        Rows to read at once.
    on_rows : callable, default=None
        Called with the number of rows that were looked at so far.

    Returns
    -------
    survey : BinStatistics
        To be merged with those of the other rows.
    """
    survey = BinStatistics(roles, n_kept, max_bins)
    n_done = 0
    reading = Reading(kept, batch_rows, n_threads)
    for batch in read_batches(rows, roles, reading, roles.numeric, {}):
        survey.add(batch, first_kept, n_threads)
        first_kept += batch.n_kept
        n_done += batch.n_rows
        if on_rows is not None:
            on_rows(n_done)
    return survey
