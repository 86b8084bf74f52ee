"""The coded rows of one worker, which answer what is asked of all rows."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.dask._calls import ActorName, call, together
from rarewood.dask._partitions import partition_rows
from rarewood.dask._resident import Resident, resident_here
from rarewood.stream import Plan, Settled, code_rows

__all__ = ["Branch", "Holder", "Place", "Reply", "adopt_run", "branches", "combined"]

_FAN_IN = 4  # answers that are combined in one place


class Place(NamedTuple):
    """Where a run of rows is in its table. All numbers count rows that weigh anything."""

    first_row: int
    class_totals: NDArray[np.int64]
    """Rows of each class in the table."""
    class_firsts: NDArray[np.int64]
    """How many of them come before the run."""
    class_counts: NDArray[np.int64]
    """How many of them are in the run."""


class Reply(NamedTuple):
    """What some workers answer together."""

    answer: bytes
    bytes_asked: int
    """What was sent to get it, from worker to worker."""
    bytes_answered: int


class Branch(NamedTuple):
    """A worker that is asked, and those that it asks in turn."""

    head: ActorName
    below: list[ActorName]


def branches(members: list[ActorName]) -> list[Branch]:
    """Divide members into branches of a tree, so that nobody combines the answers of many."""
    n_groups = min(_FAN_IN, len(members))
    bounds = [len(members) * i // n_groups for i in range(n_groups + 1)] if members else []
    return [Branch(members[begin], members[begin + 1 : end]) for begin, end in pairwise(bounds)]


class Holder(Resident):
    """Holds the shards of one worker, and answers for them and for the workers below it."""

    def __init__(self, fit: str) -> None:
        super().__init__(fit)
        self._shards: dict[int, _core.Shard] = {}

    def take(self, run: int, shard: _core.Shard) -> None:
        """Take the rows of a run."""
        self._shards[run] = shard

    async def catch_up(self, runs: list[int], recap: bytes) -> None:
        """Bring shards that came late to where the others are."""
        await self._do(self._answer, [self._shards[run] for run in runs], recap, 1)

    async def answer(self, request: bytes, below: list[ActorName], n_threads: int | None) -> Reply:
        """Answer a request, together with the workers below.

        Parameters
        ----------
        request : bytes
            What the conductor asks of all rows.
        below : list of ActorName
            Further holders that are to answer.
        n_threads : int or None
            Threads to use; None for all that the worker has.

        Returns
        -------
        reply : Reply
            The answer for the rows of all of them.
        """
        shards = list(self._shards.values())
        own = self._do(self._answer, shards, request, n_threads or self._worker.state.nthreads)
        others = [
            call(self._worker.rpc, head, "answer", request, rest, n_threads)
            for head, rest in branches(below)
        ]
        mine, *replies = await together([own, *others])
        answers = [mine, *(reply.answer for reply in replies)]
        return Reply(
            await self._do(combined, answers),
            sum(reply.bytes_asked + len(request) for reply in replies),
            sum(reply.bytes_answered + len(reply.answer) for reply in replies),
        )

    @staticmethod
    def _answer(shards: list[_core.Shard], request: bytes, n_threads: int) -> bytes:
        return combined([shard.answer(request, n_threads) for shard in shards])


def combined(answers: list[bytes]) -> bytes:
    """Combine answers, whatever their order."""
    return reduce(_core.combine_answers, answers)


def adopt_run(
    fit: str,
    run: int,
    table: Any,
    settled: Settled,
    plan: Plan,
    place: Place,
    is_weighted: bool,
    n_threads: int,
) -> None:
    """Code the rows of a run, and give them to the actor on the worker that runs this task.

    Parameters
    ----------
    fit : str
        The fit.
    run : int
        The number of the run.
    table : Rows, or list of ArrayPiece and Table
        Its rows.
    settled : Settled
        Their classes and weights.
    plan : Plan
        How they are coded.
    place : Place
        Where the run is in the table.
    is_weighted : bool
        Whether not all rows of the table weigh one.
    n_threads : int
        Threads to use.
    """
    holder, rows = resident_here(fit), partition_rows(table)
    n_classes = len(plan.classes)
    if not np.array_equal(settled.class_counts(n_classes), place.class_counts):
        raise RuntimeError(
            f"The rows of run {run}, of {rows.name}, have changed since they were read first: "
            f"their classes have {settled.class_counts(n_classes).tolist()} rows now and had "
            f"{place.class_counts.tolist()}. A table must stay as it is during a fit; persist a "
            "collection that is random, or is read from something that changes."
        )
    coded = code_rows(rows, plan, settled.kept, n_threads=n_threads)
    shard = _core.Shard(
        plan.columns(coded, n_threads),
        settled.y,
        n_classes,
        settled.weights if is_weighted else None,
        first_row=place.first_row,
        class_totals=place.class_totals,
        class_firsts=place.class_firsts,
    )
    holder.take(run, shard)
