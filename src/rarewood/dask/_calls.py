"""Calls of actor methods, from the client or from another worker.

An actor is identified by the address of its worker and by its key. The proxies of Dask are not
used: a call from worker to worker would start a client on the worker, and a call of an actor that
its worker has dropped would never return. Here every failure is an exception.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from typing import Any, NamedTuple

from distributed.actor import ProxyRPC
from distributed.protocol import to_serialize

from rarewood.dask._scoped_client import ScopedClient

__all__ = ["ActorName", "Channel", "LostActorError", "call", "gather_all"]

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

    ``connect`` maps an address to an RPC object: ``worker.rpc``, or a :class:`Channel`.
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


class Channel:
    """Connections of the client to workers: direct ones, or through the scheduler.

    Parameters
    ----------
    client : ScopedClient
        The client.
    address : str
        Worker on which a direct connection is tried.
    """

    def __init__(self, client: ScopedClient, address: str) -> None:
        self._client = client
        self._is_direct = bool(client.sync(self._reaches, address))

    def __call__(self, address: str) -> Any:
        """Return the RPC object of a worker."""
        if self._is_direct:
            return self._client.rpc(address)
        return ProxyRPC(self._client.scheduler, address)

    async def _reaches(self, address: str) -> bool:
        try:
            await asyncio.wait_for(self._client.rpc(address).identity(), _PROBE_SECONDS)
        except (OSError, TimeoutError):
            return False
        return True
