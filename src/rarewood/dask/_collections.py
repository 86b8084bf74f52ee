"""Dask collections as runs of consecutive rows, which workers can make again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from dask import delayed

from rarewood._lazy import is_array, is_collection, is_frame
from rarewood._validation import feature_names
from rarewood.dask._partitions import Columns, Description, describe, join_partition
from rarewood.dask._source import Outline, Source
from rarewood.stream._agreement import agreed_schema

__all__ = ["CollectionSource"]


class CollectionSource(Source):
    """The rows of a Dask DataFrame or array, with their labels and weights.

    Partitions are kept on the workers until every run is coded, and computed again, from the graph
    of the collection, where a worker is lost afterwards.

    Parameters
    ----------
    client : Lease
        The client.
    X : dask DataFrame or array
        The features; or features, labels and weights.
    y : dask Series or array, or str
        The labels, or the name of their column.
    sample_weight : dask Series or array, str or None
        The weights, or the name of their column.
    """

    def __init__(self, client: Any, X: Any, y: Any, sample_weight: Any) -> None:
        self._client = client
        X = _checked(X)
        columns, self.y, self.weight, self.has_names = _name_columns(X, y, sample_weight)
        parts = [_parts(X)]
        for values, what in ((y, "y"), (sample_weight, "sample_weight")):
            is_apart = values is not None and not isinstance(values, str)
            parts.append(_aligned(X, values, what) if is_apart else [None] * len(parts[0]))
        self._joined = [
            delayed(join_partition)(number, columns, *found)
            for number, found in enumerate(zip(*parts, strict=True))
        ]
        self._tables: dict[int, list[Any]] = {}
        self._bounds: list[int] = []

    def divide(self, homes: Sequence[str]) -> int:
        n_runs = min(len(homes), len(self._joined))
        bounds = np.linspace(0, len(self._joined), n_runs + 1).round().astype(int)
        self._bounds = bounds.tolist()
        return n_runs

    def rows(self, run: int, home: str) -> list[Any]:
        if run not in self._tables:
            begin, end = self._bounds[run : run + 2]
            here = {"workers": [home], "allow_other_workers": True}
            self._tables[run] = self._client.compute(self._joined[begin:end], **here)
        return self._tables[run]

    def release(self) -> None:
        self._tables = {}

    def outline(self) -> Outline:
        tables = [table for run in sorted(self._tables) for table in self._tables[run]]
        found: list[Description] = self._client.gather(self._client.map(describe, tables))
        schema = found[0].schema
        for number, one in enumerate(found):
            schema = agreed_schema(schema, one.schema, "partition 0", f"Partition {number}")
        orders: dict[str, dict[Any, None]] = {}
        for one in found:  # as Dask joins categories that differ: in the order of their appearance
            for name, order in one.orders.items():
                orders.setdefault(name, {}).update(dict.fromkeys(order))
        sizes = [one.n_rows for one in found]
        return Outline(
            schema,
            {name: list(order) for name, order in orders.items()},
            [sum(sizes[begin:end]) for begin, end in pairwise(self._bounds)],
        )


def _checked(X: Any) -> Any:
    """Return the features in partitions that hold whole rows of numbers, or of a DataFrame."""
    if not is_collection(X) or len(X.shape) != 2:
        raise TypeError(
            f"X is of the type {type(X).__name__}; expected a Dask DataFrame, a Dask array with "
            "rows and columns, or the path of Parquet files. For a table in this process use "
            "RareTreeClassifier or RareForestClassifier, or divide it with "
            "dask.dataframe.from_pandas or dask.array.from_array."
        )
    if is_frame(X):
        return X
    if X.dtype.kind not in "fiub":
        raise TypeError(
            f"X is a Dask array of the type {X.dtype}; rarewood needs numbers. Make it a Dask "
            "DataFrame if columns hold text."
        )
    return X.rechunk({1: -1})


def _name_columns(X: Any, y: Any, weight: Any) -> tuple[Columns, str, str | None, bool]:
    """Return the names of the tables' columns, and of those with labels and weights."""
    labels = tuple(X.columns) if is_frame(X) else tuple(range(X.shape[1]))
    names = feature_names(X._meta) if is_frame(X) else None
    called = tuple(str(name) for name in (labels if names is None else names.tolist()))
    made_y = None if isinstance(y, str) else _new_name("y", called)
    made_weight = None
    if weight is not None and not isinstance(weight, str):
        made_weight = _new_name("sample_weight", called)
    weight_name = made_weight or weight
    columns = Columns(labels, called, made_y, made_weight)
    return columns, made_y or y, weight_name, names is not None


def _new_name(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name = f"_{name}"
    return name


def _parts(X: Any) -> list[Any]:
    return list(np.ravel(X.to_delayed()))


def _aligned(X: Any, values: Any, what: str) -> list[Any]:
    """Return the partitions of labels or weights, as many as the features have."""
    if not is_collection(values) or len(values.shape) != 1:
        raise TypeError(
            f"{what} is of the type {type(values).__name__}; expected a Dask Series, a Dask array "
            "with one dimension, or the name of a column of X."
        )
    if is_array(X) and is_array(values) and values.chunks[0] != X.chunks[0]:
        known = not np.isnan([*X.chunks[0], *values.chunks[0]]).any()
        if known and values.shape[0] == X.shape[0]:
            values = values.rechunk((X.chunks[0],))
    parts, n_parts = _parts(values), len(X.chunks[0]) if is_array(X) else X.npartitions
    if len(parts) != n_parts:
        raise ValueError(
            f"X has {n_parts} partitions and {what} has {len(parts)}. Divide both in the same way: "
            f"make them from one collection, or use {what}.repartition or compute_chunk_sizes and "
            "rechunk."
        )
    return parts
