"""Conditions of rules as text."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rarewood.export._wording import Wording, one_of
from rarewood.rules._conditions import Condition, HalfSpace, Interval, Subset
from rarewood.table._schema import Schema


def describe(
    conditions: Iterable[Condition], schema: Schema, wording: Wording, show_missing: bool
) -> str:
    """Return the conditions of a rule, joined by "and"; "always" without conditions.

    ``show_missing`` adds "or missing" to conditions that missing values satisfy.
    """
    texts = [_describe(condition, schema, wording, show_missing) for condition in conditions]
    return " and ".join(texts) or "always"


def _describe(condition: Condition, schema: Schema, wording: Wording, show_missing: bool) -> str:
    if isinstance(condition, Interval):
        text = _interval(condition, wording)
    elif isinstance(condition, Subset):
        text = _subset(condition, schema, wording)
    else:
        text = _half_space(condition, wording)
    shows = show_missing and condition.missing and not text.endswith(" is missing")
    return f"({text} or missing)" if shows else text


def _interval(condition: Interval, wording: Wording) -> str:
    name = wording.feature_names[condition.feature]
    low, high = condition.low, condition.high
    if low >= high or np.isposinf(low):
        return f"{name} is missing"
    if np.isneginf(low) and np.isposinf(high):
        return f"{name} is present"
    if np.isneginf(low):
        return f"{name} <= {wording.number(high)}"
    if np.isposinf(high):
        return f"{name} > {wording.number(low)}"
    return f"{wording.number(low)} < {name} <= {wording.number(high)}"


def _subset(condition: Subset, schema: Schema, wording: Wording) -> str:
    name = wording.feature_names[condition.feature]
    values = schema.categories[condition.feature].values
    inside = [value for number, value in enumerate(values) if number in condition.numbers]
    outside = [value for number, value in enumerate(values) if number not in condition.numbers]
    if not outside:
        return f"{name} is present"
    if len(inside) > max(len(outside), 1):
        return f"{name} {one_of(outside, negated=True)}"
    return f"{name} {one_of(inside)}"


def _half_space(condition: HalfSpace, wording: Wording) -> str:
    total = wording.weighted_sum(list(condition.terms))
    sign = ">" if condition.above else "<="
    return f"{total} {sign} {wording.significant(condition.threshold)}"
