"""Sample and class weights of a fit."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification

from rarewood import RareTreeClassifier

X, Y = make_classification(400, 6, n_informative=4, n_redundant=0, weights=[0.9], random_state=0)


def test_weights_of_one_change_nothing():
    plain = RareTreeClassifier().fit(X, Y)
    for weights in (np.ones(400), [1] * 400, 1.0):
        model = RareTreeClassifier().fit(X, Y, weights)
        np.testing.assert_array_equal(model.tree_.threshold, plain.tree_.threshold)
        np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))


def test_rows_of_zero_weight_are_absent_but_their_class_is_known():
    weights = (np.arange(400) % 3 > 0).astype(float)
    model = RareTreeClassifier(min_samples_leaf=4).fit(X, Y, weights)
    absent = RareTreeClassifier(min_samples_leaf=4).fit(X[weights > 0], Y[weights > 0])
    np.testing.assert_array_equal(model.tree_.threshold, absent.tree_.threshold)
    np.testing.assert_array_equal(model.tree_.counts, absent.tree_.counts)
    model = RareTreeClassifier().fit(X, Y, Y == 0)
    assert model.classes_.tolist() == [0, 1]
    assert model.predict_proba(X[:1]).shape == (1, 2)


def test_whole_weights_equal_repeated_rows():
    weights = np.arange(400) % 4
    model = RareTreeClassifier().fit(X, Y, weights)
    repeated = RareTreeClassifier().fit(np.repeat(X, weights, axis=0), np.repeat(Y, weights))
    np.testing.assert_array_equal(model.tree_.threshold, repeated.tree_.threshold)
    np.testing.assert_array_equal(model.tree_.weighted_counts, repeated.tree_.counts)
    np.testing.assert_allclose(model.predict_proba(X), repeated.predict_proba(X))


def test_class_weights_equal_sample_weights():
    by_class = RareTreeClassifier("gini", class_weight={0: 1, 1: 7}).fit(X, Y)
    by_row = RareTreeClassifier("gini").fit(X, Y, np.where(Y == 1, 7, 1))
    np.testing.assert_array_equal(by_class.tree_.threshold, by_row.tree_.threshold)
    balanced = RareTreeClassifier("gini", class_weight="balanced").fit(X, Y)
    totals = balanced.tree_.weighted_counts[0]
    assert totals[0] == pytest.approx(totals[1])
    assert totals.sum() == pytest.approx(400)
