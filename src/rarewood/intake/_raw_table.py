"""A table that a person points at: what is known of it before it is read, and how it is read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rarewood.intake._errors import TableError, did_you_mean, short_list
from rarewood.intake._memory import check_memory

__all__ = ["CHUNK", "TYPES", "Source"]

CHUNK = 65_536  # rows that are read at once
TYPES = ("number", "text", "flag", "date")
_COPIES = 4  # the file's table, its conversion, the features, and what looking at them takes


class Source(ABC):
    """A table to be read, whole or in chunks.

    Attributes
    ----------
    name : str
        Name for people: that of the file, or of the data set.
    columns : list of str
        Names of the columns, in order.
    n_bytes : int
        Size of the file.
    schema : dict of str to str
        What the file, or its first rows, say of the type of each column.
    n_rows : int or None
        Number of rows, where that is known without reading all of them.
    target, rare : str, label or None
        The column to predict, and its rare class, where the source says them.
    notes : list of str
        What had to be found out, such as a delimiter that the name of the file does not promise.
    about : dict
        Where it comes from; JSON-safe.
    """

    def __init__(self, name: str, columns: Sequence[str], n_bytes: int) -> None:
        self.name = name
        self.columns = list(columns)
        self.n_bytes = n_bytes
        self.schema: dict[str, str] = {}
        self.n_rows: int | None = None
        self.target: str | None = None
        self.rare: Any = None
        self.notes: list[str] = []
        self.about: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {len(self.columns)} columns)"

    @abstractmethod
    def _read(self, columns: list[str]) -> Any:
        """Return some columns of all rows as a pandas DataFrame."""

    @abstractmethod
    def _chunks(self, n_rows: int, columns: list[str], types: Mapping[str, str]) -> Iterator[Any]:
        """Yield some columns, at most so many rows at once."""

    @abstractmethod
    def _size_in_memory(self, columns: list[str]) -> float:
        """Bytes that some columns are estimated to take as a table."""

    def memory_needed(self, columns: Iterable[str] | None = None) -> int:
        """Return an estimate of the memory for reading and using some columns.

        Parameters
        ----------
        columns : list of str, default=None
            Names; by default all columns.

        Returns
        -------
        n_bytes : int
            Four times the table: it is converted, looked at, and made into features.
        """
        return int(_COPIES * self._size_in_memory(self._chosen(columns)))

    def read(self, columns: Iterable[str] | None = None, *, memory: int | None = None) -> Any:
        """Return the table.

        Parameters
        ----------
        columns : list of str, default=None
            Names; by default all columns.
        memory : int, default=None
            Bytes that may be used; by default what the system has left.

        Returns
        -------
        table : pandas.DataFrame
            Columns in the order of the file. Raises a :class:`TableError` before reading a table
            that would not fit.
        """
        chosen = self._chosen(columns)
        check_memory(self.name, self.memory_needed(chosen), memory)
        table = self._read(chosen)
        if not len(table):
            raise TableError(f"{self.name} has a header but no rows: there is nothing to learn.")
        return table

    def chunks(
        self,
        n_rows: int = CHUNK,
        columns: Iterable[str] | None = None,
        types: Mapping[str, str] | None = None,
    ) -> Iterator[Any]:
        """Yield the rows in order, some at a time.

        Parameters
        ----------
        n_rows : int, default=65536
            Most rows of a chunk.
        columns : list of str, default=None
            Names; by default all columns.
        types : dict of str to {"number", "text", "flag", "date"}, default=None
            How to read columns of text files; what is not there is taken from the first rows.
            "text" keeps what is written, such as the zeros of 007.

        Yields
        ------
        chunk : pandas.DataFrame
            Rows with the same types in every chunk.
        """
        wanted = dict(types or {})
        unknown = sorted({*wanted.values()} - {*TYPES})
        if unknown or n_rows < 1:
            raise ValueError(f"types are {', '.join(TYPES)}, and n_rows is 1 or more.")
        return self._chunks(n_rows, self._chosen(columns), wanted)

    def sample(self, n_rows: int, seed: int = 0, columns: Iterable[str] | None = None) -> Any:
        """Return rows drawn at random, each with the same chance, in the order of the file.

        Parameters
        ----------
        n_rows : int
            How many; all if there are fewer.
        seed : int, default=0
            What the draw is derived from.
        columns : list of str, default=None
            Names; by default all columns.

        Returns
        -------
        table : pandas.DataFrame
            Never more than twice as many rows and a chunk are in memory at once.
        """
        from rarewood.datasets._files import pandas

        if n_rows < 1:
            raise TableError(f"A sample has 1 row or more; got {n_rows}.")
        generator = np.random.RandomState(seed)
        kept: Any = None
        keys = np.empty(0)
        for chunk in self.chunks(columns=columns):
            parts = [chunk] if kept is None else [kept, chunk]
            kept = pandas().concat(parts, ignore_index=True)
            keys = np.concatenate([keys, generator.random_sample(len(chunk))])
            if len(keys) > n_rows:
                stays = np.sort(np.argpartition(keys, n_rows - 1)[:n_rows])
                kept, keys = kept.iloc[stays].reset_index(drop=True), keys[stays]
        if kept is None or not len(kept):
            raise TableError(f"{self.name} has a header but no rows: there is nothing to learn.")
        return kept

    def _chosen(self, columns: Iterable[str] | None) -> list[str]:
        if columns is None:
            return self.columns
        wanted, known = list(columns), set(self.columns)  # there may be very many
        for name in wanted:
            if name not in known:
                self.find(name)  # raises
        chosen = set(wanted)
        return [name for name in self.columns if name in chosen]

    def find(self, column: str, what: str = "column") -> str:
        """Return the name of a column, or raise an error that suggests the nearest one.

        Parameters
        ----------
        column : str
            A name.
        what : str, default="column"
            What it is, for the message.

        Returns
        -------
        name : str
            The name as it is.
        """
        if column not in self.columns:
            hint = did_you_mean(column, self.columns)
            known = "" if hint else f" Its columns are {short_list(self.columns)}."
            raise TableError(f"{self.name} has no {what} {column!r}.{hint}{known}")
        return column
