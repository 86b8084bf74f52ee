"""The first pass over the features: categories, and what the edges of bins are chosen from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.stream._blocks import Block, Reading, read_blocks
from rarewood.stream._plan import Plan
from rarewood.table._checks import naming_infinite
from rarewood.table._columns import in_order
from rarewood.table._layout import Layout
from rarewood.table._rows import BATCH_ROWS, Rows
from rarewood.table._schema import Categories
from rarewood.table._values import check_n_categories, values_like

__all__ = ["TableSurvey", "survey_rows"]


class TableSurvey:
    """What was found in some rows of a table. The surveys of all its rows, merged, make a plan.

    Parameters
    ----------
    layout : Layout
        The columns.
    n_rows : int
        Rows of the whole table that weigh anything: which of them stand for the values of a column
        follows from their number.
    max_bins : int
        Most bins of a column.
    """

    def __init__(self, layout: Layout, n_rows: int, max_bins: int) -> None:
        self.layout = layout
        self.max_bins = max_bins
        # Categories are numbered when all are known, so the core looks at numeric features only.
        n_categories = np.zeros(len(layout.numeric), dtype=np.int64)
        self._numbers = _core.Survey(n_rows, n_categories, max_bins, layout.is_float32)
        self._values: dict[int, set[Any]] = {j: set() for j in layout.nominal}
        self._missing: set[int] = set()  # nominal features with missing values

    def add(self, block: Block, first_kept: int, n_threads: int = 1) -> None:
        """Look at a block of rows.

        Parameters
        ----------
        block : Block
            The rows, with the values of the numeric features. Each row of the table comes once.
        first_kept : int
            The number of its first row among the rows of the table that weigh anything.
        n_threads : int, default=1
            Threads to use.
        """
        for j in self.layout.nominal:
            self._add_nominal(j, block)
        with naming_infinite(block.values, self.layout.numeric_names):
            self._numbers.add(first_kept, block.values, n_threads)

    def _add_nominal(self, j: int, block: Block) -> None:
        column, known = block.nominal[j], self.layout.known.get(j)
        if known is None:
            self._values[j].update(column.distinct())
            check_n_categories(len(self._values[j]), column.label)
            is_missing = column.missing()
        else:
            is_missing = np.isnan(values_like(column, known, self.layout.by_dtype))
        if is_missing[slice(None) if block.kept is None else block.kept].any():
            self._missing.add(j)

    def merge(self, other: TableSurvey) -> None:
        """Add what was found in other rows of the same table."""
        for j, values in other._values.items():
            self._values[j] |= values
        self._missing |= other._missing
        self._numbers.merge(other._numbers)

    def finish(self, classes: NDArray[Any]) -> Plan:
        """Return how the table is coded, once all its rows have been looked at.

        Parameters
        ----------
        classes : ndarray
            The labels of the table, sorted.

        Returns
        -------
        plan : Plan
            Categories and edges, the same for any order of merging.
        """
        layout, found = self.layout, self._numbers.finish()
        categories = {j: layout.known.get(j) or self._categories(j) for j in layout.nominal}
        has_missing = np.zeros(len(layout.features), dtype=bool)
        has_missing[list(self._missing)] = True
        has_missing[layout.numeric] = found.has_missing
        edges = [np.empty(0)] * len(layout.features)
        for j, of_feature in zip(layout.numeric, found.edges, strict=True):
            edges[j] = of_feature
        return Plan.of(layout, classes, categories, edges, has_missing, self.max_bins)

    def _categories(self, j: int) -> Categories:
        values, order = self._values[j], self.layout.orders.get(self.layout.features[j])
        return Categories(
            in_order(values) if order is None else [value for value in order if value in values]
        )


def survey_rows(
    rows: Rows,
    layout: Layout,
    kept: NDArray[np.bool_] | None,
    first_kept: int,
    n_kept: int,
    max_bins: int,
    *,
    n_threads: int = 1,
    batch_rows: int = BATCH_ROWS,
    on_rows: Callable[[int], object] | None = None,
) -> TableSurvey:
    """Look at some rows of a table, for the categories and the edges of bins.

    Parameters
    ----------
    rows : Rows
        The rows.
    layout : Layout
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
    survey : TableSurvey
        To be merged with those of the other rows.
    """
    survey = TableSurvey(layout, n_kept, max_bins)
    n_done = 0
    reading = Reading(kept, batch_rows, n_threads)
    for block in read_blocks(rows, layout, reading, layout.numeric, {}):
        survey.add(block, first_kept, n_threads)
        first_kept += block.n_kept
        n_done += block.n_rows
        if on_rows is not None:
            on_rows(n_done)
    return survey
