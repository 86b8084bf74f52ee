"""The pilot on a cluster.

Every worker selects samples of its shards, and the client selects among them; the folds are tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from typing import Any, NamedTuple, TypeVar

import numpy as np
from distributed import get_worker
from numpy.typing import NDArray

from rarewood import _core
from rarewood.dask._cluster import allowed_failures, wait_for_workers
from rarewood.dask._partitions import partition_rows
from rarewood.dask._passes import Passes
from rarewood.dask._scoped_client import ScopedClient
from rarewood.model._coded_data import CodedData
from rarewood.model._pilot_sample import PilotSample, sample_rows
from rarewood.model._training_data import InMemoryData
from rarewood.stream._encoding import Encoding, value_batches
from rarewood.table._coded_table import CodedTable
from rarewood.table._table import BATCH_ROWS
from rarewood.table._targets import Targets
from rarewood.table._values import Matrix

Result = TypeVar("Result")


class PilotRows(NamedTuple):
    """Rows with nonzero weight of a part of a table."""

    values: Matrix
    y: NDArray[np.int32]
    weights: NDArray[np.float64]
    rows: NDArray[np.intp]  # in the part, as given
    hashes: NDArray[np.uint64]

    def selected(self, n_classes: int) -> PilotRows:
        """Return those with the smallest hashes, in order of hashes."""
        chosen = sample_rows(self.hashes, self.y, n_classes)
        columns: Any = [column[chosen] for column in self]
        return PilotRows(*columns)


def join(parts: list[PilotRows]) -> PilotRows:
    """Return the rows of all parts."""
    return PilotRows(*map(np.concatenate, zip(*parts, strict=True)))


def select_rows(rows: Any, targets: Targets, encoding: Encoding, n_threads: int) -> PilotRows:
    """Return rows of a shard, among them all that a sample of the whole table can have."""
    schema, n_classes = encoding.schema, len(targets.classes)
    n_features, dtype = schema.n_features, encoding.roles.dtype
    places = np.arange(len(targets.y)) if targets.rows is None else targets.rows
    weights = targets.weights_or_ones
    none = np.empty((0, n_features), dtype=dtype)
    found = PilotRows(none, targets.y[:0], weights[:0], places[:0], np.empty(0, dtype=np.uint64))
    first = 0
    table = partition_rows(rows)
    batches = value_batches(
        table, encoding.roles, schema, targets.kept, n_threads, BATCH_ROWS, None
    )
    for batch in batches:
        here = slice(first, first + batch.n_kept)
        first += batch.n_kept
        hashes = _hashes(batch.values, schema.bins, n_threads)
        new = PilotRows(batch.values, targets.y[here], weights[here], places[here], hashes)
        found = join([found, new.selected(n_classes)]).selected(n_classes)
    return found


def _hashes(values: Matrix, bins: _core.Bins | None, n_threads: int) -> NDArray[np.uint64]:
    if bins is None:
        return _core.row_hashes(values, n_threads)
    return CodedTable.of(values, bins, n_threads).row_hashes(n_threads)


def run_on_workers(
    client: ScopedClient, works: Sequence[Callable[[int], Result]], n_threads: int | None
) -> list[Result]:
    """Call functions of a number of threads on the workers; None for all that a worker has.

    What was sent to a worker is sent again if the worker is lost.
    """
    for n_left in reversed(range(allowed_failures() + 1)):
        try:
            wait_for_workers(client, 1, 0.0)
            sent = [client.scatter(work) for work in works]
            found: list[Result] = client.gather(client.map(_run, sent, n_threads=n_threads))
        except CancelledError:
            if not n_left:
                raise
        else:
            return found
    raise AssertionError("The last failure is raised.")


def _run(work: Callable[[int], Result], n_threads: int | None) -> Result:
    return work(n_threads or get_worker().state.nthreads)


def pilot_sample(passes: Passes, encoding: Encoding, n_threads: int) -> PilotSample:
    """Return the samples with the smallest hashes, those of a local fit."""
    parts: list[PilotRows] = passes.gather_all(select_rows, encoding, n_threads)
    numbered = [
        part._replace(rows=part.rows + first)
        for part, first in zip(parts, passes.first_rows, strict=False)
    ]
    found = join(numbered).selected(len(passes.classes))
    schema, classes = encoding.schema, passes.classes
    weights = found.weights if passes.is_weighted else None
    targets = Targets(classes, found.y, weights, None, found.y)
    data: InMemoryData | CodedData
    if schema.bins is None:
        data = InMemoryData(schema, *targets, found.values, None)
    else:
        coded = CodedTable.of(found.values, schema.bins, n_threads)
        data = CodedData(schema, *targets, coded, None)
    return PilotSample(data, found.hashes, found.rows)
