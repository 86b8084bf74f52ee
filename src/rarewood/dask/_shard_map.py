"""Which worker holds which rows; what is asked of all, and what is done when one is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.dask._actor_pool import Fleet, wait_pinned
from rarewood.dask._calls import ActorName, LostActorError, together
from rarewood.dask._cluster import allowed_failures
from rarewood.dask._passes import Passes
from rarewood.dask._report import FitReport
from rarewood.dask._shard_actor import Branch, Place, Reply, adopt_run, branches, combined
from rarewood.stream._encoding import Encoding

__all__ = ["Holding"]

OnRows = Callable[[int], object]


class Holding:
    """The runs of a table, coded and held by the members of a fleet.

    Parameters
    ----------
    fit : str
        The name of the fit.
    fleet : Fleet
        Holders.
    passes : Passes
        The runs, and what is known of their targets.
    plan : Encoding
        How they are coded.
    homes : list of ActorName
        Who is to hold each run.
    report : FitReport
        Where to count.
    """

    def __init__(
        self,
        fit: str,
        fleet: Fleet,
        passes: Passes,
        plan: Encoding,
        homes: list[ActorName],
        report: FitReport,
    ) -> None:
        self.report = report
        self.conductor: _core.Conductor | None = None
        self._fit = fit
        self._fleet = fleet
        self._passes = passes
        self._plan = plan
        self._homes = dict(enumerate(homes))
        self._n_wanted = len(fleet.members)
        self._losses: Counter[int] = Counter()

    def ask(self, request: bytes) -> bytes:
        """Return the answer of all runs to a request, whoever is lost meanwhile."""
        while True:
            asked = branches(sorted(set(self._homes.values())))
            try:
                replies: list[Reply] = self._fleet.client.sync(self._call_all, asked, request)
            except LostActorError:
                self._repair()
                continue
            report = self.report
            report.n_rounds += 1
            report.bytes_asked += sum(len(request) + reply.bytes_asked for reply in replies)
            report.bytes_answered += sum(
                len(reply.answer) + reply.bytes_answered for reply in replies
            )
            return combined([reply.answer for reply in replies])

    async def _call_all(self, asked: list[Branch], request: bytes) -> list[Reply]:
        fleet = self._fleet
        return await together(
            fleet.ask(head, "answer", request, below, fleet.n_threads, below=below)
            for head, below in asked
        )

    def _repair(self) -> None:
        """Let others hold what the lost members held."""
        lost = set(self._fleet.drop_lost())
        orphans = [run for run, home in self._homes.items() if home in lost]
        if orphans:
            with self.report.stage("repairing"):
                self._fleet.fill_up(self._n_wanted)
                self._count_losses(orphans)
                self._hold(orphans)

    def _count_losses(self, orphans: list[int]) -> None:
        """Give up where the same rows were lost too often."""
        self._losses.update(orphans)
        run, n_lost = self._losses.most_common(1)[0]
        if n_lost > allowed_failures():
            n_rows = self._passes.run_rows[run]
            raise RuntimeError(
                f"{n_lost} workers were lost one after the other while they held run {run} of the "
                f"table, with {n_rows} rows. They may lack memory: its codes take "
                f"{n_rows * self._plan.n_features / 2**20:.0f} MiB, and each tree that grows at "
                "the same time 4 bytes a row. Give the workers more, or use more of them."
            )

    def hold_all(self, on_rows: OnRows | None = None) -> None:
        """Let the members code and hold all runs."""
        self._hold(list(self._homes), on_rows)

    def _hold(self, runs: list[int], on_rows: OnRows | None = None) -> None:
        """Let members code and hold runs, until all are held by members that are there."""
        waiting, n_done = list(runs), 0
        while waiting:
            members = self._assign(waiting)
            pinned = {self._adopt(run, member): run for run, member in members.items()}
            addresses = {task: members[run].address for task, run in pinned.items()}

            def count(task: Any, pinned: dict[Any, int] = pinned) -> None:
                nonlocal n_done
                n_done += self._passes.run_rows[pinned[task]]
                if on_rows is not None:
                    on_rows(n_done)

            gone = wait_pinned(self._fleet.client, addresses, self._fleet.is_lost, count)
            waiting = [pinned[task] for task in gone]
            for run in waiting:
                self._fleet.suspect(members[run])
            waiting += self._catch_up({r: m for r, m in members.items() if r not in waiting})
            if waiting:
                lost = set(self._fleet.drop_lost())
                waiting += [r for r, home in self._homes.items() if home in lost]
                waiting = sorted(set(waiting))
                if not self._fleet.members:  # what was made for them is not made for others
                    self._passes.release()
                    self._fleet.client.release()
                self._fleet.fill_up(self._n_wanted)
                self._count_losses(waiting)
        self._passes.release()

    def _assign(self, runs: list[int]) -> dict[int, ActorName]:
        """Choose a member for each run: its home, or whoever holds the fewest rows."""
        members = self._fleet.members
        load = dict.fromkeys(members, 0)
        sizes = self._passes.run_rows
        for run, home in self._homes.items():
            if home in load:
                load[home] += sizes[run]
        for run in runs:
            if self._homes[run] not in load:
                self._homes[run] = min(members, key=lambda m: load[m] / self._fleet.threads(m))
                load[self._homes[run]] += sizes[run]
        return {run: self._homes[run] for run in runs}

    def _adopt(self, run: int, member: ActorName) -> Any:
        passes = self._passes
        rows, settled = passes.run(run, member.address)
        return self._fleet.client.submit(
            adopt_run, self._fit, run, rows, settled, self._plan, self._place(run),
            passes.is_weighted, self._fleet.threads(member), workers=[member.address],
        )  # fmt: skip

    def _place(self, run: int) -> Place:
        counts = self._passes.class_counts
        before: NDArray[np.int64] = counts[:run].sum(axis=0)
        return Place(int(before.sum()), counts.sum(axis=0), before, counts[run])

    def _catch_up(self, members: dict[int, ActorName]) -> list[int]:
        """Bring runs to where the growth is, and return those whose members were lost."""
        if self.conductor is None:
            return []
        recap, failed = self.conductor.recap(), []
        for member in sorted(set(members.values())):
            runs = [run for run, home in members.items() if home == member]
            try:
                self._fleet.call(member, "catch_up", runs, recap)
            except LostActorError:
                failed += runs
        return failed
