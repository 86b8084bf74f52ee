"""The first pass over the features: categories, and what the edges of bins are chosen from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood._columns import in_order
from rarewood._schema import Categories
from rarewood._validation import naming_infinite
from rarewood.encode import check_n_categories, values_like
from rarewood.stream._blocks import Block, blocks
from rarewood.stream._layout import Layout
from rarewood.stream._plan import Plan
from rarewood.stream._rows import BATCH_ROWS, Rows

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
        self.values: dict[int, set[Any]] = {j: set() for j in layout.nominal}
        self.missing: set[int] = set()  # nominal features with missing values
        n_numeric = len(layout.numeric)
        self.numbers: _core.Survey | None = None
        if n_numeric:
            n_categories = np.zeros(n_numeric, dtype=np.int64)
            self.numbers = _core.Survey(n_rows, n_categories, max_bins, layout.is_float32)

    def __getstate__(self) -> dict[str, Any]:
        numbers = None if self.numbers is None else self.numbers.state()
        return {**self.__dict__, "numbers": numbers}

    def __setstate__(self, state: dict[str, Any]) -> None:
        numbers = state["numbers"]
        self.__dict__.update(state)
        self.numbers = None if numbers is None else _core.Survey.from_state(numbers)

    def add(self, block: Block, first_kept: int, n_threads: int = 1) -> None:
        """Look at a block of rows.

        Parameters
        ----------
        block : Block
            The rows. Each row of the table is looked at once.
        first_kept : int
            The number of its first row among the rows of the table that weigh anything.
        n_threads : int, default=1
            Threads to use.
        """
        for j, column in block.nominal.items():
            self._add_nominal(j, column, block.kept)
        if self.numbers is not None and block.n_kept:
            with naming_infinite(block.numbers, self.layout.numeric_names):
                self.numbers.add(first_kept, block.numbers, n_threads)

    def _add_nominal(self, j: int, column: Any, kept: NDArray[np.bool_] | None) -> None:
        known = self.layout.known.get(j)
        if known is None:
            self.values[j].update(column.distinct())
            check_n_categories(len(self.values[j]), column.label)
            is_missing = column.missing()
        else:
            is_missing = np.isnan(values_like(column, known, self.layout.by_dtype))
        if j not in self.missing and is_missing[slice(None) if kept is None else kept].any():
            self.missing.add(j)

    def merge(self, other: TableSurvey) -> None:
        """Add what was found in other rows of the same table."""
        for j, values in other.values.items():
            self.values[j] |= values
        self.missing |= other.missing
        if self.numbers is not None and other.numbers is not None:
            self.numbers.merge(other.numbers)

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
        layout = self.layout
        categories = {}
        for j in layout.nominal:
            order = layout.orders.get(layout.features[j])
            values = self.values[j]
            found = in_order(values) if order is None else [v for v in order if v in values]
            categories[j] = layout.known.get(j) or Categories(found)
        bins = None if self.numbers is None else self.numbers.finish()
        return Plan(layout, classes, categories, self.missing, bins, self.max_bins)


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
    for block in blocks(rows, layout, kept, batch_rows, n_threads):
        survey.add(block, first_kept, n_threads)
        first_kept += block.n_kept
        n_done += block.n_rows
        if on_rows is not None:
            on_rows(n_done)
    return survey
