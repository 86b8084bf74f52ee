"""A reproduced table next to the printed one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from rarewood.evaluate import ScoreMatrix, friedman
from reproduction.conclusions import Verdict, chosen
from reproduction.experiment import Experiment
from reproduction.printed_table import PrintedTable, as_frame

__all__ = ["OtherData", "OtherReading", "ReproducedCell", "Reproduction", "count"]


class ReproducedCell(NamedTuple):
    """Cell of a table, reproduced and printed; NaN if there is none."""

    row: str
    column: str
    ours: float
    our_sd: float
    printed: float
    printed_sd: float
    allowed: float

    @property
    def difference(self) -> float:
        """Reproduced minus printed value."""
        return self.ours - self.printed

    @property
    def is_inside(self) -> bool | None:
        """Whether the cell agrees; None if it is not counted."""
        if np.isnan(self.allowed) or np.isnan(self.difference):
            return None
        return bool(abs(self.difference) <= self.allowed + 1e-9)


class OtherReading(NamedTuple):
    """Alternative interpretation of a column: a model that the text does not describe."""

    column: str
    label: str
    cells: list[ReproducedCell]

    @property
    def mean_difference(self) -> float:
        """Mean of reproduced minus printed values."""
        return float(np.nanmean([cell.difference for cell in self.cells]))

    @property
    def mean_absolute_difference(self) -> float:
        """Mean distance between reproduced and printed values."""
        return float(np.nanmean([abs(cell.difference) for cell in self.cells]))


class OtherData(NamedTuple):
    """A row on alternative data."""

    row: str
    label: str
    cells: list[ReproducedCell]


def count(cells: Sequence[ReproducedCell]) -> tuple[int, int]:
    """Return how many cells agree with the printed ones, and how many are counted."""
    states = [cell.is_inside for cell in cells]
    return sum(state is True for state in states), sum(state is not None for state in states)


@dataclass(frozen=True, eq=False)
class Reproduction:
    """Reproduced table, compared with the printed table; ``str`` shows both.

    Attributes
    ----------
    experiment : Experiment
        Definition of the experiment.
    printed : PrintedTable
        Table of the paper.
    ours : ScoreMatrix
        Reproduced table, with the rows whose data sets are available.
    cells : list of ReproducedCell
        All reproduced cells, with the printed ones.
    verdicts : list of Verdict
        The conclusions of the paper.
    missing, left_out : list of str
        Rows without a data set, and rows that were not requested.
    protocol : str
        Cross-validation protocol.
    failures : list of str
        Models that failed, and where.
    readings : list of OtherReading
        Alternative interpretations of the columns, if requested.
    other_verdicts : list of Verdict
        Conclusions with the interpretations that fit the printed columns best.
    differences : dict of str to list of str
        Differences between the data sets and their description in the paper.
    other_data : list of OtherData
        Rows on alternative data, if requested.
    seconds : dict of str to float
        Time to fit and predict each cell of the cross-validations, by its key; tables share cells.
    """

    experiment: Experiment
    printed: PrintedTable
    ours: ScoreMatrix
    cells: list[ReproducedCell]
    verdicts: list[Verdict]
    missing: list[str]
    left_out: list[str]
    protocol: str
    failures: list[str] = field(default_factory=list)
    readings: list[OtherReading] = field(default_factory=list)
    other_verdicts: list[Verdict] = field(default_factory=list)
    differences: dict[str, list[str]] = field(default_factory=dict)
    other_data: list[OtherData] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def inside(self, columns: Sequence[str] | None = None) -> tuple[int, int]:
        """Return how many cells agree with the printed ones, and how many are counted.

        Parameters
        ----------
        columns : list of str, default=None
            Columns to count; all by default.

        Returns
        -------
        n_inside, n_counted : int
            A cell agrees if it is within two printed standard deviations or, if none is printed,
            within the tolerance of the table.
        """
        return count([c for c in self.cells if columns is None or c.column in columns])

    def row(self, name: str) -> list[ReproducedCell]:
        """Return the cells of a row."""
        return [cell for cell in self.cells if cell.row == name]

    def average_ranks(self) -> dict[str, tuple[float, float]]:
        """Return the average ranks of every column, reproduced and printed, on the same rows."""
        first: dict[str, float] = {}
        second: dict[str, float] = {}
        for group in self.experiment.rank_groups or (tuple(self.ours.models),):
            first |= _ranks(chosen(self.ours, group))
            second |= _ranks(chosen(self.printed_here(), group))
        nan = float("nan")
        return {name: (first.get(name, nan), second.get(name, nan)) for name in self.ours.models}

    def printed_here(self) -> ScoreMatrix:
        """Return the printed cells of the available rows, for the reproduced columns."""
        table, rows = self.printed, self.ours.datasets
        if self.experiment.at_hand is not None:
            values = self.experiment.at_hand(self.used)
        else:
            values = np.array(
                [[table.cell(row, name)[0] for name in self.ours.models] for row in rows]
            ).reshape(len(rows), len(self.ours.models))
        return ScoreMatrix(
            values, list(rows), self.ours.models, table.title, table.higher_is_better
        )

    def best_reading(self, column: str) -> OtherReading | None:
        """Return the interpretation of a column with most cells that agree.

        None if no interpretation has more than the table.
        """
        readings = [reading for reading in self.readings if reading.column == column]
        if not readings:
            return None
        best = max(readings, key=lambda one: (count(one.cells)[0], -one.mean_absolute_difference))
        return best if count(best.cells)[0] > self.inside([column])[0] else None

    def other_table(self) -> ScoreMatrix:
        """Return the reproduced table with the best-fitting interpretations of the columns."""
        values = self.ours.values.copy()
        for reading in self.readings:
            if self.experiment.reading.get(reading.column) == reading.label:
                place = self.ours.models.index(reading.column)
                values[:, place] = [cell.ours for cell in reading.cells]
        return replace(self.ours, values=values)

    @property
    def used(self) -> list[str]:
        """Names of the data sets that were used."""
        return [
            row
            for row in self.experiment.sources
            if row not in self.missing and row not in self.left_out
        ]

    @property
    def n_datasets(self) -> int:
        """Number of data sets that were used."""
        return len(self.used)

    @property
    def printed_rows_are_counts(self) -> bool:
        """Whether printed rows are not data sets but counts over data sets, such as wins."""
        return bool(self.printed.rows) and not set(self.printed.rows) & set(self.experiment.sources)

    @property
    def has_ranks(self) -> bool:
        """Whether the columns are models that can be ranked."""
        is_ranked = bool(self.experiment.ranks) or self.experiment.tolerance is not None
        return is_ranked and len(self.ours.complete()) > 1

    def friedman(self) -> Any:
        """Return the Friedman test of the reproduced table.

        None without two complete rows, or if not all columns are ranked among each other.
        """
        complete = self.ours.complete()
        if self.experiment.rank_groups or len(complete) < 2 or len(complete.models) < 2:
            return None
        return friedman(complete, complete.higher_is_better)

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return the cells as a DataFrame, one row for each.

        Parameters
        ----------
        backend : str, default="pandas"
            A library supported by narwhals, such as "pandas", "polars" or "pyarrow".

        Returns
        -------
        frame : DataFrame
            Reproduced and printed values and standard deviations, the difference, and whether they
            agree.
        """
        names = ("row", "column", "ours", "our_sd", "printed", "printed_sd", "difference")
        columns = {name: [getattr(cell, name) for cell in self.cells] for name in names}
        return as_frame({**columns, "inside": [cell.is_inside for cell in self.cells]}, backend)

    def __str__(self) -> str:
        from reproduction.text import describe

        return describe(self)


def _ranks(matrix: ScoreMatrix) -> dict[str, float]:
    if len(matrix) < 2 or len(matrix.models) < 2:
        return {}
    ranks = matrix.ranks().values.mean(axis=0)
    return dict(zip(matrix.models, ranks.tolist(), strict=True))
