"""What the actors of a fit have in common: a thread of their own, and a place to find them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from weakref import WeakValueDictionary

from distributed import get_worker

from rarewood.dask._calls import ActorName, LostActorError

__all__ = ["Resident", "resident_here"]

_RESIDENTS: WeakValueDictionary[tuple[str, str], Resident] = WeakValueDictionary()


class Resident:
    """An actor on a worker.

    Its work is done in a thread of its own, one call after the other: the worker's event loop stays
    free, and a call that is made again after a loss waits for the one before.

    Parameters
    ----------
    fit : str
        Which fit it belongs to.
    """

    def __init__(self, fit: str) -> None:
        self._worker = get_worker()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="rarewood-resident")
        _RESIDENTS[fit, self._worker.address] = self

    async def _do(self, work: Callable[..., Any], *args: Any) -> Any:
        """Call a function in the thread of the actor."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *args)


def resident_here(fit: str) -> Any:
    """Return the actor of a fit on the worker that runs this task."""
    address = get_worker().address
    found = _RESIDENTS.get((fit, address))
    if found is None:  # the worker was started anew
        raise LostActorError(ActorName(address, ""))
    return found
