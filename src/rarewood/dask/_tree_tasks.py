"""Strategy "trees" on the workers: a table that Dask can copy, and tasks that grow trees."""

from __future__ import annotations

from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from distributed import get_worker
from numpy.typing import NDArray

from rarewood import _core
from rarewood._version import __version__
from rarewood.model._growth import Growth
from rarewood.model._pilot_sample import PilotSample
from rarewood.model._training_data import LocalData
from rarewood.table._exact_sum import ExactTotals
from rarewood.table._schema import Schema


class TableFacts(NamedTuple):
    """The part of a training table that the client needs."""

    schema: Schema
    classes: NDArray[Any]
    class_counts: NDArray[np.int64]
    totals: ExactTotals
    rows: NDArray[np.intp] | None
    n_given: int
    has_missing: bool


class SharedTable:
    """A training table that all tasks on a worker share.

    Dask may copy it to another worker or spill it to disk. The columns of the core stay behind,
    and are made anew from the encoded values by the first task that needs them.
    """

    def __init__(self, data: LocalData, max_bins: int | None) -> None:
        self.data = data
        self._max_bins = max_bins
        self._columns: _core.Columns | None = None
        self._lock = Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return SharedTable, (self.data, self._max_bins)

    def columns(self) -> _core.Columns:
        """Return the columns of the core, made with all threads of the worker."""
        with self._lock:
            if self._columns is None:
                self._columns = self.data.columns(self._max_bins, get_worker().state.nthreads)
            return self._columns


def encode_table(
    forest: Any, X: Any, y: Any, sample_weight: Any, class_weight: Any, schema: Schema | None
) -> SharedTable:
    """Encode a training table as the ``fit`` of a forest does."""
    from rarewood.model._parameters import cut_bins  # with scikit-learn, as the forest

    data = forest._prepare(X, y, sample_weight, class_weight, schema)
    return SharedTable(data, cut_bins(forest))


def make_columns(table: SharedTable) -> None:
    """Make the columns of the core, for the tasks that will need them on this worker."""
    table.columns()


def describe_table(table: SharedTable) -> TableFacts:
    """Return the part of a training table that the client needs."""
    data = table.data
    counts, totals = data.class_counts, data.class_totals()
    has_missing = table.columns().has_missing
    return TableFacts(
        data.schema, data.classes, counts, totals, data.rows, data.n_given, has_missing
    )


def read_labels(table: SharedTable) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the class numbers of the rows with nonzero weight, and of all rows."""
    return table.data.y, table.data.y_given


def sample_for_pilot(table: SharedTable) -> PilotSample:
    """Return the samples on which a pilot grows its trees."""
    return table.data.pilot_sample(get_worker().state.nthreads)


def grow_trees(
    growth: Growth, table: SharedTable, n_threads: int, version: str
) -> list[dict[str, Any]]:
    """Grow a range of trees, and return their arrays.

    ``version`` is that of rarewood on the client; workers that join later may have another.
    """
    if version != __version__:
        raise RuntimeError(
            f"rarewood is {__version__} on the worker {get_worker().address} and {version} on the "
            "client. Install the same version everywhere."
        )
    grown = table.data.grow(growth, n_threads, columns=table.columns())
    return [tree.state() for tree in grown.trees]


def score_out_of_bag(table: SharedTable, forest: Any) -> NDArray[np.float64]:
    """Return the probabilities of each row by the trees that did not draw it."""
    found: NDArray[np.float64] = table.data.out_of_bag(forest, get_worker().state.nthreads)
    return found


def join_parts(*parts: Any) -> Any:
    """Return the partitions of a collection as one table, or as one column."""
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    from dask.dataframe.dispatch import concat  # slow to import, and needed for DataFrames only

    return concat(list(parts))
