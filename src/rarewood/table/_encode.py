"""A table becomes one float matrix and a schema; prediction finds the same columns again.

A numeric column keeps its values, a nominal one becomes the numbers of its categories, and NaN is a
missing value in both. Arrays of float32 or float64, in any memory order, pass without a copy.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from rarewood import _core
from rarewood._validation import feature_names
from rarewood.table._categorical_features import chosen_columns
from rarewood.table._checks import check_dense, check_shape
from rarewood.table._columns import Column, array_columns, column_label, fits_float32, unusable
from rarewood.table._frames import as_frame, frame_columns, plain_matrix
from rarewood.table._schema import Categories, Schema
from rarewood.table._values import Matrix, check_n_categories, has_whole_strides, values_like

__all__ = ["Matrix", "encode", "encode_like"]


def encode(X: Any, categorical_features: Any = "from_dtype") -> tuple[Matrix, Schema]:
    """Turn a training table into a matrix and the schema of its columns.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_rows, n_features)
        The table.
    categorical_features : "from_dtype", array-like of int, bool or str, or None
        Which columns are nominal.

    Returns
    -------
    matrix : ndarray of float32 or float64
        Values and category numbers; X itself where it is a float array.
    schema : Schema
        What prediction needs to encode further tables in the same way.
    """
    X = _unmasked(X)
    names = feature_names(X)
    by_dtype = isinstance(categorical_features, str)
    matrix = _as_matrix(X) if by_dtype or categorical_features is None else None
    categories: dict[int, Categories] = {}
    if matrix is None:
        columns = _columns(X, names)
        if by_dtype:
            nominal = [j for j, column in enumerate(columns) if column.kind() == "nominal"]
        else:
            nominal = chosen_columns(categorical_features, names, len(columns))
        categories = {j: _categories(columns[j]) for j in nominal}
        values = (_values(c, categories.get(j)) for j, c in enumerate(columns))
        matrix = _assemble(columns, values, categories)
    return matrix, Schema(matrix.shape[1], names, categories, by_dtype)


def encode_like(X: Any, schema: Schema, owner: str = "The model") -> Matrix:
    """Turn a further table into a matrix, with the columns and categories of the training table.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_rows, n_features)
        The table. Categories that the training table did not have count as missing.
    schema : Schema
        What :func:`encode` returned for the training table.
    owner : str
        Who asks, for messages.

    Returns
    -------
    matrix : ndarray of float32 or float64
        Values and category numbers.
    """
    X = _unmasked(X)
    matrix = None if schema.categories else _as_matrix(X)
    columns = _columns(X, schema.names) if matrix is None else ()
    n_features = len(columns) if matrix is None else matrix.shape[1]
    if n_features != schema.n_features:
        raise ValueError(
            f"X has {n_features} features, but {owner} is expecting {schema.n_features} features "
            "as input."
        )
    if matrix is None:
        known, by_dtype = schema.categories, schema.by_dtype
        values = (values_like(c, known.get(j), by_dtype) for j, c in enumerate(columns))
        matrix = _assemble(columns, values, known)
    return matrix


def _unmasked(X: Any) -> Any:
    """Return a masked array with NaN for what is masked, which NumPy would show as values."""
    if isinstance(X, np.ma.MaskedArray):
        return np.ma.filled(X.astype(np.float64), np.nan)
    return X


def _as_matrix(X: Any) -> Matrix | None:
    """Return a table without nominal columns as it is, or converted once; None for a DataFrame."""
    check_dense(X)
    dtype = getattr(X, "dtype", None)
    if type(X) in (np.ndarray, np.memmap) and X.ndim == 2:
        check_shape(X.shape, _core.MAX_ROWS)
        if dtype == np.float32 or dtype == np.float64:
            matrix: Matrix = X if has_whole_strides(X) else X.copy()
            return matrix
    elif (frame := as_frame(X)) is not None:
        check_shape(frame.shape, _core.MAX_ROWS)
        return plain_matrix(X)
    if isinstance(dtype, np.dtype) and dtype.kind in "mM":
        raise unusable(column_label(0, None), f"values of the type {dtype}")
    is_small = isinstance(dtype, np.dtype) and fits_float32(dtype)
    try:
        matrix = check_array(
            X, dtype=np.float32 if is_small else np.float64, ensure_all_finite=False
        )
    except ValueError as error:
        if "could not convert string" not in str(error):
            raise
        raise ValueError(
            f"X holds text: {error}. Name the nominal columns in categorical_features, or give a "
            "DataFrame."
        ) from error
    check_shape(matrix.shape, _core.MAX_ROWS)
    return matrix


def _columns(X: Any, names: NDArray[np.object_] | None) -> Sequence[Column]:
    check_dense(X)
    frame = as_frame(X)
    columns = array_columns(X, names) if frame is None else frame_columns(frame)
    check_shape((len(columns[0]) if columns else 1, len(columns)), _core.MAX_ROWS)
    return columns


def _categories(column: Column) -> Categories:
    values = column.distinct()
    check_n_categories(len(values), column.label)
    return Categories(values)


def _assemble(
    columns: Sequence[Column], values: Iterable[NDArray[Any]], nominal: Container[int]
) -> Matrix:
    """Put the columns into one matrix, in Fortran order, of the smallest type that is exact."""
    is_small = all(column.fits_float32 or j in nominal for j, column in enumerate(columns))
    shape = (len(columns[0]), len(columns))
    matrix = np.empty(shape, dtype=np.float32 if is_small else np.float64, order="F")
    for j, column_values in enumerate(values):
        matrix[:, j] = column_values
    return matrix


def _values(column: Column, categories: Categories | None) -> NDArray[Any]:
    return column.numeric() if categories is None else column.recode(categories.numbers)
