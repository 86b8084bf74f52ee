"""Collapse of subtrees that explain little, and the probabilities of the pilot."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.cases import Case
from oracle.collapse import collapsed
from rarewood import _core
from support.draw import examples, problems
from support.grown import assert_same_tree, encode, grow, options_of

LIMITS = [0.0, 0.0213, 0.217, 1.031, 3.093]  # not met exactly by small counts


def leaves_after(tree, limit: float, strength: float) -> set[int]:
    """Numbers, in the given tree, of the inner nodes that the oracle collapses, top ones only."""
    nodes = collapsed(tree, tree.leaf_values("shrunk", strength), limit)
    below: set[int] = set()
    for v in range(tree.n_nodes):
        if v in below or v in nodes:
            first = int(tree.first_child[v])
            below.update(range(first, first + int(tree.n_children[v])))
    return nodes - below


@pytest.mark.parametrize("limit", LIMITS)
@examples(30)
@given(
    problem=problems(rows=(3, 60), categorical=True, missing=True),
    strength=st.sampled_from([0.0, 1.0, 5.0, 50.0]),
)
def test_twin(limit, problem, strength):
    check(grow(problem, Case("gini")), limit, strength)


@pytest.mark.parametrize("limit", LIMITS)
@examples(20)
@given(problem=problems(rows=(3, 60), weighted=True))
def test_twin_with_weights(limit, problem):
    check(grow(problem, Case("hellinger")), limit, 5.0)


def check(tree, limit: float, strength: float) -> None:
    smaller = collapse(tree, strength, limit)
    new_leaves = leaves_after(tree, limit, strength)
    if limit == 0:
        assert not new_leaves
    kept = kept_nodes(tree, new_leaves)
    assert smaller.n_nodes == len(kept)
    np.testing.assert_array_equal(smaller.counts, tree.counts[kept])
    is_leaf = [v in new_leaves or tree.first_child[v] < 0 for v in kept]
    np.testing.assert_array_equal(smaller.first_child < 0, is_leaf)


def collapse(tree, strength: float, limit: float):
    how = {"collapse": limit, "leaf": "shrunk", "leaf_strength": strength}
    return _core.prune(tree, _core.Pruning(**how))


@examples(30)
@given(
    problem=problems(rows=(3, 60), classes=(2, 3), categorical=True, missing=True, weighted=True),
    strength=st.sampled_from([0.0, 1.0, 5.0, 50.0]),
    limit=st.sampled_from(LIMITS),
)
def test_growth_that_skips_nodes_equals_growth_and_collapse(problem, strength, limit):
    how = {"collapse": limit, "leaf": "shrunk", "leaf_strength": strength}
    skipped = _core.grow(
        encode(problem),
        problem.y,
        problem.n_classes,
        problem.weights,
        _core.Criterion("hellinger"),
        options_of(problem),
        _core.Pruning(**how),
    )
    assert_same_tree(skipped, collapse(grow(problem, Case("hellinger")), strength, limit))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(("strength", "limit"), [(1.0, 4.0), (5.0, 1.0), (25.0, 0.5), (50.0, 0.1)])
def test_forest_that_skips_nodes_equals_forest_and_collapse(strength, limit, n_classes):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 3))
    y = (np.abs(X[:, 0] + rng.normal(size=1500)) > 1.5).astype(np.int32)
    y += (n_classes == 3) * (X[:, 1] > 1).astype(np.int32)
    columns = _core.Columns(X, np.zeros(3, dtype=np.int64), 0, 1)
    options = _core.GrowOptions(n_cuts=3, oblique_dim=2, max_features=2)
    how = _core.Pruning(collapse=limit, leaf="shrunk", leaf_strength=strength)

    def forest(pruning):
        hellinger, sampling = [_core.Criterion("hellinger")], _core.RowSampling()
        return _core.grow_forest(
            columns, y, n_classes, None, hellinger, options, sampling, n_trees=4, pruning=pruning
        )

    n_before = n_after = 0
    for full, skipped in zip(forest(_core.Pruning()), forest(how), strict=True):
        assert_same_tree(skipped, collapse(full, strength, limit))
        n_before, n_after = n_before + full.n_nodes, n_after + skipped.n_nodes
    assert 1 < n_after < 0.8 * n_before


def kept_nodes(tree, new_leaves: set[int]) -> list[int]:
    kept = [False] * tree.n_nodes
    kept[0] = True
    for v in range(tree.n_nodes):
        if kept[v] and v not in new_leaves:
            for i in range(int(tree.n_children[v])):
                kept[int(tree.first_child[v]) + i] = True
    return [v for v in range(tree.n_nodes) if kept[v]]


def grown_forest():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = ((X[:, 0] + rng.normal(size=400) > 1).astype(np.int32) + (X[:, 1] > 1)).astype(np.int32)
    columns = _core.Columns(X, np.zeros(3, dtype=np.int64), 0, 1)
    trees = _core.grow_forest(
        columns,
        y,
        3,
        None,
        [_core.Criterion("hellinger")],
        _core.GrowOptions(n_cuts=3, oblique_dim=2, max_features=1),
        _core.RowSampling(),
        n_trees=4,
    )
    return trees, X, y


@pytest.mark.parametrize("n_threads", [1, 3])
def test_pilot_probabilities(n_threads):
    trees, X, y = grown_forest()
    strengths = [0.0, 5.0, 40.0]
    got = _core.pilot_probabilities(trees, "shrunk", strengths, LIMITS, X, y, n_threads)
    assert got.shape == (3, 5, 400)
    for s, strength in enumerate(strengths):
        for c, limit in enumerate(LIMITS):
            smaller = [collapse(tree, strength, limit) for tree in trees]
            proba = _core.Forest(smaller, "shrunk", strength).predict_proba(X, 1)
            np.testing.assert_array_equal(got[s, c], proba[np.arange(400), y])


def test_pilot_refuses_bad_input():
    trees, X, y = grown_forest()
    with pytest.raises(ValueError, match="at least one tree"):
        _core.pilot_probabilities([], "shrunk", [1.0], [0.0], X, y)
    with pytest.raises(ValueError, match="one class per row"):
        _core.pilot_probabilities(trees, "shrunk", [1.0], [0.0], X, y[1:])
    with pytest.raises(ValueError, match="classes must be numbers"):
        _core.pilot_probabilities(trees, "shrunk", [1.0], [0.0], X, y + 1)
    with pytest.raises(ValueError, match="features"):
        _core.pilot_probabilities(trees, "shrunk", [1.0], [0.0], X[:, :2], y)
    for limit in (-0.1, float("nan")):
        with pytest.raises(ValueError, match="collapse must be at least 0"):
            collapse(trees[0], 1.0, limit)
