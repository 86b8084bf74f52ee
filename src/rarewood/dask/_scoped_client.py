"""A client that remembers what it holds on the cluster, and lets go of all of it at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any
from uuid import uuid4
from weakref import WeakSet

from distributed import Future, wait

__all__ = ["Lease"]

_PAUSE = 0.05


class Lease:
    """A client for the time of a fit.

    Futures are let go of when nobody refers to them any more. Tracebacks do, and notebooks keep the
    last one; so all that are left are let go of when the fit ends, in whatever way.

    Parameters
    ----------
    client : distributed.Client
        The client, which does all that is not told here.

    Attributes
    ----------
    watch : callable
        Called now and then while results are waited for; it raises where they will never come.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._held: WeakSet[Any] = WeakSet()
        self.watch: Callable[[], Awaitable[object]] = _watch_nothing

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def sync(self, *args: Any, **kwargs: Any) -> Any:
        """Wait for a coroutine."""
        return self._ask(self._client.sync, *args, **kwargs)

    def nthreads(self) -> dict[str, int]:
        """Return the threads of each worker."""
        found: dict[str, int] = self._ask(self._client.nthreads)
        return found

    def gather(self, futures: Any) -> Any:
        """Wait for results, and return them."""
        return self.sync(self._gather, futures)

    async def _gather(self, futures: Any) -> Any:
        asked = asyncio.ensure_future(self._client.gather(futures, asynchronous=True))
        try:
            while not (await asyncio.wait({asked}, timeout=_PAUSE))[0]:
                await self.watch()
            return asked.result()
        finally:
            asked.cancel()

    def completed(self, futures: list[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield tasks with their results, in the order in which they are done."""
        waiting = set(futures)
        while waiting:
            with suppress(TimeoutError):
                wait(list(waiting), timeout=_PAUSE, return_when="FIRST_COMPLETED")
            done = {one for one in waiting if one.status not in ("pending", "lost")}
            waiting -= done
            yield from zip(done, self.gather(list(done)), strict=True)
            self.sync(self.watch)

    def submit(self, *args: Any, **kwargs: Any) -> Any:
        """Submit a task that is not the same as any other."""
        return self._hold([self._client.submit(*args, pure=False, **kwargs)])[0]

    def map(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Submit a task for every item, none of them the same as any other."""
        return self._hold(self._client.map(*args, pure=False, **kwargs))

    def compute(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Start to compute a list of things."""
        return self._hold(self._client.compute(*args, **kwargs))

    def scatter(self, value: Any) -> Any:
        """Send a value to a worker, from which the others get it when they need it.

        Dask can send it to all of them at once, but does not stop trying if one is lost meanwhile.
        If this one is, what waits for the value is cancelled, now or later.
        """
        # Held before it is there: a scheduler that fails halfway keeps it for no one otherwise.
        [held] = self._hold([Future(f"{type(value).__name__}-{uuid4().hex}", self._client)])
        try:
            self._client.scatter({held.key: value}, hash=False)
        except BaseException as error:
            held.release()
            if isinstance(error, (OSError, KeyError)):  # KeyError: what the scheduler forgot
                raise CancelledError(f"{held.key} was lost with a worker.") from error
            raise
        return held

    def release(self) -> None:
        """Let go of everything."""
        for future in list(self._held):
            future.release()

    def _ask(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function of the client, whose errors do not tell that it was closed."""
        try:
            return function(*args, **kwargs)
        except (Exception, asyncio.CancelledError) as error:
            if self._client.status != "closed":
                raise
            raise RuntimeError(
                "The Dask client was closed during the fit. Fit again with one that stays open."
            ) from error

    def _hold(self, futures: list[Any]) -> list[Any]:
        self._held.update(futures)
        return futures


async def _watch_nothing() -> None:
    pass
