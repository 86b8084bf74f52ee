"""RareTreeClassifier: parameters, attributes and methods, one by one."""

from __future__ import annotations

from email.message import Message

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from rarewood import RareForestClassifier, RareTreeClassifier, criteria

X, Y = make_classification(400, 6, n_informative=4, n_redundant=0, weights=[0.9], random_state=0)
CRITERIA = [*criteria.names(), criteria.Alpha(0.0), criteria.Alpha(1.5, "complement")]


def fitted(**params) -> RareTreeClassifier:
    return RareTreeClassifier(**params).fit(X, Y)


def test_attributes_of_a_fit():
    model = fitted()
    assert model.classes_.tolist() == [0, 1]
    assert (model.n_classes_, model.n_outputs_, model.n_features_in_) == (2, 1, 6)
    assert model.max_features_ == 6
    assert not hasattr(model, "feature_names_in_")
    assert repr(model.tree_).startswith(f"FittedTree(n_nodes={model.tree_.n_nodes}, ")


@pytest.mark.parametrize("criterion", CRITERIA, ids=str)
def test_every_criterion_grows_a_tree_that_knows_its_training_data(criterion):
    model = fitted(criterion=criterion)
    assert model.score(X, Y) > 0.9
    proba = model.predict_proba(X)
    assert proba.shape == (400, 2)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    importances = model.feature_importances_
    assert importances.shape == (6,)
    assert (importances >= 0).all()
    assert importances.sum() == pytest.approx(1)


def test_labels_keep_their_type_and_order():
    names = np.array(["rare", "common"])[(Y == 0).astype(int)]
    for y, classes in (
        (names, ["common", "rare"]),
        (Y.astype(bool), [False, True]),
        (Y * 1.0, [0.0, 1.0]),
    ):
        model = RareTreeClassifier().fit(X, y)
        assert model.classes_.tolist() == classes
        assert model.predict(X).dtype == np.asarray(y).dtype
        np.testing.assert_array_equal(model.predict(X), y)
        np.testing.assert_array_equal(model.classes_[model.predict_proba(X).argmax(axis=1)], y)


def test_many_classes_and_classes_of_one_row():
    y = np.arange(50) % 48
    model = RareTreeClassifier(leaf="raw").fit(np.arange(50.0).reshape(-1, 1), y)
    assert model.n_classes_ == 48
    np.testing.assert_array_equal(model.predict(np.arange(50.0).reshape(-1, 1)), y)


def test_one_class_makes_a_single_leaf():
    model = RareTreeClassifier().fit(X, np.zeros(400))
    assert (model.get_depth(), model.get_n_leaves()) == (0, 1)
    assert model.predict(X[:3]).tolist() == [0, 0, 0]
    np.testing.assert_array_equal(model.predict_proba(X[:3]), np.ones((3, 1)))
    np.testing.assert_array_equal(model.feature_importances_, np.zeros(6))


def test_of_equal_probabilities_the_first_class_wins():
    model = RareTreeClassifier().fit(np.zeros((4, 1)), ["b", "a", "b", "a"])
    assert model.predict([[0.0]]).tolist() == ["a"]


def test_predictions_agree_with_each_other():
    model = fitted(max_depth=4)
    proba = model.predict_proba(X)
    leaves = model.apply(X)
    np.testing.assert_array_equal(proba, model.tree_.probabilities[leaves])
    np.testing.assert_array_equal(model.predict(X), model.classes_[proba.argmax(axis=1)])
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), proba)
    assert (model.tree_.n_children[leaves] == 0).all()
    path = model.decision_path(X)
    assert scipy.sparse.issparse(path)
    assert path.format == "csr"
    assert path.shape == (400, model.tree_.n_nodes)
    np.testing.assert_array_equal(path.sum(axis=0).ravel(), [model.tree_.n_node_samples])
    assert (path[np.arange(400), leaves] == 1).all()
    np.testing.assert_array_equal(path.sum(axis=1).ravel() - 1, [model.tree_.depth[leaves]])


def test_the_logarithm_of_zero_is_minus_infinity_without_a_warning(recwarn):
    log_proba = fitted(leaf="raw").predict_log_proba(X)
    assert np.isneginf(log_proba).any()
    assert not recwarn.list


