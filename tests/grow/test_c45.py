"""C4.5 with fractional cases, tree by tree against the rules of J48."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.j48 import Options
from oracle.problem import Problem
from rarewood import _core
from support.draw import examples, problems
from support.grown_c45 import check, grow

OPTIONS = st.builds(
    Options,
    min_weight=st.sampled_from([1.0, 2.0, 2.0, 3.0]),
    penalty=st.booleans(),
    at_midpoint=st.booleans(),
    collapse=st.booleans(),
    confidence=st.sampled_from([None, 0.25, 0.25, 0.05, 0.5]),
    raising=st.booleans(),
)


@examples(200)
@given(
    problem=problems(rows=(2, 40), features=(1, 4), categorical=True, missing=True), options=OPTIONS
)
def test_every_node_of_small_tables(problem, options):
    check(problem, options)


@examples(60)
@given(problem=problems(rows=(2, 25), categorical=True, missing=True, weighted=True))
def test_weights(problem):
    check(problem, Options())


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("missing", [0.0, 0.1, 0.4])
def test_larger_tables(missing, n_classes):
    """Large enough for several levels, raised subtrees, and more than 25 cases on a side."""
    rng = np.random.default_rng(n_classes)
    n = 300
    X = np.column_stack(
        [rng.normal(size=(n, 3)).round(1), rng.integers(0, 4, n), rng.integers(0, 150, n)]
    )
    score = X[:, 0] + (X[:, 3] == 2) + rng.normal(size=n)
    y = np.digitize(score, np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1]))
    X[rng.random(X.shape) < missing] = np.nan
    problem = Problem.of(X, y, n_classes, [0, 0, 0, 4, 150])
    for options in (Options(), Options(raising=False), Options(confidence=None, collapse=False)):
        check(problem, options)


def test_raising_happens():
    """The tests above would be weak if no subtree were ever raised."""
    n_different = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X = np.column_stack([rng.normal(size=(80, 3)).round(1), rng.integers(0, 3, (80, 2))])
        y = (X[:, 0] > 0) ^ (X[:, 3] == 1) ^ (rng.random(80) < 0.25)
        problem = Problem.of(X, y, 2, [0, 0, 0, 3, 3])
        with_raising, without = (grow(problem, Options(raising=r)) for r in (True, False))
        check(problem, Options())
        n_different += with_raising.feature.tolist() != without.feature.tolist()
    assert n_different >= 3


def test_features_with_many_categories_are_left_out_of_the_average():
    """Weka's rule: an identifier has the largest gain, which would keep all others out."""
    n = 20
    y = np.repeat([0, 1], n // 2)
    flag = y.copy()
    flag[[0, 19]] = 1 - flag[[0, 19]]
    pairs = np.arange(n) // 2  # 10 categories of two rows: as many as half of the rows
    X = np.column_stack([pairs, flag]).astype(float)
    alone = grow(Problem.of(X[:, :1], y, 2, [10]), Options(confidence=None))
    both = grow(Problem.of(X, y, 2, [10, 2]), Options(confidence=None))
    assert alone.feature[0] == 0  # all features have many categories, so it counts
    assert both.feature[0] == 1
    check(Problem.of(X, y, 2, [10, 2]), Options(confidence=None))


def test_only_a_feature_of_many_categories_beside_a_useless_one():
    """No candidate is in the average: the node is a leaf."""
    y = np.repeat([0, 1], 10)
    X = np.column_stack([np.arange(20) // 2, np.zeros(20)]).astype(float)
    assert grow(Problem.of(X, y, 2, [10, 0]), Options()).n_nodes == 1


def test_numeric_cuts_need_a_tenth_of_the_cases_per_class():
    """100 cases and two classes: 5 on each side. Three outliers cannot be cut off."""
    y = np.array([1] * 3 + [0] * 97)
    X = np.r_[np.full(3, -1.0), np.zeros(97)][:, None]
    assert grow(Problem.of(X, y, 2), Options(confidence=None)).n_nodes == 1
    X[3:5] = -1
    assert grow(Problem.of(X, y, 2), Options(confidence=None, collapse=False)).n_nodes == 3


def test_the_penalty_removes_weak_cuts():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 1)), rng.integers(0, 2, 40)
    kept = grow(Problem.of(X, y, 2), Options(confidence=None, collapse=False, penalty=False))
    assert kept.n_nodes > 1
    assert grow(Problem.of(X, y, 2), Options(confidence=None, collapse=False)).n_nodes == 1


def test_thresholds_are_training_values_of_the_whole_table():
    """The node has 0 and 10 only, but another row of the table has 4."""
    X = np.array([[0, 0]] * 4 + [[10, 0]] * 4 + [[4, 1]] * 6, dtype=float)
    y = np.array([0] * 4 + [1] * 4 + [2] * 6)
    tree = grow(Problem.of(X, y, 3), Options(confidence=None))
    below = int(tree.first_child[0])
    assert tree.feature[0] == 1
    assert tree.threshold[below] == 4
    midpoint = grow(Problem.of(X, y, 3), Options(confidence=None, at_midpoint=True))
    assert midpoint.threshold[below] == 5


def test_values_closer_than_a_hundred_thousandth_are_not_separated():
    y = np.repeat([0, 1], 5)
    assert grow(Problem.of(1e-6 * np.arange(10.0)[:, None], y, 2), Options()).n_nodes == 1
    assert grow(Problem.of(1e-4 * np.arange(10.0)[:, None], y, 2), Options()).n_nodes == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"min_weight": 0.0}, "min_weight"),
        ({"confidence": 0.6}, "confidence"),
        ({"confidence": math.nan}, "confidence"),
    ],
)
def test_options_out_of_range(change, message):
    problem = Problem.of([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match=message):
        _core.grow_c45(problem.X, problem.n_categories, problem.y, 2, None, **change)


def test_categories_out_of_range():
    with pytest.raises(ValueError, match="not one of its 2"):
        grow(Problem.of([[0.0], [2.0]], [0, 1], 2, [2]), Options())
