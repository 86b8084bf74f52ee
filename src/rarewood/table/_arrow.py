"""Columns of Arrow record batches: what their types say, and how they become numbers.

They answer as the columns of a table in memory do (`_columns.Column`), so a model does not depend
on how its table was read.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood._optional import require
from rarewood.table._columns import Kind, in_order, not_numeric, unusable

__all__ = ["ArrowColumn", "arrow", "dictionary_of", "fits_float32", "is_missing_type", "kind_of"]


def arrow(part: str = "") -> Any:
    """Import pyarrow, or a part of it."""
    name = f"pyarrow.{part}" if part else "pyarrow"
    return require(name, "Reading a table in batches", "rarewood[stream]")


def kind_of(kind: Any) -> Kind | None:
    """Return what a column of an Arrow type holds; None if no tree can use its values."""
    types = arrow().types
    if types.is_dictionary(kind) or types.is_boolean(kind) or _is_text(kind):
        return "nominal"
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
    types = arrow().types
    if types.is_dictionary(values.type) and len(values.dictionary) > len(values):
        values = values.cast(values.type.value_type)  # a batch has few of all the values
    if not types.is_dictionary(values.type):
        if _is_text(values.type) and not types.is_string(values.type):
            values = values.cast(arrow().large_string())  # string_view has no dictionary
        values = values.dictionary_encode()
    places = values.indices.cast(arrow().int64())  # polars has unsigned ones, which know no -1
    return values.dictionary, places.fill_null(-1).to_numpy(zero_copy_only=False)


class ArrowColumn:
    """A column of one record batch."""

    is_typed = True

    def __init__(self, values: Any, label: str) -> None:
        self.values = values
        self.label = label

    @property
    def fits_float32(self) -> bool:
        return fits_float32(self.values.type)

    def __len__(self) -> int:
        return len(self.values)

    def kind(self) -> Kind:
        found = kind_of(self.values.type)
        if found is None and not self.is_empty():
            raise unusable(self.label, f"values of the type {self.values.type}")
        return found or "numeric"

    def is_empty(self) -> bool:
        return bool(self.values.is_null(nan_is_null=True).true_count == len(self.values))

    def numeric(self) -> NDArray[Any]:
        types, kind = arrow().types, self.values.type
        if self.kind() == "nominal" and not types.is_boolean(kind):
            raise not_numeric(self.label)
        if kind_of(kind) is None:
            return np.full(len(self.values), np.nan)
        values = self.values
        if types.is_decimal(kind) or types.is_boolean(kind):
            values = values.cast(arrow().float32() if types.is_boolean(kind) else arrow().float64())
        numbers: NDArray[Any] = values.to_numpy(zero_copy_only=False)
        return numbers

    @cached_property
    def _coded(self) -> tuple[list[Any], NDArray[Any]]:
        """The values that the column refers to, and which of them each row has; -1 for none."""
        values = self.values
        if kind_of(values.type) is None:
            self.kind()  # raises unless it is empty
            return [], np.full(len(values), -1)
        dictionary, places = dictionary_of(values)
        return dictionary.to_pylist(), places

    def distinct(self) -> list[Any]:
        values, places = self._coded
        is_present = np.zeros(len(values), dtype=bool)
        is_present[places[places >= 0]] = True
        present = {values[place] for place in np.flatnonzero(is_present).tolist()}
        return in_order(value for value in present if value is not None and value == value)

    def missing(self) -> NDArray[np.bool_]:
        """Return which rows of a nominal column have no value."""
        values, places = self._coded
        is_none = [value is None or value != value for value in values]
        return np.take(np.array([*is_none, True]), places)

    def recode(self, numbers: Mapping[Any, float]) -> NDArray[Any]:
        values, places = self._coded
        new = [numbers.get(value, np.nan) for value in values]
        return np.take(np.array([*new, np.nan]), places)  # -1 is the last one: missing
