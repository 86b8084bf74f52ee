"""In a fully grown tree every split is the best one for the rows that reach it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given

from oracle import tree as twin
from oracle.audit import check_tree
from oracle.cases import EVERY, FEW, Case
from oracle.problem import Limits, Problem
from support.draw import examples, problems
from support.grown import grow


@examples(30)
@given(problem=problems(rows=(2, 30)))
def test_every_node(problem):
    for case in EVERY:
        check_tree(grow(problem, case), problem, case)


@examples(25)
@given(problem=problems(rows=(2, 40), missing=True))
def test_every_node_with_missing_values(problem):
    for case in FEW:
        check_tree(grow(problem, case), problem, case)


@examples(30)
@given(problem=problems(rows=(2, 30), missing=True, weighted=True))
def test_every_node_with_weights(problem):
    for case in FEW:
        check_tree(grow(problem, case), problem, case)


@pytest.mark.parametrize(
    "limits",
    [
        Limits(min_samples_leaf=3),
        Limits(min_samples_split=6),
        Limits(max_depth=2),
        Limits(min_gain=0.05),
        Limits(max_depth=3, min_samples_leaf=2, min_samples_split=5),
    ],
    ids=str,
)
@examples(8)
@given(problem=problems(rows=(2, 40), missing=True))
def test_every_node_within_limits(limits, problem):
    for case in FEW:
        check_tree(grow(problem, case, limits), problem, case, limits)


@examples(15)
@given(problem=problems(rows=(4, 20), classes=(2, 3)))
def test_the_same_tree_as_the_naive_twin(problem):
    """Without missing values the rule for ties leaves nothing open where something is gained."""
    for case in FEW:
        _compare(grow(problem, case), 0, twin.grow(problem, case))


def _compare(tree, node: int, want: twin.Node) -> None:
    assert tree.counts[node].tolist() == want.counts
    if want.split is None:
        assert tree.feature[node] < 0
        return
    assert tree.feature[node] >= 0
    if want.gain < 1e-9:
        return  # nothing to gain: rounding may choose another split, and another subtree
    assert tree.feature[node] == want.split.feature
    assert tree.threshold[node] == want.split.threshold
    for i, child in enumerate(want.children):
        _compare(tree, tree.first_child[node] + i, child)


@pytest.mark.parametrize("case", FEW, ids=str)
def test_node_numbers(case):
    """The root is node 0, siblings are neighbours, children come after their parents."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 3, size=200)
    tree = grow(Problem.of(X, y), case)
    inner = np.flatnonzero(tree.feature >= 0)
    leaves = np.flatnonzero(tree.feature < 0)
    assert (tree.first_child[inner] > inner).all()
    assert (tree.n_children[inner] == 2).all()
    children = np.concatenate([tree.first_child[inner], tree.first_child[inner] + 1])
    assert sorted(children.tolist()) == list(range(1, tree.n_nodes))
    assert (tree.first_child[leaves] == -1).all()
    assert (tree.n_children[leaves] == 0).all()
    assert (tree.missing_child[leaves] == -1).all()
    assert np.isnan(tree.threshold[leaves]).all()
    assert (tree.gain[leaves] == 0).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("search", ["auto", "sort"])
@pytest.mark.parametrize(
    ("low", "high"),
    [
        (-0.0, 5e-324),
        (1.0, math.nextafter(1.0, 2)),
        (math.nextafter(1.0, 2), math.nextafter(1.0, 2) + 2**-52),
        (1e308, 1.7e308),
        (-1.7e308, 1.7e308),
        (-1.7e308, -1e308),
        (2.0**53, 2.0**53 + 2),
        (-5e-324, 0.0),
        (3.4e38, 3.4028234e38),
        (1e-45, 3e-45),
        (0.1, 0.3),
    ],
)
def test_cut_between_neighbours(low, high, search, dtype):
    """The threshold is the middle, never the upper value, whatever rounding does."""
    with np.errstate(over="ignore", under="ignore"):
        x = np.array([low, high] * 10).astype(dtype)
    if not np.isfinite(x).all() or x[0] == x[1]:
        pytest.skip("not two numbers in float32")
    y = np.array([0, 1] * 10)
    tree = grow(Problem.of(x[:, None], y), Case("gini"), search=search)
    assert tree.n_nodes == 3
    assert tree.counts[1:].tolist() == [[10, 0], [0, 10]]
    assert float(x[0]) <= tree.threshold[0] < float(x[1])
    exact = twin.grow(Problem.of(x[:, None], y), Case("gini")).split.threshold
    assert tree.threshold[0] == exact
    assert tree.apply(x[:, None], 1).tolist() == [1, 2] * 10


@pytest.mark.parametrize("search", ["auto", "sort"])
def test_the_two_zeros_are_one_value(search):
    x = np.array([0.0, -0.0] * 20)
    tree = grow(Problem.of(x[:, None], [0, 1] * 20), Case("gini"), search=search)
    assert tree.n_nodes == 1
