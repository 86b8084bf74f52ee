"""estimators_: fitted trees that can be used, copied, kept and grown again alone."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification

from rarewood import RareForestClassifier, RareTreeClassifier, _core, presets
from rarewood.model._seeds import tree_seed

X, Y = make_classification(300, 6, n_informative=4, n_redundant=0, weights=[0.8], random_state=0)
FORESTS = {
    "default": RareForestClassifier(),
    "bootstrap": RareForestClassifier(bootstrap=True, min_samples_leaf=3),
    "shares": RareForestClassifier(bootstrap=True, max_samples=0.5, min_samples_split=0.1),
    "balanced shares": RareForestClassifier(balance=True, min_samples_leaf=0.05),
    "balanced": presets.balanced_random_forest(criterion="hellinger"),
    "without replacement": RareForestClassifier(balance=True, leaf="m_estimate"),
    "recipe": presets.beat(1, 3),
    "points": presets.hedexh(max_leaf_nodes=12),
    "weights": presets.extra_trees(class_weight={0: 1, 1: 4}),
    "weights of the drawn rows": presets.random_forest(class_weight="balanced_subsample"),
}


@pytest.fixture(params=FORESTS)
def forest(request):
    return clone(FORESTS[request.param]).set_params(n_estimators=5, random_state=3).fit(X, Y)


def test_their_mean_is_the_forest(forest):
    mean = np.mean([tree.predict_proba(X) for tree in forest.estimators_], axis=0)
    np.testing.assert_allclose(forest.predict_proba(X), mean, rtol=1e-13)


def test_each_is_a_fitted_tree_with_the_parameters_of_the_forest(forest):
    assert forest.estimators_ is forest.estimators_
    params = forest.get_params()
    for tree in forest:
        assert type(tree) is RareTreeClassifier
        assert tree.classes_ is forest.classes_
        assert tree.n_features_in_ == 6
        own = tree.get_params()
        for name in set(own) - {"criterion", "random_state", "class_weight"}:
            is_auto = name in ("leaf_strength", "collapse") and params[name] == "auto"
            assert own[name] == (getattr(forest, f"{name}_") if is_auto else params[name])


def test_each_can_be_grown_again_from_its_rows(forest):
    for tree, rows in zip(forest, forest.estimators_samples_, strict=True):
        again = clone(tree).fit(X[rows], Y[rows])
        for name in ("feature", "threshold", "counts", "plane_feature", "plane_weight"):
            np.testing.assert_array_equal(getattr(again.tree_, name), getattr(tree.tree_, name))
        np.testing.assert_allclose(again.predict_proba(X), tree.predict_proba(X))


def test_each_can_be_kept_without_the_forest(forest):
    tree = forest[2]
    other = pickle.loads(pickle.dumps(tree))
    assert str(other.tree_) == str(tree.tree_)
    np.testing.assert_array_equal(other.predict_proba(X), tree.predict_proba(X))


def test_they_share_their_nodes_with_the_forest():
    forest = RareForestClassifier(3).fit(X, Y)
    assert forest[1].tree_.compiled is forest.forest_.compiled_trees[1]
    shared = forest.forest_.compiled.trees[1]
    assert np.shares_memory(forest[1].tree_.compiled.threshold, shared.threshold)


def test_they_tell_the_parameters_of_the_fit_not_later_ones():
    forest = RareForestClassifier(3, max_depth=2, random_state=0).fit(X, Y)
    forest.set_params(max_depth=9, leaf="raw")
    assert [tree.max_depth for tree in forest] == [2, 2, 2]
    assert forest[0].leaf == "shrunk"


def test_they_know_names_and_categories():
    table = pd.DataFrame(X, columns=list("abcdef")).assign(group=np.where(Y == 1, "u", "v"))
    forest = RareForestClassifier(4, max_features=None).fit(table, Y)
    assert forest[0].feature_names_in_.tolist() == list(table)
    assert any("group = u" in str(tree.tree_) for tree in forest)
    np.testing.assert_array_equal(forest[0].predict(table), Y)


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**32 - 1, 2**63 + 7, 2**64 - 1])
def test_the_seed_of_a_single_tree_has_the_numbers_of_the_tree(seed):
    assert tree_seed(seed, 0) == seed
    seeds = [tree_seed(seed, tree) for tree in range(50)]
    assert len(set(seeds)) == 50
    assert all(0 <= single < 2**64 for single in seeds)
    uniform = _core.uniform
    for tree in (1, 7, 10**6):
        assert uniform(tree_seed(seed, tree), 0) == uniform(seed, tree)
