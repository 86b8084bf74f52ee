"""Partitions of Dask collections with features, labels and weights together: arrays, or tables.

These functions run on the workers. What they say of a partition is gathered and compared by
:mod:`rarewood.dask._collections`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.table._array_fragment import ArrayFragment
from rarewood.table._arrow import arrow
from rarewood.table._fragments import Fragment, MemoryFragment
from rarewood.table._table import Table

__all__ = ["Columns", "Description", "describe", "join_partition", "partition_rows"]


@dataclass(frozen=True)
class Columns:
    """What the columns of the tables are called.

    Parameters
    ----------
    labels : tuple
        What the collection calls its columns.
    names : tuple of str
        What the tables call them: the same where all are text.
    y, weight : str or None
        What they call the labels and the weights that are no columns of the collection.
    """

    labels: tuple[Any, ...]
    names: tuple[str, ...]
    y: str | None
    weight: str | None


@dataclass(frozen=True)
class Description:
    """What must be known of a partition on the client.

    Parameters
    ----------
    schema : pyarrow.Schema
        Its columns.
    n_rows : int
        Its rows.
    orders : dict of str to list
        The categories of columns that have them, in the order that their user gave them.
    """

    schema: Any
    n_rows: int
    orders: dict[str, list[Any]]


def join_partition(number: int, columns: Columns, X: Any, y: Any, sample_weight: Any) -> Any:
    """Return a partition of the features, of the labels and of the weights as one.

    Parameters
    ----------
    number : int
        Which partition it is.
    columns : Columns
        What its columns are called.
    X, y, sample_weight : object
        The partitions of the collections; None where labels or weights are columns of X.

    Returns
    -------
    part : ArrayFragment or pyarrow.Table
        An array of numbers stays as it is: nothing is copied.
    """
    others = {}
    for name, values, what in ((columns.y, y, "y"), (columns.weight, sample_weight, "weights")):
        if name is None:
            continue
        if len(values) != len(X):
            raise ValueError(
                f"Partition {number} of X has {len(X)} rows, but that of the {what} has "
                f"{len(values)}. Divide both in the same way, for example by making them from one "
                "collection."
            )
        others[name] = values
    if not isinstance(X, np.ndarray):
        return _table(number, _frame_columns(number, columns, X) | others)
    if X.shape[1] != len(columns.names):
        raise ValueError(
            f"Partition {number} of X has {X.shape[1]} columns, but the collection says that there "
            f"are {len(columns.names)}. Make the partitions alike."
        )
    if X.dtype.kind not in "fiub":
        found = dict(zip(columns.names, np.ascontiguousarray(X.T), strict=True))
        return _table(number, found | others)
    label = f"partition {number}"
    return ArrayFragment.of(_numbers(X), columns.names, _table(number, others), label)


def _numbers(X: NDArray[Any]) -> NDArray[Any]:
    """Return an array of numbers that Arrow has a type for."""
    if isinstance(X, np.ma.MaskedArray):
        return np.ma.filled(X.astype(np.float64), np.nan)
    if X.dtype == bool:
        return X.view(np.uint8)  # an array has no nominal columns
    if not X.dtype.isnative:
        X = X.astype(X.dtype.newbyteorder("="))
    return X.astype(np.float64) if X.dtype.itemsize > 8 else X


def partition_rows(parts: Table | list[Any]) -> Table:
    """Return the rows of consecutive partitions, or of a part of files as they are."""
    if isinstance(parts, Table):
        return parts
    fragments = [
        part if isinstance(part, Fragment) else MemoryFragment.of(part.to_batches(), "a partition")
        for part in parts
    ]
    return Table("the collection", parts[0].schema, fragments)


def _frame_columns(number: int, columns: Columns, X: Any) -> dict[str, Any]:
    """Return the columns of a DataFrame; of one without rows nothing but the names counts."""
    if tuple(X.columns) != columns.labels and (len(X) or len(X.columns)):
        raise ValueError(
            f"Partition {number} of X has the columns {list(X.columns)}, but the collection says "
            f"that they are {list(columns.labels)}. Make the partitions alike."
        )
    if not len(X):
        return {name: [] for name in columns.names}
    found = {name: X.iloc[:, j] for j, name in enumerate(columns.names)}
    return {name: _without_index(values) for name, values in found.items()}


def _without_index(values: Any) -> Any:
    """Return numbers as they lie, NaN among them, which Arrow would look for; else the column."""
    is_plain = isinstance(values.dtype, np.dtype) and values.dtype.kind in "fiu"
    return values.to_numpy() if is_plain else values


def _table(number: int, found: dict[str, Any]) -> Any:
    pa = arrow()
    arrays = {}
    for name, values in found.items():
        try:
            arrays[name] = pa.array(values, from_pandas=not isinstance(values, np.ndarray))
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
            raise ValueError(
                f"Partition {number} has a column {name!r} that cannot be read: {error}. Make it "
                "one kind: all numbers, all text, or all true/false values."
            ) from error
    return pa.table(arrays)


def describe(part: Any) -> Description:
    """Return what must be known of a partition on the client."""
    if isinstance(part, ArrayFragment):
        return Description(part.schema, part.n_rows, _orders(part.others))
    return Description(part.schema, part.num_rows, _orders(part))


def _orders(table: Any) -> dict[str, list[Any]]:
    orders = {}
    for field, column in zip(table.schema, table.columns, strict=True):
        if hasattr(field.type, "value_type") and hasattr(field.type, "index_type"):
            chunk = column.chunk(0) if column.num_chunks else None
            orders[field.name] = [] if chunk is None else chunk.dictionary.to_pylist()
    return orders
