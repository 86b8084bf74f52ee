"""A table in memory becomes one float matrix and a schema.

A numeric column keeps its values, a categorical one becomes the numbers of its categories, and NaN
is a missing value in both. Arrays of float32 or float64, in any memory order, pass without a copy.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.table._categorical_features import chosen_columns
from rarewood.table._checks import check_n_features, check_shape
from rarewood.table._columns import Column
from rarewood.table._in_memory import InMemoryTable, in_memory
from rarewood.table._schema import Categories, Schema
from rarewood.table._values import Matrix, check_n_categories, values_like


def encode(X: Any, categorical_features: Any = "from_dtype") -> tuple[Matrix, Schema]:
    """Encode a training table.

    Parameters
    ----------
    X : array-like, DataFrame or InMemoryTable of shape (n_samples, n_features)
        The table.
    categorical_features : "from_dtype", array-like of int, bool or str, or None
        Which columns are categorical.

    Returns
    -------
    matrix : ndarray of float32 or float64
        Values and category numbers; X itself where it is a float array.
    schema : Schema
        How further tables are encoded in the same way.
    """
    table = in_memory(X)
    by_dtype = isinstance(categorical_features, str)
    matrix = table.matrix() if by_dtype or categorical_features is None else None
    categories: dict[int, Categories] = {}
    if matrix is None:
        columns = _columns(table, table.names)
        if by_dtype:
            chosen = [j for j, column in enumerate(columns) if column.kind() == "categorical"]
        else:
            chosen = chosen_columns(categorical_features, table.names, len(columns))
        categories = {j: _categories(columns[j]) for j in chosen}
        values = (
            column.recode(categories[j].numbers) if j in categories else column.numeric()
            for j, column in enumerate(columns)
        )
        matrix = _assemble(columns, values, categories)
    return matrix, Schema(matrix.shape[1], table.names, categories, by_dtype)


def encode_like(X: Any, schema: Schema, owner: str = "The model") -> Matrix:
    """Encode a further table with the columns and categories of the training table.

    Parameters
    ----------
    X : array-like, DataFrame or InMemoryTable of shape (n_samples, n_features)
        The table. Categories that the training table did not have count as missing.
    schema : Schema
        Schema of the training table.
    owner : str
        Name of the model, for messages.

    Returns
    -------
    matrix : ndarray of float32 or float64
        Values and category numbers.
    """
    table = in_memory(X)
    matrix = None if schema.categories else table.matrix()
    if matrix is not None:
        check_n_features(matrix.shape[1], schema.n_features, owner)
        return matrix
    columns = _columns(table, schema.names)
    check_n_features(len(columns), schema.n_features, owner)
    known, by_dtype = schema.categories, schema.by_dtype
    values = (values_like(c, known.get(j), by_dtype) for j, c in enumerate(columns))
    return _assemble(columns, values, known)


def _columns(table: InMemoryTable, names: NDArray[np.object_] | None) -> list[Column]:
    columns = table.columns(names)
    check_shape((len(columns[0]) if columns else 1, len(columns)), _core.MAX_ROWS)
    return columns


def _categories(column: Column) -> Categories:
    values = column.distinct()
    check_n_categories(len(values), column.label)
    return Categories(values)


def _assemble(
    columns: Sequence[Column], values: Iterable[NDArray[Any]], categorical: Container[int]
) -> Matrix:
    """Put the columns into one matrix, in Fortran order, of the smallest type that is exact."""
    is_small = all(column.fits_float32 or j in categorical for j, column in enumerate(columns))
    shape = (len(columns[0]), len(columns))
    matrix = np.empty(shape, dtype=np.float32 if is_small else np.float64, order="F")
    for j, column_values in enumerate(values):
        matrix[:, j] = column_values
    return matrix
