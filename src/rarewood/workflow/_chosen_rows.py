"""Rows of a table, found by their numbers or by the values of a column that identifies them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from rarewood.workflow._features import FeatureMaker

_MOST_ROWS = 100  # of one identifier


@dataclass(frozen=True, eq=False)
class ChosenRows:
    """Rows of a table with their numbers, from 1 on."""

    numbers: list[int]
    table: Any
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, maker: FeatureMaker, rows: Sequence[int], row_ids: Sequence[Any]) -> Self:
        """Find the rows in one pass over the table; raise if one does not exist."""
        from rarewood.datasets._files import pandas

        wanted = [str(value).strip() for value in dict.fromkeys(row_ids)]
        _check(maker, rows, wanted)
        numbers_of: dict[str, list[int]] = {value: [] for value in wanted}
        found: dict[int, Any] = {}
        n_before, last = 0, max(rows, default=0)
        for chunk in maker.chunks():
            inside = {row for row in rows if n_before < row <= n_before + len(chunk)}
            for value, place in _matches(chunk, maker.ids, set(wanted)):
                numbers_of[value].append(n_before + place + 1)
                if len(numbers_of[value]) <= _MOST_ROWS:
                    inside.add(n_before + place + 1)
            for row in inside:
                found[row] = chunk.iloc[row - n_before - 1 : row - n_before]
            n_before += len(chunk)
            if not wanted and last <= n_before:
                break
        _check_found(maker, rows, numbers_of, n_before)
        by_id = [row for value in wanted for row in numbers_of[value][:_MOST_ROWS]]
        numbers = list(dict.fromkeys([*rows, *by_id]))
        table = pandas().concat([found[row] for row in numbers], ignore_index=True)
        notes = [
            f"{len(some):,} rows have {value!r}, of which the first {_MOST_ROWS} are explained"
            for value, some in numbers_of.items()
            if len(some) > _MOST_ROWS
        ]
        return cls(numbers, table, notes)

    def features(self, maker: FeatureMaker, place: int) -> Any:
        """Return the features of one of the rows."""
        return maker.make(self.table.iloc[place : place + 1].reset_index(drop=True))


def _check(maker: FeatureMaker, rows: Sequence[int], wanted: list[str]) -> None:
    if not rows and not wanted:
        raise ValueError("No row is chosen: give the number of a row, or its identifier.")
    if rows and min(rows) < 1:
        raise ValueError(f"Rows are counted from 1; got {min(rows)}.")
    if wanted and not maker.ids:
        raise ValueError(
            f"No column of {maker.source.name} identified the rows in training: name the column "
            f"of {wanted[0]!r} with `id`."
        )


def _matches(chunk: Any, names: list[str], wanted: set[str]) -> list[tuple[str, int]]:
    """Return the identifiers that rows of a chunk have, with the positions of the rows."""
    if not wanted:
        return []
    found: dict[tuple[str, int], None] = {}
    for name in names:
        texts = chunk[name].astype(str).str.strip()
        for place in texts.isin(wanted).to_numpy().nonzero()[0].tolist():
            found[texts.iloc[place], place] = None
    return list(found)


def _check_found(
    maker: FeatureMaker, rows: Sequence[int], numbers_of: dict[str, list[int]], n_rows: int
) -> None:
    name = maker.source.name
    if rows and max(rows) > n_rows:
        raise ValueError(f"{name} has {n_rows:,} rows: there is no row {max(rows):,}.")
    for value, some in numbers_of.items():
        if not some:
            columns = " or ".join(map(repr, maker.ids))
            raise ValueError(f"{name} has no row with {value!r} in the column {columns}.")
