"""Columns of Arrow tables and record batches: their types, and how they become numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood._imports import require
from rarewood.table._columns import Column, Kind, not_numeric, unusable


def arrow(part: str = "") -> Any:
    """Import pyarrow, or a part of it."""
    name = f"pyarrow.{part}" if part else "pyarrow"
    return require(name, "Reading a table in batches", "rarewood[stream]")


class UnreadableError(OSError):
    """A file of a table cannot be read; the message, one line, names it."""


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Turn errors of pyarrow, which do not name the file, into an UnreadableError."""
    try:
        yield
    except (arrow().ArrowException, OSError) as error:
        if isinstance(error, UnreadableError):
            raise
        text = str(error).splitlines()[0].rstrip(".") if str(error) else repr(error)
        raise UnreadableError(
            f"{name} cannot be read: {text}. Check that the file is complete and that its suffix "
            "matches its format."
        ) from error


def kind_of(kind: Any) -> Kind | None:
    """Return what a column of an Arrow type holds; None if no tree can use its values."""
    types = arrow().types
    if types.is_dictionary(kind) or types.is_boolean(kind) or _is_text(kind):
        return "categorical"
    is_number = types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)
    return "numeric" if is_number else None


def is_missing_type(kind: Any) -> bool:
    """Whether a type has no values at all: that of a column without any."""
    return bool(arrow().types.is_null(kind))


def fits_float32(kind: Any) -> bool:
    """Whether every value of an Arrow type is a float32 too."""
    types = arrow().types
    small = (types.is_int8, types.is_int16, types.is_uint8, types.is_uint16)
    more = (types.is_float16, types.is_float32, types.is_boolean, types.is_null)
    return any(is_of(kind) for is_of in (*small, *more))


def _is_text(kind: Any) -> bool:
    types = arrow().types
    is_view = getattr(types, "is_string_view", lambda kind: False)
    return bool(types.is_string(kind) or types.is_large_string(kind) or is_view(kind))


def dictionary_of(values: Any) -> tuple[Any, NDArray[Any]]:
    """Return the values that an array refers to, and which of them each row has; -1 for none."""
    pa = arrow()
    types = pa.types
    if types.is_dictionary(values.type) and isinstance(values, pa.ChunkedArray):
        values = values.unify_dictionaries()
    elif types.is_dictionary(values.type) and len(values.dictionary) > len(values):
        values = values.cast(values.type.value_type)  # a batch has few of all the values
    if not types.is_dictionary(values.type):
        if _is_text(values.type) and not types.is_string(values.type):
            values = values.cast(pa.large_string())  # string_view has no dictionary
        values = values.dictionary_encode()
    values = one_array(values)
    places = values.indices.cast(pa.int64())  # those of polars are unsigned, without a -1
    return values.dictionary, places.fill_null(-1).to_numpy(zero_copy_only=False)


def one_array(values: Any) -> Any:
    """Return an array without chunks."""
    return values.combine_chunks() if isinstance(values, arrow().ChunkedArray) else values


class ArrowColumn(Column):
    """A column of a record batch or of an Arrow table."""

    def __init__(self, values: Any, label: str) -> None:
        super().__init__(values, label)
        self.fits_float32 = fits_float32(values.type)

    def kind(self) -> Kind:
        found = kind_of(self.values.type)
        if found is None and not self.is_empty():
            raise unusable(self.label, f"values of the type {self.values.type}")
        return found or "numeric"

    def is_empty(self) -> bool:
        is_null = one_array(self.values.is_null(nan_is_null=True))
        return bool(is_null.true_count == len(self.values))

    def numeric(self) -> NDArray[Any]:
        types, kind = arrow().types, self.values.type
        if self.kind() == "categorical" and not types.is_boolean(kind):
            raise not_numeric(self.label)
        if kind_of(kind) is None:
            return np.full(len(self.values), np.nan)
        values = self.values
        if types.is_decimal(kind) or types.is_boolean(kind):
            values = values.cast(arrow().float32() if types.is_boolean(kind) else arrow().float64())
        numbers: NDArray[Any] = one_array(values).to_numpy(zero_copy_only=False)
        return numbers

    def _lookup(self) -> tuple[list[Any], NDArray[Any]]:
        if kind_of(self.values.type) is None:
            return [], np.full(len(self.values), -1)
        dictionary, places = dictionary_of(self.values)
        return dictionary.to_pylist(), places
