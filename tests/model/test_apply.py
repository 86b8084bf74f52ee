"""Prediction over flat arrays: the leaf that a row of raw values walks to."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.audit import route, rows_of_nodes
from oracle.cases import Case
from oracle.problem import Limits
from support.draw import examples, problems
from support.grown import grow
from support.medium import KINDS, medium_problem

HELLINGER = Case("hellinger")
MODES = ("multiway", "subset", "onehot")


def leaves_by_walking(tree, X: np.ndarray) -> np.ndarray:
    leaf = np.zeros(len(X), dtype=np.int64)
    for node, rows in enumerate(rows_of_nodes(tree, X)):
        leaf[rows] = node
    return leaf


@examples(60)
@given(problem=problems(rows=(2, 40), categorical=True, missing=True), mode=st.sampled_from(MODES))
def test_leaf_of_every_row(problem, mode):
    tree = grow(problem, HELLINGER, Limits(categorical_split=mode))
    want = leaves_by_walking(tree, problem.X)
    np.testing.assert_array_equal(tree.apply(problem.X, 1), want)
    assert (tree.feature[want] < 0).all()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_rows_never_seen(kind, mode):
    """New values, new categories and missing ones, in any layout, by any number of threads."""
    problem = medium_problem(kind, 800, 3)
    tree = grow(problem, HELLINGER, Limits(categorical_split=mode))
    new = medium_problem(kind, 5000, 3, seed=7).X.copy()
    for f in np.flatnonzero(problem.n_categories):
        new[::11, f] = problem.n_categories[f] + 3  # unseen
    new[::13, 0] = np.nan
    want = leaves_by_walking(tree, new)
    for X in (new, np.asfortranarray(new), np.repeat(new, 2, axis=0)[::2]):
        for n_threads in (1, 2, 7):
            np.testing.assert_array_equal(tree.apply(X, n_threads), want)


def test_float32_rows_are_compared_exactly():
    """A float32 value is the double that it stands for, on either side of a threshold."""
    problem = medium_problem("continuous", 500, 2)
    tree = grow(problem, HELLINGER)
    thresholds = tree.threshold[tree.feature >= 0]
    near = np.float32(thresholds)[:, None] * np.ones((1, 5), dtype=np.float32)
    np.testing.assert_array_equal(tree.apply(near, 1), tree.apply(near.astype(np.float64), 1))
    np.testing.assert_array_equal(tree.apply(near, 1), leaves_by_walking(tree, near))


def test_a_value_equal_to_the_threshold_goes_left():
    problem = medium_problem("continuous", 300, 2)
    tree = grow(problem, HELLINGER, Limits(max_depth=1))
    row = np.full((1, 5), tree.threshold[0])
    assert tree.apply(row, 1).tolist() == [1]
    assert tree.apply(np.nextafter(row, np.inf), 1).tolist() == [2]


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_values_are_refused(order, value):
    problem = medium_problem("continuous", 300, 2)
    tree = grow(problem, HELLINGER)
    rows = np.zeros((3000, 5), order=order)
    tree.apply(rows, 1)
    rows[2999, 4] = value
    with pytest.raises(ValueError, match="infinite"):
        tree.apply(rows, 1)


@pytest.mark.parametrize("kind", ["continuous", "categorical", "missing"])
def test_predict_proba_reads_the_leaf(kind):
    problem = medium_problem(kind, 600, 3)
    tree = grow(problem, HELLINGER, Limits(max_depth=5))
    for values in (
        tree.leaf_values("laplace", 1.0),
        np.random.default_rng(0).random((tree.n_nodes, 7)),
    ):
        got = tree.predict_proba(problem.X, values, 2)
        np.testing.assert_array_equal(got, values[tree.apply(problem.X, 1)])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["continuous", "categorical", "missing"])
def test_decision_path(kind, mode):
    problem = medium_problem(kind, 200, 2)
    tree = grow(problem, HELLINGER, Limits(categorical_split=mode))
    indptr, indices = tree.decision_path(problem.X)
    leaves = tree.apply(problem.X, 1)
    assert indptr[0] == 0
    assert indptr[-1] == len(indices)
    for row in range(problem.n_rows):
        path = indices[indptr[row] : indptr[row + 1]]
        node = 0
        want = [0]
        while tree.feature[node] >= 0:
            x = np.array([problem.X[row, tree.feature[node]]])
            node = int(tree.first_child[node] + route(tree, node, x)[0])
            want.append(node)
        assert sorted(path.tolist()) == want
        assert leaves[row] == want[-1]


def test_no_rows():
    tree = grow(medium_problem("continuous", 300, 2), HELLINGER)
    assert tree.apply(np.empty((0, 5)), 1).shape == (0,)
    assert tree.predict_proba(np.empty((0, 5)), tree.leaf_values("raw", 0.0), 2).shape == (0, 2)


def test_wrong_shapes():
    tree = grow(medium_problem("continuous", 300, 2), HELLINGER)
    for X in (np.zeros((3, 4)), np.zeros((3, 6)), np.zeros((3, 0))):
        with pytest.raises(ValueError):
            tree.apply(X, 1)
    with pytest.raises(ValueError):
        tree.predict_proba(np.zeros((3, 5)), np.zeros((tree.n_nodes - 1, 2)), 1)
