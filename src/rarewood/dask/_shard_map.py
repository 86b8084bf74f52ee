"""Which actor holds which shard; requests to all of them, and repairs when a worker is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from rarewood import _core
from rarewood.dask._actor_pool import ActorPool
from rarewood.dask._calls import ActorName, LostActorError, gather_all
from rarewood.dask._cluster import allowed_failures
from rarewood.dask._passes import Passes
from rarewood.dask._report import FitReport
from rarewood.dask._shard_actor import Branch, Reply, branches, combine, load_shard
from rarewood.stream._encoding import Encoding

OnRows = Callable[[int], object]


class ShardMap:
    """The shards of a table, encoded and held by the actors of a pool.

    ``homes`` are the actors that are to hold them.
    """

    def __init__(
        self,
        fit: str,
        pool: ActorPool,
        passes: Passes,
        encoding: Encoding,
        homes: list[ActorName],
        report: FitReport,
    ) -> None:
        self.coordinator: _core.Coordinator | None = None
        self._report = report
        self._fit = fit
        self._pool = pool
        self._passes = passes
        self._encoding = encoding
        self._homes = dict(enumerate(homes))
        self._n_wanted = len(pool.actors)
        self._losses: Counter[int] = Counter()

    def send(self, request: bytes) -> bytes:
        """Return the combined response of all shards to a request; lost shards are loaded again."""
        while True:
            called = branches(sorted(set(self._homes.values())))
            try:
                replies: list[Reply] = self._pool.client.sync(self._call_all, called, request)
            except LostActorError:
                self._repair()
                continue
            report = self._report
            report.n_rounds += 1
            report.request_bytes += sum(len(request) + reply.request_bytes for reply in replies)
            report.response_bytes += sum(
                len(reply.response) + reply.response_bytes for reply in replies
            )
            return combine([reply.response for reply in replies])

    async def _call_all(self, called: list[Branch], request: bytes) -> list[Reply]:
        pool = self._pool
        return await gather_all(
            pool.call(head, "respond", request, below, pool.n_threads, below=below)
            for head, below in called
        )

    def _repair(self) -> None:
        """Load the shards of lost actors again."""
        lost = set(self._pool.remove_lost())
        orphans = [number for number, home in self._homes.items() if home in lost]
        if orphans:
            with self._report.stage("repairing"):
                self._pool.refill(self._n_wanted)
                self._count_losses(orphans)
                self._load(orphans)

    def _count_losses(self, orphans: list[int]) -> None:
        """Raise if a shard was lost too often."""
        self._losses.update(orphans)
        number, n_lost = self._losses.most_common(1)[0]
        if n_lost > allowed_failures():
            n_rows = self._passes.shard_rows[number]
            codes = n_rows * self._encoding.schema.n_features / 2**20
            raise RuntimeError(
                f"{n_lost} workers in succession were lost while they held shard {number} of the "
                f"table, with {n_rows} rows. They may lack memory: its codes take {codes:.0f} MiB, "
                "and each growing tree takes 4 bytes per row. Give the workers more memory, or use "
                "more of them."
            )

    def load_all(self, on_rows: OnRows | None = None) -> None:
        """Encode all shards on the workers of their actors."""
        self._load(list(self._homes), on_rows)

    def _load(self, numbers: list[int], on_rows: OnRows | None = None) -> None:
        """Load shards until each is held by an actor that is present."""
        waiting, n_done = list(numbers), 0
        while waiting:
            homes = self._assign(waiting)
            tasks = {self._submit(number, home): number for number, home in homes.items()}

            def count(task: Any, tasks: dict[Any, int] = tasks) -> None:
                nonlocal n_done
                n_done += self._passes.shard_rows[tasks[task]]
                if on_rows is not None:
                    on_rows(n_done)

            actors = {task: homes[number] for task, number in tasks.items()}
            waiting = [tasks[task] for task in self._pool.wait_tasks(actors, count)]
            waiting += self._replay({n: home for n, home in homes.items() if n not in waiting})
            if waiting:
                lost = set(self._pool.remove_lost())
                waiting += [n for n, home in self._homes.items() if home in lost]
                waiting = sorted(set(waiting))
                if not self._pool.actors:  # Dask does not move their tasks to other workers
                    self._passes.release()
                    self._pool.client.release()
                self._pool.refill(self._n_wanted)
                self._count_losses(waiting)
        self._passes.release()

    def _assign(self, numbers: list[int]) -> dict[int, ActorName]:
        """Choose an actor for each shard: its home, or the one with the fewest rows per thread."""
        actors = self._pool.actors
        load = dict.fromkeys(actors, 0)
        sizes = self._passes.shard_rows
        for number, home in self._homes.items():
            if home in load:
                load[home] += sizes[number]
        for number in numbers:
            if self._homes[number] not in load:
                home = min(actors, key=lambda actor: load[actor] / self._pool.threads(actor))
                self._homes[number] = home
                load[home] += sizes[number]
        return {number: self._homes[number] for number in numbers}

    def _submit(self, number: int, home: ActorName) -> Any:
        passes = self._passes
        rows, targets = passes.shard(number, home.address)
        counts = passes.class_counts
        before = counts[:number].sum(axis=0)  # rows of each class before the shard
        offsets = {
            "first_row": int(before.sum()), "class_totals": counts.sum(axis=0),
            "class_firsts": before,
        }  # fmt: skip
        return self._pool.client.submit(
            load_shard, self._fit, number, rows, targets, self._encoding, counts[number], offsets,
            passes.is_weighted, self._pool.threads(home), workers=[home.address],
        )  # fmt: skip

    def _replay(self, homes: dict[int, ActorName]) -> list[int]:
        """Repeat the growth so far on new shards, and return those whose actors were lost."""
        if self.coordinator is None:
            return []
        request, failed = self.coordinator.replay(), []
        for actor in sorted(set(homes.values())):
            numbers = [number for number, home in homes.items() if home == actor]
            try:
                self._pool.client.sync(self._pool.call, actor, "replay", numbers, request)
            except LostActorError:
                failed += numbers
        return failed
