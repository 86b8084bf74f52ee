"""Store of finished cells: one SQLite file."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from rarewood.evaluate._claims import HOST, is_alive
from rarewood.evaluate._damage import damaged, decoding, is_damage, reading

_VERSION = 1
_MAGIC = b"SQLite format 3\0"  # first bytes of the file
_TIMEOUT = 60.0  # seconds to wait for another process that writes
_SCHEMA = """
CREATE TABLE IF NOT EXISTS cells (
    key TEXT PRIMARY KEY, dataset TEXT, model TEXT, repeat INTEGER, fold INTEGER,
    n_train INTEGER, n_test INTEGER, scores TEXT, error_type TEXT, error TEXT, traceback TEXT,
    warnings TEXT, about TEXT, finished REAL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS predictions (key TEXT PRIMARY KEY, data BLOB);
CREATE TABLE IF NOT EXISTS claims (
    key TEXT PRIMARY KEY, owner TEXT, host TEXT, pid INTEGER, beat REAL
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Cell:
    """A finished cell; :class:`Results` describes the attributes.

    In the store, the names are those at the time of computation.
    """

    key: str
    dataset: str
    model: str
    repeat: int
    fold: int
    n_train: int = 0
    n_test: int = 0
    scores: dict[str, float] = field(default_factory=dict)
    error_type: str | None = None
    error: str | None = None
    traceback: str | None = None
    warnings: list[str] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)
    finished: float = 0.0
    has_predictions: bool = False


_STORED = tuple(item.name for item in fields(Cell))[:-1]  # columns of the table of cells
_SELECT = (
    f"SELECT {', '.join(f'c.{name}' for name in _STORED)}, "
    "EXISTS (SELECT 1 FROM predictions p WHERE p.key = c.key) FROM cells c"
)


@dataclass(frozen=True)
class Wanted:
    """Requirements on a cell; one that does not meet them is recomputed."""

    metrics: frozenset[str] = frozenset()
    predictions: bool = False
    not_before: float = 0.0
    no_failures_before: float = 0.0

    def is_met(self, cell: Cell | None) -> bool:
        """Whether a cell meets the requirements."""
        if cell is None or cell.finished < self.not_before:
            return False
        if cell.error_type is not None:
            return cell.finished >= self.no_failures_before
        return self.metrics <= set(cell.scores) and (cell.has_predictions or not self.predictions)


class Store:
    """A file of finished cells, which several processes may share.

    Each cell is written in its own transaction as soon as it is finished, so a killed run loses
    only the cells in progress. A cell is claimed before it is computed; the claims of a process
    that died lapse at once on the same machine, and after a minute on another.

    Parameters
    ----------
    path : str or Path
        The file; it is created if it does not exist. Use a local disk: network file systems do not
        lock reliably.

    Examples
    --------
    >>> import tempfile
    >>> from rarewood.evaluate import Store
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(f"{folder}/results.sqlite")
    ...     print(len(store))
    ...     store.close()
    0
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).absolute()
        self.owner = uuid.uuid4().hex
        self._local = threading.local()
        self._open()

    def __reduce__(self) -> tuple[type[Store], tuple[str]]:
        return Store, (str(self.path),)

    def __repr__(self) -> str:
        return f"Store({str(self.path)!r})"

    def _open(self) -> sqlite3.Connection:
        """Return the connection of this thread and process; it must not survive a fork."""
        connection, process = getattr(self._local, "opened", (None, 0))
        if connection is None or process != os.getpid():
            if not self.path.parent.is_dir():
                raise FileNotFoundError(
                    f"The results store {self.path} cannot be created: its folder does not exist."
                )
            connection = self._connect_with_retries()
            self._local.opened = connection, os.getpid()
        return connection

    def _connect_with_retries(self) -> sqlite3.Connection:
        """Connect; SQLite itself does not wait while another process creates the file."""
        end = time.monotonic() + _TIMEOUT
        while True:
            try:
                return self._connect()
            except sqlite3.DatabaseError as error:
                is_locked = "locked" in str(error) or "busy" in str(error)
                if is_locked and time.monotonic() < end:
                    time.sleep(0.02)
                    continue
                if self._is_foreign():
                    raise ValueError(
                        f"{self.path} cannot be used as a results store: {error}. Use another file."
                    ) from error
                if is_damage(error):
                    raise damaged(self.path, error) from error
                raise ValueError(
                    f"The results store {self.path} cannot be used: {error}. Check that the file "
                    "and its folder are writable, or use another file."
                ) from error

    def _is_foreign(self) -> bool:
        """Whether the file is no SQLite file at all."""
        try:
            with self.path.open("rb") as file:
                return file.read(len(_MAGIC)) not in (b"", _MAGIC)
        except OSError:
            return False

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=_TIMEOUT, isolation_level=None)
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version not in (0, _VERSION):
                raise ValueError(
                    f"The results store {self.path} was written by another version of rarewood "
                    f"(its format is {version}, not {_VERSION}). Use that version, or another file."
                )
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            if version == 0:
                connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
                connection.execute(f"PRAGMA user_version = {_VERSION}")
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with reading(self.path), self._open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        with reading(self.path):
            return self._open().execute(query, values).fetchall()

    def _cell(self, row: tuple[Any, ...]) -> Cell:
        with decoding(self.path, str(row[0])):
            return _cell(row)

    def close(self) -> None:
        """Close the file; it is reopened when needed."""
        connection, process = getattr(self._local, "opened", (None, 0))
        if connection is not None and process == os.getpid():
            connection.close()
        self._local.opened = None, 0

    def __len__(self) -> int:
        ((n,),) = self._rows("SELECT count(*) FROM cells")
        return int(n)

    def get(self, keys: Iterable[str]) -> dict[str, Cell]:
        """Return the finished cells among the keys, by key."""
        query = f"{_SELECT} WHERE c.key IN (SELECT value FROM json_each(?))"
        cells = map(self._cell, self._rows(query, [json.dumps(list(keys))]))
        return {cell.key: cell for cell in cells}

    def cells(self) -> list[Cell]:
        """Return all finished cells, in order of completion."""
        return [self._cell(row) for row in self._rows(f"{_SELECT} ORDER BY c.finished")]

    def predictions(self, key: str) -> bytes | None:
        """Return the stored predictions of a cell, packed."""
        rows = self._rows("SELECT data FROM predictions WHERE key = ?", [key])
        if rows and not isinstance(rows[0][0], bytes):
            raise damaged(self.path, f"the predictions of the cell {key} are not bytes")
        return rows[0][0] if rows else None

    def claim(self, key: str, wanted: Wanted) -> Literal["ours", "busy", "done"]:
        """Claim a cell, unless it is finished or another living process has claimed it."""
        with self._transaction() as connection:
            row = connection.execute(f"{_SELECT} WHERE c.key = ?", [key]).fetchone()
            if row is not None and wanted.is_met(self._cell(row)):
                return "done"
            query = "SELECT owner, host, pid, beat FROM claims WHERE key = ?"
            claim = connection.execute(query, [key]).fetchone()
            with decoding(self.path, key):
                is_busy = claim is not None and claim[0] != self.owner and is_alive(*claim[1:])
            if is_busy:
                return "busy"
            connection.execute(
                "INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?, ?)",
                [key, self.owner, HOST, os.getpid(), time.time()],
            )
            return "ours"

    def beat(self, key: str) -> None:
        """Renew the claim on a cell; may be called from any thread."""
        with closing(sqlite3.connect(self.path, timeout=_TIMEOUT, isolation_level=None)) as file:
            query = "UPDATE claims SET beat = ? WHERE key = ? AND owner = ?"
            file.execute(query, [time.time(), key, self.owner])

    def release(self, key: str) -> None:
        """Release the claim on a cell."""
        query = "DELETE FROM claims WHERE key = ? AND owner = ?"
        with reading(self.path):
            self._open().execute(query, [key, self.owner])

    def finish(self, cell: Cell, predictions: bytes | None = None) -> None:
        """Write a finished cell and release the claim on it, in one transaction."""
        values = asdict(cell) | {"finished": time.time()}
        scores = {name: None if v != v else v for name, v in cell.scores.items()}
        values |= {"scores": json.dumps(scores), "warnings": json.dumps(cell.warnings)}
        values["about"] = json.dumps(cell.about)
        marks = ", ".join("?" * len(_STORED))
        with self._transaction() as connection:
            connection.execute(
                f"INSERT OR REPLACE INTO cells VALUES ({marks})", [values[c] for c in _STORED]
            )
            if predictions is not None:
                connection.execute(
                    "INSERT OR REPLACE INTO predictions VALUES (?, ?)", [cell.key, predictions]
                )
            elif not cell.has_predictions:
                connection.execute("DELETE FROM predictions WHERE key = ?", [cell.key])
            self.release(cell.key)


def _cell(row: tuple[Any, ...]) -> Cell:
    values = dict(zip((*_STORED, "has_predictions"), row, strict=True))
    scores = json.loads(values["scores"])
    values["scores"] = {n: float("nan") if v is None else float(v) for n, v in scores.items()}
    values |= {name: json.loads(values[name]) for name in ("warnings", "about")}
    values["has_predictions"] = bool(values["has_predictions"])
    values["finished"] = float(values["finished"])
    values |= {name: int(values[name]) for name in ("repeat", "fold", "n_train", "n_test")}
    return Cell(**values)