def test_importances_are_those_of_scikit_learn():
    data, labels = make_classification(5000, 6, n_informative=6, n_redundant=0, random_state=0)
    data = data.astype(np.float32)  # without ties, and as scikit-learn stores it
    ours = RareTreeClassifier("gini", max_depth=4).fit(data, labels)
    theirs = DecisionTreeClassifier(max_depth=4, random_state=0).fit(data, labels)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-12)
    raw = ours.tree_.compute_feature_importances(normalize=False)
    np.testing.assert_allclose(
        raw, theirs.tree_.compute_feature_importances(normalize=False), atol=1e-12
    )


def test_infinite_gains_count_as_one_each():
    model = fitted(criterion=criteria.Alpha(0.0))
    assert np.isinf(model.tree_.gain).any()
    assert np.isfinite(model.feature_importances_).all()


def test_parameters_are_read_and_set():
    model = RareTreeClassifier("gini", max_depth=3)
    assert model.get_params()["max_depth"] == 3
    assert list(model.get_params()) == sorted(
        [
            "criterion", "max_depth", "min_samples_split", "min_samples_leaf",
            "min_weight_fraction_leaf", "max_features", "max_leaf_nodes", "min_gain", "pruning",
            "splitter", "n_cuts", "oblique_dim", "oblique_draw", "split_samples", "max_bins",
            "leaf", "leaf_strength", "collapse",
            "categorical_features", "categorical_split", "monotonic_cst", "class_weight",
            "random_state", "n_jobs",
        ]
    )  # fmt: skip
    assert clone(model.set_params(leaf="raw")).leaf == "raw"
    assert repr(model) == "RareTreeClassifier(criterion='gini', leaf='raw', max_depth=3)"


def test_tags():
    tags = get_tags(RareTreeClassifier())
    assert tags.input_tags.allow_nan
    assert tags.input_tags.sparse
    assert tags.estimator_type == "classifier"
    assert tags.classifier_tags.multi_class
    assert not tags.classifier_tags.poor_score
    assert tags.target_tags.required
    assert not tags.target_tags.multi_output


@pytest.mark.parametrize(
    "method", ["predict", "predict_proba", "predict_log_proba", "apply", "decision_path"]
)
def test_nothing_works_before_fit(method):
    model = RareTreeClassifier()
    with pytest.raises(NotFittedError):
        getattr(model, method)(X)


def test_nothing_is_known_before_fit():
    model = RareTreeClassifier()
    for read in (model.get_depth, model.get_n_leaves, lambda: model.feature_importances_):
        with pytest.raises(NotFittedError):
            read()


def test_fit_forgets_the_earlier_fit():
    model = RareTreeClassifier().fit(*load_iris(return_X_y=True))
    model.fit(X, Y)
    assert model.classes_.tolist() == [0, 1]
    assert model.n_features_in_ == 6


def test_fit_changes_neither_the_data_nor_the_parameters():
    data, labels, weights = X.copy(), Y.copy(), np.arange(400.0)
    model = RareTreeClassifier(class_weight="balanced")
    params = model.get_params()
    model.fit(data, labels, weights)
    np.testing.assert_array_equal(data, X)
    np.testing.assert_array_equal(labels, Y)
    np.testing.assert_array_equal(weights, np.arange(400.0))
    assert model.get_params() == params


@pytest.mark.parametrize("model", [RareTreeClassifier(), RareForestClassifier()])
def test_the_html_representation_links_to_the_reference(model, monkeypatch):
    page = f"generated/rarewood.{type(model).__name__}.html"
    assert f'href="docs/_build/html/{page}"' in model._repr_html_()
    facts = Message()
    facts["Project-URL"] = "Documentation, https://example.org/docs/"
    monkeypatch.setattr("rarewood.model._base.metadata", lambda name: facts)
    assert f'href="https://example.org/docs/{page}"' in model._repr_html_()


def test_cuts_of_many_classes():
    """Counts of all cuts of a node and all classes would take 26 GB."""
    model = RareTreeClassifier(splitter="random", n_cuts=2**16)
    with pytest.raises(ValueError, match="n_cuts=65536 is too large for 2000 classes"):
        model.fit(np.arange(2000.0)[:, np.newaxis], np.arange(2000))
