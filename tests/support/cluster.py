"""Tables cut into shards, and trees that a coordinator grows on them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from oracle.cases import Case
from oracle.problem import Limits, Problem
from oracle.row_sampling import Draw
from rarewood import _core
from rarewood.table._coded_table import CodedTable
from support.grown import criterion, encode, options_of, row_sampling

MISSING = 255
MOST_BINS = 255  # categories that codes can tell


class Coded:
    """A table as codes, and the pieces of it that shards have."""

    def __init__(self, problem: Problem, max_bins: int) -> None:
        self.problem = problem
        self.max_bins = max_bins
        self.whole = encode(problem, max_bins)
        every = range(problem.n_features)
        self.codes = np.stack([self.whole.codes(f) for f in every])
        self.n_categories = np.asarray(problem.n_categories, dtype=np.int64)
        self.edges = [self.whole.edges(f) for f in every]
        self.has_missing = np.isnan(problem.X).any(axis=0)
        self.totals = np.bincount(problem.y, minlength=problem.n_classes).astype(np.int64)

    def columns(self, rows: slice) -> _core.Columns:
        wide = {
            int(f): np.nan_to_num(self.problem.X[rows, f], nan=-1).astype(np.int32)
            for f in np.flatnonzero(self.n_categories > MOST_BINS)
        }
        return _core.Columns.from_codes(
            np.ascontiguousarray(self.codes[:, rows]),
            self.edges,
            self.n_categories,
            self.has_missing,
            self.max_bins,
            wide,
        )

    def shard(self, begin: int, end: int) -> _core.Shard:
        problem, rows = self.problem, slice(begin, end)
        before = np.bincount(problem.y[:begin], minlength=problem.n_classes).astype(np.int64)
        return _core.Shard(
            self.columns(rows),
            np.ascontiguousarray(problem.y[rows]),
            problem.n_classes,
            None if problem.weights is None else np.ascontiguousarray(problem.weights[rows]),
            first_row=begin,
            class_totals=self.totals,
            class_firsts=before,
        )

    def shards(self, cuts: Sequence[int]) -> list[_core.Shard]:
        ends = [0, *sorted(cuts), self.problem.n_rows]
        return [self.shard(begin, end) for begin, end in pairwise(ends)]

    def coordinator(
        self,
        cases: Case | list[Case],
        n_trees: int = 1,
        draw: Draw | None = None,
        limits: Limits | None = None,
        cluster: dict[str, Any] | None = None,
        **options: Any,
    ) -> _core.Coordinator:
        of_forest = {
            name: options.pop(name)
            for name in ("first_tree", "balance_weights", "pruning")
            if name in options
        }
        weights = self.problem.weights
        return _core.Coordinator(
            self.columns(slice(0, 0)),
            self.totals,
            [criterion(case) for case in (cases if isinstance(cases, list) else [cases])],
            options_of(self.problem, limits, **options),
            row_sampling(draw or Draw(), self.problem.y, self.problem.n_classes),
            n_trees=n_trees,
            weight_sizes=None if weights is None else _core.weight_sizes(weights),
            **of_forest,
            **(cluster or {}),
        )


class RowCoded(Coded):
    """A table as codes by row with coordinates, for hyperplanes."""

    def __init__(self, problem: Problem, max_bins: int) -> None:
        self.problem = problem
        kinds = np.asarray(problem.n_categories, dtype=np.int64)
        self.totals = np.bincount(problem.y, minlength=problem.n_classes).astype(np.int64)
        statistics = _core.BinStatistics(
            problem.n_rows, kinds, max_bins, problem.X.dtype == np.float32, self.totals
        )
        statistics.add(0, problem.X, 1, problem.y, np.zeros_like(self.totals))
        self.table = CodedTable.of(problem.X, statistics.finish())
        self.whole = self.table.columns(1)

    def columns(self, rows: slice) -> _core.Columns:
        return self.table.take(rows).columns(1)


def combine(responses: list[bytes], rng: np.random.Generator) -> bytes:
    """Two of them after the other, until there is one."""
    responses = list(responses)
    while len(responses) > 1:
        i, j = rng.choice(len(responses), 2, replace=False)
        together = _core.combine_responses(responses[i], responses[j])
        responses = [a for k, a in enumerate(responses) if k not in (i, j)] + [together]
    return responses[0]


def coordinate(
    coordinator: _core.Coordinator, shards: list[_core.Shard], seed: int = 0
) -> list[Any]:
    """All rounds, with responses in any order."""
    rng = np.random.default_rng(seed)
    while (request := coordinator.request()) is not None:
        coordinator.receive(combine([shard.respond(request) for shard in shards], rng))
    return coordinator.trees()
