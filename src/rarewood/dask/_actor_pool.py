"""The actors of one fit, one on each worker: starting, calling and replacing them."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from distributed import wait

from rarewood.dask._calls import ActorName, LostActorError, call, connection
from rarewood.dask._cluster import checked_workers, wait_for_workers
from rarewood.dask._report import FitReport
from rarewood.dask._scoped_client import ScopedClient
from rarewood.dask._shard_actor import ShardActor

_GRACE = 5.0  # seconds to wait for the replacement of a lost worker while others are left
_PAUSE = 0.05
_MAX_FAILED_CALLS = 3  # of an actor that the scheduler reports as present


class AllLostError(RuntimeError):
    """No actor of a pool is left. Dask does not reschedule tasks that were pinned to them."""


class ActorPool:
    """One actor on each worker, for the time of a fit, which has a unique name.

    ``n_threads`` is the number of threads of each; None for all threads of its worker.
    """

    def __init__(
        self, client: ScopedClient, fit: str, report: FitReport, n_threads: int | None
    ) -> None:
        self.client = client
        self.n_threads = n_threads
        self._report = report
        self._connect: Any = None
        self._fit = fit
        self._futures: dict[ActorName, Any] = {}
        self._threads: dict[ActorName, int] = {}
        self._failed_calls: Counter[ActorName] = Counter()

    @property
    def actors(self) -> list[ActorName]:
        """The actors, in the order of their addresses."""
        return sorted(self._futures)

    def threads(self, actor: ActorName) -> int:
        """Return the number of threads of an actor."""
        return self.n_threads or self._threads[actor]

    def start(self) -> None:
        """Start an actor on every worker."""
        self._add(wait_for_workers(self.client, 1, 0.0))
        self._connect = connection(self.client, self.actors[0].address)

    def stop(self) -> None:
        """Release all actors."""
        self._release(self.actors)

    async def call(
        self, actor: ActorName, method: str, *args: Any, below: Sequence[ActorName] = ()
    ) -> Any:
        """Call a method of an actor, which may call the actors below it.

        A call of a lost worker may try to connect for half a minute, so the states that the
        scheduler reports are checked meanwhile.
        """
        result = asyncio.ensure_future(call(self._connect, actor, method, *args))
        try:
            while not (await asyncio.wait({result}, timeout=_PAUSE))[0]:
                for one in (actor, *below):
                    if self._is_lost(one.address):
                        raise LostActorError(one)
            return result.result()
        except LostActorError as error:
            self._failed_calls[error.actor] += 1
            raise
        finally:
            result.cancel()

    async def check_any(self) -> None:
        """Raise if all actors are lost."""
        if all(self._is_lost(actor.address) for actor in self.actors):
            raise AllLostError(
                "All workers of the Dask cluster were lost. Check their logs; a common reason is "
                "too little memory."
            )

    def remove_lost(self) -> list[ActorName]:
        """Remove the actors that were lost, and return them.

        The scheduler may report a loss later than a failed call. An actor that it reports as
        present stays until too many calls have failed.
        """
        suspects = [actor for actor in self._failed_calls if actor in self._futures]
        deadline = time.monotonic() + _GRACE
        while time.monotonic() < deadline and not all(self._is_lost(s.address) for s in suspects):
            time.sleep(_PAUSE)
        lost = [
            actor
            for actor in self.actors
            if self._futures[actor].status != "finished"
            or self._failed_calls[actor] >= _MAX_FAILED_CALLS
        ]
        self._report.n_lost += len(lost)
        self._release(lost)
        return lost

    def refill(self, n_wanted: int) -> None:
        """Wait a moment for as many workers as wanted, or longer for a single one."""
        self._add(wait_for_workers(self.client, n_wanted, _GRACE))

    def wait_tasks(
        self, tasks: dict[Any, ActorName], on_done: Callable[[Any], object] | None = None
    ) -> list[Any]:
        """Wait for tasks that are pinned to the workers of actors, given for each task.

        Returns the tasks whose actor was lost; the exceptions of other tasks are raised.
        """
        pinned = {task: actor.address for task, actor in tasks.items()}
        lost = _wait_pinned(self.client, pinned, self._is_lost, on_done)
        self._failed_calls.update(tasks[task] for task in lost)
        return lost

    def _is_lost(self, address: str) -> bool:
        """Whether a worker has no actor, according to the scheduler."""
        return not any(
            future.status == "finished"
            for actor, future in self._futures.items()
            if actor.address == address
        )

    def _add(self, workers: dict[str, int]) -> None:
        """Start an actor on every new worker; wait for other workers if all of them are lost."""
        while True:
            present = {actor.address for actor in self._futures}
            new = [address for address in workers if address not in present]
            new = checked_workers(self.client, new) if new else []
            started = {
                self.client.submit(ShardActor, self._fit, actor=True, workers=[address]): address
                for address in new
            }
            lost = _wait_pinned(self.client, started)
            for future, address in started.items():
                if future not in lost:
                    actor = ActorName(address, future.key)
                    self._futures[actor] = future
                    self._threads[actor] = workers[address]
                    self._report.n_workers += 1
            if self._futures:
                return
            workers = wait_for_workers(self.client, 1, 0.0)

    def _release(self, actors: list[ActorName]) -> None:
        for actor in actors:
            self._futures.pop(actor).release()


def _wait_pinned(
    client: ScopedClient,
    pinned: dict[Any, str],
    is_lost: Callable[[str], bool] | None = None,
    on_done: Callable[[Any], object] | None = None,
) -> list[Any]:
    """Wait for tasks that can run on one worker only; return and cancel those that cannot run."""
    waiting, lost = dict(pinned), []
    while waiting:
        present = {a for a in client.nthreads() if is_lost is None or not is_lost(a)}
        for future, address in list(waiting.items()):
            if future.status == "finished":
                del waiting[future]
                if on_done is not None:
                    on_done(future)
            elif address not in present or _lacks_actor(future):
                del waiting[future]
                lost.append(future)
            elif future.done():
                future.result()  # raises
        if waiting:
            with suppress(TimeoutError):
                wait(list(waiting), timeout=_PAUSE, return_when="FIRST_COMPLETED")
    for future in lost:
        future.cancel()
    return lost


def _lacks_actor(future: Any) -> bool:
    """Whether a task has failed because its worker was restarted without the actor."""
    return future.status == "error" and isinstance(future.exception(), LostActorError)
