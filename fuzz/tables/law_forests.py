"""Laws of forests: their trees, and forests of fewer trees."""

from __future__ import annotations

import numpy as np

import rarewood
from fuzz.tables.compare import assert_equal, assert_same
from fuzz.tables.fits import Setting, require


def warm_start(s: Setting) -> None:
    """Trees that are added are those of a forest that is grown at once."""
    require(not s.has_pilot)
    n = s.parameters.get("n_estimators", 1)
    first = s.fit(warm_start=True, n_estimators=s.draw.integer(1, n))
    first.set_params(n_estimators=n).fit(s.X, s.y, s.weights)
    assert_same(s.model, first, "warm start")
    if s.parameters.get("oob_score"):
        assert_equal(s.model.oob_decision_function_, first.oob_decision_function_, "out-of-bag")


def truncated(s: Setting) -> None:
    """The first trees are the forest of a smaller fit, and the stages of a prediction its own."""
    n = s.draw.integer(1, len(s.model))
    first = s.model.truncate(n)
    assert_same(first, s.fit(n_estimators=n), "truncated")
    stages = list(s.model.staged_predict_proba(s.X))
    assert len(stages) == len(s.model)
    assert_equal(stages[n - 1], first.predict_proba(s.X), "probabilities of the first trees")
    assert_equal(stages[-1], s.model.predict_proba(s.X), "probabilities of the last stage")


def members(s: Setting) -> None:
    """A forest predicts the mean of its trees; a tree fitted on its samples is the same tree."""
    trees = list(s.model)
    mean = np.mean([tree.predict_proba(s.X) for tree in trees], axis=0)
    np.testing.assert_allclose(s.model.predict_proba(s.X), mean, rtol=1e-9, atol=1e-12)
    require(not s.samples_nodes and s.get("max_bins") in ("auto", None) and not s.has_pilot)
    require(s.parameters.get("class_weight") is None)
    # A forest takes the fraction of the weight that a tree is expected to draw.
    require(not s.parameters.get("min_weight_fraction_leaf") or not s.draws_rows)
    number = s.draw.integer(0, len(trees) - 1)
    rows = s.model.estimators_samples_[number]
    require(len(np.unique(s.y[rows])) == len(s.model.classes_))
    weights = None if s.weights is None else s.weights[rows]
    alone = rarewood.RareTreeClassifier(**trees[number].get_params())
    alone.fit(s.X[rows], s.y[rows], weights)
    require(alone.tree_.schema.categories.keys() == trees[number].tree_.schema.categories.keys())
    for j, own in alone.tree_.schema.categories.items():
        known = trees[number].tree_.schema.categories[j]
        require(own.values.tolist() == known.values.tolist())
    # Weights are rounded to a grid that depends on all of them.
    ignored = () if s.weights is None else ("gain", "weighted_counts")
    assert_same(trees[number], alone, f"tree {number}", ignored)
