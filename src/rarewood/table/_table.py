"""A table that is read in batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from rarewood.table._fragments import Fragment, ParquetFragment, split_fragments

BATCH_ROWS = 65_536
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Table:
    """A table, or consecutive rows of one, of which only a batch is in memory at a time.

    It can be pickled, unless it came from an iterator, and read elsewhere.

    Parameters
    ----------
    name : str
        Name of the table in messages.
    schema : pyarrow.Schema
        Names and types of its columns.
    fragments : list of Fragment
        Its rows.
    orders : dict of str to list
        Categories in the order of a pandas table, for columns that have one.
    """

    name: str
    schema: Any
    fragments: Sequence[Fragment]
    orders: dict[str, list[Any]] = field(default_factory=dict)

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
        """Yield all rows in order.

        Parameters
        ----------
        columns : list of str
            Names of the columns to read.
        batch_rows : int, default=65536
            Largest number of rows of a batch.
        use_threads : bool, default=False
            Whether several columns are read at the same time.

        Yields
        ------
        batch : pyarrow.RecordBatch
            The columns, in the given order; never empty.
        """
        for fragment in self.fragments:
            yield from fragment.batches(columns, batch_rows, use_threads=use_threads)

    def split(self, n_parts: int) -> list[Table]:
        """Divide the rows into consecutive runs of about the same length.

        Parameters
        ----------
        n_parts : int
            Number of runs; fewer are returned if there are fewer row groups.

        Returns
        -------
        runs : list of Table
            In order. Each can be read without the others.
        """
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
