"""The cluster of a fit: the active client, and workers with the right version of rarewood."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import dask
from dask.utils import parse_timedelta
from distributed import get_client, get_worker, worker_client

from rarewood._version import __version__

_VERSION = "__import__('rarewood').__version__"  # as text, for workers without rarewood
_PAUSE = 0.1


def active_client() -> Any:
    """Return the current Dask client."""
    try:
        client = get_client()
    except ValueError as error:
        raise RuntimeError(
            "There is no active Dask client. Connect to a cluster first, for example with "
            "client = distributed.Client('tcp://scheduler:8786'), or start one on this machine "
            "with distributed.Client(distributed.LocalCluster())."
        ) from error
    if client.asynchronous:
        raise RuntimeError(
            "The active Dask client is asynchronous, but fit waits for its result. Use a client "
            "made without asynchronous=True."
        )
    return client


@contextmanager
def released_thread() -> Iterator[None]:
    """Release the thread of a Dask task, if this is one, while it waits for other tasks.

    Otherwise a fit inside a task, such as one fold of a search, would wait for ever if the cluster
    has no other thread. Without effect if the task has released it already.
    """
    try:
        get_worker()
    except ValueError:
        is_task = False
    else:
        is_task = True
    if not is_task:
        yield
        return
    with worker_client():
        yield


def patience() -> float:
    """Return the number of seconds that a fit waits for a worker when none is left."""
    return float(parse_timedelta(dask.config.get("rarewood.wait-for-workers", "60s")))


def allowed_failures() -> int:
    """Return how many workers may be lost with the same rows before a fit gives up."""
    return int(dask.config.get("distributed.scheduler.allowed-failures", 3))


def wait_for_workers(client: Any, n_wanted: int, grace: float) -> dict[str, int]:
    """Return the threads of each worker, ordered by address.

    Waits up to ``grace`` seconds for ``n_wanted`` workers, and up to :func:`patience` seconds for
    the first one.
    """
    start = time.monotonic()
    while True:
        workers = dict(sorted(client.nthreads().items()))
        waited = time.monotonic() - start
        if len(workers) >= n_wanted or (workers and waited >= grace):
            return workers
        if not workers and waited >= patience():
            raise no_workers_error(client, waited)
        time.sleep(_PAUSE)


def no_workers_error(client: Any, waited: float) -> RuntimeError:
    """Return the error of a fit that has waited in vain for a worker."""
    return RuntimeError(
        f"The Dask cluster at {client.scheduler.address} has no workers, and none has joined "
        f"within {waited:.0f} s. Start workers and fit again; "
        "dask.config.set({'rarewood.wait-for-workers': '10 minutes'}) waits longer."
    )


def checked_workers(client: Any, workers: list[str]) -> list[str]:
    """Return the reachable workers; raise if one lacks rarewood or has another version."""
    found = client.run(eval, _VERSION, workers=workers, on_error="return")
    found = {worker: reply for worker, reply in found.items() if not isinstance(reply, OSError)}
    without = [worker for worker, reply in found.items() if isinstance(reply, BaseException)]
    if without:
        raise RuntimeError(
            f"rarewood cannot be imported on {_name_first(without)}: {found[without[0]]!r}. "
            f"Install rarewood {__version__} there, with the same versions of Python and NumPy as "
            "here."
        )
    others = [worker for worker, reply in found.items() if reply != __version__]
    if others:
        raise RuntimeError(
            f"rarewood is {found[others[0]]} on {_name_first(others)} and {__version__} here. "
            "Install the same version everywhere."
        )
    return list(found)


def _name_first(workers: list[str]) -> str:
    more = f" and {len(workers) - 1} more" if len(workers) > 1 else ""
    return f"the worker {workers[0]}{more}"
