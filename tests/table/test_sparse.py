"""A sparse table gives the model of the dense one, without ever being dense."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from oracle.cases import PLAIN
from rarewood import C45Classifier, RareForestClassifier, RareTreeClassifier, _core, explain, rules
from rarewood.table import _sparse
from support.draw import examples, problems
from support.grown import assert_same_tree, criterion, encode, options_of

CONTAINERS = [sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array, sparse.csc_array]
CONTAINERS += [sparse.coo_array, sparse.lil_matrix]


def table(n=300, n_features=12, density=0.15, seed=0, dtype=np.float64, missing=False):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, n_features)) < density, rng.integers(-3, 6, (n, n_features)), 0)
    X = X.astype(dtype)
    X[:, 0] *= 0.37
    X[:, 1] = 0
    y = (X[:, 0] + X[:, 2] - X[:, 3] + rng.normal(size=n) > 1).astype(int)
    if missing:
        X[rng.random(X.shape) < 0.02] = np.nan
    return X, y


SETTINGS = {
    "tree": RareTreeClassifier(),
    "limits": RareTreeClassifier(min_samples_leaf=4, class_weight={0: 0.3, 1: 1.7}),
    "best first": RareTreeClassifier("gini", max_leaf_nodes=9),
    "not convex": RareTreeClassifier("ihdw"),
    "random tree": RareTreeClassifier(splitter="random", random_state=0),
    "oblique tree": RareTreeClassifier(splitter="oblique", random_state=0, oblique_dim=3),
    "forest": RareForestClassifier(6, random_state=0),
    "sampled": RareForestClassifier(5, random_state=0, split_samples=20, oblique_draw="points"),
    "bagged": RareForestClassifier(
        5, splitter="best", bootstrap=True, oob_score=True, random_state=0, n_jobs=2
    ),
    "balanced": RareForestClassifier(5, balance=True, random_state=0, oblique_draw="direction"),
    "auto size": RareForestClassifier("auto", random_state=0, max_depth=3, leaf_strength=1.0),
    "coded": RareForestClassifier(4, random_state=0, max_bins=7),
    "coded and bagged": RareForestClassifier(
        4, random_state=0, max_bins=255, bootstrap=True, oob_score=True, leaf_strength=1.0
    ),
    "monotonic": RareForestClassifier(4, random_state=0, monotonic_cst=[1, 0, 1, -1, *[0] * 8]),
}


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("missing", [False, True], ids=["present", "missing"])
def test_the_model_is_that_of_the_dense_table(name, dtype, missing, monkeypatch):
    monkeypatch.setattr(_sparse, "_BLOCK_BYTES", 1000)  # blocks of a few rows
    X, y = table(dtype=dtype, missing=missing)
    weights = np.random.default_rng(1).choice([0.0, 0.5, 1.0, 3.0], len(y))
    new, _ = table(seed=5, dtype=dtype, missing=missing)
    for sample_weight in (None, weights):
        model = SETTINGS[name].fit(X, y, sample_weight)
        expected = model.predict_proba(new), model.apply(new), model.predict(new)
        oob = getattr(model, "oob_decision_function_", None)
        settings = model.leaf_strength_, model.collapse_
        model.fit(sparse.csr_array(X), y, sample_weight)
        assert (model.leaf_strength_, model.collapse_) == settings
        for given_table in (new, sparse.csc_array(new)):
            found = (
                model.predict_proba(given_table), model.apply(given_table),
                model.predict(given_table),
            )  # fmt: skip
            for a, b in zip(found, expected, strict=True):
                np.testing.assert_array_equal(a, b)
        paths = (model.decision_path(made) for made in (new, sparse.csc_array(new)))
        for a, b in zip(*([p[0] if isinstance(p, tuple) else p] for p in paths), strict=True):
            np.testing.assert_array_equal(a.toarray(), b.toarray())
        if hasattr(model, "staged_predict_proba"):
            for made in (new, sparse.csr_array(new)):
                *_, last = model.staged_predict_proba(made)
                np.testing.assert_array_equal(last, expected[0])
        if oob is not None:
            np.testing.assert_array_equal(model.oob_decision_function_, oob)


@examples(40)
@given(
    problem=problems(rows=(2, 30), features=(1, 4), classes=(2, 4), missing=True, weighted=True),
    zeros=st.floats(0.1, 0.9),
    case=st.sampled_from([c for c in PLAIN if c.name in ("hellinger", "gini", "ihdw", "dkm")]),
    seed=st.integers(0, 99),
    kind=st.sampled_from([{}, {"n_cuts": 3}, {"n_cuts": 3, "oblique_dim": 2}]),
)
def test_trees_of_the_core_are_the_same(problem, zeros, case, seed, kind):
    rng = np.random.default_rng(seed)
    problem.X[rng.random(problem.X.shape) < zeros] = 0
    if kind.get("oblique_dim", 1) > problem.n_features:
        kind = {}
    columns = _sparse.SparseTable(sparse.csc_array(problem.X)).by_column()
    trees = [
        _core.grow(
            made, problem.y, problem.n_classes, problem.weights, criterion(case),
            options_of(problem, seed=seed, **kind),
        )
        for made in (encode(problem), _sparse.core_columns(columns, 1))
    ]  # fmt: skip
    assert_same_tree(*trees, gain_tolerance=1e-9)


@pytest.mark.parametrize("container", CONTAINERS)
def test_every_container_is_the_same_table(container):
    X, y = table()
    dense = RareForestClassifier(3, random_state=0).fit(X, y)
    given_table = container(X)
    before = given_table.copy().toarray()
    model = RareForestClassifier(3, random_state=0).fit(given_table, y)
    np.testing.assert_array_equal(model.predict_proba(given_table), dense.predict_proba(X))
    np.testing.assert_array_equal(given_table.toarray(), before)


def test_stored_zeros_and_repeated_entries_are_plain_values():
    data, rows, columns = [1.0, 2.0, 0.0, 5.0], [0, 0, 1, 2], [0, 0, 0, 1]
    X = sparse.coo_matrix((data, (rows, columns)), shape=(4, 2))
    y = [1, 0, 0, 0]
    tree = RareTreeClassifier().fit(X, y).tree_
    assert (tree.feature[0], tree.threshold[0]) == (0, 1.5)  # 1 + 2 = 3, and zeros
    integers = RareTreeClassifier().fit(X.astype(np.int8), y).tree_
    assert integers.threshold[0] == 1.5


def test_sparse_columns_of_pandas():
    X, y = table()
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(X.shape[1])])
    by_kind = frame.astype(pd.SparseDtype("float64", 0.0))
    by_kind["f2"] = frame["f2"]  # dense
    by_kind["f4"] = frame["f4"].astype("Int64")
    by_kind["f3"] = frame["f3"].astype(pd.SparseDtype("float64", 1.0))
    dense = RareForestClassifier(3, random_state=0, monotonic_cst={"f0": 1}).fit(frame, y)
    model = RareForestClassifier(3, random_state=0, monotonic_cst={"f0": 1}).fit(by_kind, y)
    assert model.feature_names_in_.tolist() == list(frame)
    np.testing.assert_array_equal(model.predict_proba(by_kind), dense.predict_proba(frame))
    np.testing.assert_array_equal(model.predict_proba(frame), dense.predict_proba(frame))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(by_kind[list(frame)[::-1]])
    with pytest.raises(TypeError, match="'word' is not of numbers"):
        model.fit(by_kind.assign(word="a"), y)


def test_warm_start_and_dense_tables_mix():
    X, y = table()
    whole = RareForestClassifier(6, random_state=0).fit(X, y)
    model = RareForestClassifier(3, random_state=0, warm_start=True).fit(sparse.csr_array(X), y)
    model.set_params(n_estimators=6).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), whole.predict_proba(X))


@pytest.mark.parametrize(
    ("model", "error", "message"),
    [
        (RareTreeClassifier(max_bins=255), ValueError, "cuts at the edges of bins"),
        (RareTreeClassifier(categorical_features=[1]), ValueError, "not supported in a sparse"),
        (C45Classifier(), TypeError, "needs dense data"),
    ],
    ids=str,
)
def test_what_a_sparse_table_cannot_do_is_refused(model, error, message):
    X, y = table()
    with pytest.raises(error, match=message):
        model.fit(sparse.csr_array(X), y)


def test_bad_values_are_named():
    X, y = table()
    X[3, 4] = np.inf
    with pytest.raises(ValueError, match=r"contains infinity .* in column 4"):
        RareTreeClassifier().fit(sparse.csr_array(X), y)
    with pytest.raises(ValueError, match="complex"):
        RareTreeClassifier().fit(sparse.csr_array(np.ones((4, 2), dtype=complex)), [0, 0, 1, 1])
    model = RareTreeClassifier().fit(sparse.csr_array(table()[0]), y)
    with pytest.raises(ValueError, match="X has 3 features, but RareTreeClassifier is expecting"):
        model.predict(sparse.csr_array(np.ones((4, 3))))
    with pytest.raises(TypeError, match="Sparse tables are for fit and prediction"):
        explain.partial_dependence(model, sparse.csr_array(table()[0]), [0])
    coded = RareForestClassifier(2, random_state=0, max_bins=9).fit(table()[0], y)
    with pytest.raises(ValueError, match=r"contains infinity .* in column 4"):
        coded.predict(sparse.csr_array(X))


@pytest.mark.parametrize("max_bins", ["auto", 9])
def test_explanations_are_those_of_the_dense_table(max_bins, monkeypatch):
    monkeypatch.setattr(_sparse, "_BLOCK_BYTES", 1000)  # blocks of a few rows
    X, y = table(missing=True)
    model = RareForestClassifier(3, random_state=0, max_bins=max_bins, max_depth=4).fit(X, y)
    for made in (sparse.csc_matrix(X), sparse.csr_array(X)):
        expected, found = (explain.shap_values(model, given) for given in (X, made))
        np.testing.assert_array_equal(found.values, expected.values)
        expected, found = (explain.contributions(model, given) for given in (X, made))
        np.testing.assert_array_equal(found.values, expected.values)
        expected, found = (rules.extract(model).apply(given) for given in (X, made))
        np.testing.assert_array_equal(found.toarray(), expected.toarray())


@examples(40)
@given(
    density=st.sampled_from([0.02, 0.3, 0.9, 0.999]),
    max_bins=st.sampled_from([2, 5, 255]),
    is_whole=st.booleans(),
    dtype=st.sampled_from([np.float32, np.float64]),
    seed=st.integers(0, 999),
)
def test_bins_are_those_of_the_dense_table(density, max_bins, is_whole, dtype, seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(-4, 9, (400, 5)) if is_whole else rng.normal(1, 2, (400, 5))
    X = np.where(rng.random((400, 5)) < density, values, 0).astype(dtype)
    X[:, 3] += 30
    X[rng.random(400) < 0.05, 4] = np.nan
    y = (rng.random(400) < 0.1).astype(np.int32)
    counts = np.bincount(y, minlength=2)
    statistics = _core.BinStatistics(
        400, np.zeros(5, dtype=np.int64), max_bins, dtype == np.float32, counts
    )
    statistics.add(0, X, 1, y, np.zeros_like(counts))
    dense = statistics.finish()
    columns = _sparse.SparseTable(sparse.csc_array(X)).by_column()
    bins = _core.Bins.of_sparse(*_sparse.core_arrays(columns), y, counts, max_bins)
    for a, b in zip(bins.edges + bins.coordinates, dense.edges + dense.coordinates, strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(bins.has_missing, dense.has_missing)
    np.testing.assert_array_equal(_sparse.snapped(columns, bins, 1).toarray(), dense.snap(X))


TEXT = """
import resource, sys
import numpy as np
from scipy import sparse
from rarewood import RareForestClassifier
n, words = 20_000, 50_000
X = sparse.random(n, words, density=0.001, format="csr", random_state=0)
y = (np.asarray(X[:, :400].sum(axis=1)).ravel() > 0.55).astype(int)
used = int(next(l for l in open("/proc/self/status") if l.startswith("VmSize")).split()[1]) * 1024
resource.setrlimit(resource.RLIMIT_AS, (used + 2**30, used + 2**30))  # a dense table has 8 GB
model = RareForestClassifier(2, random_state=0, max_features=200, max_depth=6, n_cuts=3)
model.set_params(leaf_strength=1.0, collapse=0.0).fit(X, y)
p = model.predict_proba(X[:2000])[:, 1]
assert p.std() > 0
"""


@pytest.mark.skipif(
    sys.platform != "linux" or "RAREWOOD_SANITIZED" in os.environ,
    reason="limits the address space",
)
def test_a_table_of_text_stays_sparse():
    result = subprocess.run([sys.executable, "-c", TEXT], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-2000:]
