"""One column of a table of any kind, and how it becomes numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache, cached_property
from numbers import Complex, Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["numeric", "categorical"]

_PLURALS = {"text": "text", "bool": "true/false values", "number": "numbers"}


class Column(ABC):
    """A column of a table, as encoding reads it."""

    is_typed = True
    """Whether its type decides what it holds, as in a DataFrame, unlike a list."""
    fits_float32 = False
    """Whether no value changes when it is stored as float32."""

    def __init__(self, values: Any, label: str) -> None:
        self.values = values
        self.label = label  # in messages

    def __len__(self) -> int:
        return len(self.values)

    @abstractmethod
    def kind(self) -> Kind:
        """Return what the column holds; a ValueError for values that a tree cannot use."""

    @abstractmethod
    def is_empty(self) -> bool:
        """Return whether every value is missing."""

    @abstractmethod
    def numeric(self) -> NDArray[Any]:
        """Return the values as numbers, NaN where they are missing."""

    @abstractmethod
    def _lookup(self) -> tuple[list[Any], NDArray[Any]]:
        """Return distinct values, and the place of each row's value among them; -1 for missing."""

    @cached_property
    def _dictionary(self) -> tuple[list[Any], NDArray[Any]]:
        self.kind()  # raises for what a tree cannot use
        return self._lookup()

    def distinct(self) -> list[Any]:
        """Return the distinct values present, in the order of their categories."""
        values, places = self._dictionary
        is_present = np.zeros(len(values), dtype=bool)
        is_present[places[places >= 0]] = True
        present = dict.fromkeys(values[place] for place in np.flatnonzero(is_present).tolist())
        return in_order(value for value in present if not is_missing(value))

    def missing(self) -> NDArray[np.bool_]:
        """Return which rows have no value."""
        values, places = self._dictionary
        return np.take(np.array([*map(is_missing, values), True]), places)

    def recode(self, numbers: Mapping[Any, float]) -> NDArray[Any]:
        """Replace each value by its number; NaN where it is missing or has none."""
        values, places = self._dictionary
        new = [numbers.get(value, np.nan) for value in values]
        return np.take(np.array([*new, np.nan]), places)  # -1 is the last one: missing


class ArrayColumn(Column):
    """A column of numbers or booleans in a NumPy array."""

    def __init__(self, values: NDArray[Any], label: str, is_typed: bool = False) -> None:
        super().__init__(values, label)
        self.is_typed = is_typed
        self.fits_float32 = fits_float32(values.dtype)

    def kind(self) -> Kind:
        return "numeric"

    def is_empty(self) -> bool:
        return bool(self.values.dtype.kind == "f" and np.isnan(self.values).all())

    def numeric(self) -> NDArray[Any]:
        values: NDArray[Any] = self.values
        return values

    def _lookup(self) -> tuple[list[Any], NDArray[Any]]:
        values, places = np.unique(self.values, return_inverse=True)
        return values.tolist(), places.reshape(-1)


class ObjectColumn(Column):
    """A column of Python objects, or of NumPy strings."""

    is_typed = False

    def __init__(self, values: NDArray[Any], label: str) -> None:
        super().__init__(values.tolist(), label)

    @cached_property
    def _present(self) -> list[Any]:
        return [value for value in self.values if not is_missing(value)]

    def kind(self) -> Kind:
        found = family(self._present)
        if found in ("text", "bool"):
            return "categorical"
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

    def _lookup(self) -> tuple[list[Any], NDArray[Any]]:
        places = {value: place for place, value in enumerate(dict.fromkeys(self._present))}
        found = [-1 if is_missing(value) else places[value] for value in self.values]
        return list(places), np.array(found, dtype=np.intp)


def array_columns(X: Any, names: NDArray[np.object_] | None = None) -> list[Column]:
    """Return the columns of an array, or of a sequence of rows, as they are given."""
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
    """Return what messages call a column: its name, or its index."""
    return f"column {index}" if names is None else f"column {names[index]!r}"


def fits_float32(dtype: np.dtype[Any]) -> bool:
    """Whether every value of a NumPy type is a float32 too."""
    return dtype.kind in "fiub" and bool(np.can_cast(dtype, np.float32))


def in_order(values: Iterable[Any]) -> list[Any]:
    """Return distinct values in an order that does not depend on the order in which they come."""
    values = list(values)
    try:
        return sorted(values)
    except TypeError:  # of several types
        return sorted(values, key=lambda value: (type(value).__name__, repr(value)))


def is_missing(value: object) -> bool:
    """Whether an object stands for a missing value: None, any NaN, pandas' NA and NaT."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(value != value)


def family(values: Iterable[object]) -> str | None:
    """Return the type of values: "text", "bool", "number", or the name of another type.

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
    """Error for a column that is neither numeric nor categorical."""
    parts = str(what).split(" and ")
    if "complex" in parts:
        return ValueError(f"Complex data not supported: {label} holds complex numbers.")
    if len(parts) > 1:
        mixture = " and ".join(_PLURALS.get(part, part) for part in parts)
        return ValueError(f"The {label} mixes {mixture}. Convert it to one type: numbers or text.")
    return ValueError(
        f"The {label} holds {what}, which is neither numeric nor categorical. Convert it to "
        "numbers (of a date, for example, the days since a reference day) or to text first."
    )


def not_numeric(label: str) -> ValueError:
    """Error for a column that had to be numeric and holds text or true/false values."""
    return ValueError(
        f"The {label} holds text that cannot be converted to numbers. Make it categorical with "
        'categorical_features (a list of columns, or "from_dtype" with a DataFrame), or encode '
        "it first."
    )
