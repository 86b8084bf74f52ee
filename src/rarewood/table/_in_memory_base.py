"""Base class of tables in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood._validation import feature_names, number_of_rows
from rarewood.table._columns import Column
from rarewood.table._values import Matrix


class InMemoryTable(ABC):
    """A table in memory, ``native`` in the type of its library."""

    def __init__(self, native: Any) -> None:
        self.native = native
        self.names = feature_names(native)  # None unless all are strings
        self._columns: list[Column] | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return number_of_rows(self.native)

    @property
    def has_text(self) -> bool:
        """Whether it is an array of objects, some of them text."""
        return False

    @property
    @abstractmethod
    def matrix(self) -> Matrix | None:
        """A table of numbers as it is, or converted once; None if columns differ."""

    def columns(self, names: NDArray[np.object_] | None) -> list[Column]:
        """Return the columns; ``names`` is what messages call them if they have no names."""
        if self._columns is None:
            self._columns = self._read_columns(names)
        return self._columns

    @abstractmethod
    def _read_columns(self, names: NDArray[np.object_] | None) -> list[Column]: ...

    @abstractmethod
    def take_targets(self, y: Any, sample_weight: Any) -> tuple[InMemoryTable, Any, Any]:
        """Return features, labels and weights, where names of columns are given instead."""

    @abstractmethod
    def take_column(self, name: str, what: str) -> tuple[InMemoryTable, Any]:
        """Return the table without a column, and the column; ``what`` is its role in messages."""

    def select(self, names: NDArray[np.object_] | None) -> InMemoryTable:
        """Return the table without columns that are not among those named.

        The others must be there, in the same order; if not, nothing is left out, and the check of
        the names raises an error.
        """
        return self
