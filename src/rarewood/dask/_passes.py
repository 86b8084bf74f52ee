"""The passes over a table before it is coded: labels, weights, categories and edges.

They are ordinary tasks of Dask, one for each run, so that Dask itself repeats what a lost worker
has done. What the client needs of them is small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.dask._partitions import partition_rows
from rarewood.dask._source import Source
from rarewood.stream import (
    Layout,
    Plan,
    Settled,
    TableSurvey,
    Targets,
    TargetSummary,
    make_layout,
    read_targets,
    survey_rows,
)
from rarewood.table._checks import check_any_weight
from rarewood.table._exact_sum import ExactTotals, exact_totals
from rarewood.table._schema import Schema

__all__ = ["Passes", "RunFacts"]

OnRows = Callable[[int], object]


@dataclass(frozen=True, eq=False)
class RunFacts:
    """What the client must know of the labels and weights of a run.

    Parameters
    ----------
    class_counts : ndarray of int64
        Rows of each class that weigh anything.
    is_plain : bool
        Whether all of them weigh one.
    is_whole : bool
        Whether all rows weigh anything.
    totals : ExactTotals
        What the rows of each class weigh.
    weight_sizes : ndarray of int64 or None
        How many weights there are of each size; None without weights.
    """

    class_counts: NDArray[np.int64]
    is_plain: bool
    is_whole: bool
    totals: ExactTotals
    weight_sizes: NDArray[np.int64] | None

    @property
    def n_kept(self) -> int:
        """Rows that weigh anything."""
        return int(self.class_counts.sum())


def plain_facts(summary: TargetSummary, classes: NDArray[Any]) -> RunFacts:
    """Return what :func:`tell` tells of a run, where neither rows nor classes have weights."""
    places, n_classes = np.searchsorted(classes, summary.classes), len(classes)
    counts = np.zeros(n_classes, dtype=np.int64)
    counts[places] = summary.counts
    totals = summary.totals.renumbered(places.tolist(), n_classes)
    return RunFacts(counts, is_plain=True, is_whole=True, totals=totals, weight_sizes=None)


def read(rows: Any, layout: Layout, first_row: int) -> Targets:
    """Return the labels and weights of a run."""
    return read_targets(partition_rows(rows), layout, first_row)


def summarize(targets: Targets) -> TargetSummary:
    """Return what the other runs must know of the labels of a run."""
    return targets.summary()


def settle(targets: Targets, classes: NDArray[Any], factors: NDArray[Any] | None) -> Settled:
    """Return class numbers and weights of a run."""
    return targets.settle(classes, factors)


def tell(settled: Settled, n_classes: int) -> RunFacts:
    """Return what the client must know of a run."""
    weights = settled.weights
    return RunFacts(
        settled.class_counts(n_classes),
        settled.is_plain,
        settled.rows is None,
        exact_totals(weights, settled.y, n_classes),
        None if weights is None else _core.weight_sizes(weights),
    )


def survey(
    rows: Any, layout: Layout, settled: Settled, first_kept: int, n_kept: int, how: tuple[int, int]
) -> TableSurvey:
    """Return what was found in the features of a run; ``how`` are most bins, and threads."""
    max_bins, n_threads = how
    return survey_rows(
        partition_rows(rows),
        layout,
        settled.kept,
        first_kept,
        n_kept,
        max_bins,
        n_threads=n_threads,
    )


class Passes:
    """The passes over the runs of a table.

    Parameters
    ----------
    client : Lease
        The client.
    source : Source
        The table.
    workers : list of str
        Addresses of the workers that are to hold the runs.
    """

    def __init__(self, client: Any, source: Source, workers: list[str]) -> None:
        self._client = client
        self._source = source
        self._outline = source.divide(workers)
        self.run_rows = self._outline.run_rows
        self.homes = list(self._outline.homes)
        self._rows: list[Any] = [source.rows(run, home) for run, home in enumerate(self.homes)]
        self._settled: dict[int, Any] = {}

    def read_targets(
        self,
        categorical_features: Any,
        class_weight: Any,
        fitted: Schema | None,
        on_rows: OnRows | None = None,
    ) -> None:
        """Read labels and weights, and decide what classes and weights there are.

        Parameters
        ----------
        categorical_features, class_weight : object
            As in ``RareTreeClassifier``.
        fitted : Schema or None
            The columns of a forest to which trees are added.
        on_rows : callable, default=None
            Called with the number of rows whose labels were read so far.
        """
        source, outline = self._source, self._outline
        self.layout = make_layout(
            outline.schema, source.y, source.weight, categorical_features,
            columns=source.columns, orders=outline.orders, has_names=source.has_names,
            fitted=fitted,
        )  # fmt: skip
        self._first_rows = list(accumulate(self.run_rows, initial=0))
        targets = [self._read(run) for run in range(len(self._rows))]
        found = dict(self._completed(self._client.map(summarize, targets), on_rows))
        summaries = [found[run] for run in range(len(targets))]
        summary = reduce(TargetSummary.merge, summaries)
        if not summary.n_rows:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
        self.classes = summary.classes
        self._factors = summary.class_weights(class_weight)
        self._settled = dict(enumerate(map(self._settle, range(len(targets)), targets)))
        self.facts = self._find_facts(summaries)
        check_any_weight(any(fact.n_kept for fact in self.facts))

    def _find_facts(self, summaries: list[TargetSummary]) -> list[RunFacts]:
        """Ask for what must be known of the runs, or find it here, which saves a round."""
        if self._source.weight is None and self._factors is None:
            return [plain_facts(summary, self.classes) for summary in summaries]
        told = self._client.map(tell, list(self._settled.values()), n_classes=len(self.classes))
        found: list[RunFacts] = self._client.gather(told)
        return found

    @property
    def class_counts(self) -> NDArray[np.int64]:
        """Rows of each run and class that weigh anything."""
        return np.array([fact.class_counts for fact in self.facts], dtype=np.int64)

    @property
    def is_weighted(self) -> bool:
        """Whether not all rows weigh one."""
        return not all(fact.is_plain for fact in self.facts)

    def make_plan(self, max_bins: int, n_threads: int, on_rows: OnRows | None = None) -> Plan:
        """Look at all features, and decide how they are coded."""
        firsts = accumulate((fact.n_kept for fact in self.facts), initial=0)
        n_kept = sum(fact.n_kept for fact in self.facts)
        tasks = [
            self._submit(
                run, survey, rows, self.layout, self._settled[run], first, n_kept,
                (max_bins, n_threads),
            )
            for run, (rows, first) in enumerate(zip(self._rows, firsts, strict=False))
        ]  # fmt: skip
        total = TableSurvey(self.layout, n_kept, max_bins)
        for _, found in self._completed(tasks, on_rows):
            total.merge(found)
        return total.finish(self.classes)

    def _completed(self, tasks: list[Any], on_rows: OnRows | None) -> Iterator[tuple[int, Any]]:
        """Yield the results of a task of every run, as they come, with the number of the run."""
        run_of = {task: run for run, task in enumerate(tasks)}
        n_done = 0
        for task, found in self._client.completed(tasks):
            yield run_of[task], found
            n_done += self.run_rows[run_of[task]]
            if on_rows is not None:
                on_rows(n_done)

    def run(self, run: int, home: str) -> tuple[Any, Any]:
        """Return the rows of a run and their targets, made again where they are lost."""
        if self.homes[run] != home or run not in self._settled:
            self.homes[run] = home
            self._rows[run] = self._source.rows(run, home)
            self._settled[run] = self._settle(run, self._read(run))
        return self._rows[run], self._settled[run]

    def release(self) -> None:
        """Let go of what the cluster holds of the runs."""
        self._settled = {}
        self._rows = [None] * len(self.homes)
        self._source.release()

    def _read(self, run: int) -> Any:
        return self._submit(run, read, self._rows[run], self.layout, self._first_rows[run])

    def _settle(self, run: int, targets: Any) -> Any:
        return self._submit(run, settle, targets, self.classes, self._factors)

    def _submit(self, run: int, work: Callable[..., Any], *args: Any) -> Any:
        """Submit a task to the home of a run, or to another worker if it is gone."""
        here = {"workers": [self.homes[run]], "allow_other_workers": True}
        return self._client.submit(work, *args, **here)
