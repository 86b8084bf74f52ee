"""Smaller variants of a case with a table: fewer rows, columns and parameters, simpler values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fuzz.tables.table import rows_of
from fuzz.target import Case


def smaller(case: Case) -> Iterator[Case]:
    table = case["table"]
    n = len(table["y"])
    size = n // 2
    while size:
        for start in range(0, n, size):
            rows = [i for i in range(n) if not start <= i < start + size]
            if len(rows) >= 2:
                yield {**case, "table": rows_of(table, rows)}
        size //= 2
    for j in range(len(table["columns"])):
        if len(table["columns"]) > 1:
            columns = [column for i, column in enumerate(table["columns"]) if i != j]
            yield {**case, "table": {**table, "columns": columns}}
    for place in ("parameters", "options"):
        for name in case.get(place, {}).keys() - {"random_state"}:  # without it fits differ
            rest = {key: value for key, value in case[place].items() if key != name}
            yield {**case, place: rest}
    if table["weights"] is not None:
        yield {**case, "table": {**table, "weights": None}}
        yield {**case, "table": {**table, "weights": [1.0] * n}}
    if table["single"]:
        yield {**case, "table": {**table, "single": False}}
    for j, column in enumerate(table["columns"]):
        for simpler in _simpler(column):
            columns = [simpler if i == j else one for i, one in enumerate(table["columns"])]
            yield {**case, "table": {**table, "columns": columns}}


def _simpler(column: dict[str, Any]) -> Iterator[dict[str, Any]]:
    values = column["values"]
    if None in values:
        known = next((value for value in values if value is not None), 0)
        yield {**column, "values": [known if value is None else value for value in values]}
    if "levels" not in column:
        order = sorted({value for value in values if value is not None})
        ranks = {value: float(rank) for rank, value in enumerate(order)}
        simple = [None if value is None else ranks[value] for value in values]
        if simple != values:
            yield {**column, "values": simple}
