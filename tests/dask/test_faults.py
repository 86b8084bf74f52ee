"""Lost workers, lost clusters, interrupted fits, and workers without the right version."""

from __future__ import annotations

import ast
import os
import re
import signal
import sys

import dask
import dask.array as da
import numpy as np
import pytest
from distributed import Client, LocalCluster

from rarewood import RareForestClassifier, RareTreeClassifier, __version__
from rarewood.dask import DaskRareForestClassifier, DaskRareTreeClassifier, _passes
from rarewood.dask._cluster import patience
from rarewood.dask._shard_actor import branches
from rarewood.dask._shard_map import ShardMap
from support.dask_tables import assert_same_model, left_behind, numbers

X, Y, W = numbers(4000)
FOREST = {
    "n_estimators": 3,
    "splitter": "best",
    "max_bins": 40,
    "bootstrap": True,
    "random_state": 1,
}


def chunked(*tables):
    return [da.from_array(table, chunks=500) for table in tables]


def before(monkeypatch, owner, name, number, action):
    """Do something before a function is called for the nth time."""
    original, n_calls = getattr(owner, name), 0

    def called(*args, **kwargs):
        nonlocal n_calls
        n_calls += 1
        if n_calls == number:
            action()
        return original(*args, **kwargs)

    monkeypatch.setattr(owner, name, called)


def kill_one(client):
    """Kill the process of a worker, as the system does when memory is short."""
    pids = client.run(os.getpid)
    os.kill(pids[sorted(pids)[-1]], signal.SIGKILL)


def test_a_worker_killed_while_trees_grow(client, monkeypatch):
    local = RareForestClassifier(**FOREST).fit(X, Y, W)
    before(monkeypatch, ShardMap, "send", 2, lambda: kill_one(client))
    model = DaskRareForestClassifier(**FOREST).fit(*chunked(X, Y, W))
    assert_same_model(model, local)
    assert model.fit_report_.n_lost == 1
    assert left_behind(client) == {}


@pytest.mark.parametrize(
    ("owner", "step"), [(_passes.Passes, "choose_encoding"), (ShardMap, "load_all")]
)
def test_a_worker_killed_before_the_table_is_encoded(client, monkeypatch, owner, step):
    local = RareTreeClassifier(max_bins=40).fit(X, Y)
    before(monkeypatch, owner, step, 1, lambda: kill_one(client))
    model = DaskRareTreeClassifier(max_bins=40).fit(*chunked(X, Y))
    assert_same_model(model, local)
    assert left_behind(client) == {}


def test_a_worker_killed_after_a_fit(client):
    """The next fit, and the check of what is left, begin before the scheduler has noticed."""
    local = RareTreeClassifier(max_bins=40).fit(X, Y)
    first = DaskRareTreeClassifier(max_bins=40).fit(*chunked(X, Y))
    kill_one(client)
    second = DaskRareTreeClassifier(max_bins=40).fit(*chunked(X, Y))
    kill_one(client)
    assert left_behind(client) == {}
    assert_same_model(first, local)
    assert_same_model(second, local)


def kill_all(client):
    for pid in client.run(os.getpid).values():
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize(
    ("owner", "name"),
    [(_passes.Passes, "read_targets"), (_passes.Passes, "choose_encoding"), (ShardMap, "_load")],
)
def test_all_workers_killed_before_trees_grow(client, monkeypatch, owner, name):
    """The workers that replace them start from the beginning."""
    local = RareTreeClassifier(max_bins=40).fit(X, Y, W)
    before(monkeypatch, owner, name, 1, lambda: kill_all(client))
    model = DaskRareTreeClassifier(max_bins=40).fit(*chunked(X, Y, W))
    assert_same_model(model, local)
    assert model.fit_report_.n_lost == 2
    assert left_behind(client) == {}


def give_up():
    raise KeyboardInterrupt


@pytest.mark.parametrize(("owner", "name"), [(ShardMap, "send"), (ShardMap, "load_all")])
def test_an_interrupted_fit_leaves_nothing_behind(client, monkeypatch, owner, name):
    estimator = DaskRareTreeClassifier(max_bins=40)
    before(monkeypatch, owner, name, 1, give_up)
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(*chunked(X, Y))
    assert not hasattr(estimator, "tree_")
    assert left_behind(client) == {}


