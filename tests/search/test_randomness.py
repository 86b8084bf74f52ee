"""Randomness is keyed by seed, tree and path: repeatable, and blind to the order of growth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from oracle.audit import rows_of_nodes
from oracle.cases import Case
from oracle.problem import Limits, Problem
from rarewood import RareTreeClassifier
from support.grown import assert_same_tree, encode, grow, outline
from support.medium import medium_problem

HELLINGER = Case("hellinger")
RANDOM = [{"max_features": 2}, {"n_cuts": 3}, {"max_features": 2, "n_cuts": 1}]


@pytest.mark.parametrize("options", RANDOM, ids=str)
@pytest.mark.parametrize("kind", ["continuous", "coarse", "missing", "categorical"])
def test_the_same_seed_gives_the_same_tree(kind, options):
    problem = medium_problem(kind, 500, 2)
    a, b = (grow(problem, HELLINGER, seed=5, tree_index=2, **options) for _ in range(2))
    assert_same_tree(a, b)


@pytest.mark.parametrize("options", RANDOM, ids=str)
def test_another_seed_or_tree_gives_another_tree(options):
    problem = medium_problem("continuous", 500, 2)
    keys = [(s, t) for s in range(5) for t in range(5)] + [(2**64 - 1, 0), (2**63, 0)]
    outlines = {outline(grow(problem, HELLINGER, seed=s, tree_index=t, **options)) for s, t in keys}
    assert len(outlines) == len(keys)


@pytest.mark.parametrize("options", RANDOM, ids=str)
@pytest.mark.parametrize("kind", ["continuous", "missing", "categorical"])
def test_best_first_draws_what_depth_first_draws(kind, options):
    problem = medium_problem(kind, 400, 2)
    deep = grow(problem, HELLINGER, seed=3, **options)
    best = grow(problem, HELLINGER, seed=3, max_leaf_nodes=problem.n_rows, **options)
    assert outline(deep) == outline(best)


@pytest.mark.parametrize("options", RANDOM, ids=str)
def test_a_shallow_tree_is_the_top_of_a_deep_one(options):
    problem = medium_problem("continuous", 400, 2)
    deep = grow(problem, HELLINGER, seed=3, **options)
    top = grow(problem, HELLINGER, Limits(max_depth=2), seed=3, **options)

    def cut(tree, node=0, depth=0):
        here = (tuple(tree.counts[node].tolist()),)
        if tree.feature[node] < 0 or depth == 2:
            return here
        first = tree.first_child[node]
        where = (int(tree.feature[node]), float(tree.threshold[node]))
        return (*here, where, cut(tree, first, depth + 1), cut(tree, first + 1, depth + 1))

    assert cut(deep) == cut(top)


@pytest.mark.parametrize("options", RANDOM, ids=str)
def test_threads_draw_the_same(options):
    problem = medium_problem("continuous", 3000, 2)
    one, two = (
        grow(problem, HELLINGER, columns=encode(problem, n_threads=t), **options) for t in (1, 2)
    )
    assert_same_tree(one, two)


@pytest.mark.parametrize("kind", ["continuous", "missing", "coarse", "hard"])
def test_random_cuts_divide_their_node(kind):
    """Every cut lies among the node's values, and both children have rows."""
    problem = medium_problem(kind, 400, 2)
    for seed in range(5):
        tree = grow(problem, HELLINGER, n_cuts=2, seed=seed)
        rows = rows_of_nodes(tree, problem.X)
        for node, here in enumerate(rows):
            assert tree.counts[node].tolist() == problem.counts(here)
            if tree.feature[node] < 0:
                assert np.count_nonzero(tree.counts[node]) == 1
                continue
            values = problem.X[here, tree.feature[node]]
            assert np.nanmin(values) <= tree.threshold[node]
            assert tree.threshold[node] < np.nanmax(values) or tree.threshold[node] == math.inf


def test_random_cuts_are_uniform_between_the_extremes():
    """Between the least and the greatest value, however the values lie between."""
    x = np.r_[0.0, np.linspace(1, 2, 50), 10.0]
    problem = Problem.of(x[:, None], np.arange(52) % 2)
    cuts = [
        grow(problem, HELLINGER, Limits(max_depth=1), n_cuts=1, seed=s, tree_index=t).threshold[0]
        for s in range(20)
        for t in range(20)
    ]
    assert stats.kstest(cuts, stats.uniform(0, 10).cdf).pvalue > 1e-3


def test_random_cuts_of_binned_columns_are_edges():
    problem = medium_problem("continuous", 600, 2)
    columns = encode(problem, 16)
    for seed in range(5):
        tree = grow(problem, HELLINGER, Limits(max_depth=5), columns, n_cuts=3, seed=seed)
        for node in np.flatnonzero(tree.feature >= 0):
            assert tree.threshold[node] in columns.edges(tree.feature[node])
        for node, here in enumerate(rows_of_nodes(tree, problem.X)):
            assert tree.counts[node].tolist() == problem.counts(here)


@pytest.mark.parametrize("kind", ["continuous", "coarse", "missing", "categorical"])
def test_both_searches_draw_the_same_cuts(kind):
    problem = medium_problem(kind, 1500, 3)
    auto, plain = (grow(problem, HELLINGER, n_cuts=3, seed=1, search=s) for s in ("auto", "sort"))
    assert_same_tree(auto, plain)


def test_more_random_cuts_find_better_ones():
    problem = medium_problem("continuous", 800, 2)
    stump = Limits(max_depth=1)
    gains = [
        np.mean([grow(problem, HELLINGER, stump, n_cuts=c, seed=s).gain[0] for s in range(30)])
        for c in (1, 10, 300)
    ]
    exact = grow(problem, HELLINGER, stump).gain[0]
    assert gains[0] < gains[1] < gains[2] <= exact
    assert gains[2] > 0.9 * exact


def test_features_are_drawn_evenly():
    """With one feature per node and nothing to choose by, each comes up as often."""
    rng = np.random.default_rng(0)
    problem = Problem.of(rng.normal(size=(60, 6)), rng.integers(0, 2, size=60))
    stump = Limits(max_depth=1)
    chosen = [
        grow(problem, HELLINGER, stump, max_features=1, seed=s).feature[0] for s in range(600)
    ]
    assert stats.chisquare(np.bincount(chosen, minlength=6)).pvalue > 1e-3


def test_a_drawn_feature_is_never_constant():
    """Constant features do not use up the draw."""
    rng = np.random.default_rng(0)
    X = np.zeros((60, 12))
    X[:, [3, 7]] = rng.normal(size=(60, 2))
    problem = Problem.of(X, rng.integers(0, 2, size=60))
    for seed in range(20):
        tree = grow(problem, HELLINGER, max_features=1, seed=seed)
        leaves = tree.counts[tree.feature < 0]
        assert (np.count_nonzero(leaves, axis=1) == 1).all()
        assert set(tree.feature[tree.feature >= 0].tolist()) <= {3, 7}


def test_random_state_of_the_estimator():
    problem = medium_problem("continuous", 400, 2)

    def fit(state):
        model = RareTreeClassifier(
            max_features="sqrt", splitter="random", n_cuts=2, random_state=state
        )
        return outline(model.fit(problem.X, problem.y).tree_)

    assert fit(1) == fit(1)
    assert fit(1) != fit(2)
    assert fit(np.random.RandomState(4)) == fit(np.random.RandomState(4))
