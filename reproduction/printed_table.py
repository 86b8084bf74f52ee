"""Printed tables, as data."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate import ScoreMatrix

__all__ = ["PrintedTable", "as_frame", "read_columns"]

Floats = NDArray[np.float64]
_DEVIATION = "_sd"


@dataclass(frozen=True, eq=False)
class PrintedTable:
    """Table as printed in a paper.

    Attributes
    ----------
    name : str
        Name of the table, such as "hddt-table2".
    title, source : str
        Content, and place in print.
    rows, columns : list of str
        Names of the rows, as printed, and keys of the columns.
    values, deviations : ndarray of shape (n_rows, n_columns)
        Cells and their standard deviations; NaN if not printed.
    ranks : dict of str to float
        Printed average ranks of the columns, if any.
    higher_is_better : bool
        Whether higher values are better.
    misprints, notes : tuple of str
        Contradictions within the table or with its paper, and further notes.
    """

    name: str
    title: str
    source: str
    rows: list[str]
    columns: list[str]
    values: Floats
    deviations: Floats
    ranks: dict[str, float] = field(default_factory=dict)
    higher_is_better: bool = True
    misprints: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def matrix(self, columns: list[str] | None = None) -> ScoreMatrix:
        """Return the cells as a matrix for :mod:`rarewood.evaluate`.

        Parameters
        ----------
        columns : list of str, default=None
            Columns to return; all by default.

        Returns
        -------
        matrix : ScoreMatrix
            One row for each row of the table.
        """
        chosen = self.columns if columns is None else columns
        places = [self.columns.index(name) for name in chosen]
        return ScoreMatrix(
            self.values[:, places], self.rows, list(chosen), self.title, self.higher_is_better
        )

    def cell(self, row: str, column: str) -> tuple[float, float]:
        """Return a value and its standard deviation; NaN if not printed."""
        if row not in self.rows or column not in self.columns:
            return float("nan"), float("nan")
        place = self.rows.index(row), self.columns.index(column)
        return float(self.values[place]), float(self.deviations[place])

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return the table as a DataFrame, with standard deviations in columns that end in "_sd".

        Parameters
        ----------
        backend : str, default="pandas"
            A library supported by narwhals, such as "pandas", "polars" or "pyarrow".

        Returns
        -------
        frame : DataFrame
            One row for each row of the table, with its name in the column "row".
        """
        columns: dict[str, Any] = {"row": self.rows}
        for j, name in enumerate(self.columns):
            columns[name] = self.values[:, j]
            if not np.isnan(self.deviations[:, j]).all():
                columns[name + _DEVIATION] = self.deviations[:, j]
        return as_frame(columns, backend)

    def __str__(self) -> str:
        about = [f"{self.name}: {self.title}", f"Source: {self.source}"]
        about += [f"Misprint: {text}" for text in self.misprints]
        about += [f"Note: {text}" for text in self.notes]
        body = str(self.matrix()) if self.rows else "(a figure; the paper prints no numbers)"
        return "\n".join([*about, "", body])


def as_frame(columns: dict[str, Any], backend: str) -> Any:
    """Return columns as a DataFrame of the given library."""
    chosen: Any = backend
    return nw.from_dict(columns, backend=chosen).to_native()


def read_columns(name: str) -> tuple[list[str], list[str], Floats, Floats]:
    """Return the rows, the columns, the values and the deviations of a printed file."""
    text = files("reproduction").joinpath(f"printed/{name}.csv").read_text(encoding="utf-8")
    lines = list(csv.DictReader(text.splitlines()))
    header = [key for key in lines[0] if key != "row"]
    columns = [key for key in header if not key.endswith(_DEVIATION)]
    return (
        [line["row"] for line in lines],
        columns,
        _numbers(lines, columns),
        _numbers(lines, [key + _DEVIATION for key in columns]),
    )


def _numbers(lines: list[dict[str, str]], columns: list[str]) -> Floats:
    cells = [[float(line.get(key) or "nan") for key in columns] for line in lines]
    return np.array(cells, dtype=np.float64)
