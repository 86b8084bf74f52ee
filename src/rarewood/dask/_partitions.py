"""Partitions of Dask collections, with features, labels and weights joined; runs on workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.table._array_fragment import ArrayFragment
from rarewood.table._arrow import arrow
from rarewood.table._fragments import Fragment, MemoryFragment
from rarewood.table._table import Table


@dataclass(frozen=True)
class Columns:
    """Names of columns."""

    labels: tuple[Any, ...]  # in the collection
    names: tuple[str, ...]  # in the joined tables: the same if all labels are text
    y: str | None  # of labels and weights that are not columns of the collection
    weight: str | None


@dataclass(frozen=True)
class Description:
    """Description of a partition for the client."""

    schema: Any
    n_rows: int


def join_partition(number: int, columns: Columns, X: Any, y: Any, sample_weight: Any) -> Any:
    """Join a partition of the features with those of the labels and the weights, if any.

    Returns an ArrayFragment, which does not copy an array of numbers, or a pyarrow.Table.
    """
    others = {}
    for name, values, what in (
        (columns.y, y, "y"),
        (columns.weight, sample_weight, "sample_weight"),
    ):
        if name is None:
            continue
        if len(values) != len(X):
            raise ValueError(
                f"Partition {number} of X has {len(X)} rows, but that of {what} has "
                f"{len(values)}. Divide both in the same way, for example by deriving them from "
                "one collection."
            )
        others[name] = values
    if not isinstance(X, np.ndarray):
        return _table(number, _frame_columns(number, columns, X) | others)
    if X.shape[1] != len(columns.names):
        raise ValueError(
            f"Partition {number} of X has {X.shape[1]} columns, but the collection declares "
            f"{len(columns.names)}. All partitions must have the same columns."
        )
    if X.dtype.kind not in "fiub":
        found = dict(zip(columns.names, np.ascontiguousarray(X.T), strict=True))
        return _table(number, found | others)
    label = f"partition {number}"
    return ArrayFragment.of(_numbers(X), columns.names, _table(number, others), label)


def _numbers(X: NDArray[Any]) -> NDArray[Any]:
    """Return an array of a type that Arrow has."""
    if isinstance(X, np.ma.MaskedArray):
        return np.ma.filled(X.astype(np.float64), np.nan)
    if X.dtype == bool:
        return X.view(np.uint8)  # an array has no categorical columns
    if not X.dtype.isnative:
        X = X.astype(X.dtype.newbyteorder("="))
    return X.astype(np.float64) if X.dtype.itemsize > 8 else X


def partition_rows(parts: Table | list[Any]) -> Table:
    """Return consecutive partitions as rows to be read; rows of files are returned as they are."""
    if isinstance(parts, Table):
        return parts
    fragments = [
        part if isinstance(part, Fragment) else MemoryFragment.of(part.to_batches(), "a partition")
        for part in parts
    ]
    return Table("the collection", parts[0].schema, fragments)


def _frame_columns(number: int, columns: Columns, X: Any) -> dict[str, Any]:
    """Return the columns of a DataFrame; the types of an empty one are ignored."""
    if tuple(X.columns) != columns.labels and (len(X) or len(X.columns)):
        raise ValueError(
            f"Partition {number} of X has the columns {list(X.columns)}, but the collection "
            f"declares {list(columns.labels)}. All partitions must have the same columns."
        )
    if not len(X):
        return {name: [] for name in columns.names}
    found = {name: X.iloc[:, j] for j, name in enumerate(columns.names)}
    return {name: _without_index(values) for name, values in found.items()}


def _without_index(values: Any) -> Any:
    """Return numbers as an array, in which Arrow does not search for NaN; else the column."""
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
                f"Partition {number} has a column {name!r} that cannot be read: {error}. Its "
                "values must be of one kind: numbers, text or booleans."
            ) from error
    return pa.table(arrays)


def describe(part: Any) -> Description:
    """Return the description of a partition."""
    if isinstance(part, ArrayFragment):
        return Description(part.schema, part.n_rows)
    return Description(part.schema, part.num_rows)
