"""Values of a column as a fitted model reads them: numbers, or the numbers of its categories."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.table._columns import Column, family
from rarewood.table._schema import Categories, Matrix

__all__ = ["Matrix", "category_numbers", "check_n_categories", "has_whole_strides", "values_like"]


def has_whole_strides(X: NDArray[Any]) -> bool:
    """Whether the core can walk over an array as it lies, without a copy."""
    # A view of one field of a structured array may step by a fraction of its items.
    return bool(X.flags.aligned) and all(step % X.itemsize == 0 for step in X.strides)


def check_n_categories(n: int, label: str) -> None:
    """Raise for a column with more categories than a tree can number."""
    if n > _core.MAX_CATEGORIES:
        raise ValueError(
            f"The {label} has {n} categories, and a tree supports at most {_core.MAX_CATEGORIES}. "
            "If it is an identifier, leave it out; otherwise group its values."
        )


def category_numbers(values: NDArray[Any]) -> NDArray[np.int32]:
    """Return the category numbers of an encoded feature; -1 for missing values."""
    return np.where(np.isnan(values), -1, values).astype(np.int32)


def values_like(column: Column, categories: Categories | None, by_dtype: bool) -> NDArray[Any]:
    """Return the values of a column, which must be of the same kind as in training.

    Where the types of the training table decided what is categorical, the types of this one must
    agree. A column without any value agrees with everything.
    """
    is_decided = by_dtype and column.is_typed
    if categories is None:
        try:
            if not (is_decided and column.kind() == "categorical"):
                return column.numeric()
        except ValueError:
            if column.kind() != "categorical":
                raise
        before, now = "numeric", "categorical"
    else:
        found = family(column.distinct())
        if not (is_decided and column.kind() == "numeric") and (
            found is None or categories.family is None or found == categories.family
        ):
            return column.recode(categories.numbers)
        before, now = f"categorical ({categories.family})", f"{column.kind()} ({found})"
    if column.is_empty():
        return np.full(len(column), np.nan)
    raise ValueError(
        f"The {column.label} was {before} when the model was fitted, and is {now} now. Give it the "
        "type that it had in the training table."
    )
