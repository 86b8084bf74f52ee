"""Monotonic constraints hold for every row, in every kind of tree and forest."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification

import rarewood
from oracle.cases import PLAIN
from oracle.monotonic import bounded_values, is_in_order
from rarewood import RareForestClassifier, RareTreeClassifier, _core
from rarewood.model import _parameters
from rarewood.pruning import CostComplexity, prune
from support.draw import examples, problems
from support.grown import assert_same_tree, grow

LEAVES = [entry["name"] for entry in _core.leaf_entries()]
# Convex criteria and others.
CASES = [case for case in PLAIN if case.name in ("hellinger", "gini", "gain_ratio", "ihdw", "dcsm")]


def table(n=500, n_features=4, seed=0, flip=0.2):
    """Features with an effect of either direction, and ties."""
    X, y = make_classification(
        n, n_features, n_informative=n_features, n_redundant=0, weights=[0.8], flip_y=flip,
        random_state=seed,
    )  # fmt: skip
    X[:, 0] = np.round(X[:, 0], 1)
    return X, y


def assert_monotonic(model, X, constraints, n_rows=25, n_steps=15, seed=0):
    """Move one feature along its range with all others fixed."""
    rng = np.random.default_rng(seed)
    rows = np.asarray(X)[rng.integers(0, len(X), n_rows)]
    n_moved = 0
    for f, constraint in enumerate(constraints):
        if constraint == 0:
            continue
        values = np.asarray(X)[:, f]
        values = values[~np.isnan(values)]
        steps = np.sort(
            np.concatenate([rng.choice(values, n_steps), [values.min() - 1e3, values.max() + 1e3]])
        )
        moved = np.repeat(rows, len(steps), axis=0)
        moved[:, f] = np.tile(steps, n_rows)
        p = model.predict_proba(moved).reshape(n_rows, len(steps), 2)
        assert (constraint * np.diff(p[:, :, 1], axis=1) >= 0).all()
        assert (constraint * np.diff(p[:, :, 0], axis=1) <= 0).all()
        numbers = np.searchsorted(model.classes_, model.predict(moved)).reshape(n_rows, -1)
        assert (constraint * np.diff(numbers, axis=1) >= 0).all()
        n_moved += int((p[:, 0, 1] != p[:, -1, 1]).sum())
    return n_moved  # a constraint under which nothing matters would hold too


SETTINGS = {
    "best": {},
    "random": {"splitter": "random"},
    "oblique": {"splitter": "oblique"},
    "points": {"splitter": "oblique", "oblique_draw": "points", "oblique_dim": 3},
    "direction": {"splitter": "oblique", "oblique_draw": "direction", "oblique_dim": 4},
    "sampled": {"splitter": "oblique", "split_samples": 30},
    "bins": {"max_bins": 8},
    "random bins": {"splitter": "random", "max_bins": 8},
    "coded": {"splitter": "oblique", "max_bins": 12},
    "best first": {"max_leaf_nodes": 20},
    "limits": {"min_samples_leaf": 7},
    "weighted": {"class_weight": "balanced"},
    "collapse": {"leaf": "shrunk", "collapse": 0.5},
    "fisher": {"pruning": "fisher"},
    "pilot": {"leaf": "shrunk", "leaf_strength": "auto", "collapse": "auto"},
}


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("missing", [False, True], ids=["present", "missing"])
def test_predictions_are_monotonic(name, missing):
    constraints = [1, 0, -1, 1]
    X, y = table()
    if missing:
        X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    settings = {"random_state": 0, "monotonic_cst": constraints, **SETTINGS[name]}
    tree = RareTreeClassifier(**settings).fit(X, y)
    assert assert_monotonic(tree, X, constraints) > 0
    forest = RareForestClassifier(5, **{"splitter": "best", **settings}, bootstrap=True).fit(X, y)
    assert assert_monotonic(forest, X, constraints) > 0
    free = RareForestClassifier(
        5, **{"splitter": "best", **settings, "monotonic_cst": None}, bootstrap=True
    )
    with pytest.raises(AssertionError):
        assert_monotonic(free.fit(X, y), X, constraints)


@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize("splitter", ["best", "random", "oblique"])
def test_values_are_those_of_the_definition(leaf, splitter):
    constraints = np.array([1, -1, 0, 0])
    X, y = table(300, seed=2)
    settings = {"splitter": splitter, "leaf": leaf, "random_state": 3, "leaf_strength": 2.0}
    model = RareTreeClassifier(monotonic_cst=constraints, **settings).fit(X, y)
    tree = model.tree_
    assert tree.compiled.monotonic.tolist() == constraints.tolist()
    free = {k: v for k, v in tree.compiled.state().items() if k != "monotonic"}
    smoothed = _core.Tree.from_state(free).leaf_values(leaf, 2.0)
    expected = bounded_values(tree, smoothed, constraints)
    np.testing.assert_allclose(tree.probabilities[:, 1], expected, rtol=0, atol=1e-15)
    np.testing.assert_allclose(tree.probabilities.sum(axis=1), 1.0, atol=1e-15)
    assert (smoothed[:, 1] != expected).any()
    assert all(is_in_order(tree, v, constraints) for v in range(tree.n_nodes))


@examples(30)
@given(
    problem=problems(rows=(2, 40), features=(1, 3), classes=(2, 2), missing=True, weighted=True),
    constraints=st.lists(st.sampled_from([-1, 1, 0]), min_size=3, max_size=3),
    case=st.sampled_from(CASES),
    min_samples_leaf=st.sampled_from([1, 1, 2]),
)
def test_the_fast_search_finds_the_split_of_the_slow_one(
    problem, constraints, case, min_samples_leaf
):
    options = {"monotonic": constraints[: problem.n_features], "min_samples_leaf": min_samples_leaf}
    options["min_samples_split"] = max(2, 2 * min_samples_leaf)
    fast = grow(problem, case, **options)
    slow = grow(problem, case, search="sort", **options)
    assert_same_tree(fast, slow, gain_tolerance=1e-9)
    padded = options["monotonic"]
    assert all(is_in_order(slow, v, padded) for v in range(slow.n_nodes))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_large_nodes_are_searched_exactly_too(case):
    X, y = table(3000, flip=0.4)
    from oracle.problem import Problem

    problem = Problem.of(np.round(X, 2), y)
    options = {"monotonic": [1, -1, 1, -1], "max_depth": 4}
    fast, slow = (grow(problem, case, search=search, **options) for search in ("auto", "sort"))
    assert_same_tree(fast, slow, gain_tolerance=1e-9)


@examples(20)
@given(
    problem=problems(rows=(2, 30), features=(2, 4), classes=(2, 2), missing=True, weighted=True),
    constraints=st.lists(st.sampled_from([-1, 1, 1, 0]), min_size=4, max_size=4),
    draw=st.sampled_from(["points", "direction", "between"]),
    seed=st.integers(0, 99),
)
def test_the_features_of_a_hyperplane_agree(problem, constraints, draw, seed):
    constraints = constraints[: problem.n_features]
    options = {"n_cuts": 4, "oblique_dim": problem.n_features, "oblique_draw": draw, "seed": seed}
    tree = grow(problem, PLAIN[1], monotonic=constraints, **options)
    assert all(is_in_order(tree, v, constraints) for v in range(tree.n_nodes))
    if not any(constraints):
        assert_same_tree(tree, grow(problem, PLAIN[1], **options))


def test_zeros_are_no_constraints():
    X, y = table(200)
    free = RareForestClassifier(3, random_state=0).fit(X, y)
    zeros = RareForestClassifier(3, random_state=0, monotonic_cst=[0, 0, 0, 0]).fit(X, y)
    assert free.forest_.compiled_trees[0].monotonic.size == 0
    for a, b in zip(free.forest_.compiled_trees, zeros.forest_.compiled_trees, strict=True):
        assert_same_tree(a, b)
        assert "monotonic" not in b.state()
    np.testing.assert_array_equal(free.predict_proba(X), zeros.predict_proba(X))


def test_names_and_positions_are_the_same():
    X, y = table(300)
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["colour"] = np.where(X[:, 1] > 0, "red", "blue")
    by_name = RareForestClassifier(4, random_state=0, monotonic_cst={"c": -1, "a": 1}).fit(frame, y)
    by_place = RareForestClassifier(4, random_state=0, monotonic_cst=[1, 0, -1, 0, 0])
    by_place.fit(frame, y)
    np.testing.assert_array_equal(by_name.predict_proba(frame), by_place.predict_proba(frame))
    assert by_name.forest_.compiled_trees[0].monotonic.tolist() == [1, 0, -1, 0, 0]


def test_a_monotonic_effect_is_learned_better():
    """A noisy increasing effect: the constraint removes the noise."""
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(600, 2))
    y = (rng.random(600) < 0.1 + 0.6 * X[:, 0]).astype(int)
    new = rng.uniform(size=(4000, 2))
    truth = 0.1 + 0.6 * new[:, 0]
    error = {
        str(cst): np.abs(
            RareForestClassifier(30, random_state=0, leaf_strength=1.0, collapse=0.0)
            .set_params(monotonic_cst=cst)
            .fit(X, y)
            .predict_proba(new)[:, 1]
            - truth
        ).mean()
        for cst in (None, [1, 0])
    }
    assert error["[1, 0]"] < error["None"]


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        ([1, 0, 0], "has shape 3 but the input data X has 4 features"),
        ([1, 2, 0, 0], "must be None or an array-like of -1, 0 or 1"),
        (["1", 0, 0, 0], "must be None or an array-like of -1, 0 or 1"),
        ({"a": 0.5}, "must be None or an array-like of -1, 0 or 1"),
        ({"z": 1}, "unexpected feature names"),
        ({"d": 1}, "categorical features, which have no order"),
    ],
    ids=str,
)
@pytest.mark.parametrize("model", [RareTreeClassifier, RareForestClassifier])
def test_errors_state_what_is_wrong(model, constraints, message):
    X, y = table(60)
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["d"] = np.where(frame["d"] > 0, "up", "down")
    fitted = model(random_state=0).fit(frame, y)
    before = fitted.predict_proba(frame)
    fitted.set_params(monotonic_cst=constraints)
    with pytest.raises(ValueError, match=message):
        fitted.fit(frame, y)
    np.testing.assert_array_equal(fitted.predict_proba(frame), before)


def test_two_classes_are_needed():
    X, _ = table(60)
    model = RareTreeClassifier(monotonic_cst=[1, 0, 0, 0])
    with pytest.raises(ValueError, match="not supported with multiclass classification"):
        model.fit(X, np.arange(60) % 3)
    assert model.fit(X, np.zeros(60)).get_n_leaves() == 1  # one class has no order
    with pytest.raises(ValueError, match="has no names"):
        RareTreeClassifier(monotonic_cst={"a": 1}).fit(X, np.arange(60) % 2)


def test_pruned_copied_and_saved_models_keep_them(tmp_path):
    constraints = [1, -1, 0, 0]
    X, y = table(400)
    model = RareForestClassifier(4, random_state=0, monotonic_cst=constraints).fit(X, y)
    rarewood.save(model, tmp_path / "model")
    for again in (rarewood.load(tmp_path / "model"), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
        assert again.forest_.compiled_trees[-1].monotonic.tolist() == constraints
    for method in ("fisher", "error", CostComplexity(0.002)):
        pruned = prune(model, method)
        assert_monotonic(pruned, X, constraints)
        assert pruned.forest_.trees[0].n_nodes <= model.forest_.trees[0].n_nodes
    assert_monotonic(model[0], X, constraints)


def test_warm_start_needs_the_same_constraints():
    constraints = [1, -1, 0, 0]
    X, y = table(300)
    model = RareForestClassifier(2, random_state=0, warm_start=True, monotonic_cst=constraints)
    model.fit(X, y).set_params(n_estimators=4).fit(X, y)
    whole = RareForestClassifier(4, random_state=0, monotonic_cst=constraints).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), whole.predict_proba(X))
    model.set_params(n_estimators=6, monotonic_cst=None)
    with pytest.raises(ValueError, match="other monotonic_cst"):
        model.fit(X, y)


def test_tables_in_batches(monkeypatch):
    monkeypatch.setattr(_parameters, "CODED_SAMPLES", 200)
    X, y = table(500)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=y)
    batches = [frame[i : i + 150] for i in range(0, 500, 150)]
    for settings in ({}, {"splitter": "best", "max_bins": 16}):
        model = RareForestClassifier(3, random_state=0, monotonic_cst={"a": 1}, **settings)
        local = model.fit(frame[list("abcd")], y).predict_proba(X)
        streamed = model.fit(iter(batches), "y")
        np.testing.assert_array_equal(streamed.predict_proba(X), local)
        assert_monotonic(streamed, X, [1, 0, 0, 0])


def test_a_damaged_tree_is_refused():
    X, y = table(300)
    model = RareTreeClassifier(splitter="oblique", random_state=0, monotonic_cst=[1, 1, 1, 1])
    state = model.fit(X, y).tree_.compiled.state()
    for constraints, message in (
        ([1, 1, 1], "one entry per feature"),
        ([1, 1, 1, 2], "must be -1, 0 or 1"),
        ([1, -1, 1, -1], "contradicts the monotonic constraints"),
    ):
        with pytest.raises(ValueError, match=message):
            _core.Tree.from_state({**state, "monotonic": np.array(constraints, dtype=np.int32)})
