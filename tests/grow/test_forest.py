"""Forests: trees that are grown side by side and predict together."""

from __future__ import annotations

import numpy as np
import pytest

from oracle.cases import Case
from oracle.problem import Limits, Problem
from oracle.row_sampling import Draw
from rarewood import _core
from support.grown import assert_same_tree, encode, grow, grow_forest, row_sampling
from support.medium import medium_problem

HELLINGER = Case("hellinger")
BOOTSTRAP = Draw(replace=True)
LEAVES = [("raw", 0.0), ("laplace", 1.0), ("m_estimate", 3.0), ("shrunk", 5.0)]
RANDOM = [
    {},
    {"max_features": 2},
    {"max_features": 2, "n_cuts": 2},
    {"max_features": 2, "n_cuts": 2, "oblique_dim": 2, "oblique_draw": "direction"},
    {"max_features": 2, "n_cuts": 2, "oblique_dim": 3},
]
KINDS = ("continuous", "missing", "categorical", "float32")


def assert_same_state(a, b) -> None:
    """To the last bit of every array, gains and weights included."""
    a, b = a.state(), b.state()
    assert a.keys() == b.keys()
    for name, value in a.items():
        np.testing.assert_array_equal(value, b[name], err_msg=name)


def forest_of(problem: Problem, n_trees: int = 7, leaf=("laplace", 1.0), **options):
    options = {"max_features": 2, "n_cuts": 2, "draw": BOOTSTRAP, "seed": 4} | options
    return _core.Forest(grow_forest(problem, HELLINGER, n_trees, **options), *leaf)


# --------------------------------------------------------------------------- prediction


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf[0])
def test_probabilities_are_the_mean_of_the_trees(leaf, kind):
    """To the bit: added in the order of the trees, divided once."""
    problem = medium_problem(kind, 1500, 3)
    forest = forest_of(problem, leaf=leaf)
    total = np.zeros((problem.n_rows, 3))
    for tree in forest.trees:
        total += tree.predict_proba(problem.X, tree.leaf_values(*leaf))
    for n_threads in (1, 2, 5):
        found = forest.predict_proba(problem.X, n_threads)
        np.testing.assert_array_equal(found, total / len(forest.trees))


@pytest.mark.parametrize("options", RANDOM, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_leaves_are_those_of_the_trees(kind, options):
    problem = medium_problem(kind, 1200, 2)
    forest = forest_of(problem, **({"n_cuts": 0} | options))
    for X in (np.ascontiguousarray(problem.X), np.asfortranarray(problem.X)):
        want = np.stack([tree.apply(X) for tree in forest.trees], axis=1)
        for n_threads in (1, 3):
            np.testing.assert_array_equal(forest.apply(X, n_threads), want)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_both_precisions_at_once(dtype):
    """A forest that was asked in one precision answers in the other as well."""
    problem = medium_problem("continuous", 400, 2)
    forest = forest_of(problem)
    forest.predict_proba(problem.X)
    forest.predict_proba(problem.X.astype(np.float32))
    X = problem.X.astype(dtype)
    want = np.stack([tree.apply(X) for tree in forest.trees], axis=1)
    np.testing.assert_array_equal(forest.apply(X), want)


@pytest.mark.parametrize(
    "draw",
    [BOOTSTRAP, Draw(balance=True), Draw(n_drawn=900), Draw(True, True, 40, step=300)],
    ids=str,
)
@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf[0])
def test_out_of_bag(leaf, draw):
    problem = medium_problem("missing", 1300, 3)
    forest = forest_of(problem, leaf=leaf, draw=draw)
    total, n_votes = np.zeros((1300, 3)), np.zeros(1300, dtype=int)
    at_five = None
    for number, tree in enumerate(forest.trees):
        copies = row_sampling(draw, problem.y, 3).copies(problem.y, 3, 4, number)
        proba = tree.predict_proba(problem.X, tree.leaf_values(*leaf))
        for i in np.flatnonzero(copies == 0):
            total[i] += proba[i]
            n_votes[i] += 1
        if number == 4:
            at_five = n_votes.copy()
    for n_threads in (1, 3):
        sums, votes = forest.out_of_bag(
            problem.X, row_sampling(draw, problem.y, 3), problem.y, 4, n_threads=n_threads
        )
        np.testing.assert_array_equal(sums, total)
        np.testing.assert_array_equal(votes, n_votes)
    _, votes = forest.out_of_bag(
        problem.X, row_sampling(draw, problem.y, 3), problem.y, 4, first_tree=5
    )
    np.testing.assert_array_equal(votes, n_votes - at_five)


def test_nothing_is_out_of_a_bag_that_holds_all():
    problem = medium_problem("continuous", 300, 2)
    forest = forest_of(problem, draw=Draw())
    sums, votes = forest.out_of_bag(problem.X, row_sampling(Draw(), problem.y, 3), problem.y, 4)
    assert not sums.any()
    assert not votes.any()


# --------------------------------------------------------------------------- growth


