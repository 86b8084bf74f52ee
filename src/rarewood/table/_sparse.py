"""Sparse tables: matrices and arrays of SciPy, and pandas DataFrames with sparse columns."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.table._checks import check_shape
from rarewood.table._columns import Column, column_label, fits_float32, unusable
from rarewood.table._in_memory_base import InMemoryTable
from rarewood.table._values import Matrix

_BLOCK_BYTES = 2**25  # of dense rows at a time


def is_sparse_matrix(X: Any) -> bool:
    """Whether a table is a sparse matrix or array of SciPy."""
    sparse = sys.modules.get("scipy.sparse")  # imported by whoever made one
    return sparse is not None and bool(sparse.issparse(X))


def has_sparse_columns(X: Any) -> bool:
    """Whether a table is a pandas DataFrame with a sparse column."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(X, pandas.DataFrame):
        return False
    return any(isinstance(dtype, pandas.SparseDtype) for dtype in X.dtypes)


class SparseTable(InMemoryTable):
    """A sparse table of numbers, in which values that are not stored are zero."""

    @property
    def n_rows(self) -> int:
        return int(self.native.shape[0])

    @property
    def matrix(self) -> Matrix | None:
        self._refuse()

    def _read_columns(self, names: NDArray[np.object_] | None) -> list[Column]:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise TypeError(
            "X is a sparse matrix. Sparse tables are for fit and prediction of trees and forests, "
            "their rules, shap_values and contributions; this needs dense data. Use X.toarray() to "
            "convert it to a dense array, or X[:1000].toarray() for some rows."
        )

    def take_targets(self, y: Any, sample_weight: Any) -> tuple[InMemoryTable, Any, Any]:
        for value, what in ((y, "y"), (sample_weight, "sample_weight")):
            if isinstance(value, str):
                self.take_column(value, what)
        return self, y, sample_weight

    def take_column(self, name: str, what: str) -> tuple[InMemoryTable, Any]:
        raise ValueError(
            f"{what}={name!r} is the name of a column, and X is sparse. Pass {what} as an array."
        )

    def by_column(self) -> Any:
        """Return the table in compressed columns, without stored zeros, as floats."""
        from scipy import sparse

        check_shape(self.native.shape, _core.MAX_ROWS)
        if not is_sparse_matrix(self.native):
            columns = _of_frame(self.native)
        else:
            columns = sparse.csc_array(self.native)
        if columns.dtype.kind not in "biuf":
            raise unusable(column_label(0, None), f"values of the type {columns.dtype}")
        is_small = fits_float32(columns.dtype) or columns.dtype == np.float32
        columns = columns.astype(np.float32 if is_small else np.float64, copy=False)
        if not columns.has_canonical_format or (columns.data == 0).any():
            columns = columns.copy()
            columns.sum_duplicates()
            columns.eliminate_zeros()
        return columns

    def check_finite(self, columns: Any) -> None:
        """Raise an error that names the column if a value is infinite."""
        infinite = np.flatnonzero(np.isinf(columns.data))
        if infinite.size:
            feature = int(np.searchsorted(columns.indptr, infinite[0], side="right")) - 1
            label = feature if self.names is None else repr(self.names[feature])
            raise ValueError(
                f"Input X contains infinity or a value too large for {columns.dtype!r}, in column "
                f"{label}. Replace infinite values by a number, or by NaN if they are missing."
            )


def as_dense(X: Any) -> Any:
    """Return a table as it is, or a sparse one as dense one."""
    if is_sparse_matrix(X):
        return X.toarray()
    if not has_sparse_columns(X):
        return X
    return X.astype({name: getattr(dtype, "subtype", dtype) for name, dtype in X.dtypes.items()})


def sparse_like(table: Any, X: Any) -> Any:
    """Return a dense table in the sparse type of another."""
    if is_sparse_matrix(X):
        return type(X)(table)
    return table.astype(dict(X.dtypes)) if has_sparse_columns(X) else table


def take_rows(columns: Any, rows: NDArray[Any]) -> Any:
    """Return some rows of a matrix in compressed columns, in the given order."""
    taken = columns[rows]
    taken.sort_indices()
    return taken


def dense_blocks(rows: Any) -> Iterator[tuple[slice, Matrix]]:
    """Yield the rows of a matrix in compressed columns as dense blocks of bounded size."""
    n_rows, n_columns = rows.shape
    by_row = rows.tocsr()
    step = max(1, _BLOCK_BYTES // (n_columns * rows.dtype.itemsize))
    for first in range(0, n_rows, step):
        here = slice(first, min(first + step, n_rows))
        yield here, by_row[here].toarray()


def core_columns(columns: Any, n_threads: int) -> _core.Columns:
    """Return the columns of the core over a matrix in compressed columns."""
    return _core.Columns.from_sparse(*core_arrays(columns), columns.shape[0], n_threads)


def core_arrays(columns: Any) -> tuple[NDArray[Any], NDArray[np.uint32], NDArray[np.int64]]:
    """Return values, rows and beginnings of columns in the types of the core."""
    return (
        np.ascontiguousarray(columns.data),
        columns.indices.astype(np.uint32),
        columns.indptr.astype(np.int64),
    )


def snapped(columns: Any, bins: _core.Bins, n_threads: int) -> Any:
    """Return a matrix in compressed columns whose values are the coordinates of their bins."""
    from scipy import sparse

    n_rows = columns.shape[0]
    found: Any = bins.snap_sparse(*core_arrays(columns), n_rows, n_threads)
    values, zeros = found
    made = sparse.csc_array((values, columns.indices, columns.indptr), shape=columns.shape)
    moved = np.flatnonzero(zeros)
    if moved.size:  # where zeros are so rare that they share a bin with other values
        absent = np.ones((n_rows, len(moved)), dtype=bool)
        stored = columns[:, moved].tocoo()
        absent[stored.row, stored.col] = False
        rows, places = np.nonzero(absent)
        shape = columns.shape
        made = made + sparse.csc_array((zeros[moved][places], (rows, moved[places])), shape=shape)
    made = made.copy()
    made.eliminate_zeros()
    return made


def _of_frame(frame: Any) -> Any:
    """Return the columns of a DataFrame; one that is not sparse keeps its values that are not 0."""
    from scipy import sparse

    rows, values = [], []
    for label, series in frame.items():
        array = series.array
        kind = getattr(series.dtype, "subtype", series.dtype)
        kind = getattr(kind, "numpy_dtype", kind)  # of a nullable type
        if not isinstance(kind, np.dtype) or kind.kind not in "biuf":
            raise TypeError(
                f"The column {label!r} is not of numbers, and others are sparse. Use "
                "X.sparse.to_dense() to convert the DataFrame, or encode the column as numbers."
            )
        if hasattr(array, "sp_index") and array.fill_value == 0:
            rows.append(array.sp_index.indices)
            values.append(array.sp_values)
        else:
            has_null = not isinstance(series.dtype, np.dtype) and bool(series.isna().any())
            dense = series.to_numpy(dtype=np.float64 if has_null else kind, na_value=np.nan)
            rows.append(np.flatnonzero(dense))
            values.append(dense[rows[-1]])
    sizes = np.cumsum([0, *map(len, rows)])
    data = np.concatenate(values) if values else np.empty(0)
    indices = np.concatenate(rows) if rows else np.empty(0, dtype=np.int64)
    return sparse.csc_array((data, indices, sizes), shape=frame.shape)
