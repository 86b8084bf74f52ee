"""A table spread over the workers, row by row: each holds codes, and the client sees no row."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, NoReturn

import joblib
import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood._progress import Progress
from rarewood.dask._passes import Passes
from rarewood.dask._report import FitReport
from rarewood.dask._shard_actor import Holder
from rarewood.dask._shard_map import Holding
from rarewood.dask._source import Source
from rarewood.dask._training_data import ClusterData
from rarewood.model._growth import Growth
from rarewood.model._training_data import Grown
from rarewood.stream import Coded
from rarewood.table._exact_sum import ExactTotals
from rarewood.table._schema import Schema

__all__ = ["ShardedData"]


class ShardedData(ClusterData):
    """A training table whose rows are on the workers of a cluster, as codes.

    Parameters
    ----------
    client : Lease
        The client.
    estimator : RareTreeClassifier or RareForestClassifier
        Its parameters say how the table is coded.
    source : Source
        The table.
    class_weight : dict, "balanced" or None
        Weights of the classes.
    schema : Schema or None
        The columns of a forest to which trees are added.
    report : FitReport
        Where to count.
    n_threads : int or None
        Threads that each worker uses; by default as many as it has.
    """

    def __init__(
        self,
        client: Any,
        estimator: Any,
        source: Source,
        class_weight: Any,
        schema: Schema | None,
        report: FitReport,
        n_threads: int | None,
    ) -> None:
        self._estimator = estimator
        self._source = source
        self._class_weight = class_weight
        self._fitted = schema
        super().__init__(client, Holder, report, n_threads)

    def _prepare(self) -> None:
        """Read the table twice: once to decide how it is coded, once to code it."""
        report, estimator = self.report, self._estimator
        members = self._fleet.members
        with report.stage("reading labels"):
            by_address = {member.address: member for member in members}
            self._passes = Passes(self._client, self._source, list(by_address))
            with self._rows_done("labels read") as on_rows:
                self._passes.read_targets(
                    estimator.categorical_features, self._class_weight, self._fitted, on_rows
                )
        n_threads = min(self._fleet.threads(member) for member in members)
        with report.stage("surveying"), self._rows_done("rows looked at") as on_rows:
            plan = self._plan = self._passes.make_plan(estimator.max_bins, n_threads, on_rows)
        self.schema, self.classes = plan.schema, plan.classes
        self.y = self.y_given = np.empty(0, dtype=np.int32)
        is_whole = all(fact.is_whole for fact in self._passes.facts)
        self.rows = None if is_whole else np.empty(0, dtype=np.intp)
        homes = [by_address[home] for home in self._passes.homes]
        report.n_rows, report.n_runs = self.n_rows, len(homes)
        self._holding = Holding(self._fit, self._fleet, self._passes, plan, homes, report)
        with report.stage("coding"), self._rows_done("rows coded") as on_rows:
            self._holding.hold_all(on_rows)

    def _rows_done(self, done: str) -> Any:
        total = sum(self._passes.run_rows)
        is_shown = bool(getattr(self._estimator, "verbose", 0))
        return Progress(total, done) if is_shown else nullcontext()

    @property
    def class_counts(self) -> NDArray[np.int64]:
        totals: NDArray[np.int64] = self._passes.class_counts.sum(axis=0)
        return totals

    def class_totals(self) -> ExactTotals:
        first, *others = (fact.totals for fact in self._passes.facts)
        for totals in others:
            first = first.merge(totals)
        return first

    def out_of_bag(self, view: Any, n_threads: int) -> NoReturn:
        raise NotImplementedError("Rows on a cluster are not scored out of bag.")

    def grow(
        self, growth: Growth, n_threads: int, progress: Callable[[int], object] | None = None
    ) -> Grown:
        conductor = self._holding.conductor = self._make_conductor(growth)
        n_threads = self._fleet.n_threads or int(joblib.cpu_count())
        with self.report.stage("growing"):
            while (request := conductor.request()) is not None:
                conductor.receive(self._holding.ask(request), n_threads)
                if progress is not None:
                    progress(conductor.n_done)
        return Grown(conductor.trees(), bool(self._plan.has_missing.any()))

    def _make_conductor(self, growth: Growth) -> _core.Conductor:
        plan = self._plan
        no_codes = np.empty((plan.n_features, 0), dtype=np.uint8)
        no_rows = Coded(no_codes, {j: np.empty(0, dtype=np.int32) for j in plan.wide})
        sizes = None
        if self._passes.is_weighted:
            found = [fact.weight_sizes for fact in self._passes.facts]
            sizes = np.sum([one for one in found if one is not None], axis=0)
        return _core.Conductor(
            plan.columns(no_rows), self.class_counts, **growth.core_arguments(), weight_sizes=sizes
        )
