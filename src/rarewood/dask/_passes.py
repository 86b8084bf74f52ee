"""Passes over a table before it is encoded: labels, weights, categories and bin edges.

They are ordinary Dask tasks, one per shard, so Dask itself repeats those of a lost worker. Only
small summaries reach the client.
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
from rarewood.dask._scoped_client import ScopedClient
from rarewood.dask._source import Source
from rarewood.stream._bin_statistics import BinStatistics, PartClasses, collect_bin_statistics
from rarewood.stream._encoding import Encoding
from rarewood.table._checks import check_any_weight
from rarewood.table._column_roles import ColumnRoles, assign_roles
from rarewood.table._exact_sum import ExactTotals, exact_totals
from rarewood.table._schema import Schema
from rarewood.table._targets import RawTargets, Targets, TargetSummary, read_targets

OnRows = Callable[[int], object]


@dataclass(frozen=True, eq=False)
class ShardSummary:
    """Summary of the labels and weights of a shard."""

    class_counts: NDArray[np.int64]  # rows of each class with nonzero weight
    is_plain: bool  # whether all of them have weight one
    is_whole: bool  # whether all rows have nonzero weight
    totals: ExactTotals  # total weight of each class
    weight_sizes: NDArray[np.int64] | None  # number of weights of each size, if there are weights

    @property
    def n_kept(self) -> int:
        """Number of rows with nonzero weight."""
        return int(self.class_counts.sum())


def unweighted_summary(summary: TargetSummary, classes: NDArray[Any]) -> ShardSummary:
    """Return the result of :func:`summarize_weighted` for a shard without any weights."""
    places, n_classes = np.searchsorted(classes, summary.classes), len(classes)
    counts = np.zeros(n_classes, dtype=np.int64)
    counts[places] = summary.counts
    totals = summary.totals.renumbered(places.tolist(), n_classes)
    return ShardSummary(counts, is_plain=True, is_whole=True, totals=totals, weight_sizes=None)


def summarize_weighted(targets: Targets) -> ShardSummary:
    """Return the summary of a shard with weights."""
    weights = targets.weights
    return ShardSummary(
        targets.class_counts,
        targets.is_plain,
        targets.rows is None,
        exact_totals(weights, targets.y, len(targets.classes)),
        None if weights is None else _core.weight_sizes(weights),
    )


def read_shard_targets(rows: Any, *args: Any) -> RawTargets:
    """Read the labels and weights of a shard."""
    return read_targets(partition_rows(rows), *args)


def collect_statistics(
    rows: Any,
    targets: Targets,
    roles: ColumnRoles,
    max_bins: int,
    n_threads: int,
    class_totals: NDArray[np.int64],
    n_before: NDArray[np.int64],
    has_coordinates: bool,
) -> BinStatistics:
    """Return the bin statistics of the features of a shard.

    ``class_totals`` are the rows of each class in the table, and ``n_before`` those before the
    shard, all of nonzero weight.
    """
    classes = PartClasses(targets.y, class_totals, n_before) if has_coordinates else None
    return collect_bin_statistics(
        partition_rows(rows), roles, targets.kept, int(n_before.sum()), int(class_totals.sum()),
        max_bins, n_threads, classes=classes,
    )  # fmt: skip


class Passes:
    """Passes over the shards of a table, for workers at some addresses."""

    def __init__(self, client: ScopedClient, source: Source, workers: list[str]) -> None:
        self._client = client
        self._source = source
        source.divide(workers)
        self.shard_rows, self.homes = source.shard_rows, list(source.homes)
        self._rows: list[Any] = [source.rows(n, home) for n, home in enumerate(self.homes)]
        self._targets: dict[int, Any] = {}

    def read_targets(
        self,
        categorical_features: Any,
        class_weight: Any,
        fitted: Schema | None,
        on_rows: OnRows | None = None,
    ) -> None:
        """Read labels and weights, and determine the classes and their weights.

        ``fitted`` are the columns of a forest to which trees are added, if any. ``on_rows`` is
        called with the number of rows read so far.
        """
        source, self._fitted = self._source, fitted
        self._roles = assign_roles(
            source.schema, source.y, source.weight, categorical_features,
            columns=source.columns, has_names=source.has_names,
            fitted=fitted,
        )  # fmt: skip
        self.first_rows = list(accumulate(self.shard_rows, initial=0))
        raw = [self._read(number) for number in range(len(self._rows))]
        found = dict(self._completed(self._client.map(RawTargets.summary, raw), on_rows))
        labels = [found[number] for number in range(len(raw))]
        summary = reduce(TargetSummary.merge, labels)
        if not sum(summary.counts):
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
        self.classes = summary.classes
        self._class_weights = summary.class_weights(class_weight)
        self._targets = {number: self._encode(number, one) for number, one in enumerate(raw)}
        self.summaries = self._summarize(labels)
        check_any_weight(any(one.n_kept for one in self.summaries))

    def _summarize(self, labels: list[TargetSummary]) -> list[ShardSummary]:
        """Return the summaries of all shards; without weights no further task is needed."""
        if self._source.weight is None and self._class_weights is None:
            return [unweighted_summary(one, self.classes) for one in labels]
        tasks = self._client.map(summarize_weighted, list(self._targets.values()))
        found: list[ShardSummary] = self._client.gather(tasks)
        return found

    @property
    def class_counts(self) -> NDArray[np.int64]:
        """Rows of each shard and class with nonzero weight."""
        return np.array([one.class_counts for one in self.summaries], dtype=np.int64)

    @property
    def is_weighted(self) -> bool:
        """Whether any row has a weight other than one."""
        return not all(one.is_plain for one in self.summaries)

    @property
    def is_whole(self) -> bool:
        """Whether all rows have nonzero weight."""
        return all(one.is_whole for one in self.summaries)

    @property
    def n_kept(self) -> int:
        """Number of rows with nonzero weight."""
        return sum(one.n_kept for one in self.summaries)

    def choose_encoding(
        self,
        max_bins: int,
        n_threads: int,
        on_rows: OnRows | None = None,
        has_coordinates: bool = False,
    ) -> Encoding:
        """Collect bin statistics of all features, and choose their encoding.

        With ``has_coordinates`` it is for oblique splits, and has the bins of the fitted schema.
        """
        if has_coordinates and self._fitted is not None and self._fitted.bins is not None:
            return Encoding(self._roles, self._fitted, self._fitted.bins)
        counts = self.class_counts
        totals, before = counts.sum(axis=0), counts.cumsum(axis=0) - counts
        tasks = [
            self._submit(
                number, collect_statistics, rows, self._targets[number], self._roles, max_bins,
                n_threads, totals, before[number], has_coordinates,
            )
            for number, rows in enumerate(self._rows)
        ]  # fmt: skip
        total = BinStatistics(
            self._roles, self.n_kept, max_bins, totals if has_coordinates else None
        )
        for _, found in self._completed(tasks, on_rows):
            total.merge(found)
        return total.finish()

    @property
    def targets(self) -> list[Any]:
        """Futures of the targets of all shards."""
        return [self._targets[number] for number in range(len(self._rows))]

    def submit_all(self, work: Callable[..., Any], *args: Any) -> list[Any]:
        """Submit a function of the rows and the targets of every shard."""
        shards = enumerate(zip(self._rows, self.targets, strict=True))
        return [self._submit(number, work, *shard, *args) for number, shard in shards]

    def gather_all(self, work: Callable[..., Any], *args: Any) -> list[Any]:
        """Return the results of a function of the rows and the targets of every shard."""
        found: list[Any] = self._client.gather(self.submit_all(work, *args))
        return found

    def _completed(self, tasks: list[Any], on_rows: OnRows | None) -> Iterator[tuple[int, Any]]:
        """Yield shard numbers with the results of their tasks, in the order of completion."""
        number_of = {task: number for number, task in enumerate(tasks)}
        n_done = 0
        for task, found in self._client.completed(tasks):
            yield number_of[task], found
            n_done += self.shard_rows[number_of[task]]
            if on_rows is not None:
                on_rows(n_done)

    def shard(self, number: int, home: str) -> tuple[Any, Any]:
        """Return the rows of a shard and their targets, read again if they are lost."""
        if self.homes[number] != home or number not in self._targets:
            self.homes[number] = home
            self._rows[number] = self._source.rows(number, home)
            self._targets[number] = self._encode(number, self._read(number))
        return self._rows[number], self._targets[number]

    def release(self) -> None:
        """Release the rows and targets that the cluster holds."""
        self._targets = {}
        self._rows = [None] * len(self.homes)
        self._source.release()

    def _read(self, number: int) -> Any:
        rows, first_row = self._rows[number], self.first_rows[number]
        return self._submit(number, read_shard_targets, rows, self._roles, first_row)

    def _encode(self, number: int, raw: Any) -> Any:
        return self._submit(
            number, RawTargets.targets_of_part, raw, self.classes, self._class_weights
        )

    def _submit(self, number: int, work: Callable[..., Any], *args: Any) -> Any:
        """Submit a task to the home of a shard, or to another worker if it is lost."""
        here = {"workers": [self.homes[number]], "allow_other_workers": True}
        return self._client.submit(work, *args, **here)
