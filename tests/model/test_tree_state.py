"""A tree's state goes out and comes back; a corrupt one is refused, never trusted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from oracle.cases import Case
from oracle.problem import Limits
from rarewood import _core
from support.draw import examples, problems
from support.grown import ARRAYS, assert_same_tree, grow
from support.medium import medium_problem


def example_state(kind: str = "categorical", mode: str = "multiway") -> dict:
    problem = medium_problem(kind, 300, 3)
    tree = grow(problem, Case("hellinger"), Limits(max_depth=4, categorical_split=mode))
    return {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in tree.state().items()}


@examples(40)
@given(problem=problems(rows=(2, 30), categorical=True, missing=True, weighted=True))
def test_round_trip(problem):
    tree = grow(problem, Case("gini"), Limits(categorical_split="multiway"))
    copy = _core.Tree.from_state(tree.state())
    assert_same_tree(tree, copy)
    assert (copy.n_classes, copy.n_features) == (tree.n_classes, tree.n_features)
    np.testing.assert_array_equal(copy.apply(problem.X, 1), tree.apply(problem.X, 1))
    values = tree.leaf_values("shrunk", 5.0)
    np.testing.assert_array_equal(copy.leaf_values("shrunk", 5.0), values)


def test_arrays_are_read_only_and_consistent():
    problem = medium_problem("categorical", 300, 3)
    tree = grow(problem, Case("hellinger"))
    for name in (*ARRAYS, "gain", "weighted_counts"):
        array = getattr(tree, name)
        assert not array.flags.writeable, name
        with pytest.raises(ValueError):
            array[...] = 0
    assert tree.feature.dtype == np.int32
    assert tree.threshold.dtype == np.float64
    assert tree.counts.dtype == np.int64
    assert tree.counts.shape == tree.weighted_counts.shape == (tree.n_nodes, tree.n_classes)
    assert tree.category_offset.shape == (tree.n_nodes + 1,)
    np.testing.assert_array_equal(tree.counts, tree.weighted_counts)


def test_arrays_outlive_the_tree():
    problem = medium_problem("continuous", 300, 2)
    counts = grow(problem, Case("gini")).counts
    assert counts[0].tolist() == problem.counts(range(300))


def inner_nodes(state: dict) -> np.ndarray:
    return np.flatnonzero(state["feature"] >= 0)


CORRUPTIONS = {
    "feature too large": lambda s: s["feature"].__setitem__(0, 99),
    "feature below -1": lambda s: s["feature"].__setitem__(0, -2),
    "child beyond the end": lambda s: s["first_child"].__setitem__(inner_nodes(s)[-1], 10**6),
    "child beyond by one": lambda s: s["first_child"].__setitem__(
        inner_nodes(s)[-1], len(s["feature"]) - 1
    ),
    "child is the parent": lambda s: s["first_child"].__setitem__(0, 0),
    "negative child": lambda s: s["first_child"].__setitem__(0, -5),
    "no children": lambda s: s["n_children"].__setitem__(0, 0),
    "negative number of children": lambda s: s["n_children"].__setitem__(0, -1),
    "too many children": lambda s: s["n_children"].__setitem__(0, 2**31 - 1),
    "missing child too large": lambda s: s["missing_child"].__setitem__(0, 1000),
    "missing child negative": lambda s: s["missing_child"].__setitem__(0, -1),
    "offsets fall": lambda s: s["category_offset"].__setitem__(1, 10**9),
    "offsets negative": lambda s: s["category_offset"].__setitem__(0, -3),
    "category child too large": lambda s: s["category_child"].__setitem__(0, 1000),
    "category child negative": lambda s: s["category_child"].__setitem__(0, -1),
    "categories out of order": lambda s: s["category"].__setitem__(
        slice(0, 2), s["category"][:2][::-1].copy()
    ),
    "thresholds too short": lambda s: s.update(threshold=s["threshold"][:-1]),
    "counts too few": lambda s: s.update(counts=s["counts"].reshape(-1)[:-1]),
    "a negative count": lambda s: s["counts"].reshape(-1).__setitem__(-1, -1),
    "more rows than the parent has": lambda s: s["counts"].reshape(-1).__setitem__(-1, 10**6),
    "more rows than there can be": lambda s: s["counts"].reshape(-1).__setitem__(0, 2**62),
    "a negative weight": lambda s: s.update(weighted_counts=-1.0 - s["counts"].reshape(-1)),
    "a weight that is not a number": lambda s: s.update(
        weighted_counts=np.full(s["counts"].size, np.nan)
    ),
    "counts of wrong type": lambda s: s.update(counts=s["counts"].astype("U")),
    "gains too long": lambda s: s.update(gain=np.append(s["gain"], 0.0)),
    "feature is a scalar": lambda s: s.update(feature=3),
    "feature is two-dimensional": lambda s: s.update(feature=s["feature"][:, None]),
    "a key is missing": lambda s: s.pop("first_child"),
    "no nodes": lambda s: s.update({k: v[:0] for k, v in s.items() if isinstance(v, np.ndarray)}),
}


@pytest.mark.parametrize("corruption", CORRUPTIONS.values(), ids=CORRUPTIONS.keys())
def test_corrupt_state_is_refused(corruption):
    state = example_state()
    corruption(state)
    with pytest.raises((ValueError, TypeError, KeyError)):
        _core.Tree.from_state(state)


def test_the_uncorrupted_state_is_accepted():
    state = example_state()
    assert state["feature"][0] >= 0
    assert len(state["category"]) > 2
    _core.Tree.from_state(state)


def test_a_node_has_one_parent():
    """The root has two children, which share theirs: no other check would refuse it."""
    state = {
        "n_classes": 2,
        "n_features": 1,
        "feature": np.array([0, 0, 0, -1, -1], dtype=np.int32),
        "threshold": np.array([0.5, 0.2, 0.7, np.nan, np.nan]),
        "first_child": np.array([1, 3, 3, -1, -1], dtype=np.int32),
        "n_children": np.array([2, 2, 2, 0, 0], dtype=np.int32),
        "missing_child": np.array([0, 0, 0, -1, -1], dtype=np.int32),
        "gain": np.zeros(5),
        "counts": np.ones(10, dtype=np.int64),
        "weighted_counts": np.ones(10),
        "category_offset": np.zeros(6, dtype=np.int64),
        "category": np.empty(0, dtype=np.int32),
        "category_child": np.empty(0, dtype=np.int32),
        "plane_offset": np.empty(0, dtype=np.int64),
        "plane_feature": np.empty(0, dtype=np.int32),
        "plane_weight": np.empty(0),
    }
    with pytest.raises(ValueError, match="node 3 has two parents"):
        _core.Tree.from_state(state)
    two_leaves = {"feature": [0, 0, -1, -1, -1], "n_children": [2, 2, 0, 0, 0]}
    none = {"first_child": [1, 3, -1, -1, -1], "missing_child": [0, 0, -1, -1, -1]}
    for name, values in (two_leaves | none).items():
        state[name] = np.array(values, dtype=np.int32)
    _core.Tree.from_state(state)


def test_random_damage_never_crashes():
    """Flip values at random: the state is refused, or the tree still predicts some leaf."""
    rng = np.random.default_rng(0)
    X = medium_problem("categorical", 300, 3).X
    clean = example_state()
    for _ in range(400):
        key = rng.choice([k for k, v in clean.items() if isinstance(v, np.ndarray) and v.size])
        damaged = clean[key].copy()
        flat = damaged.reshape(-1)
        flat[rng.integers(flat.size)] = rng.choice([-(2**31), -7, -1, 0, 1, 2, 5, 100, 2**31 - 1])
        state = dict(clean) | {key: damaged}
        try:
            tree = _core.Tree.from_state(state)
        except ValueError:
            continue
        leaves = tree.apply(X, 1)
        assert (leaves >= 0).all()
        assert (leaves < tree.n_nodes).all()
