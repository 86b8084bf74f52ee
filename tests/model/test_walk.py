"""Random trees with every kind of node: rows reach the leaves of the naive walk."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from oracle.audit import rows_of_nodes
from rarewood import _core
from support.draw import examples

N_FEATURES = 5  # the last one is categorical
N_CATEGORIES = 6


def random_tree(rng: np.random.Generator, n_splits: int, apart: int) -> _core.Tree:
    """Cuts, hyperplanes of two or more features, and categorical splits of two or more children."""
    nodes: list[dict] = [{}]
    for at in range(n_splits):
        kind = rng.choice(["cut", "plane", "categorical"], p=[0.4, 0.4, 0.2])
        n_children = int(rng.integers(2, 5)) if kind == "categorical" else 2
        node = nodes[at]
        node.update(first=len(nodes), n=n_children, missing=int(rng.integers(n_children)))
        nodes += [{} for _ in range(n_children)]
        if kind == "categorical":
            known = np.flatnonzero(rng.random(N_CATEGORIES) < 0.7)
            known = known if len(known) else np.array([0])
            children = rng.integers(n_children, size=len(known))
            node.update(feature=N_FEATURES - 1, known=apart * known, children=children)
            continue
        node.update(feature=int(rng.integers(N_FEATURES - 1)), threshold=rng.normal(scale=0.7))
        if kind == "plane":
            features = rng.permutation(N_FEATURES - 1)[: rng.integers(2, 4)]
            weights = rng.uniform(-1, 1, len(features)) * rng.choice([1.0, 1.7e308], p=[0.9, 0.1])
            node.update(feature=int(features[0]), features=features, weights=weights)

    def per_node(name: str, default: float, dtype: type) -> np.ndarray:
        return np.array([node.get(name, default) for node in nodes], dtype=dtype)

    def lists(name: str, dtype: type) -> np.ndarray:
        return np.concatenate([np.empty(0), *(node.get(name, []) for node in nodes)]).astype(dtype)

    def offsets(name: str) -> np.ndarray:
        return np.cumsum([0, *(len(node.get(name, [])) for node in nodes)])

    planes = offsets("features")
    return _core.Tree.from_state(
        {
            "n_classes": 2,
            "n_features": N_FEATURES,
            "feature": per_node("feature", -1, np.int32),
            "threshold": per_node("threshold", np.nan, np.float64),
            "first_child": per_node("first", -1, np.int32),
            "n_children": per_node("n", 0, np.int32),
            "missing_child": per_node("missing", -1, np.int32),
            "gain": np.zeros(len(nodes)),
            "counts": np.ones(2 * len(nodes), dtype=np.int64),
            "weighted_counts": np.empty(0),
            "category_offset": offsets("known"),
            "category": lists("known", np.int32),
            "category_child": lists("children", np.int32),
            "plane_offset": planes if planes[-1] else np.empty(0, dtype=np.int64),
            "plane_feature": lists("features", np.int32),
            "plane_weight": lists("weights", np.float64),
        }
    )


@examples(60)
@given(
    seed=st.integers(0, 2**32),
    n_splits=st.integers(0, 30),
    n_rows=st.sampled_from([1, 2, 3, 4, 5, 63, 300, 1500]),
    dtype=st.sampled_from([np.float32, np.float64]),
    order=st.sampled_from("CF"),
    apart=st.sampled_from([1, 100_000]),  # numbers of categories: a table of them, or a search
)
def test_rows_reach_the_leaves_of_the_naive_walk(seed, n_splits, n_rows, dtype, order, apart):
    rng = np.random.default_rng(seed)
    X = np.array(rng.normal(size=(n_rows, N_FEATURES)), dtype=dtype, order=order)
    X[:, -1] = apart * rng.integers(-1, N_CATEGORIES + 2, size=n_rows)
    X[:, -1] += rng.choice([0, 0.5], p=[0.9, 0.1])
    X[rng.random(X.shape) < 0.05] = np.nan
    trees = [random_tree(rng, n_splits, apart) for _ in range(8)]
    want = np.zeros((n_rows, len(trees)), dtype=np.int64)
    with np.errstate(over="ignore", invalid="ignore"):
        for t, tree in enumerate(trees):
            for node, rows in enumerate(rows_of_nodes(tree, X.astype(np.float64))):
                want[rows, t] = node
    forest = _core.Forest(trees, "laplace", 1.0)
    np.testing.assert_array_equal(forest.apply(X, 2), want)
    np.testing.assert_array_equal(trees[0].apply(X, 1), want[:, 0])
    sums = np.zeros((n_rows, 2))
    for t, tree in enumerate(trees):
        sums += tree.leaf_values("laplace", 1.0)[want[:, t]]
    np.testing.assert_array_equal(forest.predict_proba(X, 2), sums / len(trees))
