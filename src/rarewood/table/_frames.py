"""Columns of pandas and polars DataFrames, read through narwhals."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rarewood.table._arrow import ArrowColumn
from rarewood.table._columns import (
    ArrayColumn,
    Column,
    Kind,
    ObjectColumn,
    in_order,
    not_numeric,
    unusable,
)

_SMALL = (nw.Int8, nw.Int16, nw.UInt8, nw.UInt16, nw.Boolean)
_TEXT = (nw.String, nw.Categorical, nw.Enum)
_HUGE = (nw.Int128, nw.UInt128)


class FrameColumn(Column):
    """A column of a DataFrame whose type decides what it holds."""

    def __init__(self, series: nw.Series[Any], label: str) -> None:
        super().__init__(series, label)
        self.series = series
        self.fits_float32 = series.dtype in _SMALL

    def kind(self) -> Kind:
        dtype = self.series.dtype
        if dtype in _TEXT or dtype == nw.Boolean:
            return "categorical"
        if dtype.is_numeric() or self.is_empty():
            return "numeric"
        raise unusable(self.label, f"values of the type {_native_type(self.series)}")

    def is_empty(self) -> bool:
        return bool(self.series.null_count() == len(self.series))

    def numeric(self) -> NDArray[Any]:
        if self.kind() == "categorical" and self.series.dtype != nw.Boolean:
            raise not_numeric(self.label)
        values = self.series.to_numpy()
        if values.dtype.kind in "fiub":
            return values
        return self.series.cast(nw.Float64).to_numpy()

    @cached_property
    def _values(self) -> list[Any]:
        self.kind()
        return self.series.unique().drop_nulls().to_list()

    def distinct(self) -> list[Any]:
        return in_order(self._values)

    def recode(self, numbers: Mapping[Any, float]) -> NDArray[Any]:
        old = self._values
        if not old:
            return np.full(len(self.series), np.nan)
        new = [numbers.get(value, np.nan) for value in old]
        return self.series.replace_strict(old, new, return_dtype=nw.Float64).to_numpy()

    def _lookup(self) -> tuple[list[Any], NDArray[Any]]:
        places = {value: float(place) for place, value in enumerate(self._values)}
        return self._values, np.nan_to_num(self.recode(places), nan=-1).astype(np.intp)


def _native_type(series: nw.Series[Any]) -> str:
    return str(getattr(series.to_native(), "dtype", series.dtype))


def as_frame(X: Any) -> nw.DataFrame[Any] | None:
    """Return a table as a narwhals DataFrame, or None if it is not a DataFrame."""
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


def all_series(frame: nw.DataFrame[Any]) -> list[nw.Series[Any]]:
    """Return the columns of a DataFrame as series.

    One by one, each would look up the names of all: quadratic in the number of columns.
    """
    found: list[Any] = list(frame.iter_columns())
    return found


def frame_column(series: nw.Series[Any]) -> Column:
    """Return a column of a DataFrame as encoding reads it."""
    label = f"column {series.name!r}"
    if series.implementation.is_pyarrow():
        return ArrowColumn(series.to_native(), label)
    if series.dtype == nw.Object:
        return ObjectColumn(series.to_numpy(), label)
    if series.dtype.is_float():  # NaN and null are both missing: NumPy has only one of them
        return ArrayColumn(series.to_numpy(), label, is_typed=True)
    if series.dtype in _HUGE:
        raise ValueError(
            f"The {label} holds integers of 128 bits, which NumPy cannot represent. Cast it to "
            "Int64, or to Float64 where the values are larger."
        )
    if series.dtype == nw.Unknown:
        _refuse(series, label)
    if series.dtype == nw.String:
        series = series.cast(nw.Categorical)  # integers behind the texts: looked up faster
    return FrameColumn(series, label)


def _refuse(series: nw.Series[Any], label: str) -> None:
    """Raise for types unknown to narwhals that need more advice than their name."""
    native = _native_type(series)
    if native.startswith("Sparse"):
        raise TypeError(
            f"The {label} is sparse; rarewood needs dense data. Use X.sparse.to_dense() to "
            "convert the DataFrame (this may need much memory)."
        )
    if native.startswith("complex"):
        raise unusable(label, "complex")
