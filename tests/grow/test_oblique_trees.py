"""Trees with hyperplanes: prediction, and states that come back or are refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.audit import route, rows_of_nodes, values_at
from oracle.cases import Case
from oracle.problem import Limits
from rarewood import _core
from support.draw import examples, problems
from support.grown import assert_same_tree, grow
from support.medium import medium_problem

HELLINGER = Case("hellinger")
KINDS = ("points", "direction", "between")


def grow_planes(problem, dim: int, kind: str = "direction", **options):
    arguments = {"n_cuts": 3, "max_features": 2, "oblique_dim": dim, "oblique_draw": kind}
    return grow(problem, HELLINGER, **(arguments | options))


def leaf_counts(tree, leaves: np.ndarray, y: np.ndarray) -> np.ndarray:
    counts = np.zeros((tree.n_nodes, tree.n_classes), dtype=int)
    np.add.at(counts, (leaves, y), 1)
    return counts


def check_walk(tree, X: np.ndarray) -> np.ndarray:
    """The leaves by the core and by a naive walk are the same."""
    want = np.zeros(len(X), dtype=int)
    for node, rows in enumerate(rows_of_nodes(tree, X)):
        want[rows] = node
    leaves = tree.apply(X, 1)
    np.testing.assert_array_equal(leaves, want)
    return leaves


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dim", [2, 3, 4])
@pytest.mark.parametrize("data", ["continuous", "missing", "categorical", "float32", "hard"])
def test_training_rows_fall_where_they_were_counted(data, dim, kind):
    """Also with best-first growth, where the rows are divided later than the planes are drawn."""
    problem = medium_problem(data, 1200, 3)
    dim = min(dim, 3) if data in ("categorical", "hard") else dim  # they have three usable columns
    for options in ({}, {"max_leaf_nodes": 30}):
        tree = grow_planes(problem, dim, kind, **options)
        assert len(tree.plane_weight) > 0
        is_leaf = tree.feature < 0
        for order in ("C", "F"):
            leaves = check_walk(tree, np.array(problem.X, order=order))
            counts = leaf_counts(tree, leaves, problem.y)
            np.testing.assert_array_equal(counts[is_leaf], tree.counts[is_leaf])


@examples(60)
@given(
    problem=problems(rows=(4, 40), features=(2, 4), categorical=True, missing=True),
    dim=st.integers(2, 3),
    kind=st.sampled_from(KINDS),
    seed=st.integers(0, 100),
)
def test_small_tables(problem, dim, kind, seed):
    tree = grow_planes(problem, dim, kind, seed=seed)
    leaves = check_walk(tree, problem.X)
    is_leaf = tree.feature < 0
    counts = leaf_counts(tree, leaves, problem.y)
    np.testing.assert_array_equal(counts[is_leaf], tree.counts[is_leaf])
    assert_same_tree(tree, _core.Tree.from_state(tree.state()))


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("data", ["continuous", "missing"])
def test_new_rows_with_holes(data, dim):
    """A row that misses one of a plane's values goes the way of missing values."""
    tree = grow_planes(medium_problem(data, 600, 2), dim)
    X = medium_problem("missing", 2000, 2, seed=4).X
    check_walk(tree, X)
    check_walk(tree, X.astype(np.float32))
    check_walk(tree, np.full((3, 5), np.nan))


@pytest.mark.parametrize("dim", [2, 3])
def test_sums_that_overflow_are_routed_like_missing_ones(dim):
    """Values far outside the training table: weight times value may be infinite."""
    problem = medium_problem("continuous", 300, 2)
    problem.X[:] *= 1e-250
    tree = grow_planes(problem, dim)
    X = np.random.default_rng(0).choice([-1.7e308, 1.7e308, 0.0, 1e-250], size=(300, 5))
    with np.errstate(over="ignore", invalid="ignore"):
        assert any(
            np.isnan(values_at(tree, node, X)).any() for node in np.flatnonzero(tree.feature >= 0)
        )
        check_walk(tree, X)


def test_every_thread_and_block_sees_the_same():
    problem = medium_problem("missing", 600, 2)
    tree = grow_planes(problem, 2)
    X = medium_problem("missing", 5000, 2, seed=6).X
    want = tree.apply(X, 1)
    for n_threads in (2, 3):
        np.testing.assert_array_equal(tree.apply(X, n_threads), want)
    np.testing.assert_array_equal(
        np.concatenate([tree.apply(X[i : i + 7]) for i in range(0, 70, 7)]), want[:70]
    )


@pytest.mark.parametrize("dim", [2, 3])
def test_decision_path(dim):
    problem = medium_problem("missing", 150, 2)
    tree = grow_planes(problem, dim)
    indptr, indices = tree.decision_path(problem.X)
    for row in range(problem.n_rows):
        want = [0]
        while tree.feature[want[-1]] >= 0:
            x = values_at(tree, want[-1], problem.X[row : row + 1])
            want.append(int(tree.first_child[want[-1]] + route(tree, want[-1], x)[0]))
        assert sorted(indices[indptr[row] : indptr[row + 1]].tolist()) == want


# --------------------------------------------------------------------------- states


def example_state(data: str = "missing") -> dict:
    tree = grow_planes(medium_problem(data, 300, 3), 2, max_depth=4)
    return {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in tree.state().items()}


def test_round_trip():
    problem = medium_problem("categorical", 500, 3)
    tree = grow_planes(problem, 3)
    copy = _core.Tree.from_state(tree.state())
    assert_same_tree(tree, copy)
    np.testing.assert_array_equal(copy.apply(problem.X), tree.apply(problem.X))


