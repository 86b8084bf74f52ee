"""The estimators as objects: parameters, copies, local models, files, reports."""

from __future__ import annotations

import inspect
import pickle

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pytest
from sklearn.base import clone

import rarewood
from rarewood import RareForestClassifier, RareTreeClassifier, presets
from rarewood.dask import DaskRareForestClassifier, DaskRareTreeClassifier
from support.dask_tables import assert_same_model, mixed_table, numbers

X, Y, _ = numbers(600)
TABLES = [da.from_array(values, chunks=200) for values in (X, Y)]


def test_parameters_are_those_of_the_local_estimators():
    tree = inspect.signature(DaskRareTreeClassifier).parameters
    assert tree == inspect.signature(RareTreeClassifier).parameters
    forest = dict(inspect.signature(DaskRareForestClassifier).parameters)
    assert forest.pop("strategy").default == "auto"
    assert forest == dict(inspect.signature(RareForestClassifier).parameters)
    model = DaskRareForestClassifier(7, max_bins=9, strategy="trees")
    assert clone(model).get_params() == model.get_params()
    assert "strategy='trees'" in repr(model)
    with pytest.raises(TypeError, match="unexpected keyword argument 'max_bin'"):
        DaskRareForestClassifier(max_bin=9)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (DaskRareTreeClassifier(), "Fitting on a Dask cluster needs max_bins"),
        (DaskRareForestClassifier(strategy="rows"), "600 samples.*Set max_bins=255"),
        (DaskRareForestClassifier(strategy="rows", max_bins=None), "raw values.*strategy='trees'"),
        (DaskRareForestClassifier(strategy="rows", split_samples=None), "Set split_samples='auto'"),
        (DaskRareForestClassifier(strategy="rows", max_leaf_nodes=9), "Set max_leaf_nodes=None"),
        (DaskRareForestClassifier(max_bins=9, strategy="row"), "'strategy' parameter"),
        (
            DaskRareForestClassifier(
                max_bins=9, splitter="best", bootstrap=True, oob_score=True, strategy="rows"
            ),
            "Out-of-bag scores need.*strategy='trees'",
        ),
    ],
)
def test_what_a_cluster_cannot_do(client, model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(*TABLES)


@pytest.mark.parametrize("strategy", ["rows", "trees"])
def test_the_number_of_trees_is_that_of_a_local_forest(client, strategy):
    parameters = {"max_bins": 20, "max_depth": 4, "random_state": 0}
    local = RareForestClassifier("auto", **parameters).fit(X, Y)
    model = DaskRareForestClassifier("auto", strategy=strategy, **parameters).fit(*TABLES)
    assert model.n_estimators_ == local.n_estimators_
    assert_same_model(model, local)


def test_a_pilot_chooses_from_the_rows_of_all_workers(client):
    table = mixed_table(700)
    features = [name for name in table if name not in ("y", "weight")]
    parameters = {"max_bins": 20, "leaf_strength": "auto", "collapse": "auto"}
    groups = np.arange(700) // 2
    local = RareTreeClassifier(**parameters)
    local.fit(table[features], table["y"], table["weight"], groups=groups)
    frame = dd.from_pandas(table, npartitions=3)
    model = DaskRareTreeClassifier(**parameters)
    model.fit(frame, "y", "weight", groups=da.from_array(groups))
    assert np.array_equal(model.pilot_.log_loss, local.pilot_.log_loss)
    assert_same_model(model, local)
    named = dd.from_pandas(table.assign(who=groups), npartitions=3)
    other = DaskRareTreeClassifier(**parameters).fit(named, "y", "weight", groups="who")
    assert_same_model(other, local)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit(frame, "y", groups=groups[1:])
    with pytest.raises(ValueError, match=r"no column 'who' \(groups\)"):
        model.fit(frame, "y", groups="who")


def test_to_local_returns_a_local_model(client, tmp_path):
    parameters = {"max_bins": 50, "splitter": "best", "balance": True, "random_state": 0}
    local = RareForestClassifier(5, **parameters).fit(X, Y)
    model = DaskRareForestClassifier(5, **parameters).fit(*TABLES)
    returned = model.to_local()
    assert type(returned) is RareForestClassifier
    assert returned.get_params() == local.get_params()
    assert not hasattr(returned, "fit_report_")
    assert_same_model(returned, local)
    for one in (returned, pickle.loads(pickle.dumps(model))):
        assert np.array_equal(one.predict_proba(X), local.predict_proba(X))
    rarewood.save(model, tmp_path / "model.rare")
    loaded = rarewood.load(tmp_path / "model.rare")
    assert type(loaded) is RareForestClassifier
    assert np.array_equal(loaded.predict_proba(X), local.predict_proba(X))
    with pytest.raises(ValueError, match="after a fit on a cluster they are not available"):
        model.estimators_samples_  # noqa: B018


def test_presets_by_their_parameters(client):
    preset = presets.hddt(max_bins=50)
    model = DaskRareTreeClassifier(**preset.get_params()).fit(*TABLES)
    assert_same_model(model, preset.fit(X, Y))
    assert_same_model(model.to_local(), preset)


def test_the_report_counts(client, capsys):
    model = DaskRareForestClassifier(
        3, splitter="best", max_bins=50, leaf_strength="auto", random_state=0, verbose=1
    )
    report = model.fit(*TABLES).fit_report_
    assert (report.strategy, report.n_workers, report.n_lost, report.n_shards) == ("rows", 2, 0, 3)
    assert report.n_rounds >= 2
    assert report.bytes_sent == report.request_bytes + report.response_bytes > 1000
    first = ["starting", "reading labels", "bin statistics", "pilot sample", "encoding"]
    assert list(report.seconds) == [*first, "pilot", "growing"]
    shown = capsys.readouterr().err
    assert "600 of 600 labels read" in shown
    assert "600 of 600 rows read for bins" in shown
    assert "600 of 600 rows encoded" in shown
    assert "3 of 3 trees grown" in shown


def test_threads_of_the_workers_do_not_matter(client):
    local = RareForestClassifier(3, splitter="best", max_bins=50, random_state=0).fit(X, Y)
    model = DaskRareForestClassifier(3, splitter="best", max_bins=50, random_state=0, n_jobs=3)
    assert_same_model(model.fit(*TABLES), local)
