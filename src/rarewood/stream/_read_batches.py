"""Batches of a table as batches: the columns of some rows, and the matrix that is made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from rarewood.table._arrow import ArrowColumn
from rarewood.table._column_roles import ColumnRoles
from rarewood.table._schema import Categories
from rarewood.table._table import BATCH_ROWS, Table, ahead
from rarewood.table._values import Matrix, has_whole_strides, values_like

__all__ = ["Batch", "Reading", "read_batches", "side_by_side"]


@dataclass(frozen=True)
class Reading:
    """How rows are read.

    Parameters
    ----------
    kept : ndarray of bool or None
        Which of the rows weigh anything; None if all do.
    batch_rows : int
        Rows to read at once.
    n_threads : int
        Threads to use.
    """

    kept: NDArray[np.bool_] | None = None
    batch_rows: int = BATCH_ROWS
    n_threads: int = 1


@dataclass(frozen=True, eq=False)
class Batch:
    """Some consecutive rows of a table.

    Parameters
    ----------
    n_rows : int
        All rows of the batch.
    nominal : dict of int to ArrowColumn
        The nominal features, of all these rows.
    kept : ndarray of bool or None
        Which of the rows weigh anything; None if all do.
    values : ndarray of shape (n_kept, n_columns)
        Some of the features of the rows that weigh anything.
    held : sequence of ndarray
        What the values may be a view of.
    """

    n_rows: int
    nominal: dict[int, ArrowColumn]
    kept: NDArray[np.bool_] | None
    values: Matrix
    held: Sequence[NDArray[Any]] = ()

    @property
    def n_kept(self) -> int:
        """Rows that weigh anything."""
        return len(self.values)


def read_batches(
    rows: Table,
    roles: ColumnRoles,
    reading: Reading,
    features: Sequence[int],
    categories: Mapping[int, Categories],
) -> Iterator[Batch]:
    """Yield rows, batch by batch; the next batch is made while the last one is used.

    Parameters
    ----------
    rows : Table
        The rows.
    roles : ColumnRoles
        The columns.
    reading : Reading
        How they are read.
    features : list of int
        Which features the values of a batch have.
    categories : dict of int to Categories
        The numbers of categories, for the nominal ones of them.

    Yields
    ------
    batch : Batch
        Never without rows, but possibly without rows that weigh anything.
    """
    matrices = _matrices(rows, roles)
    if matrices is not None:
        return _slices(matrices, roles, reading)

    def read() -> Iterator[Batch]:
        first, kept = 0, reading.kept
        use_threads = reading.n_threads > 1
        for batch in rows.batches(roles.features, reading.batch_rows, use_threads=use_threads):
            here = slice(first, first + batch.num_rows)
            first += batch.num_rows
            columns = [roles.column(batch, j) for j in range(len(roles.features))]
            is_kept = None if kept is None else kept[here]
            values = _values(columns, roles, features, categories)
            matrix = _matrix(values, batch.num_rows, roles.dtype, is_kept)
            nominal = {j: columns[j] for j in roles.nominal}
            yield Batch(batch.num_rows, nominal, is_kept, matrix, values)

    return ahead(read())


def _matrices(rows: Table, roles: ColumnRoles) -> list[NDArray[Any]] | None:
    """Return all features of all rows, if they are in memory as numbers and none is nominal."""
    if roles.nominal:
        return None
    found = [fragment.matrix(roles.features) for fragment in rows.fragments]
    matrices = [matrix for matrix in found if matrix is not None]
    return matrices if len(matrices) == len(found) else None


def _slices(
    matrices: Sequence[NDArray[Any]], roles: ColumnRoles, reading: Reading
) -> Iterator[Batch]:
    """Yield rows as they lie; a batch is copied where the core cannot take them like that."""
    first = 0
    for matrix in matrices:
        for start in range(0, len(matrix), reading.batch_rows):
            values = matrix[start : start + reading.batch_rows]
            n_rows = len(values)
            is_kept = None if reading.kept is None else reading.kept[first : first + n_rows]
            if is_kept is not None:
                values = values[is_kept]
            elif not has_whole_strides(values):
                values = values.copy()
            yield Batch(n_rows, {}, is_kept, values.astype(roles.dtype, copy=False))
            first += n_rows


def _values(
    columns: list[ArrowColumn],
    roles: ColumnRoles,
    features: Sequence[int],
    categories: Mapping[int, Categories],
) -> list[NDArray[Any]]:
    """Return features as numbers, those of categories where they are nominal."""
    found = []
    for j in features:
        known, column = categories.get(j), columns[j]
        values = column.numeric() if known is None else values_like(column, known, roles.by_dtype)
        found.append(values)
    return found


def _matrix(
    columns: Sequence[NDArray[Any]], n_rows: int, dtype: Any, kept: NDArray[np.bool_] | None
) -> Matrix:
    """Put values side by side, column by column: across columns it would take many times longer."""
    view = side_by_side(columns, dtype) if columns and kept is None else None
    if view is not None:
        return view
    n_kept = n_rows if kept is None else int(np.count_nonzero(kept))
    matrix: Matrix = np.empty((n_kept, len(columns)), dtype=dtype, order="F")
    for place, values in enumerate(columns):
        matrix[:, place] = values if kept is None else values[kept]
    return matrix


def side_by_side(columns: Sequence[NDArray[Any]], dtype: Any) -> Matrix | None:
    """Return columns as a matrix without a copy, if they lie at equal distances in memory.

    So do those of a pandas table, which keeps columns of one type together. The matrix is valid as
    long as the columns are there.
    """
    for values in columns:
        flags = values.flags
        if values.dtype != dtype or not (flags.c_contiguous and flags.aligned):
            return None
    places = [values.__array_interface__["data"][0] for values in columns]
    steps = {after - before for before, after in pairwise(places)} or {0}
    step, size = steps.pop(), np.dtype(dtype).itemsize
    if steps or step % size:
        return None
    shape = (len(columns[0]), len(columns))
    return as_strided(columns[0], shape, (size, step), writeable=False)
