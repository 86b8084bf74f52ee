"""Forests whose trees are distributed."""

from __future__ import annotations

import os
import signal
import time
import warnings

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from rarewood import RareForestClassifier
from rarewood.dask import DaskRareForestClassifier, _trees
from rarewood.dask._scoped_client import ScopedClient
from rarewood.model import _parameters
from support.dask_tables import assert_same_model, left_behind, mixed_table, numbers

X, Y, W = numbers(800)
CASES = {
    "hyperplanes": {},
    "exact": {"splitter": "best", "class_weight": "balanced_subsample", "bootstrap": True},
    "balanced": {"balance": True, "bootstrap": True, "oob_score": True},
    "codes": {"max_bins": 30, "leaf_strength": "auto", "collapse": "auto"},
    "bins": {"splitter": "best", "max_bins": 30, "bootstrap": True, "oob_score": True},
}


def by_trees(**parameters):
    return DaskRareForestClassifier(strategy="trees", **parameters)


@pytest.mark.parametrize("case", CASES)
def test_the_forest_is_that_of_one_process(client, case):
    parameters = {"n_estimators": 30, "random_state": 5, **CASES[case]}
    local = RareForestClassifier(**parameters).fit(X, Y, W)
    chunked = [da.from_array(values, chunks=300) for values in (X, Y, W)]
    for tables in ((X, Y, W), chunked):
        model = by_trees(**parameters).fit(*tables)
        assert_same_model(model, local)
        if local.oob_score:
            assert model.oob_score_ == local.oob_score_
            assert np.array_equal(
                model.oob_decision_function_, local.oob_decision_function_, equal_nan=True
            )
        for rows, expected in zip(
            model.estimators_samples_, local.estimators_samples_, strict=True
        ):
            assert np.array_equal(rows, expected)
    assert left_behind(client) == {}


