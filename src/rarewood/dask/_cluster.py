"""The cluster that a fit runs on: the active client, and workers that can do the work."""

from __future__ import annotations

import time
from typing import Any

from dask.utils import parse_timedelta
from distributed import get_client

import dask
from rarewood._version import __version__

__all__ = [
    "active_client",
    "allowed_failures",
    "checked_workers",
    "no_workers_error",
    "patience",
    "wait_for_workers",
]

_VERSION = "__import__('rarewood').__version__"  # as text: a worker without rarewood reads it too
_PAUSE = 0.1


def active_client() -> Any:
    """Return the client that was made last, or is the current one; an error if there is none."""
    try:
        client = get_client()
    except ValueError as error:
        raise RuntimeError(
            "There is no active Dask client. Connect to your cluster first, for example with "
            "client = distributed.Client('tcp://scheduler:8786'), or start one on this machine "
            "with distributed.Client(distributed.LocalCluster())."
        ) from error
    if client.asynchronous:
        raise RuntimeError(
            "The active Dask client is asynchronous, and fit waits for its result. Use a client "
            "made without asynchronous=True."
        )
    return client


def patience() -> float:
    """Return for how many seconds a fit waits where no worker is left."""
    found = parse_timedelta(dask.config.get("rarewood.wait-for-workers", "60s"))
    return float(found)


def allowed_failures() -> int:
    """Return how many workers may be lost with the same rows before a fit gives up."""
    return int(dask.config.get("distributed.scheduler.allowed-failures", 3))


def wait_for_workers(client: Any, n_wanted: int, n_enough: int, grace: float) -> dict[str, int]:
    """Return the workers and their threads, as soon as there are as many as wanted.

    Parameters
    ----------
    client : Lease
        The client.
    n_wanted : int
        How many workers to wait for.
    n_enough : int
        How many are needed at least; without them a RuntimeError after :func:`patience`.
    grace : float
        For how many seconds to wait where there are enough, but fewer than wanted.

    Returns
    -------
    workers : dict of str to int
        Threads by address, in the order of the addresses.
    """
    start = time.monotonic()
    while True:
        workers = dict(sorted(client.nthreads().items()))
        waited = time.monotonic() - start
        if len(workers) >= n_wanted or (len(workers) >= n_enough and waited >= grace):
            return workers
        if len(workers) < n_enough and waited >= patience():
            raise no_workers_error(client, waited)
        time.sleep(_PAUSE)


def no_workers_error(client: Any, waited: float) -> RuntimeError:
    """Return the error of a fit that has waited too long for a worker, in seconds."""
    return RuntimeError(
        f"The Dask cluster at {client.scheduler.address} has no workers, and none has come "
        f"within {waited:.0f} s. Start workers and fit again; "
        "dask.config.set({'rarewood.wait-for-workers': '10 minutes'}) waits longer."
    )


def checked_workers(client: Any, workers: list[str]) -> list[str]:
    """Return the workers that answer; an error if one lacks rarewood, or has another version."""
    found = client.run(eval, _VERSION, workers=workers, on_error="return")
    found = {worker: reply for worker, reply in found.items() if not isinstance(reply, OSError)}
    without = [worker for worker, reply in found.items() if isinstance(reply, BaseException)]
    if without:
        raise RuntimeError(
            f"rarewood cannot be imported on {_some(without)}: {found[without[0]]!r}. Install "
            f"rarewood {__version__} there, with the same versions of Python and NumPy as here."
        )
    others = [worker for worker, reply in found.items() if reply != __version__]
    if others:
        raise RuntimeError(
            f"rarewood is {found[others[0]]} on {_some(others)} and {__version__} here. Trees are "
            "grown together by both: install the same version everywhere."
        )
    return list(found)


def _some(workers: list[str]) -> str:
    more = f" and {len(workers) - 1} more" if len(workers) > 1 else ""
    return f"the worker {workers[0]}{more}"
