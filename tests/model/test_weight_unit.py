"""Law: multiplying all weights by a power of two changes no split, importance or raw probability.

The weights must stay normal numbers. Counts are multiplied exactly.
"""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.cases import EVERY
from oracle.problem import Limits, Problem
from oracle.row_sampling import Draw
from rarewood import RareForestClassifier, RareTreeClassifier, _core
from rarewood.stream import Stream
from support.cluster import Coded, coordinate
from support.draw import examples, problems
from support.grown import grow_forest, score


def exponents(weights, most_copies: int = 1) -> list[int]:
    """The lowest and the highest exponent, and some in between."""
    lowest = -1022 - int(np.frexp(weights.min())[1]) + 1
    highest = 1024 - int(np.frexp(weights.sum() * most_copies)[1])
    return [lowest, lowest + 1, -700, 520, highest - 1, highest]


def assert_scaled(ours: _core.Tree, plain: _core.Tree, exponent: int) -> None:
    ours_state, state = ours.state(), plain.state()
    state["weighted_counts"] = np.ldexp(state["weighted_counts"], exponent)
    for name, value in state.items():
        np.testing.assert_array_equal(ours_state[name], value, err_msg=name)
    np.testing.assert_array_equal(ours.leaf_values("raw", 0.0), plain.leaf_values("raw", 0.0))


def scaled(problem: Problem, exponent: int) -> Problem:
    return replace(problem, weights=np.ldexp(problem.weights, exponent))


@examples(40)
@given(
    table=st.lists(st.lists(st.integers(0, 50), min_size=3, max_size=3), min_size=2, max_size=3),
    exponent=st.integers(-1074, 1016),
)
def test_scores(table, exponent):
    counts = np.array(table, dtype=np.float64)
    for case in EVERY:
        assert score(case, np.ldexp(counts, exponent)) == score(case, counts)


@examples(30)
@given(
    problem=problems(rows=(2, 30), categorical=True, missing=True, weighted=True),
    case=st.sampled_from(EVERY),
    balance=st.booleans(),
    n_cuts=st.sampled_from([0, 0, 2]),
    draw=st.sampled_from([Draw(), Draw(replace=True, n_drawn=20)]),
    fraction=st.sampled_from([0.0, 0.1]),
)
def test_trees(problem, case, balance, n_cuts, draw, fraction):
    weight = float(problem.weights.sum() * fraction)
    most = 1000 * problem.n_rows if draw.replace else 1

    def grown(problem, limits):
        return grow_forest(problem, case, 2, draw, limits, balance_weights=balance, n_cuts=n_cuts)

    plain = grown(problem, Limits(min_weight_leaf=weight))
    for exponent in exponents(problem.weights, most):
        limits = Limits(min_weight_leaf=float(np.ldexp(weight, exponent)))
        for ours, tree in zip(grown(scaled(problem, exponent), limits), plain, strict=True):
            assert_scaled(ours, tree, exponent)


@examples(20)
@given(
    problem=problems(rows=(2, 30), categorical=True, missing=True, weighted=True),
    case=st.sampled_from(EVERY),
    balance=st.booleans(),
)
def test_trees_on_a_cluster(problem, case, balance):
    def grown(problem):
        coded = Coded(problem, 5)
        coordinator = coded.coordinator(case, 2, balance_weights=balance)
        return coordinate(coordinator, coded.shards([problem.n_rows // 2]))

    plain = grown(problem)
    for exponent in exponents(problem.weights):
        for ours, tree in zip(grown(scaled(problem, exponent)), plain, strict=True):
            assert_scaled(ours, tree, exponent)


def table(n_rows: int = 150):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 4))
    X[rng.random(X.shape) < 0.05] = np.nan
    y = (rng.random(n_rows) < 0.2 + 0.4 * (X[:, 0] > 0.5)).astype(int) + (rng.random(n_rows) < 0.1)
    return X, y, rng.choice([1.0, 2.0, 0.37, 5.5], n_rows)


@pytest.mark.parametrize(
    "model",
    [
        RareTreeClassifier(class_weight="balanced", min_weight_fraction_leaf=0.03),
        RareTreeClassifier(splitter="oblique", max_bins=16, split_samples=20, random_state=0),
        RareTreeClassifier(pruning="cost_complexity"),
        RareForestClassifier(3, max_samples=0.5, min_weight_fraction_leaf=0.03, random_state=0),
        RareForestClassifier(3, balance=True, min_weight_fraction_leaf=0.03, random_state=0),
        RareForestClassifier(3, class_weight="balanced_subsample", random_state=0),
    ],
)
@pytest.mark.parametrize("exponent", [-1000, 520, 900])
def test_models(model, exponent):
    model.set_params(leaf="raw")
    if isinstance(model, RareForestClassifier):
        model.set_params(leaf_strength=None, collapse=0.0)
    X, y, weights = table()
    plain = model.fit(X, y, weights)
    proba, importances = plain.predict_proba(X), plain.feature_importances_
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X, y, np.ldexp(weights, exponent))
        np.testing.assert_array_equal(model.predict_proba(X), proba)
        np.testing.assert_array_equal(model.feature_importances_, importances)


@pytest.mark.parametrize("exponent", [-1000, 900])
def test_streams(exponent):
    X, y, weights = table()
    columns = {f"x{j}": X[:, j] for j in range(4)} | {"y": y}

    def proba(weights):
        model = RareTreeClassifier(leaf="raw", max_bins=255, class_weight="balanced")
        stream = Stream(pa.table(columns | {"w": weights}))
        return model.fit(stream, "y", "w").tree_.predict_proba(X)

    np.testing.assert_array_equal(proba(np.ldexp(weights, exponent)), proba(weights))


@pytest.mark.parametrize("exponent", [-1000, 900])
def test_the_default_forest_stays_finite(exponent):
    """Smoothed leaves count weights as samples: the model may differ, but it is one."""
    X, y, weights = table()
    model = RareForestClassifier(3, random_state=0).fit(X, y, np.ldexp(weights, exponent))
    assert np.isfinite(model.predict_proba(X)).all()


def test_products_with_class_weights_that_vanish():
    """No sample is left out silently."""
    X, _, _ = table()
    y = np.repeat([0, 1, 2], [140, 5, 5])  # balanced weights of the first class are below 1/2
    for class_weight in ("balanced", {0: 0.1, 1: 1, 2: 1}):
        model = RareTreeClassifier(class_weight=class_weight)
        with pytest.raises(ValueError, match="sample_weight is too small"):
            model.fit(X, y, np.full(len(y), 5e-324))


def test_draws_that_could_be_infinite():
    X, y, _ = table()
    weights = np.full(len(y), 2.0**1016)
    RareTreeClassifier().fit(X, y, weights)
    with pytest.raises(ValueError, match="drawn for a tree could be infinite"):
        RareForestClassifier(3, bootstrap=True, leaf_strength=None, collapse=0.0).fit(X, y, weights)
