"""The second pass over the features: every value becomes the code of its bin or category."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.stream._read_batches import read_batches
from rarewood.table._column_roles import ColumnRoles
from rarewood.table._memory import available_memory, spell_bytes
from rarewood.table._schema import Schema
from rarewood.table._table import BATCH_ROWS, Table

_FRACTION = 0.25  # of the free memory that codes may take: growing takes as much again


@dataclass(frozen=True, eq=False)
class EncodedTable:
    """Codes of a table, or of a part of one.

    Parameters
    ----------
    codes : ndarray of uint8 of shape (n_features, n_samples)
        One code for each value; 255 is missing.
    wide : dict of int to ndarray of int32
        Category numbers of features with more than 255 categories; -1 is missing.
    row_space : ndarray of uint8 of shape (n_samples, n_features), default=None
        Where the core copies the codes row by row, such as a mapped file; by default in memory.
    """

    codes: NDArray[np.uint8]
    wide: dict[int, NDArray[np.int32]]
    row_space: NDArray[np.uint8] | None = None


@dataclass(frozen=True, eq=False)
class Encoding:
    """Categories and bins by which the values of a table become codes.

    Parameters
    ----------
    roles : ColumnRoles
        The columns of the table.
    schema : Schema
        The features, as a model keeps them.
    classes : ndarray
        The labels, sorted.
    bins : _core.Bins
        The bins of all features.
    """

    roles: ColumnRoles
    schema: Schema
    classes: NDArray[Any]
    bins: _core.Bins

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.schema.n_features

    @property
    def has_missing(self) -> NDArray[np.bool_]:
        """Which features have missing values, in samples with nonzero weight."""
        return self.bins.has_missing

    @property
    def wide(self) -> list[int]:
        """Categorical features with more categories than there are codes."""
        return np.flatnonzero(self.bins.n_categories > _core.MAX_BINS).tolist()

    def columns(self, encoded: EncodedTable, n_threads: int = 1) -> _core.Columns:
        """Return an encoded table, or a part of one, for the core; codes are not copied."""
        bins = self.bins
        return _core.Columns.from_codes(
            encoded.codes,
            bins.edges,
            bins.n_categories,
            bins.has_missing,
            bins.max_bins,
            encoded.wide,
            n_threads,
            encoded.row_space,
        )


def encode_batches(
    table: Table,
    encoding: Encoding,
    kept: NDArray[np.bool_] | None,
    codes: NDArray[np.uint8] | None = None,
    row_space: NDArray[np.uint8] | None = None,
    *,
    n_threads: int = 1,
    batch_rows: int = BATCH_ROWS,
    on_rows: Callable[[int], object] | None = None,
) -> EncodedTable:
    """Encode a table, or a part of one.

    Parameters
    ----------
    table : Table
        The table.
    encoding : Encoding
        Its categories and bins.
    kept : ndarray of bool or None
        Which samples have a nonzero weight; None if all have.
    codes, row_space : ndarray of uint8, default=None
        Memory for the codes, feature by feature and sample by sample, as :func:`allocate` returns
        it; by default new arrays.
    n_threads : int, default=1
        Number of threads.
    batch_rows : int, default=65536
        Rows to read at once.
    on_rows : callable, default=None
        Called with the number of rows encoded so far.

    Returns
    -------
    encoded : EncodedTable
        Codes of the samples with nonzero weight.
    """
    n_kept = table.n_rows if kept is None else int(np.count_nonzero(kept))
    if codes is None:
        codes = np.empty((encoding.n_features, n_kept), dtype=np.uint8)
    wide = {j: np.empty(n_kept, dtype=np.int32) for j in encoding.wide}
    begin = n_done = 0
    features, categories = range(encoding.n_features), encoding.schema.categories
    for batch in read_batches(
        table, encoding.roles, features, categories, kept, batch_rows, n_threads
    ):
        encoding.bins.encode_into(batch.values, codes, begin, n_threads)
        for j, numbers in wide.items():
            values = batch.values[:, j]
            numbers[begin : begin + batch.n_kept] = np.where(np.isnan(values), -1, values)
        begin += batch.n_kept
        n_done += batch.n_rows
        if on_rows is not None:
            on_rows(n_done)
    return EncodedTable(codes, wide, row_space)


def allocate(
    place: str, n_features: int, n_samples: int, folder: str | os.PathLike[str] | None
) -> tuple[NDArray[np.uint8], NDArray[np.uint8] | None]:
    """Return memory for codes, by feature and by sample, as ``Stream(codes=place)`` sets it."""
    shape = (n_features, n_samples)
    if place == "auto":
        free = available_memory()
        fits = free is None or n_features * n_samples <= _FRACTION * free
        place = "memory" if fits else "file"
    if place == "memory":
        return np.empty(shape, dtype=np.uint8), None
    return _mapped(shape, folder), _mapped(shape[::-1], folder)


def _mapped(shape: tuple[int, int], folder: str | os.PathLike[str] | None) -> NDArray[np.uint8]:
    """Return an array in a temporary file without a name, removed with the array."""
    n_bytes = shape[0] * shape[1]
    with tempfile.TemporaryFile(prefix="rarewood-", dir=folder) as file:
        if hasattr(os, "posix_fallocate"):  # or a full disk would crash the process later
            try:
                os.posix_fallocate(file.fileno(), 0, n_bytes)
            except OSError as error:
                where = folder or tempfile.gettempdir()
                raise OSError(
                    error.errno,
                    f"{os.strerror(error.errno or 0)}: the codes need {spell_bytes(n_bytes)}, "
                    "twice. Set another folder with Stream(folder=...)",
                    str(where),
                ) from error
        return np.memmap(file, dtype=np.uint8, mode="w+", shape=shape)
