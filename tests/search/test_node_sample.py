"""Splits of large nodes, chosen on a sample of each class and applied to all rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import planes, random
from oracle.audit import rows_of_nodes
from oracle.cases import Case
from oracle.chance import Chance
from oracle.problem import Limits
from oracle.random_tree import best, plane_of
from support.draw import examples, problems
from support.grown import assert_same_tree, grow
from support.medium import medium_problem

HELLINGER = Case("hellinger")
CHANCE = Chance(max_features=2, n_cuts=3, oblique_dim=2, oblique_draw="between")
OPTIONS = {"max_features": 2, "n_cuts": 3, "oblique_dim": 2, "oblique_draw": "between"}


@examples(40)
@given(
    problem=problems(rows=(20, 60), features=(2, 4), classes=(2, 3), missing=True),
    n_most=st.integers(2, 8),
    seed=st.integers(0, 99),
)
def test_the_root_splits_as_its_sample_does(problem, n_most, seed):
    """The sample of a class counts as much as all its rows."""
    rows, key = list(range(problem.n_rows)), random.root_key(seed, 0)
    sample = planes.node_sample(problem, rows, key, n_most)
    scale = np.divide(problem.counts(rows), np.maximum(problem.counts(sample), 1))
    tree = grow(problem, HELLINGER, Limits(max_depth=1), seed=seed, split_samples=n_most, **OPTIONS)
    scaled = replace(problem, weights=scale[problem.y])
    _, want, gain = best(scaled, sample, key, HELLINGER, Limits(), CHANCE)
    if want is None or gain < 1e-9:
        return  # a tie, or a node that is searched without a sample
    assert tree.feature[0] == want.feature
    assert tree.threshold[0] == want.threshold
    assert plane_of(tree, 0) == want.plane
    if want.missing_child is not None:
        assert tree.missing_child[0] == want.missing_child
    assert all(len(rows) for rows in rows_of_nodes(tree, problem.X))


@pytest.mark.parametrize("data", ["continuous", "missing", "categorical", "float32"])
def test_training_rows_fall_where_they_were_counted(data):
    problem = medium_problem(data, 1500, 3)
    for more in ({}, {"max_leaf_nodes": 30}):
        tree = grow(problem, HELLINGER, split_samples=40, **OPTIONS, **more)
        for node, rows in enumerate(rows_of_nodes(tree, problem.X)):
            counts = np.bincount(problem.y[rows], minlength=3)
            np.testing.assert_array_equal(tree.counts[node], counts)


@examples(20)
@given(problem=problems(rows=(4, 40), features=(2, 4), missing=True), seed=st.integers(0, 99))
def test_a_sample_of_all_rows_is_no_sample(problem, seed):
    whole = grow(problem, HELLINGER, seed=seed, **OPTIONS)
    sampled = grow(problem, HELLINGER, seed=seed, split_samples=problem.n_rows, **OPTIONS)
    assert_same_tree(whole, sampled)


@pytest.mark.parametrize("criterion", ["gini", "hellinger", "entropy"])
def test_limits_hold_for_all_rows(criterion):
    problem = medium_problem("missing", 1500, 2, weighted=True)
    limits = Limits(min_samples_leaf=25, min_weight_leaf=20.0)
    tree = grow(problem, Case(criterion), limits, split_samples=30, **OPTIONS)
    assert tree.n_nodes > 3
    assert tree.counts.sum(axis=1).min() >= 25
    assert tree.weighted_counts.sum(axis=1).min() >= 20


def test_gains_are_those_of_all_rows():
    problem = medium_problem("continuous", 1500, 2)
    tree = grow(problem, HELLINGER, Limits(max_depth=1), split_samples=30, **OPTIONS)
    whole = tree.counts[0]
    sides = tree.counts[1:] / whole
    want = np.sqrt(((np.sqrt(sides[:, 0]) - np.sqrt(sides[:, 1])) ** 2).sum())
    assert tree.gain[0] == pytest.approx(want)
