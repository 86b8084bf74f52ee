"""A table before preparation: its columns, methods to read it, and the memory that it needs."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.datasets._files import pandas
from rarewood.intake._errors import TableError, both_ends, did_you_mean
from rarewood.table._memory import available_memory, spell_bytes

_CHUNK = 65_536  # rows read at once
_TYPES = ("number", "text", "boolean", "date")
_COPIES = 4  # the table as read, its conversion to pandas, the features, and working memory
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


class RawTable(ABC):
    """A table to be read whole or in chunks; :func:`open_table` describes the attributes."""

    can_stream = False  # whether prepare_stream accepts it

    def __init__(self, name: str, columns: Sequence[str], n_bytes: int) -> None:
        _check_names(name, columns)
        self.name = name
        self.columns = list(columns)
        self.n_bytes = n_bytes
        self.schema: dict[str, str] = {}
        self.n_rows: int | None = None
        self.target: str | None = None
        self.pos_label: Any = None
        self.notes: list[str] = []
        self.about: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {len(self.columns)} columns)"

    @abstractmethod
    def _read(self, columns: list[str]) -> Any:
        """Return some columns of all rows as a pandas DataFrame."""

    @abstractmethod
    def _chunks(self, n_rows: int, columns: list[str], types: Mapping[str, str]) -> Iterator[Any]:
        """Yield some columns, at most ``n_rows`` rows at a time."""

    @abstractmethod
    def _size_in_memory(self, columns: list[str]) -> float:
        """Return the estimated size of some columns in memory, in bytes."""

    def memory_needed(self, columns: Iterable[str] | None = None) -> int:
        """Return an estimate of the bytes needed to read some columns and make features of them."""
        return int(_COPIES * self._size_in_memory(self._selected(columns)))

    def read(self, columns: Iterable[str] | None = None, *, memory: int | None = None) -> Any:
        """Return some columns, in the order of the file, as a DataFrame.

        A table that would exceed ``memory`` bytes, by default the memory available, is not read.
        """
        selected = self._selected(columns)
        check_memory(self.name, self.memory_needed(selected), memory)
        return self._checked(self._read(selected))

    def chunks(
        self,
        n_rows: int = _CHUNK,
        columns: Iterable[str] | None = None,
        types: Mapping[str, str] | None = None,
    ) -> Iterator[Any]:
        """Yield the rows in order as DataFrames with the same types.

        By default ``types`` of columns of a text file are inferred from its first rows; "text"
        keeps leading zeros, as in 007.
        """
        wanted = dict(types or {})
        if unknown := sorted({*wanted.values()} - {*_TYPES}):
            raise ValueError(f"types must be among {', '.join(_TYPES)}; got {unknown[0]!r}.")
        if n_rows < 1:
            raise ValueError(f"n_rows must be at least 1; got {n_rows}.")
        return self._chunks(n_rows, self._selected(columns), wanted)

    def sample(self, n_rows: int, seed: int = 0, columns: Iterable[str] | None = None) -> Any:
        """Return rows drawn uniformly without replacement, in the order of the file."""
        return self.draw(n_rows, seed, columns)[0]

    def draw(
        self, n_rows: int, seed: int = 0, columns: Iterable[str] | None = None
    ) -> tuple[Any, NDArray[np.intp]]:
        """Return a sample and the positions of its rows in the table.

        At most twice the sample and one chunk are in memory at a time. ``n_rows`` is known then.
        """
        if n_rows < 1:
            raise TableError(f"A sample needs at least 1 row; got {n_rows}.")
        generator = np.random.RandomState(seed)
        kept: Any = None
        keys, places, n_all = np.empty(0), np.empty(0, dtype=np.intp), 0
        for chunk in self.chunks(columns=columns):
            places = np.concatenate([places, np.arange(n_all, n_all + len(chunk))])
            n_all += len(chunk)
            parts = [chunk] if kept is None else [kept, chunk]
            kept = pandas().concat(parts, ignore_index=True)
            keys = np.concatenate([keys, generator.random_sample(len(chunk))])
            if len(keys) > n_rows:
                stays = np.sort(np.argpartition(keys, n_rows - 1)[:n_rows])
                kept = kept.iloc[stays].reset_index(drop=True)
                keys, places = keys[stays], places[stays]
        self.n_rows = n_all
        return self._checked(() if kept is None else kept), places

    def find(self, column: str, what: str = "column") -> str:
        """Return the name of a column; raise a TableError with the nearest names if missing."""
        if column not in self.columns:
            hint = did_you_mean(column, self.columns)
            known = "" if hint else f" Its columns are {both_ends(self.columns)}."
            raise TableError(f"{self.name} has no {what} {column!r}.{hint}{known}")
        return column

    def _selected(self, columns: Iterable[str] | None) -> list[str]:
        if columns is None:
            return self.columns
        wanted, known = dict.fromkeys(columns), set(self.columns)  # there may be very many
        for name in wanted:
            if name not in known:
                self.find(name)  # raises
        return [name for name in self.columns if name in wanted]

    def _checked(self, table: Any) -> Any:
        if not len(table):
            raise TableError(f"{self.name} has a header but no rows.")
        return table


def _check_names(table: str, columns: Sequence[str]) -> None:
    """Refuse tables with duplicate column names, or without columns."""
    duplicates = sorted(name for name, n in Counter(columns).items() if n > 1)
    if duplicates:
        places = [str(k) for k, name in enumerate(columns, start=1) if name == duplicates[0]]
        raise TableError(
            f"{table} has {len(places)} columns named {duplicates[0]!r} (columns "
            f"{', '.join(places)}): rename or remove all but one of them."
        )
    if not columns:
        raise TableError(f"{table} has no columns.")


def parse_size(text: str | int | None) -> int | None:
    """Return a size such as "500MB" or "4G" in bytes; the units are powers of 1024."""
    if not isinstance(text, str):
        return text
    match = re.fullmatch(r"\s*([\d.]+)\s*([kmgt]?)i?b?\s*", text, re.IGNORECASE)
    try:
        if match is None:
            raise ValueError
        return int(float(match[1]) * _UNITS[match[2].lower()])
    except ValueError:
        raise TableError(f"{text!r} is not a size. Expected a size such as 500MB or 4GB.") from None


def check_memory(name: str, needed: int, available: int | None = None) -> None:
    """Raise a TableError if a table needs more bytes than are available, by default free memory."""
    most = available_memory() if available is None else available
    if most is not None and needed > most:
        raise TableError(
            f"{name} needs about {spell_bytes(needed)} of memory, but only {spell_bytes(most)} are "
            "available. Read fewer columns with --columns or fewer rows with --sample, or convert "
            "the table to Parquet with only the columns needed."
        )
