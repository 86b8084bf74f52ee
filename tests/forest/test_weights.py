"""Sample and class weights of a forest."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification

from rarewood import RareForestClassifier, presets

X, Y = make_classification(300, 5, n_informative=4, n_redundant=0, weights=[0.85], random_state=0)
FORESTS = [RareForestClassifier, presets.random_forest, presets.balanced_random_forest]


def proba(make, y=Y, sample_weight=None, **params):
    model = make(n_estimators=6, criterion="gini", random_state=0, **params)
    return model.fit(X, y, sample_weight).predict_proba(X)


@pytest.mark.parametrize("make", FORESTS)
def test_weights_of_one_change_nothing(make):
    for weights in (np.ones(300), 1.0):
        np.testing.assert_array_equal(proba(make), proba(make, sample_weight=weights))


@pytest.mark.parametrize("make", FORESTS)
def test_class_weights_are_sample_weights(make):
    weights = np.where(Y == 1, 7.0, 1.0)
    expected = proba(make, sample_weight=weights)
    np.testing.assert_array_equal(proba(make, class_weight={0: 1, 1: 7}), expected)
    squared = proba(make, class_weight={0: 1, 1: 7}, sample_weight=weights)
    np.testing.assert_array_equal(squared, proba(make, sample_weight=weights**2))
    assert (expected != proba(make)).any()


@pytest.mark.parametrize("make", FORESTS)
def test_balanced_weights_are_those_of_the_table(make):
    share = np.bincount(Y) / len(Y)
    by_hand = proba(make, class_weight={0: 0.5 / share[0], 1: 0.5 / share[1]})
    np.testing.assert_allclose(proba(make, class_weight="balanced"), by_hand)


def test_balanced_subsample_weighs_what_each_tree_has_drawn():
    model = presets.random_forest(n_estimators=8, class_weight="balanced_subsample", random_state=0)
    model.fit(X, Y)
    for tree in model:
        counts, weights = tree.tree_.counts[0], tree.tree_.weighted_counts[0]
        np.testing.assert_allclose(weights, [counts.sum() / 2] * 2)
    assert len({tuple(tree.tree_.counts[0]) for tree in model}) > 1


def test_balanced_subsample_of_all_rows_is_balanced():
    # A pilot weighs the classes of its folds, which differ a little from those of the table.
    leaves = {"leaf_strength": 5.0, "collapse": 0.1}
    expected = proba(RareForestClassifier, class_weight="balanced", **leaves)
    found = proba(RareForestClassifier, class_weight="balanced_subsample", **leaves)
    np.testing.assert_allclose(found, expected)


def test_balanced_subsample_takes_sample_weights_into_account():
    weights = np.random.default_rng(0).uniform(0.5, 2, 300)
    model = presets.random_forest(n_estimators=5, class_weight="balanced_subsample", random_state=0)
    model.fit(X, Y, weights)
    for tree, rows in zip(model, model.estimators_samples_, strict=True):
        totals = tree.tree_.weighted_counts[0]
        assert totals[0] == pytest.approx(totals[1])
        assert totals.sum() == pytest.approx(weights[rows].sum())


def test_weights_are_counted_as_often_as_a_row_is_drawn():
    weights = np.random.default_rng(0).uniform(0.5, 2, 300)
    model = presets.random_forest(n_estimators=5, random_state=0).fit(X, Y, weights)
    for tree, rows in zip(model, model.estimators_samples_, strict=True):
        expected = np.bincount(Y[rows], weights[rows])
        np.testing.assert_allclose(tree.tree_.weighted_counts[0], expected)
        np.testing.assert_array_equal(tree.tree_.counts[0], np.bincount(Y[rows]))


def test_whole_weights_equal_repeated_rows_where_none_are_drawn():
    weights = np.arange(300) % 4
    for make in (RareForestClassifier, presets.extra_trees, presets.hedexh):
        weighted = make(n_estimators=5, random_state=0).fit(X, Y, weights)
        repeated = make(n_estimators=5, random_state=0).fit(
            np.repeat(X, weights, axis=0), np.repeat(Y, weights)
        )
        np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X))


@pytest.mark.parametrize("params", [{}, {"max_samples": 0.5}, {"balance": True}], ids=str)
def test_min_weight_fraction_leaf_is_a_share_of_what_a_tree_draws(params):
    model = presets.random_forest(n_estimators=5, min_weight_fraction_leaf=0.2, random_state=0)
    model.set_params(**params).fit(X, Y)
    for tree in model:
        total = tree.tree_.weighted_n_node_samples[0]
        assert tree.tree_.weighted_n_node_samples.min() >= 0.2 * total
    assert any(tree.get_n_leaves() > 1 for tree in model)
