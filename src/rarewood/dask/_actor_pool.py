"""The actors of one fit, one on each worker: who is there, who was lost, who came."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from distributed import wait

from rarewood.dask._calls import ActorName, Channel, LostActorError, call
from rarewood.dask._cluster import checked_workers, wait_for_workers
from rarewood.dask._report import FitReport

__all__ = ["AllLostError", "Fleet", "wait_pinned"]

_GRACE = 5.0  # seconds in which a worker that was lost may come back, where others are left
_PAUSE = 0.05
_TRIES = 3  # calls of a member that may fail though the scheduler says that it is there


class AllLostError(RuntimeError):
    """No member of a fleet is left. Dask does not take up tasks that were meant for them."""


class Fleet:
    """One actor on each worker, for the time of a fit.

    Parameters
    ----------
    client : Lease
        The client.
    kind : type
        The class of the actors, made with the name of the fit.
    fit : str
        The name of the fit.
    report : FitReport
        Where to count workers.
    n_threads : int, default=None
        Threads that each actor uses; by default those of its worker.
    """

    def __init__(
        self, client: Any, kind: type, fit: str, report: FitReport, n_threads: int | None = None
    ) -> None:
        self.client = client
        self.report = report
        self.connect: Any = None
        self._kind = kind
        self._fit = fit
        self.n_threads = n_threads
        self._futures: dict[ActorName, Any] = {}
        self._threads: dict[ActorName, int] = {}
        self._suspects: Counter[ActorName] = Counter()

    @property
    def members(self) -> list[ActorName]:
        """The actors, in the order of their addresses."""
        return sorted(self._futures)

    def threads(self, member: ActorName) -> int:
        """Return how many threads an actor uses."""
        return self.n_threads or self._threads[member]

    def start(self) -> None:
        """Make an actor on every worker that is there."""
        self._enlist(wait_for_workers(self.client, 1, 1, 0.0))
        self.connect = Channel(self.client, self.members[0].address)

    def stop(self) -> None:
        """Let go of all actors."""
        self._let_go(self.members)

    def call(self, member: ActorName, method: str, *args: Any) -> Any:
        """Call a method of one member, and wait for what it returns."""
        return self.client.sync(self.ask, member, method, *args)

    async def ask(
        self, member: ActorName, method: str, *args: Any, below: Sequence[ActorName] = ()
    ) -> Any:
        """Call a method of a member, which may call members below it.

        A call does not always fail when a worker is lost: one that tries to connect does so for
        half a minute. So what the scheduler knows is watched meanwhile.
        """
        asked = asyncio.ensure_future(call(self.connect, member, method, *args))
        try:
            while not (await asyncio.wait({asked}, timeout=_PAUSE))[0]:
                for one in (member, *below):
                    if self.is_lost(one.address):
                        raise LostActorError(one)
            return asked.result()
        except LostActorError as error:
            self.suspect(error.actor)
            raise
        finally:
            asked.cancel()

    def suspect(self, member: ActorName) -> None:
        """Remember that a member could not be called."""
        self._suspects[member] += 1

    def is_lost(self, address: str) -> bool:
        """Whether there is no member at an address, or none any more, as the scheduler knows."""
        return not any(
            future.status == "finished"
            for member, future in self._futures.items()
            if member.address == address
        )

    async def check_any(self) -> None:
        """Raise if all members are lost."""
        if all(self.is_lost(member.address) for member in self.members):
            raise AllLostError(
                "All workers of the Dask cluster were lost. Look into their logs; often memory is "
                "short."
            )

    def drop_lost(self) -> list[ActorName]:
        """Take out the members that were lost, and return them.

        The scheduler hears of a loss a moment later than who was calling. A suspect that it says
        is there stays, and may be called again, but not for ever.
        """
        suspects = [member for member in self._suspects if member in self._futures]
        deadline = time.monotonic() + _GRACE
        while time.monotonic() < deadline and not all(self.is_lost(s.address) for s in suspects):
            time.sleep(_PAUSE)
        lost = [
            member
            for member in self.members
            if self._futures[member].status != "finished" or self._suspects[member] >= _TRIES
        ]
        self.report.n_lost += len(lost)
        self._let_go(lost)
        return lost

    def fill_up(self, n_wanted: int) -> None:
        """Wait a moment for as many members as wanted, or longer for a single one."""
        self._enlist(wait_for_workers(self.client, n_wanted, 1, _GRACE))

    def _enlist(self, workers: dict[str, int]) -> None:
        """Make members of all workers that are none; wait for others if all of them are lost."""
        while True:
            known = {member.address for member in self._futures}
            new = [address for address in workers if address not in known]
            new = checked_workers(self.client, new) if new else []
            made = {self._submit(address): address for address in new}
            gone = wait_pinned(self.client, made)
            for future, address in made.items():
                if future not in gone:
                    member = ActorName(address, future.key)
                    self._futures[member] = future
                    self._threads[member] = workers[address]
                    self.report.n_workers += 1
            if self._futures:
                return
            workers = wait_for_workers(self.client, 1, 1, 0.0)

    def _submit(self, address: str) -> Any:
        return self.client.submit(self._kind, self._fit, actor=True, workers=[address])

    def _let_go(self, members: list[ActorName]) -> None:
        for member in members:
            self._futures.pop(member).release()


def wait_pinned(
    client: Any,
    pinned: dict[Any, str],
    is_lost: Callable[[str], bool] | None = None,
    on_done: Callable[[Any], object] | None = None,
) -> list[Any]:
    """Wait for tasks that may run on one worker only, and return those whose worker is gone.

    Parameters
    ----------
    client : Lease
        The client.
    pinned : dict of Future to str
        The address of the worker of each task.
    is_lost : callable, default=None
        Whether what the tasks need at an address is gone, though there is a worker.
    on_done : callable, default=None
        Called with each task that is finished.

    Returns
    -------
    gone : list of Future
        Tasks that did not, and will not, run. What another task raised is raised.
    """
    waiting, gone = dict(pinned), []
    while waiting:
        there = {a for a in client.nthreads() if is_lost is None or not is_lost(a)}
        for future, address in list(waiting.items()):
            if future.status == "finished":
                del waiting[future]
                if on_done is not None:
                    on_done(future)
            elif address not in there or _needs_actor(future):
                del waiting[future]
                gone.append(future)
            elif future.done():
                future.result()  # raises
        if waiting:
            with suppress(TimeoutError):
                wait(list(waiting), timeout=_PAUSE, return_when="FIRST_COMPLETED")
    for future in gone:
        future.cancel()
    return gone


def _needs_actor(future: Any) -> bool:
    """Whether a task has failed because its worker was started anew, without the actor."""
    return future.status == "error" and isinstance(future.exception(), LostActorError)