def test_frames_and_files(client, tmp_path):
    table = mixed_table(500)
    features = [name for name in table if name not in ("y", "weight")]
    parameters = {"n_estimators": 4, "random_state": 5}
    local = RareForestClassifier(**parameters).fit(table[features], table["y"], table["weight"])
    frame = dd.from_pandas(table, npartitions=3)
    assert_same_model(by_trees(**parameters).fit(frame, "y", "weight"), local)
    assert_same_model(
        by_trees(**parameters).fit(frame[features], frame["y"], frame["weight"]), local
    )
    coded = {"max_bins": 50, "bootstrap": True, "oob_score": True, "collapse": "auto"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # some rows have no votes
        model = by_trees(**parameters, **coded).fit(frame, "y", "weight")
        local.set_params(**coded).fit(table[features], table["y"], table["weight"])
    assert_same_model(model, local)
    assert np.array_equal(
        model.oob_decision_function_, local.oob_decision_function_, equal_nan=True
    )
    with pytest.raises(ValueError, match="must be columns of X"):
        by_trees(**parameters).fit(frame, "label")
    table.to_parquet(tmp_path / "table.parquet")
    parameters |= {"splitter": "best", "max_bins": 50}
    local = RareForestClassifier(**parameters).fit(tmp_path, "y", "weight")
    assert_same_model(by_trees(**parameters).fit(tmp_path, "y", "weight"), local)


def test_trees_are_added(client):
    chunked = [da.from_array(values, chunks=300) for values in (X, Y)]
    for tables, max_bins in (((X, Y), "auto"), (chunked, 20)):
        parameters = {"max_bins": max_bins, "random_state": 1}
        model = by_trees(n_estimators=2, warm_start=True, **parameters).fit(*tables)
        model.set_params(n_estimators=6).fit(*tables)
        assert_same_model(model, RareForestClassifier(6, **parameters).fit(X, Y))


@pytest.mark.parametrize("n_coded", [100, 20_000])
def test_no_parameter_is_needed(client, monkeypatch, tmp_path, n_coded):
    monkeypatch.setattr(_parameters, "CODED_SAMPLES", n_coded)
    values = [da.from_array(values, chunks=300) for values in (X, Y)]
    local = RareForestClassifier(random_state=0).fit(X, Y)
    model = DaskRareForestClassifier(random_state=0).fit(*values)
    assert (model.fit_report_.strategy, model._schema.bins is None) == ("trees", n_coded > len(X))
    assert_same_model(model, local)
    if n_coded < len(X):
        table = pd.DataFrame(X, columns=list("abcde")).assign(y=Y)
        table.to_parquet(tmp_path / "table.parquet", row_group_size=300)
        streamed = RareForestClassifier(random_state=0).fit(tmp_path, "y")
        model = DaskRareForestClassifier(random_state=0).fit(tmp_path, "y")
        assert_same_model(model, streamed)
        assert np.array_equal(model.to_local().predict_proba(table), local.predict_proba(X))


@pytest.mark.parametrize("n_grown", [1, 9])
def test_a_worker_killed_while_trees_grow(client, monkeypatch, n_grown):
    pids = client.run(os.getpid)
    killed = min(pids)
    original, n_calls = _trees.tree_from_state, 0

    def tree_from_state(state):
        nonlocal n_calls
        n_calls += 1
        if n_calls == n_grown:
            os.kill(pids[killed], signal.SIGKILL)
            while killed in client.nthreads():
                time.sleep(0.01)
        return original(state)

    monkeypatch.setattr(_trees, "tree_from_state", tree_from_state)
    tables = [np.repeat(values, 20, axis=0) for values in (X, Y)]
    parameters = {"n_estimators": 16, "random_state": 5, "max_bins": 20 if n_grown == 1 else None}
    sent = tables
    if n_grown == 1:  # the shards are encoded again
        sent = [da.from_array(values, chunks=5000) for values in tables]
    model = by_trees(**parameters).fit(*sent)
    assert model.fit_report_.n_lost == 1
    assert_same_model(model, RareForestClassifier(**parameters).fit(*tables))
    assert left_behind(client) == {}


def test_a_worker_that_joins_with_another_version(client, monkeypatch):
    """Workers are checked when a fit starts; those that join later, by their tasks."""
    monkeypatch.setattr(_trees, "__version__", "0.0.1")
    with pytest.raises(RuntimeError, match=r"on the worker tcp.* and 0\.0\.1 on the client"):
        by_trees(n_estimators=4).fit(X, Y)
    assert left_behind(client) == {}


@pytest.mark.parametrize("n_before", [0, 1])
@pytest.mark.parametrize("is_sent", [False, True])
def test_a_worker_killed_while_the_table_is_sent(client, monkeypatch, n_before, is_sent):
    """Either worker, or the one that has got a part of the table."""
    pids = client.run(os.getpid)
    original, n_calls = ScopedClient.scatter, 0

    def scatter(self, value):
        nonlocal n_calls
        n_calls += 1
        if n_calls != 1 + n_before:
            return original(self, value)
        if not is_sent:
            os.kill(pids[sorted(pids)[n_before]], signal.SIGKILL)
            return original(self, value)
        sent = original(self, value)
        os.kill(pids[client.who_has([sent])[sent.key][0]], signal.SIGKILL)
        return sent

    monkeypatch.setattr(ScopedClient, "scatter", scatter)
    model = by_trees(n_estimators=4, random_state=5).fit(X, Y)
    assert_same_model(model, RareForestClassifier(4, random_state=5).fit(X, Y))
    assert left_behind(client) == {}


def test_bad_input_is_what_it_is_in_one_process(client):
    model = by_trees(n_estimators=2)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit(X, Y[:-1])
    with pytest.raises(ValueError, match="contains infinity"):
        model.fit(np.full((4, 1), np.inf), [0, 1, 0, 1])
    with pytest.raises(TypeError, match="iterator"):
        model.fit(iter([]), "y")
    assert not hasattr(model, "forest_")
    assert left_behind(client) == {}
