"""Rows of an array of numbers, with labels and weights beside it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rarewood.table._arrow import arrow
from rarewood.table._fragments import Fragment


@dataclass(frozen=True, eq=False)
class ArrayFragment(Fragment):
    """Rows of an array of numbers in memory, read without a copy, in either memory order."""

    values: NDArray[Any]
    names: tuple[str, ...]
    others: Any  # a pyarrow.Table with further columns of the same rows

    @classmethod
    def of(cls, values: NDArray[Any], names: tuple[str, ...], others: Any, name: str) -> Self:
        """Return a fragment of an array."""
        return cls(name, (len(values),), values, names, others)

    def __sizeof__(self) -> int:
        """Return the bytes of the rows, by which Dask manages its memory."""
        return sys.getsizeof(self.names) + int(self.values.nbytes + self.others.nbytes)

    @property
    def schema(self) -> Any:
        """Names and Arrow types of all columns."""
        pa = arrow()
        kind = pa.from_numpy_dtype(self.values.dtype)
        return pa.schema([*(pa.field(name, kind) for name in self.names), *self.others.schema])

    def batches(
        self, columns: list[str], batch_rows: int, *, use_threads: bool = False
    ) -> Iterator[Any]:
        pa = arrow()
        for start in range(0, len(self.values), batch_rows):
            rows = slice(start, start + batch_rows)
            arrays = [self._column(name, rows) for name in columns]
            yield pa.RecordBatch.from_arrays(arrays, names=columns)

    def matrix(self, columns: list[str]) -> NDArray[Any] | None:
        first = self.names.index(columns[0]) if columns[0] in self.names else 0
        end = first + len(columns)
        return self.values[:, first:end] if list(self.names[first:end]) == columns else None

    def _column(self, name: str, rows: slice) -> Any:
        if name not in self.names:
            return self.others.column(name)[rows].combine_chunks()
        return arrow().array(np.ascontiguousarray(self.values[rows, self.names.index(name)]))
