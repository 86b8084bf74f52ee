"""Calls of actor methods, from the client or from another worker.

An actor is identified by the address of its worker and by its key. The proxies of Dask are not
used: a call from worker to worker would start a client on the worker, and a call of an actor that
its worker has dropped would never return. Here every failure is an exception.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from distributed.actor import ProxyRPC
from distributed.protocol import to_serialize

from rarewood.dask._scoped_client import ScopedClient

_PROBE_SECONDS = 2.0


class ActorName(NamedTuple):
    """Worker and key of an actor."""

    address: str
    key: str


class LostActorError(Exception):
    """A worker is gone or unreachable, or has lost the actor in a restart."""

    def __init__(self, actor: ActorName) -> None:
        super().__init__(actor)
        self.actor = actor


async def call(connect: Any, actor: ActorName, method: str, *args: Any) -> Any:
    """Call a method of an actor; its exceptions are raised here.

    ``connect`` maps an address to an RPC object: ``worker.rpc``, or from :func:`connection`.
    """
    sent = [to_serialize(value) for value in args]
    try:
        reply = await connect(actor.address).actor_execute(
            actor=actor.key, function=method, args=sent, kwargs={}
        )
    except (OSError, KeyError) as error:  # KeyError: the worker was restarted
        raise LostActorError(actor) from error
    if reply["status"] != "OK":
        raise reply["exception"]
    return reply["result"]


async def gather_all(calls: Iterable[Awaitable[Any]]) -> list[Any]:
    """Wait for all calls, then return their results in order, or raise the first error.

    No call is running any more when an error is raised, so a request can be repeated.
    """
    results = await asyncio.gather(*calls, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return list(results)


def connection(client: ScopedClient, address: str) -> Callable[[str], Any]:
    """Return a function from the address of a worker to an RPC object.

    Connections go through the scheduler if the client cannot reach the worker at ``address``.
    """

    async def probe() -> None:
        await asyncio.wait_for(client.rpc(address).identity(), _PROBE_SECONDS)

    try:
        client.sync(probe)
    except (OSError, TimeoutError):
        return partial(ProxyRPC, client.scheduler)
    return lambda address: client.rpc(address)