@pytest.mark.parametrize("options", RANDOM, ids=str)
@pytest.mark.parametrize("draw", [Draw(), BOOTSTRAP, Draw(balance=True)], ids=str)
def test_any_number_of_threads(draw, options):
    problem = medium_problem("missing", 900, 3)
    one, *others = (
        grow_forest(problem, HELLINGER, 9, draw, seed=2, n_threads=n, **options) for n in (1, 2, 5)
    )
    for trees in others:
        for a, b in zip(one, trees, strict=True):
            assert_same_state(a, b)


def test_any_number_of_threads_on_larger_tables():
    """Codes and lists of bins are made by whichever thread comes first."""
    problem = medium_problem("missing", 6000, 2)
    limits = Limits(max_depth=6)
    one, *others = (
        grow_forest(problem, HELLINGER, 6, BOOTSTRAP, limits, seed=2, n_threads=n)
        for n in (1, 2, 3, 6)
    )
    for trees in others:
        for a, b in zip(one, trees, strict=True):
            assert_same_state(a, b)


@pytest.mark.parametrize("draw", [Draw(), BOOTSTRAP, Draw(balance=True)], ids=str)
@pytest.mark.parametrize("options", RANDOM[1:], ids=str)
def test_in_two_parts(draw, options):
    problem, columns = medium_problem("categorical", 700, 3), None
    if options.get("oblique_dim") == 3:
        columns = encode(problem)  # the same columns for both parts, or new ones
    options = options | {"columns": columns, "seed": 2}
    whole = grow_forest(problem, HELLINGER, 7, draw, **options)
    first = grow_forest(problem, HELLINGER, 3, draw, **options)
    second = grow_forest(problem, HELLINGER, 4, draw, first_tree=3, **options)
    for a, b in zip(whole, first + second, strict=True):
        assert_same_state(a, b)


@pytest.mark.parametrize("options", RANDOM, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_without_a_draw_the_trees_are_single_trees(kind, options):
    problem = medium_problem(kind, 700, 3)
    trees = grow_forest(problem, HELLINGER, 4, seed=8, n_threads=2, **options)
    for number, tree in enumerate(trees):
        assert_same_state(tree, grow(problem, HELLINGER, seed=8, tree_index=number, **options))


def test_a_criterion_for_every_tree():
    problem = medium_problem("continuous", 700, 3)
    cases = [HELLINGER, Case("gini"), Case("alpha", 0.3), Case("dcsm")]
    trees = grow_forest(problem, cases, 4, BOOTSTRAP, seed=1, n_threads=2)
    for number, (case, tree) in enumerate(zip(cases, trees, strict=True)):
        (want,) = grow_forest(problem, case, 1, BOOTSTRAP, seed=1, first_tree=number)
        assert_same_tree(tree, want)


def test_binned_columns():
    problem = medium_problem("missing", 900, 2)
    columns = encode(problem, 16)
    for options in RANDOM[:3]:
        trees = grow_forest(problem, HELLINGER, 3, BOOTSTRAP, columns=columns, **options)
        again = grow_forest(problem, HELLINGER, 3, BOOTSTRAP, columns=columns, **options)
        for tree, same in zip(trees, again, strict=True):
            assert_same_state(tree, same)
            assert tree.counts[0].sum() == 900


# --------------------------------------------------------------------------- bad input


def test_bad_numbers_of_criteria():
    problem = medium_problem("continuous", 60, 2)
    for cases in ([], [HELLINGER] * 2):
        with pytest.raises(ValueError, match="criterion"):
            grow_forest(problem, cases, 3)


def test_trees_that_do_not_fit_together():
    a, b, c = (medium_problem("continuous", 60, k) for k in (2, 3, 2))
    narrow = Problem.of(c.X[:, :3], c.y, 2)
    with pytest.raises(ValueError, match="at least one tree"):
        _core.Forest([], "laplace", 1.0)
    for other in (b, narrow):
        with pytest.raises(ValueError, match="same features and classes"):
            _core.Forest([grow(a, HELLINGER), grow(other, HELLINGER)], "laplace", 1.0)


def test_bad_tables():
    problem = medium_problem("continuous", 60, 2)
    forest, draw = forest_of(problem), row_sampling(BOOTSTRAP, problem.y, 3)
    infinite = problem.X.copy()
    infinite[3, 2] = np.inf
    for ask in (forest.predict_proba, forest.apply):
        with pytest.raises(ValueError, match="features"):
            ask(problem.X[:, :3])
        with pytest.raises(ValueError, match="infinite"):
            ask(infinite)
    with pytest.raises(ValueError, match="one class per row"):
        forest.out_of_bag(problem.X, draw, problem.y[:-1], 0)
    with pytest.raises(ValueError, match="classes"):
        forest.out_of_bag(problem.X, draw, problem.y + 1, 0)


@pytest.mark.parametrize("leaf", [("nothing", 1.0), ("laplace", -1.0), ("laplace", np.nan)])
def test_bad_leaves(leaf):
    problem = medium_problem("continuous", 60, 2)
    with pytest.raises(ValueError, match="leaf"):
        forest_of(problem, leaf=leaf).predict_proba(problem.X)
