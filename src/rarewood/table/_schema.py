"""Schema of a training table: names, categories and bins of its features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.table._checks import naming_infinite
from rarewood.table._columns import family

Matrix = NDArray[np.float32] | NDArray[np.float64]


class Categories:
    """The distinct values of a categorical feature; the number of a category is its place."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = np.empty(len(values), dtype=object)
        self.values[:] = values

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"Categories({self.values.tolist()!r})"

    def __getstate__(self) -> dict[str, Any]:
        return {"values": self.values}

    @cached_property
    def numbers(self) -> dict[Any, float]:
        """The number of each value."""
        return {value: float(number) for number, value in enumerate(self.values.tolist())}

    @cached_property
    def family(self) -> str | None:
        """Type of the values, such as ``"text"``."""
        return family(self.values.tolist())


@dataclass(frozen=True, eq=False)
class Schema:
    """Features of a training table."""

    n_features: int
    names: NDArray[np.object_] | None = None
    """Names of the features, where all are strings."""
    categories: dict[int, Categories] = field(default_factory=dict)
    """The categorical features, by index."""
    by_dtype: bool = True
    """Whether the types of the table decided which features are categorical."""
    has_missing: bool = False
    """Whether the training table may have had missing values."""
    bins: _core.Bins | None = None
    """Bins by whose coordinates values of numeric features are replaced; None for raw values."""

    def __getstate__(self) -> dict[str, Any]:
        """Return plain data, which skops can save, too."""
        state = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return state | {"bins": None if self.bins is None else self.bins.state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        bins = state["bins"]
        is_plain = isinstance(bins, dict)  # older pickles have the object
        self.__dict__.update(state, bins=_core.Bins.from_state(bins) if is_plain else bins)

    def snapped(self, matrix: Matrix, n_threads: int = 1) -> Matrix:
        """Return an encoded matrix with the values that trees compare: coordinates, with bins."""
        if self.bins is None:
            return matrix
        with naming_infinite(matrix, self.names):
            return self.bins.snap(matrix, n_threads)

    @property
    def n_categories(self) -> NDArray[np.int64]:
        """Number of categories of each feature; 0 for a numeric one."""
        sizes = np.zeros(self.n_features, dtype=np.int64)
        for index, categories in self.categories.items():
            sizes[index] = max(len(categories), 1)
        return sizes
