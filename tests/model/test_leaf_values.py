"""How the counts of a leaf become probabilities."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification

from rarewood import RareTreeClassifier

X, Y = make_classification(400, 6, n_informative=4, n_redundant=0, weights=[0.9], random_state=0)


def fitted(**params) -> RareTreeClassifier:
    return RareTreeClassifier(**params).fit(X, Y)


LEAVES = {
    "raw": ({"leaf": "raw"}, lambda n, total: n / total),
    "laplace": ({"leaf": "laplace"}, lambda n, total: (n + 1) / (total + 2)),
    "laplace 0.5": (
        {"leaf": "laplace", "leaf_strength": 0.5},
        lambda n, total: (n + 0.5) / (total + 1),
    ),
    "m_estimate": (
        {"leaf": "m_estimate"},
        lambda n, total: (n + 2 * np.bincount(Y) / 400) / (total + 2),
    ),
    "m_estimate 10": (
        {"leaf": "m_estimate", "leaf_strength": 10},
        lambda n, total: (n + 10 * np.bincount(Y) / 400) / (total + 10),
    ),
}


@pytest.mark.parametrize(("params", "estimate"), LEAVES.values(), ids=LEAVES)
def test_leaf_probabilities(params, estimate):
    view = fitted(max_depth=3, **params).tree_
    totals = view.counts.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(view.probabilities, estimate(view.counts, totals))


def test_shrunk_leaves_lie_between_the_root_and_the_raw_shares():
    weak, strong = (fitted(leaf="shrunk", leaf_strength=s).tree_ for s in (0, 1e12))
    np.testing.assert_allclose(weak.probabilities, weak.value[:, 0], atol=1e-15)
    np.testing.assert_allclose(strong.probabilities, np.tile(strong.value[0], (strong.n_nodes, 1)))
    default = fitted(leaf="shrunk").tree_
    assert default.probabilities.min() >= 0
    assert weak.probabilities.min() >= 0
    np.testing.assert_array_equal(
        default.probabilities, fitted(leaf="shrunk", leaf_strength=5).tree_.probabilities
    )
    first = int(default.first_child[0])
    root, child = default.value[0, 0], default.value[first, 0]
    np.testing.assert_allclose(
        default.probabilities[first], root + (child - root) / (1 + 5 / 400), rtol=1e-12
    )
