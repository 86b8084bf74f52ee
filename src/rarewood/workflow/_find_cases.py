"""Where the cases of a report are in their table: the number of the row, and its identifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rarewood.intake._prepare import PreparedTable


def find_cases(
    cases: dict[str, Any], data: Any, delimiter: str | None, prepared: PreparedTable
) -> None:
    """Number the rows of the cases as in the table, and add the columns that identify them.

    The rows of a prepared table are fewer if some have no label, or if they are a sample.
    """
    places = {int(prepared.rows[about["row"] - 1]): about for about in cases["rows"].values()}
    for place, about in places.items():
        about["row"] = place + 1
    names = [one.name for one in prepared.findings.skipped if one.kind == "id"]
    if not names:
        return
    for place, ids in _identifiers(data, delimiter, names, sorted(places)):
        places[place]["ids"] = ids


def _identifiers(data: Any, delimiter: str | None, names: list[str], places: list[int]) -> Any:
    """Yield the positions of some rows with their identifiers as texts."""
    import numpy as np

    from rarewood.intake import open_table

    wanted, n_before = np.array(places), 0
    source = open_table(data, delimiter=delimiter)
    for chunk in source.chunks(columns=names, types=dict.fromkeys(names, "text")):
        inside = wanted[(wanted >= n_before) & (wanted < n_before + len(chunk))]
        for place in inside.tolist():
            row = chunk.iloc[place - n_before]
            yield (
                place,
                {name: None if row[name] != row[name] else str(row[name]) for name in names},
            )
        n_before += len(chunk)
