"""A client for the time of one fit, which releases at the end all that it holds on the cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any
from uuid import uuid4
from weakref import WeakSet

from distributed import Future, wait

_PAUSE = 0.2  # seconds between looks at the workers; results are not waited for longer


async def _do_nothing() -> None:
    pass


class ScopedClient:
    """A Dask client that keeps track of its futures.

    Dask releases a future when nothing refers to it. Tracebacks do, and notebooks keep the last
    one, so :meth:`release` releases whatever is left, however the fit ends. ``watch`` is awaited
    regularly while results are awaited, and raises if they will never come.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._held: WeakSet[Any] = WeakSet()
        self.watch: Callable[[], Awaitable[object]] = _do_nothing

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def sync(self, *args: Any, **kwargs: Any) -> Any:
        """Run a coroutine function on the event loop of the client."""
        return self._checked(self._client.sync, *args, **kwargs)

    def nthreads(self) -> dict[str, int]:
        """Return the number of threads of each worker."""
        found: dict[str, int] = self._checked(self._client.nthreads)
        return found

    def gather(self, futures: Any) -> Any:
        """Return the results of futures."""
        return self.sync(self._gather, futures)

    async def _gather(self, futures: Any) -> Any:
        results = asyncio.ensure_future(self._client.gather(futures, asynchronous=True))
        try:
            while not (await asyncio.wait({results}, timeout=_PAUSE))[0]:
                await self.watch()
            return results.result()
        finally:
            results.cancel()

    def completed(self, futures: list[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield futures with their results, in the order of completion."""
        waiting = set(futures)
        while waiting:
            with suppress(TimeoutError):
                wait(list(waiting), timeout=_PAUSE, return_when="FIRST_COMPLETED")
            done = {one for one in waiting if one.status not in ("pending", "lost")}
            waiting -= done
            yield from zip(done, self.gather(list(done)), strict=True)
            self.sync(self.watch)

    def submit(self, *args: Any, **kwargs: Any) -> Any:
        """Submit a task under a key of its own."""
        return self._hold([self._client.submit(*args, pure=False, **kwargs)])[0]

    def map(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Submit a task for every item, each under a key of its own."""
        return self._hold(self._client.map(*args, pure=False, **kwargs))

    def compute(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Start to compute a list of collections or delayed objects."""
        return self._hold(self._client.compute(*args, **kwargs))

    def scatter(self, value: Any) -> Any:
        """Send a value to one worker, from which the others copy it.

        Dask can broadcast a value, but tries for ever if a worker is lost meanwhile. If the worker
        of this value is lost, a CancelledError is raised here or by the tasks that need it.
        """
        # The future comes first: if the scheduler fails halfway, it would keep the value.
        [held] = self._hold([Future(f"{type(value).__name__}-{uuid4().hex}", self._client)])
        try:
            self._client.scatter({held.key: value}, hash=False)
        except BaseException as error:
            held.release()
            if isinstance(error, (OSError, KeyError)):  # KeyError: a key the scheduler dropped
                raise CancelledError(f"{held.key} was lost with a worker.") from error
            raise
        return held

    def release(self) -> None:
        """Release all futures."""
        for future in list(self._held):
            future.release()

    def _checked(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function of the client; a closed client gets a clear error."""
        try:
            return function(*args, **kwargs)
        except (Exception, asyncio.CancelledError) as error:
            if self._client.status != "closed":
                raise
            raise RuntimeError(
                "The Dask client was closed during the fit. Fit again with a client that stays "
                "open."
            ) from error

    def _hold(self, futures: list[Any]) -> list[Any]:
        self._held.update(futures)
        return futures
