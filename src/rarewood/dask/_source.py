"""The table of a fit as shards of consecutive rows, which workers can read repeatedly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rarewood.table._checks import check_shape
from rarewood.table._table import Table

if TYPE_CHECKING:  # workers import this module, and read no streams
    from rarewood.stream import Stream

_MAX_ROWS = 2**62  # of a table; a shard has fewer


class Source(ABC):
    """A table as shards of consecutive rows."""

    y: str
    weight: str | None
    columns: list[str] | None = None  # the features; None for all other columns
    has_names: bool = True  # whether the model keeps the names of the features
    # Set by divide:
    schema: Any  # of pyarrow
    shard_rows: list[int]
    homes: list[str]  # address of the worker that is to hold each shard

    @abstractmethod
    def divide(self, workers: Sequence[str]) -> None:
        """Divide the table into shards for workers at some addresses."""

    @abstractmethod
    def rows(self, number: int, home: str) -> Table | list[Any]:
        """Return the rows of a shard as an argument of tasks, for ``partition_rows``.

        They are rows to be read, or futures of tables at ``home``, computed again if lost.
        """

    def release(self) -> None:  # noqa: B027 -- files take no memory
        """Release the rows that the cluster holds."""


class FileSource(Source):
    """Parquet files that every worker can read, with the names of label and weight columns."""

    def __init__(self, stream: Stream, y: str, sample_weight: str | None) -> None:
        self._table = stream.open()
        self.y, self.weight, self.columns = y, sample_weight, stream.columns
        self.schema = self._table.schema
        self._shards: list[Table] = []

    def divide(self, workers: Sequence[str]) -> None:
        check_shape((self._table.n_rows, 1), _MAX_ROWS)
        self._shards = self._table.split(len(workers))
        self.shard_rows = [shard.n_rows for shard in self._shards]
        self.homes = list(workers[: len(self._shards)])

    def rows(self, number: int, home: str) -> Table:
        return self._shards[number]
