"""Strategy "rows": workers hold encoded rows, and the client chooses splits from histograms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, NoReturn
from uuid import uuid4

import joblib
import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood._progress import progress_if
from rarewood.dask._actor_pool import ActorPool, AllLostError
from rarewood.dask._cluster import allowed_failures
from rarewood.dask._passes import Passes
from rarewood.dask._pilot_tasks import pilot_sample, run_on_workers
from rarewood.dask._report import FitReport
from rarewood.dask._scoped_client import ScopedClient
from rarewood.dask._shard_map import ShardMap
from rarewood.dask._source import Source
from rarewood.model._growth import Growth
from rarewood.model._parameters import coded_bins, is_piloted
from rarewood.model._pilot_sample import PilotSample
from rarewood.model._training_data import Grown, Result, TrainingData
from rarewood.table._exact_sum import ExactTotals
from rarewood.table._schema import Schema


def refuse_out_of_bag() -> NoReturn:
    """Raise: the values of the features are on no worker."""
    raise ValueError(
        "Out-of-bag scores need the values of the features, and strategy='rows' keeps only their "
        "bins. Set oob_score=False, or strategy='trees' if the table fits into the memory of every "
        "worker."
    )


class ShardedData(TrainingData):
    """A training table whose encoded rows are on the workers of a cluster.

    The parameters of ``estimator`` determine the encoding. ``schema`` are the columns of a
    forest to which trees are added.
    """

    def __init__(
        self,
        client: ScopedClient,
        estimator: Any,
        source: Source,
        class_weight: Any,
        schema: Schema | None,
        n_threads: int | None,
    ) -> None:
        self.report = FitReport("rows")
        self._client = client
        self._estimator = estimator
        self._source = source
        self._class_weight = class_weight
        self._fitted = schema
        self._fit = uuid4().hex
        self._pool = ActorPool(client, self._fit, self.report, n_threads)
        client.watch = self._pool.check_any
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        """Load the table, from the beginning if all workers are lost before that is done."""
        for n_left in reversed(range(allowed_failures() + 1)):
            try:
                with self.report.stage("starting"):
                    self._pool.start()
                return self._load()
            except AllLostError:
                if not n_left:
                    raise RuntimeError(
                        f"All workers of the Dask cluster were lost {allowed_failures() + 1} times "
                        "while the table was read. Check their logs; a common reason is too "
                        "little memory."
                    ) from None
                self.report.n_lost += len(self._pool.actors)
                self.close()  # tasks of the same keys would wait for those workers

    def _load(self) -> None:
        """Read the table twice: once to choose its encoding, once to encode it."""
        report, estimator = self.report, self._estimator
        actors = self._pool.actors
        with report.stage("reading labels"):
            by_address = {actor.address: actor for actor in actors}
            passes = self._passes = Passes(self._client, self._source, list(by_address))
            with self._progress("labels read") as on_rows:
                passes.read_targets(
                    estimator.categorical_features, self._class_weight, self._fitted, on_rows
                )
        n_threads = min(self._pool.threads(actor) for actor in actors)
        with report.stage("bin statistics"), self._progress("rows read for bins") as on_rows:
            encoding = self._encoding = passes.choose_encoding(
                self._max_bins(), n_threads, on_rows, estimator.splitter == "oblique"
            )
        self.schema, self.classes = encoding.schema, passes.classes
        self.y = self.y_given = np.empty(0, dtype=np.int32)
        self.rows = None if passes.is_whole else np.empty(0, dtype=np.intp)
        if is_piloted(estimator) and self._fitted is None:
            with report.stage("pilot sample"):
                self._sample = pilot_sample(passes, encoding, n_threads)
        homes = [by_address[address] for address in passes.homes]
        report.n_rows, report.n_shards = self.n_rows, len(homes)
        self._shards = ShardMap(self._fit, self._pool, passes, encoding, homes, report)
        with report.stage("encoding"), self._progress("rows encoded") as on_rows:
            self._shards.load_all(on_rows)

    def _max_bins(self) -> int:
        """Return the number of bins; raises if oblique splits would compare raw values."""
        estimator, n_kept = self._estimator, self._passes.n_kept
        if estimator.splitter != "oblique":
            return int(estimator.max_bins)
        max_bins = coded_bins(estimator, n_kept, self._fitted)
        if max_bins is None:
            raise ValueError(
                f"A table of {n_kept} samples is too small to be encoded with max_bins='auto', or "
                "trees are added to a forest that compares raw values, and where rows are "
                "distributed workers keep only bin codes. Set max_bins=255, or fit a forest with "
                "strategy='trees'."
            )
        return max_bins

    def _progress(self, done: str) -> Any:
        is_shown = getattr(self._estimator, "verbose", 0)
        return progress_if(is_shown, sum(self._passes.shard_rows), done)

    @property
    def class_counts(self) -> NDArray[np.int64]:
        counts: NDArray[np.int64] = self._passes.class_counts.sum(axis=0)
        return counts

    @property
    def n_given(self) -> int:
        return sum(self._passes.shard_rows)

    def pilot_sample(self, n_threads: int) -> PilotSample:
        return self._sample

    def class_totals(self) -> ExactTotals:
        return reduce(ExactTotals.merge, (summary.totals for summary in self._passes.summaries))

    def out_of_bag(self, forest: Any, n_threads: int) -> NoReturn:
        refuse_out_of_bag()

    def run_all(self, works: Sequence[Callable[[int], Result]], n_threads: int) -> list[Result]:
        with self.report.stage("pilot"):
            return run_on_workers(self._client, works, self._pool.n_threads)

    def grow(
        self, growth: Growth, n_threads: int, progress: Callable[[int], object] | None = None
    ) -> Grown:
        coordinator = self._shards.coordinator = self._make_coordinator(growth)
        n_threads = self._pool.n_threads or int(joblib.cpu_count())
        with self.report.stage("growing"):
            while (request := coordinator.request()) is not None:
                coordinator.receive(self._shards.send(request), n_threads)
                if progress is not None:
                    progress(coordinator.n_done)
        return Grown(coordinator.trees(), bool(self._encoding.bins.has_missing.any()))

    def _make_coordinator(self, growth: Growth) -> _core.Coordinator:
        encoding = self._encoding
        sizes = None
        if self._passes.is_weighted:
            found = [summary.weight_sizes for summary in self._passes.summaries]
            sizes = np.sum([one for one in found if one is not None], axis=0)
        return _core.Coordinator(
            encoding.no_rows(),
            self.class_counts,
            **growth.core_arguments(),
            weight_sizes=sizes,
        )

    def close(self) -> None:
        self._pool.stop()
        self._client.release()
