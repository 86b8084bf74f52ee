"""Class probabilities of nodes: raw, Laplace, m-estimate, shrunk towards the root."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from oracle.cases import Case
from oracle.tree import probabilities
from rarewood import RareTreeClassifier
from support.draw import examples, problems
from support.grown import grow

KINDS = [("raw", 0.0), ("laplace", 1.0), ("m_estimate", 3.5), ("shrunk", 5.0), ("shrunk", 100.0)]


def path_to(tree, node: int) -> list[list[float]]:
    parent = {
        int(tree.first_child[v]) + i: v
        for v in np.flatnonzero(tree.feature >= 0)
        for i in range(tree.n_children[v])
    }
    path = [node]
    while path[-1] in parent:
        path.append(int(parent[path[-1]]))
    return [tree.weighted_counts[v].tolist() for v in reversed(path)]


@pytest.mark.parametrize(("kind", "strength"), KINDS)
@examples(25)
@given(problem=problems(rows=(3, 30), categorical=True, missing=True))
def test_every_node(kind, strength, problem):
    check(grow(problem, Case("gini")), kind, strength)


@pytest.mark.parametrize(("kind", "strength"), KINDS)
@examples(15)
@given(problem=problems(rows=(3, 30), weighted=True))
def test_every_node_with_weights(kind, strength, problem):
    check(grow(problem, Case("hellinger")), kind, strength)


def check(tree, kind: str, strength: float) -> None:
    values = tree.leaf_values(kind, strength)
    assert values.shape == (tree.n_nodes, tree.n_classes)
    np.testing.assert_allclose(values.sum(axis=1), 1, rtol=1e-12)
    assert (values >= 0).all()
    for node in range(tree.n_nodes):
        want = probabilities(path_to(tree, node), kind, strength)
        np.testing.assert_allclose(values[node], want, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("leaf", ["raw", "laplace", "m_estimate", "shrunk"])
def test_the_estimator_predicts_them(leaf):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), rng.integers(0, 3, size=300)
    model = RareTreeClassifier(leaf=leaf, leaf_strength=2.0, min_samples_leaf=5).fit(X, y)
    proba, leaves = model.predict_proba(X), model.apply(X)
    for row in range(0, 300, 17):
        path = path_to(model.tree_, int(leaves[row]))
        np.testing.assert_allclose(proba[row], probabilities(path, leaf, 2.0), rtol=1e-10)
    np.testing.assert_array_equal(model.predict(X), model.classes_[proba.argmax(axis=1)])
