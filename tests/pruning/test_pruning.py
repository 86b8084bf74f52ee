"""Pruning as users meet it: parameters, fitted estimators, paths, presets."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from rarewood import RareForestClassifier, RareTreeClassifier, load, presets, pruning, save
from rarewood.pruning import CostComplexity, Error, Fisher

METHODS = {
    "fisher": Fisher(p_value=0.01),
    "error": Error(confidence=0.25),
    "cost_complexity": CostComplexity(alpha=0.0),
}


@pytest.fixture(scope="module")
def table():
    X, y = make_classification(
        1500, 8, n_informative=4, weights=[0.93], flip_y=0.05, random_state=1
    )
    return X, np.array(["common", "rare"])[y]


def same_tree(one, other):
    states = one.tree_.compiled.state(), other.tree_.compiled.state()
    return all(
        np.array_equal(states[0][name], states[1][name], equal_nan=True) for name in states[0]
    )


@pytest.mark.parametrize("method", METHODS)
def test_thresholds_by_default(table, method):
    by_default = RareTreeClassifier(pruning=method).fit(*table)
    given = RareTreeClassifier(pruning=METHODS[method]).fit(*table)
    assert same_tree(by_default, given)


@pytest.mark.parametrize(
    "method",
    [Fisher(1e-4), Fisher(1e-4, test_leaves=True), Error(0.1), CostComplexity(0.002)],
    ids=str,
)
def test_pruning_afterwards_is_pruning_in_fit(table, method):
    grown = RareTreeClassifier().fit(*table)
    before = grown.get_n_leaves()
    pruned = pruning.prune(grown, method)
    refitted = clone(pruned).fit(*table)
    assert same_tree(pruned, refitted)
    assert 1 < pruned.get_n_leaves() < before == grown.get_n_leaves()
    np.testing.assert_array_equal(pruned.predict_proba(table[0]), refitted.predict_proba(table[0]))
    assert pruned.pruning == method
    assert grown.pruning is None


def test_forests_prune_every_tree(table):
    params = {"n_estimators": 5, "random_state": 3, "n_cuts": 5}
    params |= {"leaf_strength": None, "collapse": 0.0}
    fitted = RareForestClassifier(pruning="fisher", **params).fit(*table)
    grown = RareForestClassifier(**params).fit(*table)
    pruned = pruning.prune(grown)
    for one, other, whole in zip(fitted, pruned, grown, strict=True):
        assert same_tree(one, other)
        assert same_tree(one, pruning.prune(whole))
        assert one.pruning == other.pruning == "fisher"
        assert one.get_n_leaves() < whole.get_n_leaves()
    np.testing.assert_array_equal(fitted.predict_proba(table[0]), pruned.predict_proba(table[0]))
    assert not np.array_equal(fitted.predict_proba(table[0]), grown.predict_proba(table[0]))


def test_a_pruned_forest_has_no_scores_of_the_one_before(table):
    forest = RareForestClassifier(40, bootstrap=True, oob_score=True, random_state=0).fit(*table)
    pruned = pruning.prune(forest)
    assert hasattr(forest, "oob_score_")
    assert not hasattr(pruned, "oob_score_")
    assert not hasattr(pruned, "oob_decision_function_")
    again = pickle.loads(pickle.dumps(pruned))
    np.testing.assert_array_equal(again.predict_proba(table[0]), pruned.predict_proba(table[0]))


def test_any_number_of_threads(table):
    one, two = (
        RareForestClassifier(6, pruning="fisher", random_state=0, n_jobs=n).fit(*table)
        for n in (1, 2)
    )
    np.testing.assert_array_equal(one.predict_proba(table[0]), two.predict_proba(table[0]))


def test_warm_start_prunes_the_new_trees(table):
    forest = RareForestClassifier(2, pruning="fisher", random_state=0, warm_start=True).fit(*table)
    forest.set_params(n_estimators=4).fit(*table)
    fresh = RareForestClassifier(4, pruning="fisher", random_state=0).fit(*table)
    np.testing.assert_array_equal(forest.predict_proba(table[0]), fresh.predict_proba(table[0]))


def test_fisher_keeps_what_is_rich_in_a_rare_class():
    # A branch with 8% of a class that has 1% of all rows: C4.5's way prunes all of it.
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(20_000, 2))
    y = (rng.uniform(size=20_000) < np.where(X[:, 0] < 0.1, 0.08, 0.002)).astype(int)
    grown = RareTreeClassifier(min_samples_leaf=50).fit(X, y)
    assert pruning.prune(grown, "error").get_n_leaves() == 1
    kept = pruning.prune(grown, "fisher")
    assert kept.tree_.threshold[0] == pytest.approx(0.1, abs=0.01)
    assert kept.get_n_leaves() < grown.get_n_leaves()


def test_path(table):
    tree = RareTreeClassifier(max_depth=7).fit(*table)
    path = pruning.fisher_pruning_path(tree)
    assert len(path) == len(path.p_values) == len(path.n_leaves)
    assert path.p_values[-1] == 1.0
    assert (np.diff(path.p_values) > 0).all()
    assert [pruned.get_n_leaves() for pruned in path] == path.n_leaves.tolist()
    assert path.n_leaves[0] == 2
    # Between two thresholds the tree is that of the upper one.
    for low, high, n in zip(path.p_values, path.p_values[1:], path.n_leaves[1:], strict=False):
        assert pruning.prune(tree, Fisher((low + high) / 2)).get_n_leaves() == n
        assert pruning.prune(tree, Fisher(np.nextafter(low, 1))).get_n_leaves() == n
    assert [t.get_n_leaves() for t in path[1:3]] == path.n_leaves[1:3].tolist()
    assert "trees" in repr(path)


def test_path_with_leaves_tested(table):
    tree = RareTreeClassifier(max_depth=6).fit(*table)
    path = pruning.fisher_pruning_path(tree, test_leaves=True)
    assert [pruned.get_n_leaves() for pruned in path] == path.n_leaves.tolist()
    assert path.n_leaves[-1] >= pruning.fisher_pruning_path(tree).n_leaves[-1]


def test_path_of_a_leaf():
    tree = RareTreeClassifier().fit([[1.0], [1.0]], [0, 1])
    path = pruning.fisher_pruning_path(tree)
    assert path.p_values.tolist() == [1.0]
    assert path.n_leaves.tolist() == [1]
    assert path[0].get_n_leaves() == 1


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_cost_complexity_like_scikit_learn(table, criterion):
    X, y = table
    theirs = DecisionTreeClassifier(criterion=criterion, min_samples_leaf=7, random_state=0)
    ours = RareTreeClassifier(criterion, min_samples_leaf=7)
    expected, path = (m.cost_complexity_pruning_path(X, y) for m in (theirs, ours))
    unit = np.log(2) if criterion == "entropy" else 1  # scikit-learn's entropy is in bits
    np.testing.assert_allclose(path.ccp_alphas, expected.ccp_alphas * unit, atol=1e-12)
    np.testing.assert_allclose(path.impurities, expected.impurities * unit, atol=1e-12)
    for alpha in path.ccp_alphas[1::3]:
        pruned = clone(ours).set_params(pruning=CostComplexity(alpha))
        tree = clone(theirs).set_params(ccp_alpha=alpha / unit + 1e-12).fit(X, y)
        assert pruned.fit(X, y).get_n_leaves() == tree.get_n_leaves()


def test_no_split_without_gain_survives_cost_complexity_pruning():
    X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 5, [0, 1, 0, 1] * 5
    grown = RareTreeClassifier("gini").fit(X, y)
    assert pruning.prune(grown, "cost_complexity").get_n_leaves() == 2


def test_p_values_of_nodes(table):
    view = presets.ccpdt().fit(*table).tree_
    assert view.p_values[0] == 1
    rare = view.counts[:, 1] / view.counts[0, 1] > view.counts[:, 0] / view.counts[0, 0]
    node = int(np.flatnonzero(rare)[0])
    a, c = view.counts[node, 1], view.counts[node, 0]
    b, d = view.counts[0, 1] - a, view.counts[0, 0] - c
    assert view.p_values[node] == pruning.fisher_p_value(a, b, c, d)
    inner = (view.n_children > 0) & (np.arange(view.n_nodes) > 0)
    with pytest.raises(ValueError, match="read-only"):
        view.p_values[inner] = 0


def test_ccpdt_is_pruned_as_in_its_paper(table):
    by_preset = presets.ccpdt().fit(*table)
    by_hand = RareTreeClassifier("ccp_entropy", pruning=Fisher(0.01)).fit(*table)
    assert same_tree(by_preset, by_hand)
    assert presets.ccpdt(pruning=None).fit(*table).get_n_leaves() > by_preset.get_n_leaves()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Fisher(1.5), ValueError, "p_value=1.5 must be from 0 to 1"),
        (lambda: Fisher(float("nan")), ValueError, "p_value"),
        (lambda: Fisher("a"), TypeError, "p_value must be a number"),
        (lambda: Fisher(test_leaves="no"), TypeError, "test_leaves must be True or False"),
        (lambda: Error(0.0), ValueError, "above 0 and at most 0.5"),
        (lambda: Error(0.9), ValueError, "above 0 and at most 0.5"),
        (lambda: CostComplexity(-0.1), ValueError, "alpha=-0.1"),
        (lambda: CostComplexity(float("inf")), ValueError, "alpha=inf"),
        (lambda: CostComplexity([0.1]), TypeError, "alpha must be a number"),
    ],
)
def test_bad_methods(make, error, message):
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize("method", METHODS.values(), ids=str)
def test_methods_are_values(method, tmp_path):
    assert eval(repr(method), vars(pruning)) == method == pickle.loads(pickle.dumps(method))
    tree = RareTreeClassifier(pruning=method)
    assert clone(tree).pruning == method
    save(tree.fit([[0.0], [1.0]], [0, 1]), tmp_path / "model")
    assert load(tmp_path / "model").pruning == method


def test_bad_arguments(table):
    with pytest.raises(NotFittedError):
        pruning.prune(RareTreeClassifier())
    with pytest.raises(TypeError, match="RareTreeClassifier"):
        pruning.prune(DecisionTreeClassifier().fit(*table))
    tree = RareTreeClassifier(max_depth=2).fit(*table)
    for method in ("chi2", None, 0.01, Fisher):
        with pytest.raises(ValueError, match="pruning must be one of"):
            pruning.prune(tree, method)
    with pytest.raises(TypeError, match=r"estimators_\[0\]"):
        pruning.fisher_pruning_path(RareForestClassifier(2).fit(*table))
