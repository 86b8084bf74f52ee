"""Dask collections as shards of consecutive rows, which workers can compute again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from dask import delayed
from distributed import futures_of

from rarewood._validation import feature_names
from rarewood.dask._division import ShardRange, divide_partitions
from rarewood.dask._partitions import Columns, Description, describe, join_partition
from rarewood.dask._scoped_client import ScopedClient
from rarewood.dask._source import Source
from rarewood.table._arrow_schema import unify_schemas
from rarewood.table._dask_collections import is_array, is_collection, is_frame


class CollectionSource(Source):
    """The rows of a Dask DataFrame or array, with their labels and weights.

    Partitions are kept on the workers until all shards are encoded. If a worker is lost later, its
    partitions are computed again from the graph of the collection. Labels and weights are
    collections, or the names of columns of X.
    """

    def __init__(self, client: ScopedClient, X: Any, y: Any, sample_weight: Any) -> None:
        self._client = client
        X = _checked(X)
        columns, self.y, self.weight, self.has_names = _name_columns(X, y, sample_weight)
        is_alone = all(one is None or isinstance(one, str) for one in (y, sample_weight))
        parts = [_parts(X, is_alone)]
        for values, what in ((y, "y"), (sample_weight, "sample_weight")):
            is_apart = not isinstance(values, str) and (what == "y" or values is not None)
            parts.append(_aligned(X, values, what) if is_apart else [None] * len(parts[0]))
        self._joined = [
            delayed(join_partition)(number, columns, *found)
            for number, found in enumerate(zip(*parts, strict=True))
        ]
        self._is_held = bool(futures_of([X, y, sample_weight]))
        self._shards: list[ShardRange] = []
        self._tables: dict[int, list[Any]] = {}

    def divide(self, workers: Sequence[str]) -> None:
        tables = self._make_tables(workers)
        found: list[Description] = self._client.gather(self._client.map(describe, tables))
        sizes = [one.n_rows for one in found]
        where = self._client.who_has(tables)
        owners = [next(iter(where.get(table.key, ())), "") for table in tables]
        self._shards = divide_partitions(sizes, owners, workers)
        self._tables = {
            number: tables[shard.begin : shard.end] for number, shard in enumerate(self._shards)
        }
        self.schema = found[0].schema
        for number, one in enumerate(found):
            name = f"Partition {number}"
            self.schema = unify_schemas(self.schema, one.schema, "partition 0", name)
        self.shard_rows = [shard.n_rows for shard in self._shards]
        self.homes = [shard.worker for shard in self._shards]

    def rows(self, number: int, home: str) -> list[Any]:
        if number not in self._tables:
            shard = self._shards[number]
            self._tables[number] = self._compute(shard.begin, shard.end, home)
        return self._tables[number]

    def release(self) -> None:
        self._tables = {}

    def _make_tables(self, workers: Sequence[str]) -> list[Any]:
        """Start to compute the tables of all partitions.

        Persisted partitions are joined where they are. Otherwise each worker computes consecutive
        partitions, so that none has to be moved afterwards.
        """
        if self._is_held:
            return self._client.compute(self._joined)
        bounds = np.linspace(0, len(self._joined), len(workers) + 1).round().astype(int).tolist()
        ranges = zip(workers, pairwise(bounds), strict=True)
        return [table for worker, bound in ranges for table in self._compute(*bound, worker)]

    def _compute(self, begin: int, end: int, home: str) -> list[Any]:
        here = {"workers": [home], "allow_other_workers": True}
        return self._client.compute(self._joined[begin:end], **here)


def _checked(X: Any) -> Any:
    """Return the features as a DataFrame, or as an array of numbers with whole rows in a chunk."""
    if not is_collection(X) or len(X.shape) != 2:
        raise TypeError(
            f"X is of type {type(X).__name__}; expected a Dask DataFrame, a Dask array with two "
            "dimensions, or the path of Parquet files. For a table in this process use "
            "RareTreeClassifier or RareForestClassifier, or divide it with "
            "dask.dataframe.from_pandas or dask.array.from_array."
        )
    if is_frame(X):
        return X
    if X.dtype.kind not in "fiub":
        raise TypeError(
            f"X is a Dask array of type {X.dtype}; expected numbers. Use a Dask DataFrame for "
            "columns of text."
        )
    return X.rechunk({1: -1})


def _name_columns(X: Any, y: Any, weight: Any) -> tuple[Columns, str, str | None, bool]:
    """Return the names of all columns, of those with labels and weights, and if X has names."""
    labels = tuple(X.columns) if is_frame(X) else tuple(range(X.shape[1]))
    names = feature_names(X._meta) if is_frame(X) else None
    used = tuple(str(name) for name in (labels if names is None else names.tolist()))
    made_y = None if isinstance(y, str) else _new_name("y", used)
    made_weight = None
    if weight is not None and not isinstance(weight, str):
        made_weight = _new_name("sample_weight", used)
    columns = Columns(labels, used, made_y, made_weight)
    return columns, made_y or y, made_weight or weight, names is not None


def _new_name(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name = f"_{name}"
    return name


def _parts(X: Any, is_alone: bool = False) -> list[Any]:
    """Return the partitions of a collection.

    Dask fuses partitions if few columns of a file are read. With labels in a collection of their
    own, their partitions would no longer match those of the features.
    """
    parts = X.to_delayed()
    if is_frame(X) and not is_alone and len(parts) != X.npartitions:
        parts = X.to_delayed(optimize_graph=False)
    return list(np.ravel(parts))


def _aligned(X: Any, values: Any, what: str) -> list[Any]:
    """Return the partitions of labels or weights; there must be one for each of X."""
    if not is_collection(values) or len(values.shape) != 1:
        raise TypeError(
            f"{what} is of type {type(values).__name__}; expected a Dask Series, a Dask array with "
            "one dimension, or the name of a column of X."
        )
    are_arrays = is_array(X) and is_array(values)
    if are_arrays and not np.isnan([*X.chunks[0], *values.chunks[0]]).any():
        if values.shape[0] != X.shape[0]:
            raise ValueError(f"X has {X.shape[0]} rows and {what} has {values.shape[0]}.")
        values = values.rechunk((X.chunks[0],))
    parts, n_parts = _parts(values), len(X.chunks[0]) if is_array(X) else X.npartitions
    if len(parts) != n_parts:
        raise ValueError(
            f"X has {n_parts} partitions and {what} has {len(parts)}. Divide both in the same way: "
            f"derive them from one collection, use {what}.repartition, or use compute_chunk_sizes "
            "and rechunk."
        )
    return parts
