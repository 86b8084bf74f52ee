"""Fits on a Dask cluster of which a worker is killed at a random moment: identical models."""

from __future__ import annotations

import os
import signal
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Any

import dask
import dask.array as da
from distributed import Client, LocalCluster

from rarewood import RareForestClassifier
from rarewood.dask import DaskRareForestClassifier
from support.dask_tables import assert_same_model, left_behind, numbers

FOREST = {
    "n_estimators": 4,
    "splitter": "best",
    "max_bins": 40,
    "bootstrap": True,
    "random_state": 1,
}


def kill_workers(n: int, random: Random) -> list[str]:
    """Fit ``n`` times; returns what was wrong."""
    tables = numbers(4000)
    local = RareForestClassifier(**FOREST).fit(*tables)
    problems: list[str] = []
    n_done = n_lost = 0
    while n_done < n:
        with cluster_of(3) as client:
            is_whole = True
            while n_done < n and is_whole:
                n_lost += fit_one(client, tables, local, random, problems)
                n_done += 1
                is_whole = has_workers(client, 3)
        print(f"{n_done} of {n} fits, {n_lost} workers lost, {len(problems)} problems", flush=True)
    return problems


@contextmanager
def cluster_of(n: int) -> Iterator[Client]:
    # Dask gives up the place of a worker if none is there when it looks, 15 seconds after a loss.
    with dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"}):
        cluster = LocalCluster(n_workers=n, threads_per_worker=1, dashboard_address=None)
        try:
            with Client(cluster) as client:
                yield client
        finally:
            with suppress(KeyError):  # Dask looks for a worker that has just been lost
                cluster.close()


def fit_one(client: Client, tables: tuple, local: Any, random: Random, problems: list[str]) -> int:
    """Fit while a worker is killed; returns the number of workers that the fit lost."""
    lazy = [da.from_array(table, chunks=500) for table in tables]
    strategy = random.choice(["rows", "trees"])
    killer = threading.Timer(random.uniform(0, 0.8), kill_one, (client, random))
    killer.start()
    model = DaskRareForestClassifier(**FOREST, strategy=strategy)
    try:
        model.fit(*lazy)
        killer.join()
        assert_same_model(model, local)
        left = left_behind(client)
        assert not left, f"data stay on the cluster: {left}"
    except Exception as error:
        killer.join()
        problems.append(f"{strategy}: {''.join(traceback.format_exception(error))}")
        print(problems[-1], flush=True)
    return model.fit_report_.n_lost if hasattr(model, "fit_report_") else 0


def has_workers(client: Client, n: int) -> bool:
    """Whether Dask has replaced lost workers: it does not always, of one that was starting."""
    try:
        client.wait_for_workers(n, timeout=60)
    except TimeoutError:
        return False
    return True


def kill_one(client: Client, random: Random) -> None:
    with suppress(Exception):
        pids = client.run(os.getpid)
        os.kill(pids[random.choice(sorted(pids))], signal.SIGKILL)
