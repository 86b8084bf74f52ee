"""Calls of the methods of actors, from the client or from another worker.

An actor is named by the address of its worker and by its key. The proxies that Dask offers are not
used: a call from worker to worker would make a client on the worker, and where a worker has
forgotten an actor the caller would wait for ever. Here every failure is an exception.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from typing import Any, NamedTuple

from distributed.actor import ProxyRPC
from distributed.protocol import to_serialize

__all__ = ["ActorName", "Channel", "LostActorError", "call", "together"]

_PROBE_SECONDS = 2.0


class ActorName(NamedTuple):
    """Where an actor is."""

    address: str
    key: str


class LostActorError(Exception):
    """A worker is gone, cannot be reached, or does not know the actor any more."""

    def __init__(self, actor: ActorName) -> None:
        super().__init__(actor)
        self.actor = actor


async def call(connect: Any, actor: ActorName, method: str, *args: Any) -> Any:
    """Call a method of an actor.

    Parameters
    ----------
    connect : callable
        Returns what sends messages to an address: ``worker.rpc``, or a :class:`Channel`.
    actor : ActorName
        The actor.
    method : str
        Name of its method.
    *args : object
        Arguments.

    Returns
    -------
    result : object
        What the method returned; what it raised is raised here.
    """
    sent = [to_serialize(value) for value in args]
    try:
        reply = await connect(actor.address).actor_execute(
            actor=actor.key, function=method, args=sent, kwargs={}
        )
    except (OSError, KeyError) as error:  # KeyError: a worker that was started anew
        raise LostActorError(actor) from error
    if reply["status"] != "OK":
        raise reply["exception"]
    return reply["result"]


async def together(calls: Iterable[Awaitable[Any]]) -> list[Any]:
    """Wait for all calls, then return their results in order, or raise the first error.

    Nothing is under way any more when an error is told, so that what failed can be tried again.
    """
    found = await asyncio.gather(*calls, return_exceptions=True)
    for one in found:
        if isinstance(one, BaseException):
            raise one
    return list(found)


class Channel:
    """How the client reaches workers: straight, or through the scheduler where it cannot.

    Parameters
    ----------
    client : Lease
        The client.
    address : str
        A worker to try.
    """

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self.is_direct = bool(client.sync(self._reaches, address))

    def __call__(self, address: str) -> Any:
        """Return what sends messages to a worker."""
        if self.is_direct:
            return self._client.rpc(address)
        return ProxyRPC(self._client.scheduler, address)

    async def _reaches(self, address: str) -> bool:
        try:
            await asyncio.wait_for(self._client.rpc(address).identity(), _PROBE_SECONDS)
        except (OSError, TimeoutError):
            return False
        return True
