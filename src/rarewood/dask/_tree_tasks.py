"""The whole training table on one worker, for trees that are grown there."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.dask._resident import Resident, resident_here
from rarewood.model._growth import Growth
from rarewood.model._training_data import LocalData
from rarewood.table._exact_sum import ExactTotals
from rarewood.table._schema import Schema

__all__ = ["Facts", "Replica", "join_parts", "load_table"]


class Facts(NamedTuple):
    """What the client must know of the table."""

    schema: Schema
    classes: NDArray[Any]
    class_counts: NDArray[np.int64]
    totals: ExactTotals
    rows: NDArray[np.intp] | None
    has_missing: bool


class Replica(Resident):
    """Holds the whole table, encoded once, and grows trees of a forest."""

    _data: LocalData
    _columns: _core.Columns

    def take(self, data: LocalData, columns: _core.Columns) -> None:
        """Take the table."""
        self._data, self._columns = data, columns

    async def facts(self) -> Facts:
        """Return what the client must know of the table."""
        data = self._data
        return Facts(
            data.schema,
            data.classes,
            data.class_counts,
            data.class_totals(),
            data.rows,
            self._columns.has_missing,
        )

    async def class_numbers(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the class numbers of the rows that weigh anything, and of all given rows."""
        return self._data.y, self._data.y_given

    async def grow(self, growth: Growth, n_threads: int) -> list[dict[str, Any]]:
        """Grow some trees, and return their arrays."""
        return list(await self._do(self._grow, growth, n_threads))

    def _grow(self, growth: Growth, n_threads: int) -> list[dict[str, Any]]:
        data = self._data
        trees = _core.grow_forest(
            self._columns,
            data.y,
            len(data.classes),
            data.weights,
            **growth.core_arguments(),
            n_threads=n_threads,
        )
        return [tree.state() for tree in trees]

    async def out_of_bag(self, view: Any, n_threads: int) -> NDArray[np.float64]:
        """Return the probabilities of each row by the trees that did not draw it."""
        found: NDArray[np.float64] = await self._do(self._data.out_of_bag, view, n_threads)
        return found


def load_table(
    fit: str, forest: Any, X: Any, y: Any, weights: tuple[Any, Any], schema: Any, n_threads: int
) -> None:
    """Give the whole table to the actor on the worker that runs this task.

    Parameters
    ----------
    fit : str
        The fit.
    forest : RareForestClassifier
        Its parameters say how the table is encoded.
    X, y : object
        What its ``fit`` takes.
    weights : tuple
        ``sample_weight`` and ``class_weight``.
    schema : Schema or None
        The columns of a forest to which trees are added.
    n_threads : int
        Threads to use.
    """
    data = forest._prepare(X, y, *weights, schema)
    resident_here(fit).take(data, data.columns(forest.max_bins, n_threads))


def join_parts(*parts: Any) -> Any:
    """Return the partitions of a collection as one table, or as one column."""
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    from dask.dataframe.dispatch import concat  # only for DataFrames: it takes long

    return concat(list(parts))
