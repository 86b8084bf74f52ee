"""A table that is read in batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from rarewood.table._fragments import Fragment, ParquetFragment, split_fragments

BATCH_ROWS = 65_536
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Table:
    """A table, or consecutive rows of one, of which only a batch is in memory at a time.

    It can be pickled, unless it came from an iterator, and read elsewhere.
    """

    name: str  # in messages
    schema: Any  # of pyarrow
    fragments: Sequence[Fragment]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return sum(fragment.n_rows for fragment in self.fragments)

    @property
    def files(self) -> list[str]:
        """Paths of the Parquet files."""
        return [
            fragment.path for fragment in self.fragments if isinstance(fragment, ParquetFragment)
        ]

    def batches(
        self, columns: list[str], batch_rows: int = BATCH_ROWS, *, use_threads: bool = False
    ) -> Iterator[Any]:
        """Yield all rows in order, as record batches with these columns; none is empty."""
        for fragment in self.fragments:
            yield from fragment.batches(columns, batch_rows, use_threads=use_threads)

    def split(self, n_parts: int) -> list[Table]:
        """Divide the rows into consecutive runs of about the same length, but whole row groups."""
        runs = split_fragments(self.fragments, n_parts)
        return [replace(self, fragments=fragments) for fragments in runs]


def ahead(items: Iterator[T]) -> Iterator[T]:
    """Yield the items of an iterator; the next is made while the caller works on the last."""
    end = object()
    with ThreadPoolExecutor(1, thread_name_prefix="rarewood-read") as reader:
        coming = reader.submit(next, items, end)
        while (item := coming.result()) is not end:
            coming = reader.submit(next, items, end)
            yield item  # type: ignore[misc]