def first_plane(state: dict) -> int:
    return int(np.flatnonzero(np.diff(state["plane_offset"]))[0])


def a_leaf(state: dict) -> int:
    return int(np.flatnonzero(state["feature"] < 0)[0])


def shift(state: dict, node: int) -> None:
    """Moves a plane's terms to another node."""
    size = np.diff(state["plane_offset"])
    at = first_plane(state)
    size[at], size[node] = size[node], size[at]
    state["plane_offset"][1:] = np.cumsum(size)


CORRUPTIONS = {
    "offsets fall": lambda s: s["plane_offset"].__setitem__(1, 10**9),
    "offsets negative": lambda s: s["plane_offset"].__setitem__(0, -2),
    "offsets do not begin at 0": lambda s: s["plane_offset"].__setitem__(0, 1),
    "offsets end early": lambda s: s["plane_offset"].__setitem__(-1, s["plane_offset"][-1] - 1),
    "offsets end late": lambda s: s["plane_offset"].__setitem__(-1, s["plane_offset"][-1] + 1),
    "offsets too few": lambda s: s.update(plane_offset=s["plane_offset"][:-1]),
    "offsets too many": lambda s: s.update(
        plane_offset=np.append(s["plane_offset"], s["plane_offset"][-1])
    ),
    "no offsets": lambda s: s.update(plane_offset=s["plane_offset"][:0]),
    "no features": lambda s: s.update(plane_feature=s["plane_feature"][:0]),
    "no weights": lambda s: s.update(plane_weight=s["plane_weight"][:0]),
    "weights too few": lambda s: s.update(plane_weight=s["plane_weight"][:-1]),
    "feature too large": lambda s: s["plane_feature"].__setitem__(1, s["n_features"]),
    "feature negative": lambda s: s["plane_feature"].__setitem__(1, -1),
    "another leading feature": lambda s: s["plane_feature"].__setitem__(
        0, (s["plane_feature"][0] + 1) % s["n_features"]
    ),
    "weight is not a number": lambda s: s["plane_weight"].__setitem__(1, np.nan),
    "weight is infinite": lambda s: s["plane_weight"].__setitem__(0, -np.inf),
    "threshold is not a number": lambda s: s["threshold"].__setitem__(first_plane(s), np.nan),
    "a plane in a leaf": lambda s: shift(s, a_leaf(s)),
    "a plane of one feature": lambda s: s.update(
        plane_offset=np.minimum(s["plane_offset"], s["plane_offset"][-1] - 1),
        plane_feature=s["plane_feature"][:-1],
        plane_weight=s["plane_weight"][:-1],
    ),
    "a plane with three children": lambda s: s["n_children"].__setitem__(first_plane(s), 3),
    "weights of wrong type": lambda s: s.update(plane_weight=s["plane_weight"].astype("U")),
    "a key is missing": lambda s: s.pop("plane_weight"),
}


@pytest.mark.parametrize("corruption", CORRUPTIONS.values(), ids=CORRUPTIONS.keys())
def test_corrupt_state_is_refused(corruption):
    state = example_state()
    _core.Tree.from_state(state)
    corruption(state)
    with pytest.raises(ValueError, match="not a valid tree"):
        _core.Tree.from_state(state)


def test_a_categorical_node_with_a_plane_is_refused():
    """Its terms would be read without a look at the table's width."""
    state = example_state("categorical")
    categorical = int(np.flatnonzero(np.diff(state["category_offset"]))[0])
    shift(state, categorical)
    state["plane_feature"][:] = 10**6
    with pytest.raises(ValueError, match="not a valid tree"):
        _core.Tree.from_state(state)


def test_random_damage_never_crashes():
    rng = np.random.default_rng(0)
    X = medium_problem("missing", 100, 3).X
    clean = example_state("categorical")
    keys = [k for k, v in clean.items() if isinstance(v, np.ndarray) and v.size]
    for _ in range(400):
        key = rng.choice(keys)
        damaged = clean[key].copy()
        damaged.reshape(-1)[rng.integers(damaged.size)] = rng.choice(
            [-7, -1, 0, 1, 2, 5, 2**31 - 1]
        )
        try:
            tree = _core.Tree.from_state(dict(clean) | {key: damaged})
        except ValueError:
            continue
        leaves = tree.apply(X, 1)
        assert (tree.feature[leaves] < 0).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"oblique_dim": 0}, "oblique_dim"),
        ({"oblique_dim": -1}, "oblique_dim"),
        ({"n_cuts": 0}, "n_cuts"),
        ({"oblique_draw": "nothing"}, "oblique_draw"),
    ],
)
def test_bad_options(options, message):
    problem = medium_problem("continuous", 50, 2)
    with pytest.raises(ValueError, match=message):
        grow(problem, HELLINGER, **({"n_cuts": 1, "oblique_dim": 2} | options))


def test_shallow_trees_keep_their_planes():
    problem = medium_problem("continuous", 300, 2)
    deep = grow_planes(problem, 2)
    top = grow(
        problem,
        HELLINGER,
        Limits(max_depth=1),
        n_cuts=3,
        max_features=2,
        oblique_dim=2,
        oblique_draw="direction",
    )
    assert top.threshold[0] == deep.threshold[0]
    assert top.plane_weight.tolist() == deep.plane_weight[:2].tolist()
