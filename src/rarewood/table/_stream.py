"""Input of ``fit`` and ``predict``: a table in memory, or one that is read in batches."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from rarewood._progress import progress_if
from rarewood.table._in_memory import in_memory
from rarewood.table._in_memory_base import InMemoryTable
from rarewood.table._inputs import is_batch, is_dataset, is_one_shot, open_rows
from rarewood.table._table import BATCH_ROWS, Table


class Stream:
    """A table that is read in batches, and how to read it.

    ``fit`` and ``predict`` of the estimators also take a path, a data set or an iterator directly,
    with the defaults of this class.

    Parameters
    ----------
    source : path, Dataset, table, or an iterable of them
        A Parquet file, a folder or a list of such files, a ``pyarrow.dataset.Dataset``, a table of
        pandas, polars or pyarrow, a list of tables or record batches, or an iterator of them. The
        batches of an iterator are written to a temporary file, since ``fit`` reads them twice.
    columns : list of str, default=None
        The features to use. By default every column but those with labels and weights.
    batch_rows : int, default=65536
        Number of rows in memory at a time. The model does not depend on it.
    codes : {"auto", "memory", "file"}, default="auto"
        Where the bin codes are kept, one byte for each value: in memory, or in a temporary file
        that is mapped into memory. "auto": in memory if they take at most a quarter of the free
        memory, since growing needs a copy of them.
    folder : path, default=None
        Folder for temporary files; by default that of the system. The files are unlinked
        when they are created, so they are removed even if the process is killed.
    verbose : bool, default=False
        Show the number of rows read in each pass. The ``verbose`` of a forest does the same.

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
        """Open the table; ``verbose`` shows how many rows of an iterator were written to a file."""
        with progress_if(verbose, None, "rows written to a file") as progress:
            return open_rows(self.source, self.folder, progress)


def is_batched(X: Any) -> bool:
    """Whether a table is read in batches: files, data sets, iterators, and lists of them."""
    if isinstance(X, np.ndarray):
        return False
    if isinstance(X, (Stream, Table, str, os.PathLike)) or is_dataset(X) or is_one_shot(X):
        return True
    if not isinstance(X, (list, tuple)) or not X:
        return False
    return is_batch(X[0]) or isinstance(X[0], (str, os.PathLike))


def as_input(X: Any) -> Stream | InMemoryTable:
    """Return a table of any kind as one that is read in batches, or as one in memory."""
    if isinstance(X, Stream):
        return X
    return Stream(X) if is_batched(X) else in_memory(X)
