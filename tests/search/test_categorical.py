"""Categorical features: one child per category, the best subset, one against the rest."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import audit, criteria
from oracle.audit import check_tree
from oracle.cases import EVERY, FEW, Case
from oracle.problem import Limits, Problem
from support.draw import categorical_columns, examples, labels, problems
from support.grown import grow

MODES = ("multiway", "subset", "onehot")
NOT_CONVEX = ("ihdw", "ccp_counts_entropy", "ccp_counts_gini")
CONVEX = [case for case in EVERY if case.name not in NOT_CONVEX]


@st.composite
def categorical_problems(draw, rows=(4, 24), classes=(2, 4), missing=False, weighted=False):
    n, k = draw(st.integers(*rows)), draw(st.integers(*classes))
    n_categories = draw(st.integers(2, 6))
    column = draw(categorical_columns(n, np.float64, n_categories, missing))
    weights = None
    if weighted:
        weights = draw(st.lists(st.sampled_from([0.3, 1.0, 2.5]), min_size=n, max_size=n))
    return Problem.of(column[:, None], draw(labels(n, k)), k, [n_categories], weights)


@pytest.mark.parametrize("mode", MODES)
@examples(25)
@given(problem=problems(rows=(2, 30), categorical=True, missing=True))
def test_every_node(mode, problem):
    limits = Limits(categorical_split=mode)
    for case in FEW:
        check_tree(grow(problem, case, limits), problem, case, limits)


@pytest.mark.parametrize("mode", MODES)
@examples(10)
@given(problem=problems(rows=(2, 24), categorical=True, missing=True))
def test_every_node_of_the_plain_search(mode, problem):
    limits = Limits(categorical_split=mode)
    for case in FEW:
        check_tree(grow(problem, case, limits, search="sort"), problem, case, limits)


@pytest.mark.parametrize("mode", MODES)
@examples(10)
@given(problem=problems(rows=(4, 30), categorical=True, missing=True, weighted=True))
def test_every_node_with_weights_and_large_leaves(mode, problem):
    limits = Limits(categorical_split=mode, min_samples_leaf=2)
    for case in FEW:
        check_tree(grow(problem, case, limits), problem, case, limits)


def root_and_best(problem: Problem, case: Case) -> tuple[float, float] | None:
    """Value of the root's split, and of the best of all two-way divisions."""
    tree = grow(problem, case, Limits(max_depth=1))
    if tree.feature[0] < 0:
        return None
    rows = np.arange(problem.n_rows)
    best = audit.best_value(problem, rows, case, Limits(categorical_split="all"))
    unsplit = float(criteria.value_of_not_splitting(case, problem.counts(rows)))
    return tree.gain[0] + unsplit, best


@examples(40)
@given(problem=categorical_problems(classes=(2, 2)))
def test_no_subset_is_better_for_two_classes(problem):
    """Cutting the categories in the order of the rare class's share is enough."""
    for case in CONVEX:
        found = root_and_best(problem, case)
        assert found is None or audit.is_close(*found), f"{case} {found}"


@examples(30)
@given(problem=categorical_problems(classes=(3, 4), missing=True))
def test_no_subset_is_better_than_the_best(problem):
    """With more classes the best subset may be missed, but not with two categories."""
    for case in FEW:
        found = root_and_best(problem, case)
        if found is None:
            continue
        value, best = found
        assert value <= best or audit.is_close(value, best), case
        if len(np.unique(problem.X[~np.isnan(problem.X)])) <= 2:
            assert audit.is_close(value, best), case


@pytest.mark.parametrize("mode", MODES)
def test_layout(mode):
    """Categories are listed in order; each names its child; unseen ones have a route."""
    column = np.array([0, 0, 0, 1, 1, 3, 3, 3, 3, 4.0])
    y = [0, 0, 1, 1, 1, 0, 0, 0, 0, 1]
    problem = Problem.of(column[:, None], y, 2, [6])
    tree = grow(problem, Case("hellinger"), Limits(max_depth=1, categorical_split=mode))
    assert math.isnan(tree.threshold[0])
    low, high = tree.category_offset[:2]
    categories, children = tree.category[low:high], tree.category_child[low:high]
    assert (np.diff(categories) > 0).all()
    assert set(categories.tolist()) <= {0, 1, 3, 4}
    assert children.min() >= 0
    assert children.max() < tree.n_children[0]
    if mode == "multiway":
        assert tree.n_children[0] == 4
        assert categories.tolist() == [0, 1, 3, 4]
        assert children.tolist() == [0, 1, 2, 3]
        assert tree.counts[1:].tolist() == [[2, 1], [0, 2], [4, 0], [0, 1]]
        assert tree.missing_child[0] == 2
    else:
        assert tree.n_children[0] == 2
        sizes = tree.counts[1:].sum(axis=1)
        assert tree.missing_child[0] == np.argmax(sizes)
    known = tree.apply(column[:, None], 1)
    assert (
        np.bincount(known, minlength=tree.n_nodes)[1:].tolist() == tree.counts[1:].sum(1).tolist()
    )
    unseen = tree.apply(np.array([[2.0], [5.0], [np.nan]]), 1)
    assert (unseen == 1 + tree.missing_child[0]).all()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n_categories", [200, 300, 70_000])
def test_many_categories(mode, n_categories):
    """More categories than a byte, or two, can count."""
    rng = np.random.default_rng(0)
    column = rng.integers(0, n_categories, size=400).astype(np.float64)
    column[:2] = [0, n_categories - 1]
    y = (rng.random(400) < 0.2 + 0.6 * (column % 2)).astype(np.int32)
    problem = Problem.of(np.stack([column, rng.normal(size=400)], axis=1), y, 2, [n_categories, 0])
    limits = Limits(max_depth=3, categorical_split=mode)
    check_tree(grow(problem, Case("hellinger"), limits), problem, Case("hellinger"), limits)
