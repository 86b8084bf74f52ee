"""A table in memory becomes a schema, then one float matrix.

A numeric column keeps its values, a categorical one becomes the numbers of its categories, and NaN
is a missing value in both. Arrays of float32 or float64, in any memory order, pass without a copy.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.table._categorical_features import chosen_columns
from rarewood.table._checks import check_n_features, check_shape
from rarewood.table._columns import Column
from rarewood.table._in_memory import in_memory
from rarewood.table._in_memory_base import InMemoryTable
from rarewood.table._schema import Categories, Schema
from rarewood.table._sparse import SparseTable, dense_blocks, snapped
from rarewood.table._values import Matrix, check_n_categories, values_like


def encode(X: Any, categorical_features: Any = "from_dtype") -> tuple[Matrix, Schema]:
    """Return the matrix of a training table, and its schema."""
    table = in_memory(X)
    schema = infer_schema(table, categorical_features)
    return encode_training(table, schema), schema


def infer_schema(table: InMemoryTable, categorical_features: Any) -> Schema:
    """Return the features of a training table, with the categories that occur in it."""
    by_dtype = isinstance(categorical_features, str)
    is_by_column = by_dtype and table.has_text
    if (by_dtype or categorical_features is None) and not is_by_column and table.matrix is not None:
        return Schema(table.matrix.shape[1], table.names, by_dtype=by_dtype)
    columns = _columns(table, table.names)
    if by_dtype:
        chosen = [j for j, column in enumerate(columns) if column.kind() == "categorical"]
    else:
        chosen = chosen_columns(categorical_features, table.names, len(columns))
    categories = {j: _categories(columns[j]) for j in chosen}
    return Schema(len(columns), table.names, categories, by_dtype)


def encode_training(table: InMemoryTable, schema: Schema) -> Matrix:
    """Encode the table that the schema was inferred from; a float array is returned as it is."""
    if not schema.categories and table.matrix is not None:
        return table.matrix
    columns, known = _columns(table, schema.names), schema.categories
    values = (
        column.recode(known[j].numbers) if j in known else column.numeric()
        for j, column in enumerate(columns)
    )
    return _assemble(columns, values, known)


def encode_like(X: Any, schema: Schema, owner: str = "The model", n_threads: int = 1) -> Matrix:
    """Encode a further table with the features of the training table; ``owner`` is for messages.

    Categories that the training table did not have count as missing. If the schema has bins, values
    are replaced by their coordinates.
    """
    return schema.snapped(_values_like(in_memory(X), schema, owner), n_threads)


def encoded_parts(X: Any, schema: Schema, owner: str, n_threads: int = 1) -> Iterator[Matrix]:
    """Yield a further table, encoded; of a sparse one some rows at a time."""
    table = in_memory(X)
    if not isinstance(table, SparseTable):
        yield encode_like(table, schema, owner, n_threads)
        return
    check_n_features(table.native.shape[1], schema.n_features, owner)
    columns = table.by_column()
    bins = None if schema.categories else schema.bins
    if bins is not None:
        table.check_finite(columns)
        columns = snapped(columns, bins, n_threads)
    for _, block in dense_blocks(columns):
        yield encode_like(block, schema, owner, n_threads) if bins is None else block


def _values_like(table: InMemoryTable, schema: Schema, owner: str) -> Matrix:
    matrix = None if schema.categories else table.matrix
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
