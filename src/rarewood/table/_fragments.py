"""Fragments of a table, read one after the other: row groups of files, or batches in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any, Self

from numpy.typing import NDArray

from rarewood.table._arrow import arrow, naming


@dataclass(frozen=True, eq=False)
class Fragment(ABC):
    """Consecutive rows of a table."""

    name: str  # in messages
    sizes: tuple[int, ...]  # number of rows of each part that can be read alone

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return sum(self.sizes)

    @abstractmethod
    def batches(
        self, columns: list[str], batch_rows: int, *, use_threads: bool = False
    ) -> Iterator[Any]:
        """Yield record batches with some of the columns, in this order, of at most so many rows."""

    def part(self, begin: int, end: int) -> Fragment:
        """Return some of the parts in ``sizes``."""
        return self  # of one part

    def matrix(self, columns: list[str]) -> NDArray[Any] | None:
        """Return some of the columns without a copy, if they are a matrix in memory."""
        return None


def sliced(batch: Any, batch_rows: int) -> Iterator[Any]:
    """Yield a batch in smaller ones; none for an empty batch."""
    for start in range(0, batch.num_rows, batch_rows):
        yield batch.slice(start, batch_rows)


@dataclass(frozen=True, eq=False)
class ParquetFragment(Fragment):
    """Row groups of a Parquet file."""

    path: str
    filesystem: Any  # of pyarrow
    groups: tuple[int, ...]
    keys: dict[str, tuple[Any, Any]]
    """Columns that are encoded in the folder names: the value, and its Arrow type."""

    def part(self, begin: int, end: int) -> ParquetFragment:
        return replace(self, groups=self.groups[begin:end], sizes=self.sizes[begin:end])

    def batches(
        self, columns: list[str], batch_rows: int, *, use_threads: bool = False
    ) -> Iterator[Any]:
        stored = [name for name in columns if name not in self.keys]
        if not self.groups:
            return
        with (
            naming(self.name),
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
        """Yield row groups to read at once: pyarrow keeps in memory all that are requested."""
        together: list[int] = []
        n_rows = 0
        for group, size in zip(self.groups, self.sizes, strict=True):
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
    """A file of another format, or with a filter, read by the scanner of pyarrow."""

    source: Any  # a fragment of pyarrow.dataset
    schema: Any  # its columns, and those that are encoded in the folder names
    condition: Any  # a filter of the rows, or None

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

    @classmethod
    def of(cls, batches: Iterable[Any], name: str) -> Self:
        """Return a fragment of record batches."""
        held = tuple(batches)
        return cls(name, tuple(batch.num_rows for batch in held), held)

    def part(self, begin: int, end: int) -> MemoryFragment:
        return MemoryFragment.of(self.held[begin:end], self.name)

    def batches(
        self, columns: list[str], batch_rows: int, *, use_threads: bool = False
    ) -> Iterator[Any]:
        for batch in self.held:
            yield from sliced(batch.select(columns), batch_rows)


def runs_of(sizes: Sequence[int], n_runs: int, begin: int, total: int) -> list[int]:
    """Return the run of each part, for runs of equal length: the one with its middle row.

    The parts have ``sizes`` rows and begin at a row of a table with ``total`` rows.
    """
    bounds = pairwise(accumulate(sizes, initial=begin))
    return [min(n_runs - 1, (a + b) * n_runs // max(1, 2 * total)) for a, b in bounds]


def split_fragments(fragments: Sequence[Fragment], n_parts: int) -> list[list[Fragment]]:
    """Divide fragments into runs of about the same number of rows; row groups stay whole."""
    total = sum(fragment.n_rows for fragment in fragments)
    runs: list[list[Fragment]] = [[] for _ in range(n_parts)]
    begin_row = 0
    for fragment in fragments:
        homes = runs_of(fragment.sizes, n_parts, begin_row, total)
        for run in sorted(set(homes)):
            begin = homes.index(run)
            runs[run].append(fragment.part(begin, begin + homes.count(run)))
        begin_row += fragment.n_rows
    return [run for run in runs if any(fragment.n_rows for fragment in run)]
