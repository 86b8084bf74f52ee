"""A forest spread tree by tree: every worker holds the whole table."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.dask._actor_pool import wait_pinned
from rarewood.dask._calls import ActorName, LostActorError
from rarewood.dask._cluster import allowed_failures
from rarewood.dask._report import FitReport
from rarewood.dask._training_data import ClusterData
from rarewood.dask._tree_tasks import Facts, Replica, load_table
from rarewood.dask._whole import WholeTable
from rarewood.model._fitted_tree import tree_from_state
from rarewood.model._growth import Growth
from rarewood.model._training_data import Grown
from rarewood.table._exact_sum import ExactTotals

__all__ = ["ReplicatedData"]

_SHARES = 4  # how often a worker comes for trees, so that quick ones take more


class ReplicatedData(ClusterData):
    """A training table of which every worker has a copy.

    Parameters
    ----------
    client : Lease
        The client.
    forest : RareForestClassifier
        Its parameters say how the table is encoded.
    table : WholeTable
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
        forest: Any,
        table: WholeTable,
        class_weight: Any,
        schema: Any,
        report: FitReport,
        n_threads: int | None,
    ) -> None:
        self._forest = forest
        self._table = table
        self._given = (class_weight, schema)
        super().__init__(client, Replica, report, n_threads)

    def _prepare(self) -> None:
        """Let every member load the table."""
        self._loaded: set[ActorName] = set()
        self._n_wanted = len(self._fleet.members)
        with self.report.stage("loading"):
            self._load()
        self._facts: Facts = self._call("facts")
        self.schema, self.classes = self._facts.schema, self._facts.classes
        self.rows = self._facts.rows
        self.report.n_rows = self.n_rows

    @property
    def class_counts(self) -> NDArray[np.int64]:
        return self._facts.class_counts

    def class_totals(self) -> ExactTotals:
        return self._facts.totals

    @cached_property
    def _class_numbers(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        found: tuple[NDArray[np.int32], NDArray[np.int32]] = self._call("class_numbers")
        return found

    @property
    def y(self) -> NDArray[np.int32]:  # type: ignore[override]
        return self._class_numbers[0]

    @property
    def y_given(self) -> NDArray[np.int32]:  # type: ignore[override]
        return self._class_numbers[1]

    def grow(
        self, growth: Growth, n_threads: int, progress: Callable[[int], object] | None = None
    ) -> Grown:
        trees: dict[int, _core.Tree] = {}
        waiting = deque(self._shares(growth))
        with self.report.stage("growing"):
            while waiting:
                self._client.sync(self._spread, growth, waiting, trees, progress)
                if waiting:
                    self._repair()
        return Grown([trees[number] for number in range(len(growth))], self._facts.has_missing)

    def out_of_bag(self, view: Any, n_threads: int) -> NDArray[np.float64]:
        with self.report.stage("scoring"):
            found: NDArray[np.float64] = self._call("out_of_bag", view, self._threads())
        return found

    def _shares(self, growth: Growth) -> list[tuple[int, int]]:
        """Return ranges of trees: whole rounds of a worker's threads, and several for each."""
        n_threads = self._threads()
        n_rounds = len(growth) / (n_threads * len(self._fleet.members))
        size = n_threads * max(1, int(n_rounds / _SHARES))
        return [(begin, min(begin + size, len(growth))) for begin in range(0, len(growth), size)]

    def _threads(self) -> int:
        return min(self._fleet.threads(member) for member in self._fleet.members)

    async def _spread(
        self,
        growth: Growth,
        waiting: deque[tuple[int, int]],
        trees: dict[int, _core.Tree],
        progress: Callable[[int], object] | None,
    ) -> None:
        """Let the members grow what is waiting, until nothing is left or one of them is lost.

        What a lost member has begun waits again.
        """
        is_whole = True

        async def work(member: ActorName) -> None:
            nonlocal is_whole
            while waiting and is_whole:
                begin, end = waiting.popleft()
                args = (growth.part(begin, end), self._fleet.threads(member))
                try:
                    states = await self._fleet.ask(member, "grow", *args)
                except LostActorError:
                    waiting.append((begin, end))
                    is_whole = False
                    return
                for number, state in enumerate(states, begin):
                    trees[number] = tree_from_state(state)
                    self.report.bytes_answered += sum(
                        value.nbytes for value in state.values() if isinstance(value, np.ndarray)
                    )
                self.report.n_rounds += 1
                if progress is not None:
                    progress(len(trees))

        tasks = [asyncio.ensure_future(work(member)) for member in self._fleet.members]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    def _call(self, method: str, *args: Any) -> Any:
        """Ask one member that is there."""
        while True:
            try:
                return self._fleet.call(self._fleet.members[0], method, *args)
            except LostActorError:
                self._repair()

    def _repair(self) -> None:
        """Replace the members that were lost."""
        with self.report.stage("repairing"):
            self._replace_lost()
            self._load()

    def _load(self) -> None:
        """Give the table to every member that has none; those that are lost meanwhile leave."""
        n_left = allowed_failures()
        while missing := [m for m in self._fleet.members if m not in self._loaded]:
            try:
                pinned = {self._submit(member): member.address for member in missing}
                gone = wait_pinned(self._client, pinned, self._fleet.is_lost)
            except CancelledError:  # the worker that had the table was lost
                if not n_left:
                    raise
                n_left -= 1
                self._table.release()
                self._replace_lost()
                continue
            self._table.release()
            lost = {pinned[future] for future in gone}
            self._loaded |= {member for member in missing if member.address not in lost}
            for member in missing:
                if member.address in lost:
                    self._fleet.suspect(member)
            self._replace_lost()

    def _replace_lost(self) -> None:
        if self._fleet.drop_lost():
            self._fleet.fill_up(self._n_wanted)

    def _submit(self, member: ActorName) -> Any:
        X, y, sample_weight = self._table.at(member.address)
        class_weight, schema = self._given
        return self._client.submit(
            load_table,
            self._fit,
            self._forest,
            X,
            y,
            (sample_weight, class_weight),
            schema,
            self._fleet.threads(member),
            workers=[member.address],
        )
