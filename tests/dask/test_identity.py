"""Models fitted on a cluster are identical to those fitted in one process, to the bit."""

from __future__ import annotations

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow.dataset as ds
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rarewood import RareForestClassifier, RareTreeClassifier, criteria
from rarewood.dask import DaskRareForestClassifier, DaskRareTreeClassifier
from rarewood.model import _parameters
from support.dask_tables import assert_same_model, left_behind, mixed_table, numbers

TREES = {
    "plain": {},
    "few bins": {"max_bins": 7, "criterion": "entropy"},
    "depth, leaves": {"max_depth": 4, "min_samples_leaf": 20, "criterion": "gini"},
    "best first": {"max_leaf_nodes": 12, "criterion": "ccp_entropy"},
    "random cuts": {"splitter": "random", "n_cuts": 3, "max_features": 2, "random_state": 4},
    "multiway": {"categorical_split": "multiway", "criterion": "gain_ratio"},
    "one-hot": {"categorical_split": "onehot", "criterion": criteria.Alpha(0.6)},
    "pruned": {"pruning": "fisher", "criterion": "ccp_gini"},
    "dict": {
        "class_weight": {"ill": 5.0, "odd": 0.7, "well": 1.0},
        "min_weight_fraction_leaf": 0.01,
    },
    "no class": {"class_weight": {"ill": 2.0, "odd": 0.0}},
    "function": {"criterion": criteria.custom(lambda t: criteria.score("gini", t), convex=True)},
}
FORESTS = {
    "all rows": {"splitter": "best"},
    "random edges": {"splitter": "random", "n_cuts": 5, "class_weight": "balanced"},
    "bootstrap": {"splitter": "best", "bootstrap": True, "max_samples": 0.7},
    "balanced": {"splitter": "best", "balance": True, "bootstrap": True, "pruning": "error"},
    "balanced without replacement": {"splitter": "best", "balance": True},
    "subsample": {"splitter": "best", "bootstrap": True, "class_weight": "balanced_subsample"},
    "recipe": {"splitter": "best", "criterion": criteria.BetaAlpha(1, 3), "max_depth": 6},
    "function": {"criterion": criteria.custom(lambda t: criteria.score("gini", t), name="own")},
}
PLANES = {
    "all rows": {},
    "sampled": {"split_samples": 60, "leaf_strength": "auto", "collapse": "auto"},
    "limits": {"split_samples": 60, "min_samples_leaf": 15, "oblique_draw": "direction"},
    "bootstrap": {"split_samples": 40, "bootstrap": True, "max_samples": 0.7},
    "balanced": {"split_samples": 40, "balance": True, "bootstrap": True},
    "subsample": {"split_samples": 40, "class_weight": "balanced_subsample", "bootstrap": True},
    "float32": {"split_samples": 40, "max_bins": 255, "oblique_dim": 3},
}
TABLE = mixed_table()
FEATURES = [name for name in TABLE if name not in ("y", "weight")]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("case", TREES)
def test_tree_of_a_table_with_everything(client, case, weighted):
    parameters = {"max_bins": 64, **TREES[case]}
    weights = TABLE["weight"] if weighted else None
    local = RareTreeClassifier(**parameters).fit(TABLE[FEATURES], TABLE["y"], weights)
    frame = dd.from_pandas(TABLE, npartitions=3)
    model = DaskRareTreeClassifier(**parameters)
    if weighted:
        model.fit(frame, "y", "weight")
    else:
        model.fit(frame[FEATURES], frame["y"])
    assert_same_model(model, local)


@pytest.mark.parametrize("case", FORESTS)
def test_forest_of_a_table_with_everything(client, case):
    parameters = {"n_estimators": 4, "max_bins": 32, "random_state": 2, **FORESTS[case]}
    local = RareForestClassifier(**parameters).fit(TABLE[FEATURES], TABLE["y"], TABLE["weight"])
    frame = dd.from_pandas(TABLE, npartitions=4)
    model = DaskRareForestClassifier(**parameters)
    model.fit(frame[FEATURES], frame["y"], frame["weight"])
    assert_same_model(model, local)
    assert model.fit_report_.n_rows == np.count_nonzero(TABLE["weight"])
    assert left_behind(client) == {}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("case", PLANES)
def test_hyperplanes_over_the_rows_of_all_workers(client, case, weighted):
    parameters = {"n_estimators": 4, "max_bins": 32, "random_state": 2, **PLANES[case]}
    table = TABLE
    if case == "float32":
        table = table.astype(dict.fromkeys(table.select_dtypes("f8"), "f4"))
    weights = table["weight"] if weighted else None
    local = RareForestClassifier(**parameters).fit(table[FEATURES], table["y"], weights)
    for n_partitions in (1, 4):
        frame = dd.from_pandas(table, npartitions=n_partitions)
        model = DaskRareForestClassifier(strategy="rows", **parameters)
        model.fit(frame[FEATURES], frame["y"], frame["weight"] if weighted else None)
        assert_same_model(model, local)
        assert model.fit_report_.strategy == "rows"
    assert left_behind(client) == {}


