"""Reasons for differences between printed and reproduced cells: measured, or guesses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from reproduction.result import ReproducedCell, Reproduction, count

__all__ = ["Reason", "guess", "measured", "reason_of"]

LEAST = 2  # further cells that must agree
Kind = Literal["measured", "guess", "not explained"]


class Reason(NamedTuple):
    """Reason for a difference; a guess unless it was measured."""

    kind: Kind
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}" if self.text else self.kind


def measured(text: str) -> Reason:
    """Return a reason that was measured; its numbers are on the page."""
    return Reason("measured", text)


def guess(text: str) -> Reason:
    """Return a reason that was not measured."""
    return Reason("guess", text)


def reason_of(cell: ReproducedCell, result: Reproduction, given: Mapping[str, Reason]) -> Reason:
    """Return the reason for a cell that disagrees.

    Measured reasons come first: the cell agrees on the alternative data of its row, or under the
    interpretation of its column with most cells that agree; in both cases at least two more cells
    of the row or column agree than in the table, since one may agree by chance. Then follow given
    reasons, by "row, column", by column, by row, or for the whole table ("").
    """
    for other in result.other_data:
        if other.row != cell.row or not _agrees(cell, other.cells):
            continue
        (n_after, n), (n_before, _) = count(other.cells), count(result.row(cell.row))
        if n_after >= n_before + LEAST:
            return measured(
                f"agrees with other data, {other.label}, on which {n_after} of {n} cells of the "
                f"row agree instead of {n_before}."
            )
    reading = result.best_reading(cell.column)
    n_before, n = result.inside([cell.column])
    if (
        reading is not None
        and _agrees(cell, reading.cells)
        and count(reading.cells)[0] >= n_before + LEAST
    ):
        return measured(
            f'agrees under the interpretation "{reading.label}", with which '
            f"{count(reading.cells)[0]} of {n} cells of the column agree instead of {n_before}."
        )
    keys = (f"{cell.row}, {cell.column}", cell.column, cell.row, "")
    return next((given[key] for key in keys if key in given), Reason("not explained", ""))


def _agrees(cell: ReproducedCell, others: list[ReproducedCell]) -> bool:
    return any(
        (other.row, other.column) == (cell.row, cell.column) and other.is_inside is True
        for other in others
    )