def test_a_client_that_is_closed_during_a_fit(client, monkeypatch):
    with Client(client.scheduler.address, set_as_default=False) as other, other.as_current():
        before(monkeypatch, ShardMap, "send", 2, other.close)
        with pytest.raises(RuntimeError, match="The Dask client was closed"):
            DaskRareTreeClassifier(max_bins=40).fit(*chunked(X, Y))
    assert left_behind(client) == {}


def test_a_cluster_without_workers(monkeypatch):
    with (
        dask.config.set({"rarewood.wait-for-workers": "300ms"}),
        LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as small,
        Client(small) as connected,
    ):

        def lose_all():
            connected.sync(small.workers[0].close)

        before(monkeypatch, ShardMap, "send", 2, lose_all)
        for _ in range(2):  # lost in the middle, then not there from the start
            with pytest.raises(
                RuntimeError, match=r"has no workers, and none has joined.*Start"
            ) as caught:
                DaskRareTreeClassifier(max_bins=40).fit(*chunked(X, Y))
    advice = re.search(r"dask\.config\.set\((.*)\)", str(caught.value)).group(1)
    with dask.config.set(ast.literal_eval(advice)):
        assert patience() == 600


def test_responses_pass_through_other_workers(monkeypatch):
    """With more workers than the client calls, some call others; one of those is lost."""
    local = RareForestClassifier(**FOREST).fit(X, Y, W)
    with (
        LocalCluster(
            n_workers=7, threads_per_worker=1, processes=False, dashboard_address=":0"
        ) as many,
        Client(many) as connected,
    ):
        model = DaskRareForestClassifier(**FOREST).fit(*chunked(X, Y, W))
        assert_same_model(model, local)
        report = model.fit_report_
        assert report.n_shards == 8  # two of eight partitions are too many for one of 7 workers
        called = [head for head, _ in branches([str(number) for number in range(7)])]
        assert len(called) < 7
        last = max(worker.address for worker in many.workers.values())

        def lose_last():
            (worker,) = (one for one in many.workers.values() if one.address == last)
            connected.sync(worker.close)

        before(monkeypatch, ShardMap, "send", 2, lose_last)
        model = DaskRareForestClassifier(**FOREST).fit(*chunked(X, Y, W))
        assert_same_model(model, local)
        assert model.fit_report_.n_lost == 1
        assert left_behind(connected) == {}


def test_without_a_client():
    with pytest.raises(RuntimeError, match=r"no active Dask client.*distributed.Client"):
        DaskRareTreeClassifier(max_bins=40).fit(*chunked(X, Y))


def test_another_version_on_a_worker(client):
    def set_version(version):
        sys.modules["rarewood"].__version__ = version

    DaskRareTreeClassifier(max_bins=40).fit(*chunked(X, Y))  # it is imported everywhere
    one = sorted(client.nthreads())[0]
    client.run(set_version, "0.0.1", workers=[one])
    try:
        with pytest.raises(RuntimeError, match=f"rarewood is 0.0.1 on the worker {one} and"):
            DaskRareTreeClassifier(max_bins=40).fit(*chunked(X, Y))
    finally:
        client.run(set_version, __version__, workers=[one])


def test_a_worker_without_rarewood(client):
    def hide():
        import sys

        sys.modules["hidden"], sys.modules["rarewood"] = sys.modules["rarewood"], None

    def show():
        import sys

        sys.modules["rarewood"] = sys.modules.pop("hidden")

    client.run(exec, "import rarewood")
    one = sorted(client.nthreads())[0]
    client.run(hide, workers=[one])
    try:
        with pytest.raises(RuntimeError, match="rarewood cannot be imported on the worker tcp"):
            DaskRareTreeClassifier(max_bins=40).fit(*chunked(X, Y))
    finally:
        client.run(show, workers=[one])


@pytest.mark.parametrize("releases", [False, True])
def test_a_fit_inside_a_task_needs_no_other_thread(releases):
    """The only thread of the cluster runs the task that fits."""

    def fit(X, y):
        from contextlib import nullcontext

        import dask.array as da
        from distributed import worker_client

        with worker_client() if releases else nullcontext():
            model = DaskRareTreeClassifier(max_bins=255, max_depth=3)
            return model.fit(da.from_array(X, chunks=(100, 2)), da.from_array(y, chunks=100))

    X = np.random.default_rng(0).normal(size=(300, 2))
    y = (X[:, 0] > 1).astype(int)
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        model = client.submit(fit, X, y).result(timeout=100)
    local = RareTreeClassifier(max_bins=255, max_depth=3).fit(X, y)
    np.testing.assert_array_equal(model.to_local().predict_proba(X), local.predict_proba(X))
