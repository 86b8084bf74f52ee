"""The second pass over the features: every value becomes the code of its bin or category."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

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
    """Codes of a table, or of a part of one."""

    codes: NDArray[np.uint8]  # features x samples; 255 is missing
    wide: dict[int, NDArray[np.int32]]
    """Category numbers of features with more than 255 categories; -1 is missing."""
    row_space: NDArray[np.uint8] | None = None
    """Where the core copies the codes row by row, such as a mapped file; None for memory."""


@dataclass(frozen=True, eq=False)
class Encoding:
    """Categories and bins by which the values of a table become codes."""

    roles: ColumnRoles
    schema: Schema
    bins: _core.Bins

    @property
    def wide(self) -> list[int]:
        """Categorical features with more categories than there are codes."""
        return np.flatnonzero(self.bins.n_categories > _core.MAX_BINS).tolist()

    def columns(self, encoded: EncodedTable, n_threads: int = 1) -> _core.Columns:
        """Return an encoded table, or a part of one, for the core; codes are not copied."""
        bins = self.bins
        return _core.Columns.from_codes(
            encoded.codes, bins.edges, bins.n_categories, bins.has_missing, bins.max_bins,
            encoded.wide, n_threads, encoded.row_space,
        )  # fmt: skip


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
    """Encode the samples of a table, or of a part of one, with nonzero weight.

    ``codes`` and ``row_space`` are memory as :func:`allocate` returns it; by default new arrays.
    """
    n_kept = table.n_rows if kept is None else int(np.count_nonzero(kept))
    if codes is None:
        codes = np.empty((encoding.schema.n_features, n_kept), dtype=np.uint8)
    wide = {j: np.empty(n_kept, dtype=np.int32) for j in encoding.wide}
    begin = 0
    features, categories = range(encoding.schema.n_features), encoding.schema.categories
    for batch in read_batches(
        table, encoding.roles, features, categories, kept, batch_rows, n_threads, on_rows
    ):
        encoding.bins.encode_into(batch.values, codes, begin, n_threads)
        for j, numbers in wide.items():
            values = batch.values[:, j]
            numbers[begin : begin + batch.n_kept] = np.where(np.isnan(values), -1, values)
        begin += batch.n_kept
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
