"""Leaf parameters after a fit: changed without growing again, or not silently ignored."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.base import clone

import rarewood
from rarewood import C45Classifier, RareForestClassifier, RareTreeClassifier

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(200, 4))
Y = (X[:, 0] + RANDOM.normal(size=200) > 1).astype(int)
MODELS = {
    "tree": RareTreeClassifier(max_depth=4),
    "forest": RareForestClassifier(4, collapse=0, leaf_strength=2, random_state=0),
    "c45": C45Classifier(leaf="laplace", confidence=None),
}
CHANGES = [
    {"leaf_strength": 7.0}, {"leaf": "shrunk"}, {"leaf": "m_estimate", "leaf_strength": 3.0},
    {"leaf": "raw"},
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=str)
@pytest.mark.parametrize("name", MODELS)
def test_it_is_the_model_of_a_fit_with_these_parameters(name, change):
    model = clone(MODELS[name]).fit(X, Y)
    trees = [model] if name != "forest" else model.estimators_
    nodes = [tree.tree_.compiled for tree in trees]
    is_other = change.get("leaf", MODELS[name].leaf) != MODELS[name].leaf
    default = {"leaf_strength": None} if is_other else {}
    fitted = clone(MODELS[name]).set_params(**default | change).fit(X, Y)
    assert model.refit_leaves(**change) is model
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(model.predict_proba(X), fitted.predict_proba(X))
        np.testing.assert_array_equal(model.predict(X), fitted.predict(X))
    assert model.leaf == fitted.leaf
    assert model.leaf_strength == model.leaf_strength_ == fitted.leaf_strength_
    trees = [model] if name != "forest" else model.estimators_
    assert all(tree.tree_.compiled is node for tree, node in zip(trees, nodes, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mean = np.mean([tree.predict_proba(X) for tree in trees], axis=0)
    np.testing.assert_allclose(mean, fitted.predict_proba(X), atol=1e-15)


@pytest.mark.parametrize("name", MODELS)
def test_parameters_set_after_a_fit_are_not_silently_ignored(name):
    model = clone(MODELS[name]).fit(X, Y)
    before = model.predict_proba(X)
    model.set_params(leaf_strength=50.0)
    for predict in (model.predict_proba, model.predict):
        with pytest.warns(UserWarning, match="Call refit_leaves to change the fitted trees"):
            predict(X)
    with pytest.warns(UserWarning, match="leaf_strength=50.0 were set after the fit"):
        np.testing.assert_array_equal(model.predict_proba(X), before)
    assert model.refit_leaves().leaf_strength_ == 50.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert abs(model.predict_proba(X) - before).max() > 0.01
    model.set_params(leaf="laplace", leaf_strength=3.0).refit_leaves()
    fitted = clone(MODELS[name]).set_params(leaf="laplace", leaf_strength=3.0).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), fitted.predict_proba(X))


def test_a_collapsed_forest_refuses_a_weaker_strength():
    model = RareForestClassifier(4, leaf_strength=10, collapse=0.5, random_state=0).fit(X, Y)
    before = model.predict_proba(X)
    with pytest.raises(ValueError, match=r"weaker than 10, .* Fit with collapse=0 to change"):
        model.refit_leaves(leaf_strength=5)
    with pytest.raises(ValueError, match="'raw' cannot replace 'shrunk'"):
        model.refit_leaves(leaf="raw")
    with pytest.raises(ValueError, match="weaker than 10"):
        model.set_params(leaf_strength=5).refit_leaves()
    model.set_params(leaf_strength=10)
    assert model.leaf_strength_ == 10
    np.testing.assert_array_equal(model.predict_proba(X), before)
    model.refit_leaves(leaf_strength=20)
    assert model.leaf_strength_ == 20
    assert model.collapse_ == 0.5


def test_errors_leave_the_model_unchanged():
    model = clone(MODELS["tree"]).fit(X, Y)
    before = model.predict_proba(X)
    with pytest.raises(ValueError, match='"auto" needs the training samples'):
        model.refit_leaves(leaf_strength="auto")
    with pytest.raises(ValueError, match="'leaf_strength' parameter"):
        model.refit_leaves(leaf_strength=-1)
    with pytest.raises(ValueError, match="'leaf' parameter"):
        model.refit_leaves(leaf="laplacian")
    np.testing.assert_array_equal(model.predict_proba(X), before)


def test_out_of_bag_scores_are_removed_and_files_keep_the_leaves(tmp_path):
    model = RareForestClassifier(
        20, leaf_strength=1, collapse=0, bootstrap=True, oob_score=True, random_state=0
    ).fit(X, Y)
    model.refit_leaves(leaf="laplace", leaf_strength=2)
    assert not hasattr(model, "oob_score_")
    rarewood.save(model, tmp_path / "model.rarewood")
    loaded = rarewood.load(tmp_path / "model.rarewood")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))


def test_a_warm_start_with_other_leaves_changes_all_trees():
    model = RareForestClassifier(2, leaf_strength=1, collapse=0, warm_start=True, random_state=0)
    model.fit(X, Y).set_params(n_estimators=4, leaf_strength=30.0).fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mean = np.mean([tree.predict_proba(X) for tree in model], axis=0)
    np.testing.assert_allclose(mean, model.predict_proba(X), atol=1e-15)
