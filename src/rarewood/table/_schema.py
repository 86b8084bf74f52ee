"""What the columns of a training table were: their names and their categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.table._columns import family

__all__ = ["Categories", "Schema"]


class Categories:
    """The categories of a nominal column; the number of a category is its place.

    Parameters
    ----------
    values : sequence
        The distinct values, as they were in the table.
    """

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
        """What the values have in common, such as ``"text"``."""
        return family(self.values.tolist())


@dataclass(frozen=True, eq=False)
class Schema:
    """What the columns of the training table were.

    Parameters
    ----------
    n_features : int
        Number of columns.
    names : ndarray of str or None
        Names of the columns, where all are strings.
    categories : dict of int to Categories
        The nominal columns, by their index.
    by_dtype : bool
        Whether the types of the table decided which columns are nominal.
    has_missing : bool
        Whether there may have been missing values.
    """

    n_features: int
    names: NDArray[np.object_] | None = None
    categories: dict[int, Categories] = field(default_factory=dict)
    by_dtype: bool = True
    has_missing: bool = False

    @property
    def n_categories(self) -> NDArray[np.int64]:
        """Number of categories of each column; 0 for a numeric one."""
        sizes = np.zeros(self.n_features, dtype=np.int64)
        for index, categories in self.categories.items():
            sizes[index] = max(len(categories), 1)
        return sizes
