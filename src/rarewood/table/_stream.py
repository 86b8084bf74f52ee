"""What ``fit`` and ``predict`` take when a table is read in batches, and how it is read."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rarewood._progress import Progress
from rarewood.table._inputs import is_batch, is_dataset, is_one_shot, open_rows
from rarewood.table._memory import available_memory, spell_bytes
from rarewood.table._table import BATCH_ROWS, Table

__all__ = ["CodeSpace", "Stream", "as_stream", "is_stream", "pass_over"]

_SHARE = 0.25  # of the free memory that codes may take: growing takes as much again


class Stream:
    """A table that is read in batches, and how to read it.

    ``fit`` and ``predict`` of the estimators take a path, a data set or an iterator as it is. This
    class is for those who want to say more.

    Parameters
    ----------
    source : path, Dataset, table, or an iterable of them
        A Parquet file, a folder or a list of such files, a ``pyarrow.dataset.Dataset``, a table of
        pandas, polars or pyarrow, a list of tables or record batches, or an iterator of them. What
        an iterator yields is written to a temporary file, since ``fit`` needs it twice.
    columns : list of str, default=None
        The features to use. By default every column but those with labels and weights.
    batch_rows : int, default=65536
        Rows that are in memory at a time. The model does not depend on it.
    codes : {"auto", "memory", "file"}, default="auto"
        Where the codes are, one byte for each value: in memory, or in a temporary file that is
        mapped into memory. "auto": in memory if they take at most a quarter of what is free, since
        growing needs a copy of them.
    folder : path, default=None
        Where temporary files are written; by default where the system wants them. They have no
        name, so nothing is left behind whatever happens.
    verbose : bool, default=False
        Show how many rows have been read, in each pass. A forest's ``verbose`` does so, too.

    Examples
    --------
    >>> import pandas as pd
    >>> from rarewood import RareTreeClassifier
    >>> from rarewood.stream import Stream
    >>> days = [pd.DataFrame({"x": [1.0, 2.0], "ill": [0, 0]}),
    ...         pd.DataFrame({"x": [3.0, 4.0], "ill": [0, 1]})]
    >>> model = RareTreeClassifier(max_bins=255).fit(Stream(days, batch_rows=2), y="ill")
    >>> model.predict(Stream(days)).tolist()
    [0, 0, 0, 1]
    """

    def __init__(
        self,
        source: Any,
        *,
        columns: Iterable[str] | None = None,
        batch_rows: int = BATCH_ROWS,
        codes: Literal["auto", "memory", "file"] = "auto",
        folder: str | os.PathLike[str] | None = None,
        verbose: bool = False,
    ) -> None:
        if codes not in ("auto", "memory", "file"):
            raise ValueError(f"codes must be 'auto', 'memory' or 'file'; got {codes!r}.")
        if batch_rows < 1:
            raise ValueError(f"batch_rows must be 1 or more; got {batch_rows}.")
        self.source = source
        self.columns = None if columns is None else list(columns)
        self.batch_rows = int(batch_rows)
        self.codes = codes
        self.folder = folder
        self.verbose = verbose

    def __repr__(self) -> str:
        return f"Stream({self.source!r})"

    def open(self, verbose: bool = False) -> Table:
        """Return the rows of the table; ``verbose`` shows how many an iterator has given."""
        with pass_over(None, "rows kept in a file", verbose) as progress:
            return open_rows(self.source, self.folder, progress)

    def make_space(self, n_features: int, n_rows: int) -> CodeSpace:
        """Return room for the codes of so many rows, in memory or in temporary files."""
        place = self.codes
        if place == "auto":
            free = available_memory()
            fits = free is None or n_features * n_rows <= _SHARE * free
            place = "memory" if fits else "file"
        if place == "memory":
            return CodeSpace(np.empty((n_features, n_rows), dtype=np.uint8), None)
        return CodeSpace(
            _mapped((n_features, n_rows), self.folder), _mapped((n_rows, n_features), self.folder)
        )


class CodeSpace(NamedTuple):
    """Room for codes, column by column, and for their copy row by row; None to leave it open."""

    codes: NDArray[np.uint8]
    by_row: NDArray[np.uint8] | None


def _mapped(shape: tuple[int, int], folder: str | os.PathLike[str] | None) -> NDArray[np.uint8]:
    """Return an array in a temporary file without a name, which goes when the array goes."""
    n_bytes = shape[0] * shape[1]
    with tempfile.TemporaryFile(prefix="rarewood-", dir=folder) as file:
        if hasattr(os, "posix_fallocate"):  # or a full disk would show as a crash, later
            try:
                os.posix_fallocate(file.fileno(), 0, n_bytes)
            except OSError as error:
                where = folder or tempfile.gettempdir()
                raise OSError(
                    error.errno,
                    f"{os.strerror(error.errno or 0)}: the codes need {spell_bytes(n_bytes)}, "
                    "twice. Name another place with Stream(folder=...)",
                    str(where),
                ) from error
        return np.memmap(file, dtype=np.uint8, mode="w+", shape=shape)


@contextmanager
def pass_over(n_rows: int | None, done: str, verbose: bool) -> Iterator[Any]:
    """Show how far a pass over the rows has come; yields None if nothing is to be shown."""
    with Progress(n_rows, done) if verbose else nullcontext() as progress:
        yield progress


def is_stream(X: Any, y: Any = None) -> bool:
    """Whether a table is to be read in batches.

    Paths, data sets and iterators are, and so are lists of tables. A table in memory is if the
    labels are one of its columns.
    """
    if isinstance(X, np.ndarray):
        return False
    if isinstance(X, (Stream, Table, str, os.PathLike)) or is_dataset(X) or is_one_shot(X):
        return True
    if isinstance(X, (list, tuple)):
        if not X:  # such as the files that a pattern did not match
            return isinstance(y, str)
        return is_batch(X[0]) or isinstance(X[0], (str, os.PathLike))
    return is_batch(X) and (isinstance(y, str) or type(X).__name__ == "RecordBatch")


def as_stream(X: Any) -> Stream:
    """Return how a table is read; by default as :class:`Stream` has it."""
    return X if isinstance(X, Stream) else Stream(X)
