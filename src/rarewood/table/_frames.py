"""Columns of pandas, polars and pyarrow tables, read through narwhals."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rarewood.table._columns import (
    ArrayColumn,
    Column,
    Kind,
    ObjectColumn,
    in_order,
    not_numeric,
    unusable,
)

__all__ = ["all_series", "as_frame", "frame_columns", "plain_matrix"]

_SMALL = (nw.Int8, nw.Int16, nw.UInt8, nw.UInt16, nw.Boolean)
_TEXT = (nw.String, nw.Categorical, nw.Enum)


class FrameColumn:
    """A column of a DataFrame whose type says what it holds."""

    is_typed = True

    def __init__(self, series: nw.Series[Any], label: str) -> None:
        self.series = series
        self.label = label

    @property
    def fits_float32(self) -> bool:
        return self.series.dtype in _SMALL

    def __len__(self) -> int:
        return len(self.series)

    def kind(self) -> Kind:
        dtype = self.series.dtype
        if dtype in _TEXT or dtype == nw.Boolean:
            return "nominal"
        if dtype.is_numeric() or self.is_empty():
            return "numeric"
        native = getattr(self.series.to_native(), "dtype", dtype)
        raise unusable(self.label, f"values of the type {native}")

    def is_empty(self) -> bool:
        return bool(self.series.null_count() == len(self.series))

    def numeric(self) -> NDArray[Any]:
        if self.kind() == "nominal" and self.series.dtype != nw.Boolean:
            raise not_numeric(self.label)
        values = self.series.to_numpy()
        if values.dtype.kind in "fiub":
            return values
        return self.series.cast(nw.Float64).to_numpy()

    @cached_property
    def _values(self) -> list[Any]:
        return self.series.unique().drop_nulls().to_list()

    def distinct(self) -> list[Any]:
        self.kind()
        if not _keeps_order(self.series):
            return in_order(self._values)
        present = set(self._values)
        return [v for v in self.series.cat.get_categories().to_list() if v in present]

    def recode(self, numbers: Mapping[Any, float]) -> NDArray[Any]:
        old = self._values
        if not old:
            return np.full(len(self.series), np.nan)
        new = [numbers.get(value, np.nan) for value in old]
        return self.series.replace_strict(old, new, return_dtype=nw.Float64).to_numpy()


def _keeps_order(series: nw.Series[Any]) -> bool:
    # pandas keeps the user's order of the categories even where they are not "ordered".
    native = str(getattr(series.to_native(), "dtype", ""))
    return series.dtype == nw.Enum or native == "category"


def as_frame(X: Any) -> nw.DataFrame[Any] | None:
    """Return the table as a narwhals DataFrame, or None if it is not a DataFrame."""
    if isinstance(X, (np.ndarray, list, tuple)):
        return None
    if nw.dependencies.is_into_dataframe(X):
        frame: nw.DataFrame[Any] = nw.from_native(X, eager_only=True)
        return frame
    if hasattr(X, "collect") or hasattr(X, "compute"):
        raise TypeError(
            f"X is a lazy table ({type(X).__name__}). Compute it first, with .collect() or "
            ".compute()."
        )
    return None


def plain_matrix(X: Any) -> NDArray[Any] | None:
    """Return a pandas DataFrame of float columns as one matrix, else None.

    No copy is made where pandas stores it as one matrix.
    """
    if not nw.dependencies.is_pandas_dataframe(X):
        return None
    if set(X.dtypes) not in ({np.dtype(np.float32)}, {np.dtype(np.float64)}):
        return None
    matrix: NDArray[Any] = X.to_numpy()
    return matrix


def frame_columns(frame: nw.DataFrame[Any]) -> list[Column]:
    """Return the columns of a DataFrame, in order."""
    return [_column(series, f"column {series.name!r}") for series in all_series(frame)]


def all_series(frame: nw.DataFrame[Any]) -> list[nw.Series[Any]]:
    """Return the columns of a DataFrame as series.

    Asked for one by one, each would look up the names of all: a square of very many columns.
    """
    found: list[Any] = list(frame.iter_columns())
    return found


def _column(series: nw.Series[Any], label: str) -> Column:
    if series.dtype == nw.Object:
        return ObjectColumn(series.to_numpy(), label)
    if series.dtype.is_float():  # NaN and null are both missing: NumPy knows only one of them
        return ArrayColumn(series.to_numpy(), label, is_typed=True)
    if series.dtype == nw.Unknown:
        _refuse(series, label)
    if series.implementation.is_pyarrow() and series.dtype == nw.String:
        series = series.cast(nw.String)  # pyarrow cannot look up its own string_view
    if series.dtype == nw.String:
        series = series.cast(nw.Categorical)  # integers behind the texts: looked up faster
    return FrameColumn(series, label)


def _refuse(series: nw.Series[Any], label: str) -> None:
    """Raise for types unknown to narwhals where there is more to say than their name."""
    native = str(getattr(series.to_native(), "dtype", ""))
    if native.startswith("Sparse"):
        raise TypeError(
            f"The {label} is sparse; rarewood needs dense data. Use X.sparse.to_dense() to "
            "convert the DataFrame (mind the memory it takes)."
        )
    if native.startswith("complex"):
        raise unusable(label, "complex")
