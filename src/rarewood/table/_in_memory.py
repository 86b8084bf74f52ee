"""Tables in memory: arrays, and DataFrames of pandas, polars and pyarrow."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from rarewood import _core
from rarewood.table._arrow import arrow
from rarewood.table._checks import check_shape, check_unique_names
from rarewood.table._column_roles import check_distinct, feature_columns, find_column
from rarewood.table._columns import Column, array_columns, column_label, fits_float32, unusable
from rarewood.table._frames import all_series, as_frame, frame_column
from rarewood.table._in_memory_base import InMemoryTable
from rarewood.table._sparse import SparseTable, has_sparse_columns, is_sparse_matrix
from rarewood.table._targets import column_weights
from rarewood.table._values import Matrix, has_whole_strides


def in_memory(X: Any) -> InMemoryTable:
    """Return a table of any kind that is in memory, ready to be encoded."""
    if isinstance(X, InMemoryTable):
        return X
    if isinstance(X, np.ndarray):
        return _ArrayTable(X)
    if is_sparse_matrix(X) or has_sparse_columns(X):
        return SparseTable(X)
    if isinstance(X, dict):
        raise TypeError(
            "X is a dict. Convert it to a table first, for example with pandas.DataFrame(X)."
        )
    if type(X).__module__ == "pyarrow.lib" and type(X).__name__ == "RecordBatch":
        X = arrow().Table.from_batches([X])
    if nw.dependencies.is_into_dataframe(X):
        check_unique_names(list(getattr(X, "column_names", None) or X.columns), "X")
    frame = as_frame(X)
    return _ArrayTable(X) if frame is None else _FrameTable(X, frame)


class _ArrayTable(InMemoryTable):
    """An array, or a sequence of rows."""

    def __init__(self, X: Any) -> None:
        if isinstance(X, np.ma.MaskedArray):  # NumPy would show what is masked as values
            X = np.ma.filled(X.astype(np.float64), np.nan)
        super().__init__(X)

    @cached_property
    def has_text(self) -> bool:
        X = self.native
        is_table = isinstance(X, np.ndarray) and X.dtype == object and X.ndim == 2
        return is_table and any(isinstance(value, str) for value in X.flat)

    @cached_property
    def matrix(self) -> Matrix | None:
        X = self.native
        dtype = getattr(X, "dtype", None)
        if type(X) in (np.ndarray, np.memmap) and X.ndim == 2:
            check_shape(X.shape, _core.MAX_ROWS)
            if dtype == np.float32 or dtype == np.float64:
                matrix: Matrix = X if has_whole_strides(X) else X.copy()
                return matrix
        if isinstance(dtype, np.dtype) and dtype.kind in "mM":
            raise unusable(column_label(0, None), f"values of the type {dtype}")
        is_small = isinstance(dtype, np.dtype) and fits_float32(dtype)
        try:
            matrix = check_array(
                X, dtype=np.float32 if is_small else np.float64, ensure_all_finite=False
            )
        except (TypeError, ValueError) as error:
            self._refuse(error)
            raise
        check_shape(matrix.shape, _core.MAX_ROWS)
        return matrix

    def _refuse(self, error: Exception) -> None:
        """Raise for values that are not numbers, with the first column that holds them."""
        if "could not convert string" in str(error):
            raise ValueError(
                f"X holds text: {error}. Name the categorical columns in categorical_features, or "
                "pass a DataFrame."
            ) from error
        X = self.native
        if isinstance(X, np.ndarray) and X.dtype == object and X.ndim == 2:
            for column in self.columns(None):
                try:
                    column.numeric()
                except ValueError as reason:  # scikit-learn expects NumPy's type and words, too
                    raise type(error)(f"{reason} ({error})") from error

    def _read_columns(self, names: NDArray[np.object_] | None) -> list[Column]:
        return array_columns(self.native, names)

    def take_targets(self, y: Any, sample_weight: Any) -> tuple[InMemoryTable, Any, Any]:
        for value, what in ((y, "y"), (sample_weight, "sample_weight")):
            if isinstance(value, str):
                if isinstance(self.native, list) and not self.native:
                    raise ValueError(
                        "Expected at least one file, or batch of a table; the list is empty."
                    )
                self.take_column(value, what)
        return self, y, sample_weight

    def take_column(self, name: str, what: str) -> tuple[InMemoryTable, Any]:
        raise ValueError(
            f"{what}={name!r} is the name of a column, but X has no column names: it is of the "
            f"type {type(self.native).__name__}. Pass {what} as an array, or X as a DataFrame."
        )


class _FrameTable(InMemoryTable):
    """A DataFrame of pandas, polars or pyarrow."""

    def __init__(self, X: Any, frame: nw.DataFrame[Any]) -> None:
        super().__init__(X)
        self._frame = frame

    @cached_property
    def matrix(self) -> Matrix | None:
        """A pandas DataFrame of float columns, without a copy if it is stored as one."""
        check_shape(self._frame.shape, _core.MAX_ROWS)
        if not nw.dependencies.is_pandas_dataframe(self.native):
            return None
        if set(self.native.dtypes) not in ({np.dtype(np.float32)}, {np.dtype(np.float64)}):
            return None
        matrix: Matrix = self.native.to_numpy()
        return matrix

    def _read_columns(self, names: NDArray[np.object_] | None) -> list[Column]:
        return [frame_column(series) for series in all_series(self._frame)]

    def take_targets(self, y: Any, sample_weight: Any) -> tuple[InMemoryTable, Any, Any]:
        given = {"y": y, "sample_weight": sample_weight}
        named = {what: name for what, name in given.items() if isinstance(name, str)}
        if not named:
            return self, y, sample_weight
        have = self._frame.columns
        for what, name in named.items():
            find_column(name, have, what)
        check_distinct(y, sample_weight)
        features = feature_columns(have, None, set(named.values()))
        if "y" in named:
            y = self._frame[y].to_native()
        if "sample_weight" in named:
            sample_weight = column_weights(frame_column(self._frame[sample_weight]), sample_weight)
        return self._take(features), y, sample_weight

    def take_column(self, name: str, what: str) -> tuple[InMemoryTable, Any]:
        have = self._frame.columns
        find_column(name, have, what)
        return self._take([other for other in have if other != name]), self._frame[name].to_native()

    def select(self, names: NDArray[np.object_] | None) -> InMemoryTable:
        if names is None or self.names is None or len(self.names) <= len(names):
            return self
        wanted = set(names.tolist())
        kept = [name for name in self.names.tolist() if name in wanted]
        return self._take(kept) if len(kept) == len(wanted) else self

    def _take(self, names: list[str]) -> InMemoryTable:
        if nw.dependencies.is_pandas_dataframe(self.native):  # names may be of any type
            return in_memory(self.native[names])
        return in_memory(self._frame.select(names).to_native())
