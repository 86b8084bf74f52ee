"""The actors of one fit, one on each worker: who is there, who was lost, who came."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from rarewood.dask._calls import ActorName, Channel, call
from rarewood.dask._cluster import checked_workers, wait_for_workers
from rarewood.dask._report import FitReport

__all__ = ["Fleet", "wait_pinned"]

_GRACE = 5.0  # seconds that a worker which was lost has to come back, where others are left
_PAUSE = 0.05
_TRIES = 3


class Fleet:
    """One actor on each worker, for the time of a fit.

    Parameters
    ----------
    client : distributed.Client
        The client.
    kind : type
        The class of the actors.
    report : FitReport
        Where to count workers.
    *args : object
        What an actor is made with.
    """

    def __init__(self, client: Any, kind: type, report: FitReport, *args: Any) -> None:
        self.client = client
        self.report = report
        self._kind = kind
        self._args = args
        self._futures: dict[ActorName, Any] = {}
        self._threads: dict[ActorName, int] = {}
        self._failures: dict[ActorName, int] = {}
        self._channel: Channel | None = None

    @property
    def members(self) -> list[ActorName]:
        """The actors, in the order of their addresses."""
        return sorted(self._futures)

    def threads(self, member: ActorName) -> int:
        """Return how many threads the worker of an actor has."""
        return self._threads[member]

    @property
    def connect(self) -> Channel:
        """How the client reaches the members."""
        if self._channel is None:
            self._channel = Channel(self.client, self.members[0].address)
        return self._channel

    def __enter__(self) -> Self:
        self._enlist(wait_for_workers(self.client, 1, 1, 0.0))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._let_go(self.members)

    def call(self, member: ActorName, method: str, *args: Any) -> Any:
        """Call a method of one member, and wait for what it returns."""
        return self.client.sync(call, self.connect, member, method, *args)

    def _enlist(self, workers: dict[str, int]) -> None:
        """Make members of all workers that are none."""
        known = {member.address for member in self._futures}
        while True:
            new = [address for address in workers if address not in known]
            new = checked_workers(self.client, new) if new else []
            made = {self._submit(address): address for address in new}
            gone = wait_pinned(self.client, made, lambda address: False)
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
        return self.client.submit(
            self._kind, *self._args, actor=True, workers=[address], pure=False
        )

    def is_lost(self, address: str) -> bool:
        """Whether the member at an address is not there any more, as the scheduler knows."""
        return not any(
            future.status == "finished"
            for member, future in self._futures.items()
            if member.address == address
        )

    def drop_lost(self, suspect: ActorName) -> list[ActorName]:
        """Take out the members that were lost, after a call of one of them has failed.

        The scheduler hears of a loss a moment later than who was called. Where it hears of none,
        the call may be tried again, but not for ever.

        Parameters
        ----------
        suspect : ActorName
            Who could not be called.

        Returns
        -------
        lost : list of ActorName
            Who is no member any more.
        """
        deadline = time.monotonic() + _GRACE
        while not self.is_lost(suspect.address) and time.monotonic() < deadline:
            time.sleep(_PAUSE)
        self._failures[suspect] = self._failures.get(suspect, 0) + 1
        lost = [m for m in self.members if self._futures[m].status != "finished"]
        if suspect in self._futures and suspect not in lost and self._failures[suspect] >= _TRIES:
            lost.append(suspect)
        self.report.n_lost += len(lost)
        self._let_go(lost)
        return lost

    def fill_up(self, n_wanted: int) -> None:
        """Wait a moment for as many members as wanted, or longer for a single one."""
        self._enlist(wait_for_workers(self.client, n_wanted, 1, _GRACE))

    def _let_go(self, members: list[ActorName]) -> None:
        futures = [self._futures.pop(member) for member in members]
        for future in futures:
            future.release()


def wait_pinned(client: Any, pinned: dict[Any, str], is_lost: Callable[[str], bool]) -> list[Any]:
    """Wait for tasks that may run on one worker only, and return those whose worker is gone.

    Parameters
    ----------
    client : distributed.Client
        The client.
    pinned : dict of Future to str
        The address of the worker of each task.
    is_lost : callable
        Whether what the tasks need at an address is gone, though there is a worker.

    Returns
    -------
    gone : list of Future
        Tasks that did not, and will not, run. What another task raised is raised.
    """
    waiting, gone = dict(pinned), []
    while waiting:
        for future in [future for future in waiting if future.done()]:
            if future.status == "error" and _is_there(client, waiting[future], is_lost):
                future.result()  # raises
            if future.status != "finished":
                gone.append(future)
            del waiting[future]
        lost = {a for a in set(waiting.values()) if not _is_there(client, a, is_lost)}
        gone += [future for future, address in waiting.items() if address in lost]
        waiting = {future: a for future, a in waiting.items() if a not in lost}
        if waiting:
            time.sleep(_PAUSE)
    for future in gone:
        future.cancel()
    return gone


def _is_there(client: Any, address: str, is_lost: Callable[[str], bool]) -> bool:
    return address in client.nthreads() and not is_lost(address)
