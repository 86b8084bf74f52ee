"""Pieces of a table that are read one after the other: row groups of files, or tables in memory."""

from __future__ import annotations

import os
import tempfile
import weakref
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any

from numpy.typing import NDArray

from rarewood.table._arrow import arrow

__all__ = [
    "Fragment",
    "MemoryFragment",
    "ParquetFragment",
    "ScannedFragment",
    "SpilledFragment",
    "sliced",
    "split_fragments",
]


class Fragment(ABC):
    """Consecutive rows of a table."""

    @property
    @abstractmethod
    def sizes(self) -> Sequence[int]:
        """Rows of each part that can be read alone."""

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return sum(self.sizes)

    @property
    @abstractmethod
    def name(self) -> str:
        """What messages call it."""

    @abstractmethod
    def batches(
        self, columns: list[str], batch_rows: int, *, use_threads: bool = False
    ) -> Iterator[Any]:
        """Yield record batches with some of the columns, in this order, of at most so many rows."""

    @abstractmethod
    def part(self, begin: int, end: int) -> Fragment:
        """Return some of the parts that ``sizes`` tells of."""

    def matrix(self, columns: list[str]) -> NDArray[Any] | None:
        """Return some of the columns as they lie in memory, if they are numbers side by side."""
        return None


def sliced(batch: Any, batch_rows: int) -> Iterator[Any]:
    """Yield a batch in smaller ones; none for an empty batch."""
    for start in range(0, batch.num_rows, batch_rows):
        yield batch.slice(start, batch_rows)


@dataclass(frozen=True, eq=False)
class ParquetFragment(Fragment):
    """Row groups of a Parquet file.

    Parameters
    ----------
    path : str
        The file.
    filesystem : pyarrow.fs.FileSystem
        Where it is.
    groups : tuple of int
        Numbers of the row groups.
    group_rows : tuple of int
        Rows of each.
    keys : dict of str to tuple
        Columns that the name of the folder tells: the value, and its Arrow type.
    label : str
        What messages call it.
    """

    path: str
    filesystem: Any
    groups: tuple[int, ...]
    group_rows: tuple[int, ...]
    keys: dict[str, tuple[Any, Any]]
    label: str

    @property
    def sizes(self) -> Sequence[int]:
        return self.group_rows

    @property
    def name(self) -> str:
        return self.label

    def part(self, begin: int, end: int) -> ParquetFragment:
        return replace(self, groups=self.groups[begin:end], group_rows=self.group_rows[begin:end])

    def batches(
        self, columns: list[str], batch_rows: int, *, use_threads: bool = False
    ) -> Iterator[Any]:
        stored = [name for name in columns if name not in self.keys]
        if not self.groups:
            return
        with (
            self.filesystem.open_input_file(self.path) as stream,
            arrow("parquet").ParquetFile(stream) as file,
        ):
            for groups in self._together(batch_rows):
                found = file.iter_batches(
                    batch_rows, row_groups=groups, columns=stored, use_threads=use_threads
                )
                for batch in found:
                    yield from sliced(self._with_keys(batch, columns), batch_rows)

    def _together(self, batch_rows: int) -> Iterator[list[int]]:
        """Yield row groups to read at once: pyarrow keeps in memory all that it is asked for."""
        together: list[int] = []
        n_rows = 0
        for group, size in zip(self.groups, self.group_rows, strict=True):
            together.append(group)
            n_rows += size
            if n_rows >= batch_rows:
                yield together
                together, n_rows = [], 0
        if n_rows:
            yield together

    def _with_keys(self, batch: Any, columns: list[str]) -> Any:
        pa = arrow()
        arrays = [
            pa.repeat(pa.scalar(*self.keys[name]), batch.num_rows)
            if name in self.keys
            else batch[name]
            for name in columns
        ]
        return pa.RecordBatch.from_arrays(arrays, names=columns)


