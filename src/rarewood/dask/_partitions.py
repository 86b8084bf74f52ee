"""Dask collections as Arrow tables, one for each partition: features, labels and weights together.

These functions run on the workers. What they say of a partition is gathered and compared by
:mod:`rarewood.dask._collections`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.stream._arrow import arrow

_TURNED = 2048  # rows that stay in the cache

__all__ = ["Columns", "Description", "describe", "join_partition"]


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
    """Return a partition of the features, of the labels and of the weights as one table."""
    if isinstance(X, np.ndarray):
        found = dict(zip(columns.names, _array_columns(X), strict=True))
    else:
        found = _frame_columns(number, columns, X)
    for name, values, what in ((columns.y, y, "y"), (columns.weight, sample_weight, "weights")):
        if name is None:
            continue
        if len(values) != len(X):
            raise ValueError(
                f"Partition {number} of X has {len(X)} rows, but that of the {what} has "
                f"{len(values)}. Divide both in the same way, for example by making them from one "
                "collection."
            )
        found[name] = values
    return _table(number, found)


def _array_columns(X: NDArray[Any]) -> NDArray[Any]:
    """Return the columns of an array, each in one piece, as the rows of another."""
    if X.dtype == bool:
        X = X.view(np.uint8)  # an array has no nominal columns
    if X.flags.f_contiguous:
        return X.T
    turned = np.empty(X.shape[::-1], dtype=X.dtype)
    for start in range(0, len(X), _TURNED):  # all at once would read each line of cache many times
        turned[:, start : start + _TURNED] = X[start : start + _TURNED].T
    return turned


def _frame_columns(number: int, columns: Columns, X: Any) -> dict[str, Any]:
    """Return the columns of a DataFrame; of one without rows nothing but the names counts."""
    if tuple(X.columns) != columns.labels and (len(X) or len(X.columns)):
        raise ValueError(
            f"Partition {number} of X has the columns {list(X.columns)}, but the collection says "
            f"that they are {list(columns.labels)}. Make the partitions alike."
        )
    if not len(X):
        return {name: [] for name in columns.names}
    return {name: X.iloc[:, j] for j, name in enumerate(columns.names)}


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


def describe(table: Any) -> Description:
    """Return what must be known of a table on the client."""
    orders = {}
    for field, column in zip(table.schema, table.columns, strict=True):
        if hasattr(field.type, "value_type") and hasattr(field.type, "index_type"):
            chunk = column.chunk(0) if column.num_chunks else None
            orders[field.name] = [] if chunk is None else chunk.dictionary.to_pylist()
    return Description(table.schema, table.num_rows, orders)
