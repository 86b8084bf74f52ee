"""Rules as SQL."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, time
from decimal import Decimal
from typing import Any

import numpy as np

from rarewood.rules._conditions import Condition, HalfSpace, Interval, Subset
from rarewood.table._schema import Schema

_LARGEST = repr(sys.float_info.max)
_EXACT_DIGITS = 15
_MOST_DIGITS = 400  # of a decimal that is written without an exponent


def identifier(name: str) -> str:
    """Return a name in double quotes."""
    return '"' + _checked(name).replace('"', '""') + '"'


def literal(value: Any) -> str:
    """Return a value as a SQL literal; a ValueError for a value that SQL cannot express."""
    if isinstance(value, bool | np.bool_):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating) and math.isfinite(value):
        return _of_float(float(value))
    if isinstance(value, Decimal) and value.is_finite():
        is_short = max(abs(value.adjusted()), -int(value.as_tuple().exponent)) < _MOST_DIGITS
        return f"{value:f}" if is_short else str(value)
    if isinstance(value, bytes):
        return f"X'{value.hex().upper()}'"
    if isinstance(value, str | date | time):
        return "'" + _checked(str(value)).replace("'", "''") + "'"
    raise ValueError(
        f"SQL has no literal for {value!r} of the type {type(value).__name__}. Replace it by text "
        "or a finite number in the training table."
    )


def _of_float(value: float, *, is_factor: bool = False) -> str:
    """Return a finite number as a literal that every database reads as this number.

    Without an exponent a literal is a decimal. It is exact in comparisons up to 15 digits, and
    arithmetic with decimals rounds in another way, so factors always have an exponent.
    """
    text = repr(value)
    is_exact = sum(character.isdigit() for character in text.strip("-0.")) <= _EXACT_DIGITS
    return text if "e" in text or (is_exact and not is_factor) else f"{text}e0"


def _checked(text: str) -> str:
    """Return a text; a ValueError for characters that a SQL statement cannot contain."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(
            f"SQL cannot contain {text!r}: it has a NUL or a surrogate. Replace this character in "
            "the training table."
        )
    return text


def where(
    conditions: Iterable[Condition],
    schema: Schema,
    names: Sequence[str],
    given: Mapping[int, str],
) -> str:
    """Return an expression that is true where all conditions hold; missing values are NULL.

    ``given`` are expressions for the coordinates of features, if the schema has bins.
    """
    columns = [identifier(name) for name in names]
    return " AND ".join(_expression(c, schema, columns, given) for c in conditions) or "TRUE"


def coordinates(
    paths: Iterable[Iterable[Condition]], schema: Schema, names: Sequence[str]
) -> dict[int, str]:
    """Return expressions for the coordinates of the features of hyperplanes, if there are bins."""
    if schema.bins is None or schema.bins.coordinates is None:
        return {}
    planes = {c for path in paths for c in path if isinstance(c, HalfSpace)}
    found = {}
    for feature in sorted({feature for plane in planes for feature, _ in plane.terms}):
        column = identifier(names[feature])
        values = [_of_float(float(x), is_factor=True) for x in schema.bins.coordinates[feature]]
        bins = zip(schema.bins.edges[feature], values[:-1], strict=True)
        branches = "".join(f" WHEN {column} <= {literal(edge)} THEN {x}" for edge, x in bins)
        found[feature] = f"CASE WHEN {column} IS NULL THEN NULL{branches} ELSE {values[-1]} END"
    return found


def unused(name: str, names: Sequence[str]) -> str:
    """Return a name, in double quotes, that is not among others, regardless of case."""
    while name.lower() in {other.lower() for other in names}:
        name += "_"
    return identifier(name)


def _expression(
    condition: Condition, schema: Schema, columns: list[str], given: Mapping[int, str]
) -> str:
    if isinstance(condition, Interval):
        return _interval(_of_values(condition, schema), columns[condition.feature])
    if isinstance(condition, Subset):
        return _subset(condition, schema, columns[condition.feature])
    return _half_space(condition, columns, given)


def _of_values(condition: Interval, schema: Schema) -> Interval:
    """Return the condition on values that is equivalent to one on the coordinates of bins."""
    if schema.bins is None or schema.bins.coordinates is None:
        return condition
    ends = [condition.low, condition.high]
    edges = [-np.inf, *schema.bins.edges[condition.feature], np.inf]
    own = schema.bins.coordinates[condition.feature]
    first, last = np.searchsorted(own, ends, side="right").tolist()
    low, high = (edges[first], edges[last]) if last > 0 else (np.inf, np.inf)  # no bin is inside
    return replace(condition, low=float(low), high=float(high))


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
        return f"({_is_one_of(column, others, negated=True)} OR {column} IS NULL)"
    chosen = [values[number] for number in sorted(condition.numbers)]
    return _is_one_of(column, chosen) if chosen else "FALSE"


def _is_one_of(column: str, values: Sequence[Any], *, negated: bool = False) -> str:
    """Return an expression that is true for some values, or for all others but NULL.

    Infinity has no literal, but it alone is larger than the largest number.
    """
    finite = [value for value in values if not _is_infinite(value)]
    listed = ", ".join(map(literal, finite))
    parts = [f"{column} {'NOT IN' if negated else 'IN'} ({listed})"] if finite else []
    for value in filter(_is_infinite, values):
        end, inside, outside = (_LARGEST, ">", "<=") if value > 0 else (f"-{_LARGEST}", "<", ">=")
        parts.append(f"{column} {outside if negated else inside} {end}")
    joined = (" AND " if negated else " OR ").join(parts)
    return joined if len(parts) == 1 else f"({joined})"


def _is_infinite(value: Any) -> bool:
    return isinstance(value, float | np.floating | Decimal) and math.isinf(value)


def _half_space(condition: HalfSpace, columns: list[str], given: Mapping[int, str]) -> str:
    total = " + ".join(
        f"{_of_float(w, is_factor=True)} * {given.get(feature, columns[feature])}"
        for feature, w in condition.terms
    )
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