def test_the_default_forest_over_the_rows_of_all_workers(client, monkeypatch):
    """Classes have more samples than ``split_samples``."""
    monkeypatch.setattr(_parameters, "CODED_SAMPLES", 5000)
    X, y, w = numbers(9000)
    local = RareForestClassifier(6, random_state=0).fit(X, y, w)
    tables = [da.from_array(values, chunks=2500) for values in (X, y, w)]
    model = DaskRareForestClassifier(3, strategy="rows", warm_start=True, random_state=0)
    model.fit(*tables).set_params(n_estimators=6).fit(*tables)
    assert_same_model(model, local)
    oblique = {"splitter": "oblique", "max_bins": 20, "split_samples": 100, "random_state": 0}
    tree = RareTreeClassifier(**oblique).fit(X, y, w)
    assert_same_model(DaskRareTreeClassifier(**oblique).fit(*tables), tree)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_division_of_any_numbers(client, data):
    n_rows = data.draw(st.integers(2, 60))
    cell = st.one_of(st.integers(-3, 3).map(float), st.floats(-2, 2, width=16), st.just(np.nan))
    X = np.array(data.draw(st.lists(st.tuples(cell, cell), min_size=n_rows, max_size=n_rows)))
    y = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n_rows, max_size=n_rows)))
    ends = sorted(data.draw(st.lists(st.integers(0, n_rows), max_size=4)))
    chunks = tuple(np.diff([0, *ends, n_rows]).tolist())
    parameters = {"max_bins": data.draw(st.integers(2, 9)), "criterion": "gini"}
    local = RareTreeClassifier(**parameters).fit(X, y)
    tables = da.from_array(X, chunks=(chunks, 2)), da.from_array(y, chunks=(chunks,))
    model = DaskRareTreeClassifier(**parameters).fit(*tables)
    for name, value in local.tree_.compiled.state().items():
        found = model.tree_.compiled.state()[name]
        assert np.array(found).tobytes() == np.array(value).tobytes()


def test_the_number_of_workers_and_partitions_does_not_matter(client):
    X, y, w = numbers()
    workers = list(client.nthreads())
    local = RareTreeClassifier(max_bins=50).fit(X, y, w)
    for n_chunks in (1, 2, 7):
        size = -(-len(X) // n_chunks)
        chunks = [da.from_array(values, chunks=size) for values in (y, w)]
        model = DaskRareTreeClassifier(max_bins=50).fit(da.from_array(X, chunks=(size, 3)), *chunks)
        assert_same_model(model, local)
        assert model.fit_report_.n_shards == min(n_chunks, len(workers))


def test_rows_that_a_condition_chooses(client, tmp_path):
    TABLE.iloc[:700].to_parquet(tmp_path / "a.parquet")
    TABLE.iloc[700:].to_parquet(tmp_path / "b.parquet")
    chosen = ds.dataset(tmp_path).filter(ds.field("few") > 1).filter(ds.field("b") < 1)
    few = TABLE[(TABLE["few"] > 1) & (TABLE["b"] < 1)].astype({"size": str})
    local = RareTreeClassifier(max_bins=64).fit(few[FEATURES], few["y"], few["weight"])
    model = DaskRareTreeClassifier(max_bins=64).fit(chosen, "y", "weight")
    assert model.fit_report_.n_shards == 2  # files are divided among the workers
    assert_same_model(model, local)


def test_files_that_the_workers_read(client, tmp_path):
    for number, part in enumerate(np.array_split(np.arange(len(TABLE)), 3)):
        TABLE.iloc[part].to_parquet(tmp_path / f"part{number}.parquet", row_group_size=200)
    parameters = {"n_estimators": 3, "splitter": "best", "max_bins": 99, "random_state": 0}
    local = RareForestClassifier(**parameters).fit(tmp_path, "y", "weight")
    model = DaskRareForestClassifier(**parameters).fit(str(tmp_path), "y", "weight")
    assert_same_model(model, local)
    table = pd.read_parquet(tmp_path)[FEATURES]
    frame = dd.read_parquet(tmp_path)[FEATURES]
    assert np.array_equal(model.predict_proba(frame).compute(), local.predict_proba(table))


def test_trees_are_added_to_a_forest(client):
    X, y, w = numbers()
    parameters = {"max_bins": 50, "splitter": "best", "random_state": 0, "bootstrap": True}
    local = RareForestClassifier(5, **parameters).fit(X, y, w)
    tables = [da.from_array(values, chunks=500) for values in (X, y, w)]
    model = DaskRareForestClassifier(2, warm_start=True, **parameters).fit(*tables)
    model.set_params(n_estimators=5).fit(*tables)
    assert_same_model(model, local)


@pytest.mark.parametrize(
    "settings",
    [
        {"splitter": "best", "max_bins": 20},
        {"splitter": "best", "max_bins": 20, "strategy": "trees"},
        {"max_bins": 20, "split_samples": 40, "strategy": "rows", "collapse": "auto"},
        {"max_bins": 20, "strategy": "trees"},
    ],
    ids=str,
)
def test_monotonic_constraints(client, settings):
    X, y, w = numbers()
    y = np.where(y == y.max(), 1, 0)
    constraints = [1, *[0] * (X.shape[1] - 2), -1]
    model = DaskRareForestClassifier(3, random_state=0, monotonic_cst=constraints, **settings)
    local = {name: value for name, value in settings.items() if name != "strategy"}
    local = RareForestClassifier(3, random_state=0, monotonic_cst=constraints, **local).fit(X, y, w)
    assert local.forest_.compiled_trees[0].monotonic.tolist() == constraints
    model.fit(*[da.from_array(values, chunks=500) for values in (X, y, w)])
    assert_same_model(model, local)
    np.testing.assert_array_equal(model.predict_proba(X), local.predict_proba(X))


def test_one_class_is_a_leaf(client):
    X, y, _ = numbers(60)
    tables = da.from_array(X, chunks=20), da.from_array(np.zeros_like(y), chunks=20)
    model = DaskRareTreeClassifier(max_bins=50).fit(*tables)
    assert model.get_n_leaves() == 1
    assert model.classes_.tolist() == [0]
