"""The shards of one worker: the actor that holds them, and the task that loads them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from itertools import pairwise
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np
from distributed import get_worker
from numpy.typing import NDArray

from rarewood import _core
from rarewood.dask._calls import ActorName, LostActorError, call, gather_all
from rarewood.dask._partitions import partition_rows
from rarewood.stream._encoding import Encoding, encode_batches, encode_rows
from rarewood.table._targets import Targets

_FAN_IN = 4  # responses that are combined in one place
_ACTORS: WeakValueDictionary[tuple[str, str], ShardActor] = WeakValueDictionary()


class Reply(NamedTuple):
    """Combined response of some workers, and the bytes sent between them to get it."""

    response: bytes
    request_bytes: int
    response_bytes: int


class Branch(NamedTuple):
    """An actor that is called, and those that it calls in turn."""

    head: ActorName
    below: list[ActorName]


def branches(actors: list[ActorName]) -> list[Branch]:
    """Divide actors into branches of a tree, so that none combines many responses."""
    n_groups = min(_FAN_IN, len(actors))
    bounds = [len(actors) * i // n_groups for i in range(n_groups + 1)] if actors else []
    return [Branch(actors[begin], actors[begin + 1 : end]) for begin, end in pairwise(bounds)]


class ShardActor:
    """Actor that holds the shards of one worker, and responds for them and the actors below it.

    Its work runs in a thread of its own, one call after the other: the event loop of the worker
    stays free, and a call that is repeated after a loss waits for the previous one.
    """

    def __init__(self, fit: str) -> None:
        self._worker = get_worker()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="rarewood-shards")
        self._shards: dict[int, _core.Shard] = {}
        _ACTORS[fit, self._worker.address] = self

    def add(self, number: int, shard: _core.Shard) -> None:
        """Add a shard."""
        self._shards[number] = shard

    async def replay(self, numbers: list[int], request: bytes) -> None:
        """Repeat the growth so far on shards that were added late."""
        await self._run(self._respond, [self._shards[number] for number in numbers], request, 1)

    async def respond(self, request: bytes, below: list[ActorName], n_threads: int | None) -> Reply:
        """Respond to a request of the coordinator, together with the actors below.

        ``n_threads`` is the number of threads; None for all threads of the worker.
        """
        n_own = n_threads or self._worker.state.nthreads
        own = self._run(self._respond, list(self._shards.values()), request, n_own)
        others = [
            call(self._worker.rpc, head, "respond", request, rest, n_threads)
            for head, rest in branches(below)
        ]
        response, *replies = await gather_all([own, *others])
        responses = [response, *(reply.response for reply in replies)]
        return Reply(
            await self._run(combine, responses),
            sum(reply.request_bytes + len(request) for reply in replies),
            sum(reply.response_bytes + len(reply.response) for reply in replies),
        )

    @staticmethod
    def _respond(shards: list[_core.Shard], request: bytes, n_threads: int) -> bytes:
        return combine([shard.respond(request, n_threads) for shard in shards])

    async def _run(self, work: Callable[..., Any], *args: Any) -> Any:
        """Call a function in the thread of the actor."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *args)


def combine(responses: list[bytes]) -> bytes:
    """Combine responses; their order does not matter."""
    return reduce(_core.combine_responses, responses)


def load_shard(
    fit: str,
    number: int,
    table: Any,
    targets: Targets,
    encoding: Encoding,
    class_counts: NDArray[np.int64],
    offsets: dict[str, Any],
    is_weighted: bool,
    n_threads: int,
) -> None:
    """Encode the rows of a shard, and add it to the actor on the worker that runs this task.

    ``table`` is an argument of ``partition_rows``; ``class_counts`` are those of its first pass,
    and ``offsets`` those of the shard in its table. ``is_weighted`` is for the table as a whole.
    """
    address = get_worker().address
    actor = _ACTORS.get((fit, address))
    if actor is None:  # the worker was restarted
        raise LostActorError(ActorName(address, ""))
    rows, counts = partition_rows(table), targets.class_counts
    if not np.array_equal(counts, class_counts):
        raise RuntimeError(
            f"The rows of shard {number}, of {rows.name}, have changed since they were first read: "
            f"their classes now have {counts.tolist()} rows, and had {class_counts.tolist()}. A "
            "table must not change during a fit; persist a collection that is random or is read "
            "from a changing source."
        )
    if encoding.has_coordinates:
        coded = encode_rows(rows, encoding, targets.kept, n_threads=n_threads)
        columns = coded.columns(n_threads)
    else:
        encoded = encode_batches(rows, encoding, targets.kept, n_threads=n_threads)
        columns = encoding.columns(encoded, n_threads)
    shard = _core.Shard(
        columns,
        targets.y,
        len(targets.classes),
        targets.weights if is_weighted else None,
        **offsets,
    )
    actor.add(number, shard)
