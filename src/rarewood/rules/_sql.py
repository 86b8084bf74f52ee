"""Rules as SQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rarewood.rules._conditions import Condition, HalfSpace, Interval, Subset
from rarewood.table._schema import Schema


def identifier(name: str) -> str:
    """Return a name in double quotes."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: Any) -> str:
    """Return a value as a SQL literal."""
    if isinstance(value, bool | np.bool_):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        return repr(float(value))
    return "'" + str(value).replace("'", "''") + "'"


def where(conditions: Iterable[Condition], schema: Schema, names: Sequence[str]) -> str:
    """Return an expression that is true where all conditions hold; missing values are NULL."""
    columns = [identifier(name) for name in names]
    return " AND ".join(_expression(c, schema, columns) for c in conditions) or "TRUE"


def _expression(condition: Condition, schema: Schema, columns: list[str]) -> str:
    if isinstance(condition, Interval):
        return _interval(condition, columns[condition.feature])
    if isinstance(condition, Subset):
        return _subset(condition, schema, columns[condition.feature])
    return _half_space(condition, columns)


def _interval(condition: Interval, column: str) -> str:
    parts = []
    if not np.isneginf(condition.low):
        parts.append(f"{column} > {literal(condition.low)}" if condition.low < np.inf else "FALSE")
    if not np.isposinf(condition.high):
        parts.append(f"{column} <= {literal(condition.high)}")
    inside = " AND ".join(parts)
    if not parts:
        return "TRUE" if condition.missing else f"{column} IS NOT NULL"
    return f"({inside} OR {column} IS NULL)" if condition.missing else inside


def _subset(condition: Subset, schema: Schema, column: str) -> str:
    values = schema.categories[condition.feature].values
    if condition.missing:  # categories not seen in training satisfy it as well
        others = [value for n, value in enumerate(values) if n not in condition.numbers]
        if not others:
            return "TRUE"
        return f"({column} NOT IN ({', '.join(map(literal, others))}) OR {column} IS NULL)"
    chosen = [values[number] for number in sorted(condition.numbers)]
    return f"{column} IN ({', '.join(map(literal, chosen))})" if chosen else "FALSE"


def _half_space(condition: HalfSpace, columns: list[str]) -> str:
    total = " + ".join(f"{literal(w)} * {columns[feature]}" for feature, w in condition.terms)
    inside = f"{total} {'>' if condition.above else '<='} {literal(condition.threshold)}"
    if not condition.missing:
        return inside
    nulls = " OR ".join(f"{columns[feature]} IS NULL" for feature, _ in condition.terms)
    return f"({inside} OR {nulls})"


def case(branches: Iterable[tuple[str, str]], otherwise: str) -> str:
    """Return an expression with the value of the first true branch."""
    lines = [f"  WHEN {expression}\n  THEN {value}\n" for expression, value in branches]
    if not lines:
        return otherwise
    return f"CASE\n{''.join(lines)}  ELSE {otherwise}\nEND"
