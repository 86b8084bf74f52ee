"""Strategy "trees": ordinary Dask tasks grow ranges of trees from one encoded table.

A tree is a pure function of the table, the seed and its number, so Dask itself repeats the tasks of
a lost worker. The table is one key: Dask copies it to a worker for the first task that runs there,
and all later tasks on that worker share the copy.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood._version import __version__
from rarewood.dask._cluster import (
    allowed_failures,
    checked_workers,
    no_workers_error,
    patience,
    wait_for_workers,
)
from rarewood.dask._pilot_tasks import run_on_workers
from rarewood.dask._report import FitReport
from rarewood.dask._row_codes import submit_coded
from rarewood.dask._scoped_client import ScopedClient
from rarewood.dask._source import Source
from rarewood.dask._tree_tasks import (
    TableFacts,
    describe_table,
    encode_table,
    grow_trees,
    join_parts,
    make_columns,
    read_labels,
    sample_for_pilot,
    score_out_of_bag,
)
from rarewood.model._fitted_tree import tree_from_state
from rarewood.model._growth import Growth
from rarewood.model._pilot_sample import PilotSample
from rarewood.model._training_data import Grown, Result, TrainingData
from rarewood.table._dask_collections import is_collection, is_frame
from rarewood.table._exact_sum import ExactTotals
from rarewood.table._schema import Schema
from rarewood.table._stream import is_batched

_RANGES = 4  # into which the trees that are left for a worker could be divided evenly


class ReplicatedData(TrainingData):
    """A training table of which every worker gets a copy.

    ``forest`` is a local estimator, whose parameters determine the encoding. ``table`` are
    ``X``, ``y`` and ``sample_weight`` of ``fit``, and ``schema`` are the columns of a forest to
    which trees are added. ``make_source`` returns the table as shards, if workers can encode
    them by row.
    """

    def __init__(
        self,
        client: ScopedClient,
        forest: Any,
        table: tuple[Any, Any, Any],
        class_weight: Any,
        schema: Schema | None,
        n_threads: int | None,
        make_source: Callable[[], Source] | None = None,
    ) -> None:
        self.report = FitReport("trees")
        self._client = client
        self._forest = forest
        self._given = _separate(*table)
        self._class_weight = class_weight
        self._fitted = schema
        self._n_threads = n_threads
        self._make_source = make_source
        self._table: Any = None
        self._copies: list[Any] = []
        self._workers: set[str] = set()
        self._empty_since: float | None = None
        client.watch = self._watch
        try:
            self._load()
        except BaseException:
            self.close()
            raise

    def _load(self) -> None:
        with self.report.stage("starting"):
            workers = wait_for_workers(self._client, 1, 0.0)
            checked_workers(self._client, list(workers))
            self._client.sync(self._watch)
        with self.report.stage("loading"):
            self._facts: TableFacts = self._on_table(partial(self._call, describe_table))
        self.schema, self.classes = self._facts.schema, self._facts.classes
        self.rows = self._facts.rows
        self.report.n_rows = self.n_rows

    @property
    def class_counts(self) -> NDArray[np.int64]:
        return self._facts.class_counts

    def class_totals(self) -> ExactTotals:
        return self._facts.totals

    @property
    def n_given(self) -> int:
        return self._facts.n_given

    def pilot_sample(self, n_threads: int) -> PilotSample:
        with self.report.stage("pilot sample"):
            sample: PilotSample = self._on_table(partial(self._call, sample_for_pilot))
        return sample

    @cached_property
    def _labels(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        found: tuple[NDArray[np.int32], NDArray[np.int32]]
        found = self._on_table(partial(self._call, read_labels))
        return found

    @property
    def y(self) -> NDArray[np.int32]:  # type: ignore[override]
        return self._labels[0]

    @property
    def y_given(self) -> NDArray[np.int32]:  # type: ignore[override]
        return self._labels[1]

    def run_all(self, works: Sequence[Callable[[int], Result]], n_threads: int) -> list[Result]:
        with self.report.stage("pilot"):
            return run_on_workers(self._client, works, self._n_threads)

    def grow(
        self, growth: Growth, n_threads: int, progress: Callable[[int], object] | None = None
    ) -> Grown:
        slots = self._client.nthreads().values()  # tasks that Dask runs at a time
        n_threads = max(1, (self._n_threads or 1) // max(slots, default=1))
        n_slots = max(1, sum(slots))
        trees: dict[int, _core.Tree] = {}

        def grow_missing(table: Any) -> None:
            missing = [number for number in range(len(growth)) if number not in trees]
            ranges = falling_ranges(missing, n_slots, n_threads)
            parts = [growth.part(one.start, one.stop) for one in ranges]
            how = {"table": table, "n_threads": n_threads, "version": __version__}
            tasks = self._client.map(grow_trees, parts, **how)
            begin_of = {task: one.start for task, one in zip(tasks, ranges, strict=True)}
            for task, states in self._client.completed(tasks):
                task.release()
                for number, state in enumerate(states, begin_of[task]):
                    trees[number] = tree_from_state(state)
                    arrays = (value for value in state.values() if isinstance(value, np.ndarray))
                    self.report.response_bytes += sum(array.nbytes for array in arrays)
                self.report.n_rounds += 1
                if progress is not None:
                    progress(len(trees))

        with self.report.stage("growing"):
            self._on_table(grow_missing)
        return Grown([trees[number] for number in range(len(growth))], self._facts.has_missing)

    def out_of_bag(self, forest: Any, n_threads: int) -> NDArray[np.float64]:
        def score(table: Any) -> NDArray[np.float64]:
            found: NDArray[np.float64]
            found = self._call(score_out_of_bag, table, self._client.scatter(forest))
            return found

        with self.report.stage("scoring"):
            return self._on_table(score)

    def close(self) -> None:
        self._table, self._copies = None, []
        self._client.release()

    def _on_table(self, work: Callable[[Any], Result]) -> Result:
        """Call a function with the table on the cluster.

        Dask cancels what depends on data that were sent from here and lost with their worker. Then
        the table is sent again.
        """
        for n_left in reversed(range(allowed_failures() + 1)):
            try:
                if self._table is None:
                    wait_for_workers(self._client, 1, 0.0)
                    self._table = self._submit_table()
                    self._copies = self._submit_copies()
                return work(self._table)
            except CancelledError:
                self._table = None
                if not n_left:
                    raise
        raise AssertionError("The last failure is raised.")

    def _submit_table(self) -> Any:
        """Return the future of the encoded table, or of its values if the trees compare them."""
        if self._make_source is not None:
            how = self._forest, self._make_source(), self._class_weight, self._fitted
            table = submit_coded(self._client, *how)
            if table is not None:
                return table
        sent = [self._send(value) for value in self._given]
        return self._client.submit(
            encode_table, self._forest, *sent, self._class_weight, self._fitted
        )

    def _submit_copies(self) -> list[Any]:
        """Let workers that will grow trees copy the table already, while the pilot runs on one."""
        n_trees, workers = self._forest.n_estimators, [*self._client.nthreads()]
        return [
            self._client.submit(
                make_columns, self._table, workers=[worker], allow_other_workers=True
            )
            for worker in (workers if n_trees == "auto" else workers[:n_trees])
        ]

    def _call(self, function: Callable[..., Any], table: Any, *args: Any) -> Any:
        """Run a function of the table as a task, and return its result."""
        [(_, found)] = self._client.completed([self._client.submit(function, table, *args)])
        return found

    def _send(self, value: Any) -> Any:
        """Return a part of the table as an argument of tasks."""
        if is_collection(value):
            parts = self._client.compute(list(np.ravel(value.to_delayed())))
            return self._client.submit(join_parts, *parts)
        if value is None or isinstance(value, str) or is_batched(value):
            return value
        return self._client.scatter(value)

    async def _watch(self) -> None:
        """Count the workers, and raise if there has been none for too long."""
        workers = set(await self._client.scheduler.ncores())
        self.report.n_workers += len(workers - self._workers)
        self.report.n_lost += len(self._workers - workers)
        self._workers = workers
        if workers:
            self._empty_since = None
            return
        now = time.monotonic()
        self._empty_since = self._empty_since or now
        if now - self._empty_since > patience():
            raise no_workers_error(self._client, now - self._empty_since)


def falling_ranges(numbers: Sequence[int], n_slots: int, n_threads: int) -> list[range]:
    """Divide numbers of trees, ascending, into ranges, which become smaller towards the end.

    So a worker that is slow, or begins late, grows fewer trees, and all end at about the same time.
    """
    ranges, at = [], 0
    while at < len(numbers):
        n_each = (len(numbers) - at) // (_RANGES * n_slots * n_threads)
        end = min(at + n_threads * max(1, n_each), len(numbers))
        while numbers[end - 1] - numbers[at] >= end - at:  # some between were grown before
            end -= 1
        ranges.append(range(numbers[at], numbers[end - 1] + 1))
        at = end
    return ranges


def _separate(X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """Return features, labels and weights, where columns of a collection are named instead."""
    if not is_collection(X):
        return X, y, sample_weight
    named = [name for name in (y, sample_weight) if isinstance(name, str)]
    if not named:
        return (X if is_frame(X) else X.rechunk({1: -1})), y, sample_weight
    if not is_frame(X) or any(name not in X.columns for name in named):
        raise ValueError(
            f"y={y!r} and sample_weight={sample_weight!r} must be columns of X, or collections; "
            f"the columns of X are {list(X.columns) if is_frame(X) else 'not named'}."
        )
    y, sample_weight = (X[v] if isinstance(v, str) else v for v in (y, sample_weight))
    return X.drop(columns=named), y, sample_weight
