"""What a node draws says nothing about what its children draw."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from oracle.cases import Case
from oracle.problem import Limits, Problem
from oracle.random_tree import plane_of
from support.grown import encode, grow

N_TREES, N_FEATURES = 2500, 5
CUTS = {"n_cuts": 1, "max_features": 1}  # one feature and one cut in every node
PLANES = CUTS | {"oblique_dim": 2, "oblique_draw": "direction"}


@pytest.fixture(scope="module")
def noise() -> Problem:
    rng = np.random.default_rng(0)
    return Problem.of(rng.normal(size=(100, N_FEATURES)), rng.integers(0, 2, size=100))


def small_trees(problem: Problem, options: dict) -> list:
    columns, limits = encode(problem), Limits(max_depth=2)
    return [
        grow(problem, Case("gini"), limits, columns, seed=seed, **options)
        for seed in range(N_TREES)
    ]


@pytest.fixture(scope="module")
def trees_with_cuts(noise) -> list:
    return small_trees(noise, CUTS)


@pytest.fixture(scope="module")
def trees_with_planes(noise) -> list:
    return small_trees(noise, PLANES)


def check_independence(pairs: list[tuple[int, int]]) -> None:
    above, below = np.array([pair for pair in pairs if pair[1] >= 0]).T
    table = stats.contingency.crosstab(above, below).count
    assert len(above) > 100
    assert stats.chi2_contingency(table).pvalue > 1e-3


@pytest.mark.parametrize("side", [0, 1])
def test_a_feature_and_the_feature_below(trees_with_cuts, side):
    check_independence([(tree.feature[0], tree.feature[1 + side]) for tree in trees_with_cuts])


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("feature", range(N_FEATURES))
def test_a_cut_and_the_feature_below(trees_with_cuts, noise, feature, side):
    low, width = noise.X[:, feature].min(), np.ptp(noise.X[:, feature])
    pairs = []
    for tree in trees_with_cuts:
        place = (tree.threshold[0] - low) / width
        if tree.feature[0] == feature and 0.2 < place < 0.8:  # both sides have enough rows
            pairs.append((int(place * 5), tree.feature[1 + side]))
    check_independence(pairs)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("lead", range(N_FEATURES))
def test_a_partner_and_the_feature_below(trees_with_planes, lead, side):
    trees = [tree for tree in trees_with_planes if tree.feature[0] == lead]
    check_independence([(plane_of(tree, 0)[1][0], tree.feature[1 + side]) for tree in trees])


@pytest.mark.parametrize("side", [0, 1])
def test_a_direction_and_the_feature_below(trees_with_planes, side):
    pairs = []
    for tree in trees_with_planes:
        (_, x), (_, y) = plane_of(tree, 0)
        pairs.append((int(np.arctan2(y, x) // (np.pi / 2)), tree.feature[1 + side]))
    check_independence(pairs)
