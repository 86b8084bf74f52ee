"""Batches of a table: the columns of some rows, and the matrix that is made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from rarewood.table._arrow import ArrowColumn
from rarewood.table._column_roles import ColumnRoles
from rarewood.table._schema import Categories
from rarewood.table._table import Table, ahead
from rarewood.table._values import Matrix, has_whole_strides, values_like


@dataclass(frozen=True, eq=False)
class Batch:
    """Consecutive rows of a table."""

    n_rows: int
    categorical: dict[int, ArrowColumn]  # the categorical features, of all rows
    kept: NDArray[np.bool_] | None  # which samples have a nonzero weight; None if all have
    values: Matrix  # features read as numbers, of the samples with nonzero weight
    held: Sequence[NDArray[Any]] = ()  # arrays that the values may be a view of

    @property
    def n_kept(self) -> int:
        """Number of samples with nonzero weight."""
        return len(self.values)


def read_batches(
    table: Table,
    roles: ColumnRoles,
    features: Sequence[int],
    categories: Mapping[int, Categories],
    kept: NDArray[np.bool_] | None,
    batch_rows: int,
    n_threads: int,
    on_rows: Callable[[int], object] | None,
) -> Iterator[Batch]:
    """Yield a table batch by batch; the next batch is made while the last one is used.

    ``features`` are read as numbers, for which ``categories`` has those of the categorical ones. A
    batch has rows, but possibly none of nonzero weight. ``on_rows`` is called with the number of
    rows used so far.
    """
    matrices = _matrices(table, roles)
    if matrices is not None:
        batches = _slices(matrices, roles, kept, batch_rows)
    else:
        records = table.batches(roles.features, batch_rows, use_threads=n_threads > 1)
        batches = ahead(_read(records, roles, features, categories, kept))
    n_used = 0
    for batch in batches:
        yield batch
        n_used += batch.n_rows
        if on_rows is not None:
            on_rows(n_used)


def _read(
    records: Iterator[Any],
    roles: ColumnRoles,
    features: Sequence[int],
    categories: Mapping[int, Categories],
    kept: NDArray[np.bool_] | None,
) -> Iterator[Batch]:
    first = 0
    for record in records:
        is_kept = None if kept is None else kept[first : first + record.num_rows]
        first += record.num_rows
        columns = [roles.column(record, j) for j in range(len(roles.features))]
        values = [
            values_like(columns[j], categories[j], roles.by_dtype)
            if j in categories
            else columns[j].numeric()
            for j in features
        ]
        matrix = _matrix(values, record.num_rows, roles.dtype, is_kept)
        categorical = {j: columns[j] for j in roles.categorical}
        yield Batch(record.num_rows, categorical, is_kept, matrix, values)


def _matrices(table: Table, roles: ColumnRoles) -> list[NDArray[Any]] | None:
    """Return all features, if they are matrices in memory and none is categorical."""
    if roles.categorical:
        return None
    found = [fragment.matrix(roles.features) for fragment in table.fragments]
    matrices = [matrix for matrix in found if matrix is not None]
    return matrices if len(matrices) == len(found) else None


def _slices(
    matrices: Sequence[NDArray[Any]],
    roles: ColumnRoles,
    kept: NDArray[np.bool_] | None,
    batch_rows: int,
) -> Iterator[Batch]:
    """Yield rows without a copy, except where the core cannot read them as they are."""
    first = 0
    for matrix in matrices:
        for start in range(0, len(matrix), batch_rows):
            values = matrix[start : start + batch_rows]
            n_rows = len(values)
            is_kept = None if kept is None else kept[first : first + n_rows]
            if is_kept is not None:
                values = values[is_kept]
            elif not has_whole_strides(values):
                values = values.copy()
            yield Batch(n_rows, {}, is_kept, values.astype(roles.dtype, copy=False))
            first += n_rows


def _matrix(
    columns: Sequence[NDArray[Any]], n_rows: int, dtype: Any, kept: NDArray[np.bool_] | None
) -> Matrix:
    """Return columns as a matrix in Fortran order, which is many times faster to fill."""
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

    Those of a pandas table do, which keeps columns of one type together. The matrix is valid as
    long as the columns exist.
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
