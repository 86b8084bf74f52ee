"""Forests that are something else in disguise: a tree, another criterion, Extra-Trees."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.metrics import roc_auc_score

from oracle.cases import FEW, Case
from oracle.row_sampling import Draw
from rarewood import RareForestClassifier, RareTreeClassifier, _core, criteria, presets
from support.grown import assert_same_tree, grow, grow_forest
from support.medium import medium_problem

KINDS = ("continuous", "coarse", "missing", "categorical")
PLAIN = {  # nothing is left to chance
    "max_features": None, "splitter": "best", "leaf_strength": None, "collapse": 0.0,
}  # fmt: skip


def categorical_of(problem):
    return np.flatnonzero(problem.n_categories).tolist() or None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", FEW, ids=str)
def test_a_forest_of_one_plain_tree_is_the_tree(case, kind):
    problem = medium_problem(kind, 600, 3)
    limits = {"max_depth": 6}
    want = grow(problem, case, **limits)
    (tree,) = grow_forest(problem, case, 1, **limits)
    assert_same_tree(tree, want)
    proba = want.predict_proba(problem.X, want.leaf_values("shrunk", 5.0))
    forest = _core.Forest([tree], "shrunk", 5.0)
    np.testing.assert_array_equal(forest.predict_proba(problem.X), proba)


@pytest.mark.parametrize("leaf", ["raw", "laplace", "m_estimate", "shrunk"])
@pytest.mark.parametrize("kind", KINDS)
def test_an_estimator_of_one_plain_tree_is_the_tree(kind, leaf):
    problem = medium_problem(kind, 600, 3)
    own = {"leaf": leaf, "categorical_features": categorical_of(problem)}
    tree = RareTreeClassifier(**own).fit(problem.X, problem.y)
    forest = RareForestClassifier(1, **PLAIN, **own).fit(problem.X, problem.y)
    assert_same_tree(forest[0].tree_, tree.tree_)
    np.testing.assert_array_equal(forest.predict_proba(problem.X), tree.predict_proba(problem.X))


def test_plain_trees_without_a_draw_are_all_alike():
    problem = medium_problem("missing", 400, 3)
    first, *others = grow_forest(problem, Case("gini"), 4)
    for tree in others:
        assert_same_tree(first, tree)


# --------------------------------------------------------------------------- BEAT and iHD


def assert_same_splits(a, b) -> None:
    """All but the gains, which may be on another scale."""
    a, b = dict(a.state()), dict(b.state())
    np.testing.assert_allclose(a.pop("gain"), 4 * b.pop("gain"), rtol=1e-9, atol=1e-12)
    for name, value in a.items():
        np.testing.assert_array_equal(value, b[name], err_msg=name)


@pytest.mark.parametrize("options", [{}, {"max_features": 2}, {"n_cuts": 3}], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_beat_at_one_half_is_ihd(kind, options):
    problem = medium_problem(kind, 900, 3)
    beat, ihd = (
        grow_forest(problem, case, 5, Draw(replace=True), seed=1, **options)
        for case in (Case("alpha", 0.5), Case("ihd"))
    )
    for a, b in zip(beat, ihd, strict=True):
        assert_same_splits(a, b)


def test_beat_at_one_half_is_ihd_in_the_estimator():
    problem = medium_problem("missing", 500, 2)
    X, y = problem.X, problem.y
    beat, ihd, drawn = (
        presets.beat(criterion=criterion, n_estimators=8, random_state=3).fit(X, y).predict_proba(X)
        for criterion in (criteria.Alpha(0.5), "ihd", Half())
    )
    np.testing.assert_array_equal(beat, ihd)
    np.testing.assert_array_equal(drawn, ihd)


class Half:
    """A recipe that draws from a point mass."""

    def draw(self, seed: int, tree: int) -> criteria.Alpha:
        return criteria.Alpha(0.5)


# --------------------------------------------------------------------------- Extra-Trees


@pytest.fixture(scope="module")
def halves():
    problem = medium_problem("continuous", 500, 2, seed=2)
    y = problem.X[:, 0] + problem.X[:, 1] * problem.X[:, 2] > 1.2
    return problem.X[:250], y[:250], problem.X[250:], y[250:]


def behaviour(make, halves, n_seeds: int) -> tuple[np.ndarray, np.ndarray]:
    """AUC on the other half and mean number of leaves, for each seed."""
    X, y, X_test, y_test = halves
    aucs, leaves = [], []
    for seed in range(n_seeds):
        model = make(seed).fit(X, y)
        aucs.append(roc_auc_score(y_test, model.predict_proba(X_test)[:, 1]))
        leaves.append(np.mean([tree.get_n_leaves() for tree in model.estimators_]))
    return np.array(aucs), np.array(leaves)


def test_one_cut_with_gini_is_extra_trees(halves):
    """The same distribution of scores and of sizes over seeds, as far as 40 of them can tell."""
    own, own_leaves = behaviour(
        lambda seed: presets.hedex(
            n_estimators=20, n_cuts=1, criterion="gini", leaf="raw", random_state=seed
        ),
        halves,
        40,
    )
    other, other_leaves = behaviour(
        lambda seed: ExtraTreesClassifier(20, max_features=2, random_state=seed), halves, 40
    )
    assert stats.ks_2samp(own, other).pvalue > 1e-3
    assert stats.mannwhitneyu(own, other).pvalue > 1e-3
    assert stats.ks_2samp(own_leaves, other_leaves).pvalue > 1e-3
    assert own_leaves.mean() == pytest.approx(other_leaves.mean(), rel=0.02)


def test_the_comparison_can_tell_a_difference(halves):
    """Ten cuts make smaller trees: the figures above are no accident."""
    _, one = behaviour(
        lambda seed: presets.extra_trees(n_estimators=20, random_state=seed), halves, 10
    )
    _, ten = behaviour(
        lambda seed: presets.extra_trees(n_estimators=20, n_cuts=10, random_state=seed), halves, 10
    )
    assert stats.ks_2samp(one, ten).pvalue < 1e-3
