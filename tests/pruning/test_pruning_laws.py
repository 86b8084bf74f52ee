"""Pruning: the core against its literal twins, on trees made by hand and drawn at random."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oracle import pruning as twin
from oracle.handmade import counts_of, make, read
from rarewood import _core
from support.draw import examples


def cut(description, kind, threshold, **options):
    return read(_core.prune(make(description), _core.Pruning(kind, threshold, **options)))


def trees(n_classes=2, most=12, max_leaves=10):
    """Descriptions of trees: nested lists of class counts, no leaf empty."""
    counts = st.tuples(*[st.integers(0, most)] * n_classes).filter(any)
    return st.recursive(
        counts, lambda node: st.lists(node, min_size=2, max_size=3), max_leaves=max_leaves
    )


any_trees = st.integers(2, 4).flatmap(lambda k: trees(n_classes=k))
thresholds = st.sampled_from([0.0, 1e-6, 0.001, 0.01, 0.05, 0.2, 0.5, 1.0])


@given(any_trees)
def test_a_description_comes_back(description):
    assert read(make(description)) == description


@given(any_trees, thresholds)
def test_fisher_is_the_papers_algorithms(description, threshold):
    ps = [twin.p_value(node, description) for node in branches(description)]
    assume(all(abs(p - threshold) > 1e-9 or p == threshold for p in ps))
    assert cut(description, "fisher", threshold) == twin.fisher(description, threshold)


def branches(node):
    if isinstance(node, tuple):
        return []
    return [node, *(branch for child in node for branch in branches(child))]


@given(any_trees, st.sampled_from([0.01, 0.1, 0.25, 0.4, 0.5]))
def test_error_is_quinlans(description, confidence):
    assert cut(description, "error", confidence) == twin.error(description, confidence)


@examples(60)
@given(any_trees, st.floats(0, 0.2), st.sampled_from(["gini", "entropy"]))
def test_cost_complexity_is_the_cheapest_tree(description, alpha, impurity):
    expected = twin.cost_complexity(description, alpha, impurity)
    assert cut(description, "cost_complexity", alpha, impurity=impurity) == expected


@given(any_trees, st.sampled_from(["gini", "entropy"]))
def test_prices_of_the_path_cut_what_they_are_the_price_of(description, impurity):
    tree = make(description)
    alphas, impurities = _core.cost_complexity_path(tree, impurity=impurity)
    assert alphas[0] == 0
    assert (np.diff(alphas) >= 0).all()
    total = int(counts_of(description).sum())
    for alpha in np.unique(alphas):
        pruned = cut(description, "cost_complexity", float(alpha), impurity=impurity)
        left = sum(twin.impurity(leaf, total, impurity) for leaf in twin.leaves(pruned))
        # Prices that differ by rounding are one price: the last of them tells what is left.
        same = np.flatnonzero(np.abs(alphas - alpha) < 1e-12)
        assert left == pytest.approx(impurities[same[-1]], abs=1e-11)


@given(any_trees, thresholds)
def test_pruned_again_nothing_changes(description, threshold):
    for kind in ("fisher", "error", "cost_complexity"):
        level = {"error": min(max(threshold, 0.001), 0.5)}.get(kind, threshold)
        once = cut(description, kind, level)
        assert cut(once, kind, level) == once


@given(any_trees, thresholds, thresholds)
def test_lower_thresholds_prune_more(description, one, other):
    low, high = sorted([one, other])
    once = cut(description, "fisher", high)
    assert cut(once, "fisher", low) == cut(description, "fisher", low)


@given(any_trees)
def test_testing_leaves_keeps_at_least_as_much(description):
    few = cut(description, "fisher", 0.05)
    more = cut(description, "fisher", 0.05, tests_leaves=True)
    assert len(twin.leaves(more)) >= len(twin.leaves(few))


@given(trees(n_classes=3))
def test_weights_prune_by_cost_but_not_by_fisher(description):
    weighted, plain = make(description, weights=(1.0, 2.0, 3.0)), make(description)
    fisher = _core.Pruning("fisher", 0.05)
    assert read(_core.prune(weighted, fisher)) == read(_core.prune(plain, fisher))
    # Weighing a class is counting its rows several times.
    times = np.array([1, 2, 3])
    repeated = make(_map(description, lambda leaf: tuple((np.array(leaf) * times).tolist())))
    for pruning in (_core.Pruning("error", 0.25), _core.Pruning("cost_complexity", 0.03)):
        shape = _map(read(_core.prune(repeated, pruning)), lambda leaf: ())
        assert _map(read(_core.prune(weighted, pruning)), lambda leaf: ()) == shape


def _map(node, change):
    if isinstance(node, tuple):
        return change(node)
    return [_map(child, change) for child in node]


@given(any_trees, thresholds)
def test_a_pruned_tree_is_a_valid_tree_that_keeps_its_splits(description, threshold):
    tree = make(description)
    pruned = _core.prune(tree, _core.Pruning("fisher", threshold))
    again = _core.Tree.from_state(pruned.state())  # checks every array
    assert read(again) == read(pruned)
    X = np.column_stack([np.arange(60.0) % 7, np.arange(60.0) % 4])
    # Whatever leaf a row reaches in the pruned tree, it passed a node with these counts before.
    offsets, nodes = tree.decision_path(X)
    for row, leaf in enumerate(pruned.apply(X)):
        passed = tree.counts[nodes[offsets[row] : offsets[row + 1]]]
        assert (passed == pruned.counts[leaf]).all(axis=1).any()
