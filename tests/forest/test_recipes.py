"""Recipes give every tree a criterion of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import scipy.stats
from sklearn.base import clone
from sklearn.datasets import make_classification

from rarewood import RareForestClassifier, RareTreeClassifier, criteria
from rarewood.criteria import Alpha, BetaAlpha

X, Y = make_classification(200, 5, n_informative=4, n_redundant=0, weights=[0.8], random_state=0)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 3), (3, 1), (0.5, 0.5), (200, 1)])
def test_orders_are_twice_a_beta_distributed_number(a, b):
    recipe = BetaAlpha(a, b)
    orders = np.array([recipe.draw(seed=0, tree=tree).alpha for tree in range(2000)])
    assert orders.min() >= 0
    assert orders.max() <= 2
    assert scipy.stats.kstest(orders / 2, scipy.stats.beta(a, b).cdf).pvalue > 0.001


def test_a_draw_depends_on_the_seed_and_the_tree_only():
    recipe = BetaAlpha(1, 3, "uniform")
    assert recipe.draw(5, 7) == recipe.draw(5, 7)
    assert recipe.draw(5, 7) != recipe.draw(5, 8)
    assert recipe.draw(5, 7) != recipe.draw(6, 7)
    assert recipe.draw(5, 7).reference == "uniform"


def test_a_forest_draws_for_every_tree():
    model = RareForestClassifier(10, criterion=BetaAlpha(1, 3), random_state=4).fit(X, Y)
    assert [tree.criterion for tree in model] == [BetaAlpha(1, 3).draw(4, t) for t in range(10)]
    larger = RareForestClassifier(12, criterion=BetaAlpha(1, 3), random_state=4).fit(X, Y)
    assert [tree.criterion for tree in larger][:10] == [tree.criterion for tree in model]


def test_each_tree_is_grown_with_its_own_criterion():
    params = {"random_state": 4, "max_depth": 3}
    model = RareForestClassifier(5, criterion=BetaAlpha(), **params).fit(X, Y)
    for number, tree in enumerate(model):
        same = RareForestClassifier(5, criterion=tree.criterion, **params).fit(X, Y)
        np.testing.assert_array_equal(tree.tree_.gain, same[number].tree_.gain)


@dataclass(frozen=True)
class Alternating:
    """A recipe that a user might write."""

    def draw(self, seed, tree):
        return "gini" if tree % 2 else Alpha(0.3)


def test_users_can_write_recipes():
    model = RareForestClassifier(4, criterion=Alternating(), random_state=0).fit(X, Y)
    assert [tree.criterion for tree in model] == [Alpha(0.3), "gini"] * 2
    assert criteria.for_trees(Alternating(), 0, range(1, 3)) == ["gini", Alpha(0.3)]


def test_a_criterion_serves_all_trees():
    assert criteria.for_trees("gini", 0, range(3)) == ["gini"] * 3


def test_recipes_can_be_compared_and_cloned():
    assert BetaAlpha(1, 3) == BetaAlpha(1.0, 3.0) != BetaAlpha(3, 1)
    model = clone(RareForestClassifier(criterion=BetaAlpha(1, 3)))
    assert model.criterion == BetaAlpha(1, 3)


def test_a_single_tree_refuses_a_recipe():
    with pytest.raises(TypeError, match="RareForestClassifier"):
        RareTreeClassifier(BetaAlpha()).fit(X, Y)
    with pytest.raises(TypeError, match="draws a criterion for each tree"):
        criteria.score(BetaAlpha(), [[1, 2], [3, 4]])


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ((0, 1), ValueError, "a must be above zero"),
        ((1, -1), ValueError, "b must be above zero"),
        ((np.inf, 1), ValueError, "finite"),
        ((np.nan, 1), ValueError, "above zero"),
        (("1", 1), TypeError, "a must be a number"),
        ((1, True), TypeError, "b must be a number"),
        ((1, 1, "equal"), ValueError, "reference must be one of"),
    ],
)
def test_bad_parameters(given, error, message):
    with pytest.raises(error, match=message):
        BetaAlpha(*given)
