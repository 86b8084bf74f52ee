"""Missing values: tried on both sides in training, routed the same way afterwards."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.audit import rows_of_nodes
from oracle.cases import FEW, FINITE, Case
from oracle.problem import Problem
from support.draw import examples, problems
from support.grown import grow

NAN = math.nan


@pytest.mark.parametrize("search", ["auto", "sort"])
@pytest.mark.parametrize("case", FINITE, ids=str)
def test_missing_rows_join_their_class(case, search):
    """The rows without a value are all rare, and so are the large values (or the small)."""
    for sign in (1, -1):
        x = sign * np.array([1, 2, 3, 4, 5, 6, 7, 8, NAN, NAN])
        y = [0] * 5 + [1] * 5
        tree = grow(Problem.of(x[:, None], y), case, search=search)
        assert tree.n_nodes == 3
        assert tree.threshold[0] == sign * 5.5
        assert tree.missing_child[0] == (1 if sign > 0 else 0)


@pytest.mark.parametrize("search", ["auto", "sort"])
@pytest.mark.parametrize("case", FINITE, ids=str)
def test_absence_itself_can_be_the_split(case, search):
    """All present values against the missing ones: the threshold is infinite."""
    x = np.array([1, 2, 1, 2, 1, 2, NAN, NAN, NAN])
    y = [0, 0, 0, 0, 0, 0, 1, 1, 1]
    tree = grow(Problem.of(x[:, None], y), case, search=search)
    assert tree.threshold[0] == math.inf
    assert tree.missing_child[0] == 1
    assert tree.counts.tolist() == [[6, 3], [6, 0], [0, 3]]
    assert tree.apply(np.array([[1e300], [NAN]]), 1).tolist() == [1, 2]


@pytest.mark.parametrize("search", ["auto", "sort"])
def test_a_column_of_nothing_but_missing_values_is_no_use(search):
    problem = Problem.of(np.full((4, 1), NAN), [0, 1, 0, 1])
    assert grow(problem, Case("gini"), search=search).n_nodes == 1


@examples(60)
@given(
    problem=problems(rows=(3, 30), categorical=True, missing=True),
    case=st.sampled_from(FEW),
    search=st.sampled_from(["auto", "sort"]),
)
def test_the_route_of_missing_values(problem, case, search):
    """Where a node saw missing values they go where they went; else to the larger child."""
    tree = grow(problem, case, search=search)
    rows = rows_of_nodes(tree, problem.X)
    for node in np.flatnonzero(tree.feature >= 0):
        values = problem.X[rows[node], tree.feature[node]]
        first = tree.first_child[node]
        sizes = tree.counts[first : first + tree.n_children[node]].sum(axis=1)
        route = tree.missing_child[node]
        assert 0 <= route < tree.n_children[node]
        if not np.isnan(values).any():
            assert sizes[route] == sizes.max()


@examples(60)
@given(problem=problems(rows=(3, 20), features=(2, 2)), case=st.sampled_from(FEW))
def test_a_column_of_missing_values_changes_nothing(problem, case):
    wider = np.insert(problem.X, problem.n_features, np.nan, axis=1)
    with_hole = Problem.of(wider, problem.y, problem.n_classes)
    a, b = grow(problem, case), grow(with_hole, case)
    for name in ("feature", "threshold", "first_child", "counts", "gain"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
