"""RareForestClassifier: attributes and methods after a fit, one by one."""

from __future__ import annotations

import inspect
import re

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags

from rarewood import RareForestClassifier, RareTreeClassifier, criteria

X, Y = make_classification(300, 6, n_informative=4, n_redundant=0, weights=[0.9], random_state=0)


def fitted(n_estimators=8, **params) -> RareForestClassifier:
    return RareForestClassifier(n_estimators, random_state=0, **params).fit(X, Y)


def test_attributes_of_a_fit():
    model = fitted()
    assert model.classes_.tolist() == [0, 1]
    assert (model.n_classes_, model.n_outputs_, model.n_features_in_) == (2, 1, 6)
    assert not hasattr(model, "feature_names_in_")
    assert not hasattr(model, "oob_score_")
    assert len(model) == len(model.estimators_) == 8
    assert list(model) == model.estimators_
    assert model[-1] is model.estimators_[7]
    assert model[2:4] == model.estimators_[2:4]


@pytest.mark.parametrize("estimator", [RareTreeClassifier, RareForestClassifier])
def test_the_documentation_tells_every_parameter_and_its_default(estimator):
    described, _, _ = inspect.getdoc(estimator).partition("Attributes\n")
    told = dict(re.findall(r"^(\w+) :[^\n]*?default=(.+)$", described, flags=re.MULTILINE))
    parameters = inspect.signature(estimator).parameters.values()
    assert {parameter.name: repr(parameter.default) for parameter in parameters} == {
        name: default.replace('"', "'") for name, default in told.items()
    }


@pytest.mark.parametrize("criterion", [*criteria.names(), criteria.Alpha(0.0)], ids=str)
def test_every_criterion_grows_a_forest_that_knows_its_training_data(criterion):
    model = fitted(criterion=criterion)
    assert model.score(X, Y) > 0.9
    proba = model.predict_proba(X)
    assert proba.shape == (300, 2)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    importances = model.feature_importances_
    assert (importances >= 0).all()
    assert importances.sum() == pytest.approx(1)


def test_predictions_agree_with_each_other():
    model = fitted(max_depth=4)
    proba, leaves = model.predict_proba(X), model.apply(X)
    by_tree = [
        tree.tree_.probabilities[column] for tree, column in zip(model, leaves.T, strict=True)
    ]
    np.testing.assert_allclose(proba, np.mean(by_tree, axis=0), rtol=1e-13)
    np.testing.assert_array_equal(model.predict(X), model.classes_[proba.argmax(axis=1)])
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), proba)


def test_paths_are_those_of_the_trees_side_by_side():
    model = fitted(3, max_depth=4)
    path, begin = model.decision_path(X)
    assert scipy.sparse.issparse(path)
    assert path.format == "csr"
    assert begin.tolist() == np.cumsum([0, *(tree.tree_.n_nodes for tree in model)]).tolist()
    for number, tree in enumerate(model):
        own = path[:, begin[number] : begin[number + 1]]
        np.testing.assert_array_equal(own.toarray(), tree.decision_path(X).toarray())


def test_importances_are_the_mean_of_those_of_the_trees_with_splits():
    model = fitted(min_samples_leaf=100)
    with_splits = [tree for tree in model if tree.get_n_leaves() > 1]
    assert with_splits
    expected = np.mean([tree.feature_importances_ for tree in with_splits], axis=0)
    np.testing.assert_allclose(model.feature_importances_, expected)
    stumps = RareForestClassifier(3).fit(X, np.zeros(300))
    np.testing.assert_array_equal(stumps.feature_importances_, np.zeros(6))
    assert stumps.predict_proba(X[:2]).tolist() == [[1.0], [1.0]]


def test_a_small_forest_is_the_beginning_of_a_large_one():
    for params in ({}, {"bootstrap": True}, {"balance": True}):
        small, large = fitted(3, **params), fitted(6, **params)
        np.testing.assert_array_equal(small.apply(X), large.apply(X)[:, :3])


def test_round_sqrt_rounds_and_sqrt_cuts_off():
    data, labels = make_classification(60, 8, random_state=0)  # the root of 8 is 2.83
    for max_features, n_columns in {"sqrt": 2, "round_sqrt": 3, None: 8, 0.5: 4, 5: 5}.items():
        forest = RareForestClassifier(1, max_features=max_features).fit(data, labels)
        assert forest[0].max_features_ == n_columns


def test_float32_and_memory_order_change_nothing():
    data = X.astype(np.float32).astype(np.float64)  # values that both types have
    expected = RareForestClassifier(5, random_state=0).fit(data, Y).predict_proba(data)
    for other in (data.astype(np.float32), np.asfortranarray(data), data.tolist()):
        model = RareForestClassifier(5, random_state=0).fit(other, Y)
        np.testing.assert_array_equal(model.predict_proba(other), expected)


def test_fit_forgets_the_earlier_fit():
    model = RareForestClassifier(3, bootstrap=True, oob_score=True, n_jobs=1, random_state=0)
    with pytest.warns(UserWarning, match="OOB"):
        model.fit(*load_iris(return_X_y=True))
    trees = model.estimators_
    model.set_params(oob_score=False).fit(X, Y)
    assert model.classes_.tolist() == [0, 1]
    assert model.n_features_in_ == 6
    assert not hasattr(model, "oob_score_")
    assert not hasattr(model, "oob_decision_function_")
    assert model.estimators_ is not trees
    assert model[0].n_features_in_ == 6


def test_tags_and_parameters():
    tags = get_tags(RareForestClassifier())
    assert tags.input_tags.allow_nan
    assert tags.input_tags.sparse
    assert tags.estimator_type == "classifier"
    model = RareForestClassifier(7, criterion="gini")
    assert clone(model.set_params(leaf="raw")).get_params() == model.get_params()
    own = set(RareForestClassifier().get_params()) - set(RareTreeClassifier().get_params())
    assert own == {
        "n_estimators", "bootstrap", "balance", "max_samples", "oob_score", "warm_start", "verbose",
    }  # fmt: skip


METHODS = ["predict", "predict_proba", "predict_log_proba", "apply", "decision_path"]
PROPERTIES = ["estimators_", "estimators_samples_", "feature_importances_"]


@pytest.mark.parametrize("name", [*METHODS, *PROPERTIES])
def test_nothing_is_known_before_fit(name):
    model = RareForestClassifier()
    with pytest.raises(NotFittedError):
        getattr(model, name)(X) if name in METHODS else getattr(model, name)
