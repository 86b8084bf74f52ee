"""How the columns of a table become features: plain data, so that a model file can carry it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rarewood.datasets._files import pandas
from rarewood.intake._errors import TableError, did_you_mean
from rarewood.intake._kinds import as_days, as_texts, date_format

__all__ = ["follow", "make_step", "types_of"]

Step = dict[str, Any]


def make_step(column: Any, kind: str) -> Step:
    """Return how a column of some kind is used.

    Parameters
    ----------
    column : pandas.Series
        Its values.
    kind : str
        What it holds; see :func:`rarewood.intake._kinds.classify`.

    Returns
    -------
    step : dict
        "name", "as" ("number", "category", "flag" or "days"), the "format" of dates that are
        written as texts, and whether it is "lenient": what is no number counts as missing.
    """
    pd = pandas()
    name = str(column.name)
    is_number = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    if kind == "flag" or pd.api.types.is_bool_dtype(column):
        return {"name": name, "as": "flag"}
    if kind == "date":
        is_text = pd.api.types.is_string_dtype(column) and column.dtype != object
        return {"name": name, "as": "days"} | (
            {"format": date_format(column)} if is_text or column.map(type).eq(str).any() else {}
        )
    if is_number or kind == "empty":
        return {"name": name, "as": "number"}
    if kind == "other":
        held = type(column.dropna().iloc[0]).__name__
        raise TableError(f"The column {name!r} holds values of the type {held}: no model takes it.")
    if kind == "text" and pd.to_numeric(column, errors="coerce").notna().mean() > 0.9:
        return {"name": name, "as": "number", "lenient": True}
    return {"name": name, "as": "category"}


def follow(recipe: Sequence[Step], table: Any) -> Any:
    """Return the features that a recipe makes of a table.

    Parameters
    ----------
    recipe : list of dict
        What ``prepare(...).recipe`` holds.
    table : pandas.DataFrame
        Columns that are not in the recipe are ignored, and their order does not matter.

    Returns
    -------
    X : pandas.DataFrame
        The columns of the recipe, in its order: numbers, and categories of texts.
    """
    missing = [step["name"] for step in recipe if step["name"] not in table.columns]
    if missing:
        hint = did_you_mean(missing[0], map(str, table.columns)) if len(missing) == 1 else ""
        raise TableError(f"The table lacks the columns {', '.join(map(repr, missing))}.{hint}")
    made = {step["name"]: _feature(table[step["name"]], step) for step in recipe}
    return pandas().DataFrame(made, index=table.index)


def types_of(recipe: Sequence[Step]) -> dict[str, str]:
    """Return the types in which to read the columns of a recipe, for ``Source.chunks``."""
    words = {"number": "number", "category": "text", "flag": "flag", "days": "date"}
    is_text = {step["name"]: bool(step.get("format") or step.get("lenient")) for step in recipe}
    return {s["name"]: "text" if is_text[s["name"]] else words[s["as"]] for s in recipe}


def _feature(column: Any, step: Step) -> Any:
    pd = pandas()
    if step["as"] == "number":
        if not pd.api.types.is_numeric_dtype(column):
            column = _numbers(column, step)
        if column.dtype == object or not isinstance(column.dtype, np.dtype):
            column = column.astype(float)
        if column.dtype.kind == "f" and np.isinf(column.to_numpy()).any():
            column = column.replace([np.inf, -np.inf], np.nan)
        return column
    if step["as"] == "days":
        return as_days(column, step.get("format"))
    if step["as"] == "flag":
        return as_texts(column).str.capitalize().astype(object).astype("category")
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    return as_texts(column).astype(object).astype("category")


def _numbers(column: Any, step: Step) -> Any:
    """Numbers that are written as texts; what is none is missing, or an error."""
    numbers = pandas().to_numeric(column, errors="coerce")
    is_odd = numbers.isna() & column.notna()
    if is_odd.any() and not step.get("lenient"):
        raise TableError(
            f"The column {step['name']!r} holds {column[is_odd].iloc[0]!r}, where numbers are "
            "expected. Correct it, or leave it empty."
        )
    return numbers
