"""Fits on a Dask cluster of which a worker is killed at a random moment: identical models."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from random import Random

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
    problems, n_lost = [], 0
    with (
        LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        for number in range(n):
            lazy = [da.from_array(table, chunks=500) for table in tables]
            strategy = random.choice(["rows", "trees"])
            killer = threading.Timer(random.uniform(0, 0.8), kill_one, (client, random))
            killer.start()
            model = DaskRareForestClassifier(**FOREST, strategy=strategy).fit(*lazy)
            killer.join()
            n_lost += model.fit_report_.n_lost
            try:
                assert_same_model(model, local)
                _wait_for(lambda: left_behind(client) == {})
            except AssertionError as error:
                problems.append(f"fit {number}, {strategy}: {error}")
            if (number + 1) % 10 == 0:
                print(f"{number + 1} of {n} fits, {len(problems)} problems", flush=True)
            try:
                client.wait_for_workers(3, timeout=120)
            except TimeoutError:  # Dask does not always replace a worker that was just starting
                client.restart()
    print(f"  {n} fits on a cluster, {n_lost} workers lost during fits", flush=True)
    return problems


def kill_one(client: Client, random: Random) -> None:
    with suppress(Exception):
        pids = client.run(os.getpid)
        os.kill(pids[random.choice(sorted(pids))], signal.SIGKILL)


def _wait_for(condition) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "data stay on the cluster"
        time.sleep(0.1)
