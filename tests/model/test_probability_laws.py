"""Law: rows of predict_proba are finite, not negative and sum to 1, for all valid parameters."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.cases import Case
from rarewood import C45Classifier, RareForestClassifier, RareTreeClassifier, _core
from support.draw import examples, problems
from support.grown import grow

LEAVES = [entry["name"] for entry in _core.leaf_entries()]
LARGEST = sys.float_info.max
STRENGTHS = st.one_of(
    st.floats(0, LARGEST), st.sampled_from([0.0, 5e-324, 1e-308, 1.0, 1e200, 1e308, LARGEST])
)


def check(proba) -> None:
    assert np.isfinite(proba).all()
    assert (proba >= 0).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=1e-12)


@pytest.mark.parametrize("leaf", [*LEAVES, "example"])
@examples(40)
@given(
    problem=problems(rows=(3, 30), categorical=True, missing=True, weighted=True),
    strength=STRENGTHS,
)
def test_every_node(leaf, problem, strength):
    tree = grow(problem, Case("gini"))
    of_example = leaf == "example"
    check(
        _core._example_leaf_values(tree, strength)
        if of_example
        else tree.leaf_values(leaf, strength)
    )


@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize("strength", [5e-324, 1e308, LARGEST])
@pytest.mark.parametrize("weight", [1e-300, 1.0, 1e300])
def test_estimators(leaf, strength, weight):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)), rng.integers(0, 3, size=80)
    X[rng.random(X.shape) < 0.1] = np.nan
    for model in (
        RareTreeClassifier(leaf=leaf, leaf_strength=strength),
        RareForestClassifier(3, leaf=leaf, leaf_strength=strength, collapse=0.0),
        C45Classifier(leaf=leaf, leaf_strength=strength),
    ):
        check(model.fit(X, y, sample_weight=np.full(80, weight)).predict_proba(X))


def test_strong_smoothing_has_its_limit():
    """With more and more added samples, the probabilities are those of the added ones alone."""
    X, y = np.arange(40.0)[:, np.newaxis], np.arange(40) >= 30
    limits = {"laplace": [0.5, 0.5], "m_estimate": [0.75, 0.25], "shrunk": [0.75, 0.25]}
    for leaf, limit in limits.items():
        proba = RareTreeClassifier(leaf=leaf, leaf_strength=LARGEST).fit(X, y).predict_proba(X)
        np.testing.assert_allclose(proba, np.tile(limit, (40, 1)), rtol=1e-14)


@pytest.mark.parametrize("strength", [np.inf, np.nan, -1.0])
def test_strengths_that_are_no_number_of_samples(strength):
    tree = RareTreeClassifier().fit([[0.0], [1.0]], [0, 1]).tree_.compiled
    with pytest.raises(ValueError, match="leaf_strength must be at least 0, and finite"):
        tree.leaf_values("laplace", strength)
