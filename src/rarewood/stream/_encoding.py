"""The second pass over the features: every value becomes the code of its bin or category."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.stream._read_batches import Batch, read_batches
from rarewood.table._coded_table import CodedTable, wide_features
from rarewood.table._column_roles import ColumnRoles
from rarewood.table._memory import available_memory, spell_bytes
from rarewood.table._schema import Schema
from rarewood.table._table import BATCH_ROWS, Table
from rarewood.table._values import Matrix, category_numbers

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
        return wide_features(self.bins)

    @property
    def has_coordinates(self) -> bool:
        """Whether bins have coordinates, for oblique splits."""
        return self.bins.coordinates is not None

    def no_rows(self) -> _core.Columns:
        """Return the columns without rows."""
        wide = {j: np.empty(0, dtype=np.int32) for j in self.wide}
        codes = np.empty((0, self.schema.n_features), dtype=np.uint8)
        if self.has_coordinates:
            return CodedTable(self.bins, codes, wide).columns(1)
        return self.columns(EncodedTable(codes.T, wide))

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
    n_kept = _n_kept(table, kept)
    if codes is None:
        codes = np.empty((encoding.schema.n_features, n_kept), dtype=np.uint8)
    wide = {j: np.empty(n_kept, dtype=np.int32) for j in encoding.wide}
    begin, roles, schema = 0, encoding.roles, encoding.schema
    for batch in value_batches(table, roles, schema, kept, n_threads, batch_rows, on_rows):
        encoding.bins.encode_into(batch.values, codes, begin, n_threads)
        begin = _keep_wide(batch, wide, begin)
    return EncodedTable(codes, wide, row_space)


def encode_rows(
    table: Table,
    encoding: Encoding,
    kept: NDArray[np.bool_] | None,
    codes: NDArray[np.uint8] | None = None,
    *,
    n_threads: int = 1,
    batch_rows: int = BATCH_ROWS,
    on_rows: Callable[[int], object] | None = None,
) -> CodedTable:
    """Encode samples as :func:`encode_batches` does, row by row, by bins with coordinates."""
    if codes is None:
        codes = np.empty((_n_kept(table, kept), encoding.schema.n_features), dtype=np.uint8)
    wide = {j: np.empty(len(codes), dtype=np.int32) for j in encoding.wide}
    begin, roles, schema = 0, encoding.roles, encoding.schema
    for batch in value_batches(table, roles, schema, kept, n_threads, batch_rows, on_rows):
        encoding.bins.encode_rows_into(batch.values, codes, begin, n_threads)
        begin = _keep_wide(batch, wide, begin)
    return CodedTable(encoding.bins, codes, wide)


def _n_kept(table: Table, kept: NDArray[np.bool_] | None) -> int:
    return table.n_rows if kept is None else int(np.count_nonzero(kept))


def read_values(
    table: Table,
    roles: ColumnRoles,
    schema: Schema,
    kept: NDArray[np.bool_] | None,
    n_threads: int = 1,
    batch_rows: int = BATCH_ROWS,
    on_rows: Callable[[int], object] | None = None,
) -> Matrix:
    """Return the values of the samples with nonzero weight, as those of a table in memory."""
    batches = value_batches(table, roles, schema, kept, n_threads, batch_rows, on_rows)
    matrix: Matrix = np.concatenate([batch.values for batch in batches])
    return matrix


def value_batches(
    table: Table,
    roles: ColumnRoles,
    schema: Schema,
    kept: NDArray[np.bool_] | None,
    n_threads: int,
    batch_rows: int,
    on_rows: Callable[[int], object] | None,
) -> Iterator[Batch]:
    """Yield batches with the values of all features of the samples with nonzero weight."""
    features = range(schema.n_features)
    return read_batches(
        table, roles, features, schema.categories, kept, batch_rows, n_threads, on_rows
    )


def _keep_wide(batch: Batch, wide: dict[int, NDArray[np.int32]], begin: int) -> int:
    """Store the categories of wide features of a batch, and return where the next one begins."""
    end = begin + batch.n_kept
    for j, numbers in wide.items():
        numbers[begin:end] = category_numbers(batch.values[:, j])
    return end


def allocate(
    place: str, n_features: int, n_samples: int, folder: str | os.PathLike[str] | None
) -> tuple[NDArray[np.uint8], NDArray[np.uint8] | None]:
    """Return memory for codes, by feature and by sample, as ``Stream(codes=place)`` sets it."""
    shape = (n_features, n_samples)
    if _is_in_memory(place, shape):
        return np.empty(shape, dtype=np.uint8), None
    return _mapped(shape, folder, "twice"), _mapped(shape[::-1], folder, "twice")


def allocate_rows(
    place: str, n_features: int, n_samples: int, folder: str | os.PathLike[str] | None
) -> NDArray[np.uint8]:
    """Return memory for codes by sample only, as ``Stream(codes=place)`` sets it."""
    shape = (n_samples, n_features)
    in_memory = _is_in_memory(place, shape)
    return np.empty(shape, dtype=np.uint8) if in_memory else _mapped(shape, folder, "once")


def _is_in_memory(place: str, shape: tuple[int, int]) -> bool:
    if place == "auto":
        free = available_memory()
        return free is None or shape[0] * shape[1] <= _FRACTION * free
    return place == "memory"


def _mapped(
    shape: tuple[int, int], folder: str | os.PathLike[str] | None, times: str
) -> NDArray[np.uint8]:
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
                    f"{times}. Set another folder with Stream(folder=...)",
                    str(where),
                ) from error
        return np.memmap(file, dtype=np.uint8, mode="w+", shape=shape)
