"""Where the rows of a fit come from: runs of consecutive rows that workers can read again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rarewood.stream import Rows, Stream
from rarewood.table._checks import check_shape

_MOST_ROWS = 2**62  # of a table; those of a run are fewer

__all__ = ["FileSource", "Outline", "Source", "check_readable"]


@dataclass(frozen=True)
class Outline:
    """The columns of a table, and its runs.

    Parameters
    ----------
    schema : pyarrow.Schema
        Names and types.
    orders : dict of str to list
        The categories of columns that have an order of their own.
    run_rows : list of int
        Rows of each run.
    homes : list of str
        The address of the worker that is to hold each run.
    """

    schema: Any
    orders: dict[str, list[Any]]
    run_rows: list[int]
    homes: list[str]


class Source(ABC):
    """A table as runs of consecutive rows.

    Attributes
    ----------
    y, weight : str
        The columns with the labels and the weights; no weights if None.
    columns : list of str or None
        The features to use; all other columns if None.
    has_names : bool
        Whether the model is to know the names of the features.
    """

    y: str
    weight: str | None
    columns: list[str] | None = None
    has_names: bool = True

    @abstractmethod
    def divide(self, workers: Sequence[str]) -> Outline:
        """Divide the table into runs, for workers at some addresses."""

    @abstractmethod
    def rows(self, run: int, home: str) -> Rows | list[Any]:
        """Return the rows of a run, as an argument of tasks: what ``partition_rows`` takes.

        Parameters
        ----------
        run : int
            The number of the run.
        home : str
            The address of the worker that is to have them at hand.

        Returns
        -------
        rows : Rows or list of Future
            Rows to be read, or tables on the cluster, which are made again if they are lost.
        """

    def release(self) -> None:  # noqa: B027 -- files are nobody's memory
        """Let go of what the cluster holds for the runs."""


class FileSource(Source):
    """The rows of Parquet files that every worker can read.

    Parameters
    ----------
    stream : Stream
        The files.
    y, sample_weight : str
        The columns with the labels and the weights.
    """

    def __init__(self, stream: Stream, y: str, sample_weight: str | None) -> None:
        self._table = stream.open()
        self.y, self.weight, self.columns = y, sample_weight, stream.columns
        self._runs: list[Rows] = []

    def divide(self, workers: Sequence[str]) -> Outline:
        check_shape((self._table.n_rows, 1), _MOST_ROWS)
        self._runs = self._table.split(len(workers))
        sizes = [run.n_rows for run in self._runs]
        homes = list(workers[: len(sizes)])
        return Outline(self._table.schema, self._table.orders, sizes, homes)

    def rows(self, run: int, home: str) -> Rows:
        return self._runs[run]


def check_readable(X: Any) -> None:
    """Raise for an iterator, which workers cannot read."""
    source = X.source if isinstance(X, Stream) else X
    if hasattr(source, "__next__"):
        raise TypeError(
            "X is an iterator, which only this process can read. Give the cluster files that "
            "every worker can reach, or a Dask collection; RareTreeClassifier and "
            "RareForestClassifier read iterators here."
        )
