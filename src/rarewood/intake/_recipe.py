"""How the columns of a table become features, as plain data that a model file can store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rarewood.datasets._files import pandas
from rarewood.intake._errors import TableError, did_you_mean
from rarewood.intake._kinds import as_days, as_texts, date_format

Step = dict[str, Any]


def make_step(column: Any, kind: str) -> Step:
    """Return how a column of some kind (see ``classify``) becomes a feature.

    A step has a "name"; "as", which is "number", "category", "boolean" or "days"; the "format" of
    dates written as text; and "lenient" if texts that are not numbers become missing values.
    """
    pd = pandas()
    name = str(column.name)
    is_number = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    if kind == "boolean" or pd.api.types.is_bool_dtype(column):
        return {"name": name, "as": "boolean"}
    if kind == "date":
        is_text = pd.api.types.is_string_dtype(column) and column.dtype != object
        return {"name": name, "as": "days"} | (
            {"format": date_format(column)} if is_text or column.map(type).eq(str).any() else {}
        )
    if is_number or kind == "empty":
        return {"name": name, "as": "number"}
    if kind == "other":
        held = type(column.dropna().iloc[0]).__name__
        raise TableError(
            f"Column {name!r} contains values of type {held}, which cannot be a feature. Drop it."
        )
    if kind == "text" and pd.to_numeric(column, errors="coerce").notna().mean() > 0.9:
        return {"name": name, "as": "number", "lenient": True}
    return {"name": name, "as": "category"}


def apply_recipe(recipe: Sequence[Step], table: Any) -> Any:
    """Make the features of a table by a recipe.

    Parameters
    ----------
    recipe : list of dict
        The ``recipe`` of a table by :func:`prepare` or :func:`prepare_stream`.
    table : pandas.DataFrame
        A table with the columns of the recipe, in any order; further columns are ignored.

    Returns
    -------
    X : pandas.DataFrame
        Numeric and categorical features, in the order of the recipe.

    Examples
    --------
    >>> import pandas as pd
    >>> from rarewood.intake import apply_recipe, prepare
    >>> known = pd.DataFrame({"day": ["2024-01-01", "2024-01-03"], "x": [1, 2], "y": ["a", "b"]})
    >>> recipe = prepare(known, "y", keep=["day"]).recipe
    >>> apply_recipe(recipe, pd.DataFrame({"x": [5], "day": ["2024-02-01"]})).values.tolist()
    [[19754.0, 5.0]]
    """
    missing = [step["name"] for step in recipe if step["name"] not in table.columns]
    if missing:
        hint = did_you_mean(missing[0], map(str, table.columns)) if len(missing) == 1 else ""
        noun = "column" if len(missing) == 1 else "columns"
        raise TableError(f"The table has no {noun} {', '.join(map(repr, missing))}.{hint}")
    made = {step["name"]: _feature(table[step["name"]], step) for step in recipe}
    return pandas().DataFrame(made, index=table.index)


def column_types(recipe: Sequence[Step]) -> dict[str, str]:
    """Return the types of the columns of a recipe, for ``RawTable.chunks``."""
    words = {"number": "number", "category": "text", "boolean": "boolean", "days": "date"}
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
    if step["as"] == "boolean":
        return as_texts(column).str.capitalize().astype(object).astype("category")
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    return as_texts(column).astype(object).astype("category")


def _numbers(column: Any, step: Step) -> Any:
    """Parse numbers written as texts; other texts are missing, or an error."""
    numbers = pandas().to_numeric(column, errors="coerce")
    is_odd = numbers.isna() & column.notna()
    if is_odd.any() and not step.get("lenient"):
        raise TableError(
            f"Column {step['name']!r} contains {column[is_odd].iloc[0]!r}, which is not a number. "
            "Correct it or leave it empty."
        )
    return numbers