@dataclass(frozen=True, eq=False)
class ScannedFragment(Fragment):
    """A file of another kind, or of which a condition chooses rows, read by Arrow's own scanner.

    Parameters
    ----------
    source : pyarrow.dataset.Fragment
        What is scanned.
    schema : pyarrow.Schema
        Its columns, and those that the name of its folder tells.
    condition : pyarrow.dataset.Expression or None
        Which rows are wanted; None for all.
    length : int
        How many rows these are.
    label : str
        What messages call it.
    """

    source: Any
    schema: Any
    condition: Any
    length: int
    label: str

    @property
    def sizes(self) -> Sequence[int]:
        return (self.length,)

    @property
    def name(self) -> str:
        return self.label

    def part(self, begin: int, end: int) -> ScannedFragment:
        return self

    def batches(
        self, columns: list[str], batch_rows: int, *, use_threads: bool = False
    ) -> Iterator[Any]:
        found = self.source.to_batches(
            schema=self.schema, columns=columns, filter=self.condition, batch_size=batch_rows,
            batch_readahead=2, fragment_readahead=1, use_threads=use_threads,
        )  # fmt: skip
        for batch in found:
            yield from sliced(batch, batch_rows)


@dataclass(frozen=True, eq=False)
class MemoryFragment(Fragment):
    """Record batches in memory."""

    held: tuple[Any, ...]
    label: str

    @property
    def sizes(self) -> Sequence[int]:
        return tuple(batch.num_rows for batch in self.held)

    @property
    def name(self) -> str:
        return self.label

    def part(self, begin: int, end: int) -> MemoryFragment:
        return replace(self, held=self.held[begin:end])

    def batches(
        self, columns: list[str], batch_rows: int, *, use_threads: bool = False
    ) -> Iterator[Any]:
        for batch in self.held:
            yield from sliced(batch.select(columns), batch_rows)


class SpillFile:
    """A temporary file that has no name any more; it is closed when nobody refers to it.

    Closing removes it. The system would do so, too, but Python warns of files that it must close.

    Parameters
    ----------
    folder : path or None
        Where to write; None for the system's place.
    """

    def __init__(self, folder: str | os.PathLike[str] | None) -> None:
        self.file = tempfile.TemporaryFile(prefix="rarewood-", dir=folder)  # noqa: SIM115
        weakref.finalize(self, self.file.close)


@dataclass(frozen=True, eq=False)
class SpilledFragment(Fragment):
    """Record batches in a temporary file.

    Parameters
    ----------
    held : SpillFile
        Holds one Arrow stream after the other, each with one batch.
    offsets : tuple of int
        Where they begin.
    batch_sizes : tuple of int
        Rows of each.
    """

    held: SpillFile
    offsets: tuple[int, ...]
    batch_sizes: tuple[int, ...]

    @property
    def sizes(self) -> Sequence[int]:
        return self.batch_sizes

    @property
    def name(self) -> str:
        return "the iterator"

    def part(self, begin: int, end: int) -> SpilledFragment:
        offsets, sizes = self.offsets[begin:end], self.batch_sizes[begin:end]
        return replace(self, offsets=offsets, batch_sizes=sizes)

    def batches(
        self, columns: list[str], batch_rows: int, *, use_threads: bool = False
    ) -> Iterator[Any]:
        ipc, file = arrow("ipc"), self.held.file
        for offset in self.offsets:
            file.seek(offset)
            with ipc.open_stream(file) as reader:
                names = reader.schema.names
            file.seek(offset)
            wanted = ipc.IpcReadOptions(
                included_fields=[names.index(name) for name in columns], use_threads=use_threads
            )
            with ipc.open_stream(file, options=wanted) as reader:
                batch = reader.read_next_batch()
            yield from sliced(batch.select(columns), batch_rows)


def split_fragments(fragments: Sequence[Fragment], n_parts: int) -> list[list[Fragment]]:
    """Divide fragments into runs of about the same number of rows; parts stay whole."""
    total = sum(fragment.n_rows for fragment in fragments)
    runs: list[list[Fragment]] = [[] for _ in range(n_parts)]
    begin_row = 0
    for fragment in fragments:
        ends = list(accumulate(fragment.sizes, initial=begin_row))
        # A part goes to the run that holds its middle row.
        homes = [
            min(n_parts - 1, (a + b) * n_parts // max(1, 2 * total)) for a, b in pairwise(ends)
        ]
        for run in sorted(set(homes)):
            begin = homes.index(run)
            runs[run].append(fragment.part(begin, begin + homes.count(run)))
        begin_row = ends[-1]
    return [run for run in runs if any(fragment.n_rows for fragment in run)]
