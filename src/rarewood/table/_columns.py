"""One column of a table, whatever the table is: what it holds and how it becomes numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache, cached_property
from numbers import Complex, Real
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "ArrayColumn",
    "Column",
    "Kind",
    "ObjectColumn",
    "array_columns",
    "column_label",
    "family",
    "fits_float32",
    "in_order",
    "is_missing",
    "not_numeric",
    "unusable",
]

Kind = Literal["numeric", "nominal"]

_PLURALS = {"text": "text", "bool": "true/false values", "number": "numbers"}


class Column(Protocol):
    """What encoding asks of a column."""

    @property
    def label(self) -> str:
        """How messages call the column."""

    @property
    def is_typed(self) -> bool:
        """Whether the table knows what the column holds, as a DataFrame does, unlike a list."""

    @property
    def fits_float32(self) -> bool:
        """Whether no value changes when it is stored as float32."""

    def __len__(self) -> int: ...

    def kind(self) -> Kind:
        """Return what the column holds; a ValueError for what a tree cannot use."""

    def is_empty(self) -> bool:
        """Return whether every value is missing."""

    def numeric(self) -> NDArray[Any]:
        """Return the values as numbers, NaN where they are missing."""

    def distinct(self) -> list[Any]:
        """Return the distinct values present, in the order their categories should have."""

    def recode(self, numbers: Mapping[Any, float]) -> NDArray[Any]:
        """Replace each value by its number; NaN where it is missing or has none."""


class ArrayColumn:
    """A column of numbers or booleans in a NumPy array."""

    def __init__(self, values: NDArray[Any], label: str, is_typed: bool = False) -> None:
        self.values = values
        self.label = label
        self.is_typed = is_typed

    @property
    def fits_float32(self) -> bool:
        return fits_float32(self.values.dtype)

    def __len__(self) -> int:
        return len(self.values)

    def kind(self) -> Kind:
        return "numeric"

    def is_empty(self) -> bool:
        return self.values.dtype.kind == "f" and bool(np.isnan(self.values).all())

    def numeric(self) -> NDArray[Any]:
        return self.values

    @cached_property
    def _unique(self) -> tuple[NDArray[Any], NDArray[np.intp]]:
        values, codes = np.unique(self.values, return_inverse=True)
        return values, codes.reshape(-1)

    def distinct(self) -> list[Any]:
        return [value for value in self._unique[0].tolist() if value == value]

    def recode(self, numbers: Mapping[Any, float]) -> NDArray[Any]:
        values, codes = self._unique
        return np.array([numbers.get(value, np.nan) for value in values.tolist()])[codes]


class ObjectColumn:
    """A column of Python objects, or of NumPy strings."""

    is_typed = False
    fits_float32 = False

    def __init__(self, values: NDArray[Any], label: str) -> None:
        self.values: list[Any] = values.tolist()
        self.label = label

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def _present(self) -> list[Any]:
        return [value for value in self.values if not is_missing(value)]

    def kind(self) -> Kind:
        found = family(self._present)
        if found in ("text", "bool"):
            return "nominal"
        if found in ("number", None):
            return "numeric"
        raise unusable(self.label, found)

    def is_empty(self) -> bool:
        return not self._present

    def numeric(self) -> NDArray[Any]:
        try:
            numbers = [np.nan if is_missing(value) else float(value) for value in self.values]
        except (TypeError, ValueError):
            self.kind()
            raise not_numeric(self.label) from None
        return np.array(numbers)

    def distinct(self) -> list[Any]:
        self.kind()
        return in_order(dict.fromkeys(self._present))

    def recode(self, numbers: Mapping[Any, float]) -> NDArray[Any]:
        return np.array(
            [np.nan if is_missing(value) else numbers.get(value, np.nan) for value in self.values]
        )


def array_columns(X: Any, names: NDArray[np.object_] | None = None) -> list[Column]:
    """Return the columns of an array, or of a sequence of rows, where some are nominal."""
    if not isinstance(X, np.ndarray):
        X = np.asarray(X, dtype=object)  # or text among the numbers would make all of them text
    if X.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {X.ndim}D array instead. Reshape your data either using "
            "array.reshape(-1, 1) if it has a single feature or array.reshape(1, -1) if it "
            "contains a single sample."
        )
    labels = [column_label(j, names) for j in range(X.shape[1])]
    if X.dtype.kind == "c" and labels:
        raise unusable(labels[0], "complex")
    if X.dtype.kind in "fiub":
        return [ArrayColumn(X[:, j], label) for j, label in enumerate(labels)]
    return [ObjectColumn(X[:, j], label) for j, label in enumerate(labels)]


def column_label(index: int, names: NDArray[np.object_] | None) -> str:
    """How messages call a column: by its name where it has one."""
    return f"column {index}" if names is None else f"column {names[index]!r}"


def fits_float32(dtype: np.dtype[Any]) -> bool:
    """Whether every value of a NumPy type is a float32 too."""
    return dtype.kind in "fiub" and bool(np.can_cast(dtype, np.float32))


def in_order(values: Iterable[Any]) -> list[Any]:
    """Return the values sorted, or as they come when they cannot be compared."""
    values = list(values)
    try:
        return sorted(values)
    except TypeError:
        return values


def is_missing(value: object) -> bool:
    """Whether an object stands for a missing value: None, any NaN, pandas' NA and NaT."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(value != value)


def family(values: Iterable[object]) -> str | None:
    """What some values have in common: "text", "bool", "number", or the name of another type.

    None when there are no values; several families are joined with "and".
    """
    families = sorted({_family_of(kind) for kind in set(map(type, values))})
    return " and ".join(families) if families else None


@cache
def _family_of(kind: type) -> str:
    if issubclass(kind, str):
        return "text"
    if issubclass(kind, (bool, np.bool_)):
        return "bool"
    if issubclass(kind, (Real, Decimal)):
        return "number"
    return "complex" if issubclass(kind, Complex) else kind.__name__


def unusable(label: str, what: str | None) -> ValueError:
    """Error for a column that is neither numeric nor nominal."""
    parts = str(what).split(" and ")
    if "complex" in parts:
        return ValueError(f"Complex data not supported: {label} holds complex numbers.")
    if len(parts) > 1:
        mixture = " and ".join(_PLURALS.get(part, part) for part in parts)
        return ValueError(
            f"The {label} mixes {mixture}. Make it one kind: all numbers, or all text."
        )
    return ValueError(
        f"The {label} holds {what}, which is neither numeric nor nominal. Convert it to numbers "
        "(of a date, say, the year or the days since a reference day) or to text first."
    )


def not_numeric(label: str) -> ValueError:
    """Error for a column that had to be numeric and holds text or true/false values."""
    return ValueError(
        f"The {label} holds text that cannot be converted to numbers. Make it nominal with "
        'categorical_features (a list of columns, or "from_dtype" with a DataFrame), or encode '
        "it first."
    )
