"""A row that was drawn several times counts as often: as if the table held it as often."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.audit import check_tree
from oracle.cases import DISTINCT, EVERY, FEW, Case
from oracle.problem import Limits, Problem
from oracle.row_sampling import Draw, drawn_rows
from support.draw import examples, problems
from support.grown import assert_same_tree, grow, grow_forest, partition
from support.medium import deep, medium_problem

BOOTSTRAP = Draw(replace=True)
HELLINGER = Case("hellinger")
FINITE = [case for case in FEW if not case.has_infinities]


def repeated(problem: Problem, rows: list[int], weights=None) -> Problem:
    own = problem.weights if weights is None else weights
    return Problem.of(
        problem.X[rows],
        problem.y[rows],
        problem.n_classes,
        problem.n_categories,
        None if own is None else own[rows],
    )


def check(problem: Problem, case: Case, draw=BOOTSTRAP, limits=None, **options) -> None:
    seed = options.setdefault("seed", 3)
    (tree,) = grow_forest(problem, case, 1, draw, limits, **options)
    rows = drawn_rows(draw, problem.y, seed, 0)
    want = grow(repeated(problem, rows), case, limits, **options)
    assert_same_tree(tree, want, 0.0 if problem.weights is None else 1e-9)


@examples(60)
@given(
    problem=problems(rows=(2, 40), categorical=True, missing=True),
    draw=st.builds(
        Draw,
        replace=st.booleans(),
        balance=st.booleans(),
        n_drawn=st.integers(0, 50),
        step=st.integers(0, 9),
    ),
    seed=st.integers(0, 1000),
    options=st.sampled_from([{}, {"max_features": 1}, {"n_cuts": 2}]),
)
def test_small_tables(problem, draw, seed, options):
    for case in FEW:
        check(problem, case, draw, seed=seed, **options)


@examples(20)
@given(problem=problems(rows=(2, 40), categorical=True, missing=True, weighted=True))
def test_small_weighted_tables(problem):
    """What each node has is right, and no split would have been better."""
    rows = drawn_rows(BOOTSTRAP, problem.y, 3, 0)
    for case in FINITE:
        (tree,) = grow_forest(problem, case, 1, BOOTSTRAP, seed=3)
        check_tree(tree, repeated(problem, rows), case)


@pytest.mark.parametrize(
    "kind", ["continuous", "missing", "categorical", "skewed", "float32", "hard"]
)
@pytest.mark.parametrize("case", DISTINCT, ids=str)
def test_medium_tables(case, kind):
    """Large enough for codes, histograms and the lists of the rows of a bin."""
    check(medium_problem(kind, 2500, 2), case, limits=deep(case))


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_upper_nodes_of_larger_tables(case):
    check(medium_problem("continuous", 9000, 3, seed=1), case, limits=Limits(max_depth=4))


@pytest.mark.parametrize("draw", [Draw(n_drawn=1500), Draw(balance=True), Draw(True, True, 800)])
@pytest.mark.parametrize("case", [HELLINGER, Case("ihdw"), Case("gini")], ids=str)
def test_other_draws(case, draw):
    check(medium_problem("mixed", 4000, 3), case, draw)


@pytest.mark.parametrize("options", [{"max_features": 2}, {"max_leaf_nodes": 40}, {"n_cuts": 3}])
@pytest.mark.parametrize("case", [HELLINGER, Case("ihdw")], ids=str)
def test_other_growth(case, options):
    check(medium_problem("missing", 3000, 3), case, **options)


@pytest.mark.parametrize("kind", ["continuous", "missing", "categorical"])
@pytest.mark.parametrize("case", FINITE, ids=str)
def test_weighted_tables(case, kind):
    problem = medium_problem(kind, 1500, 2, weighted=True)
    check(problem, case, limits=Limits(max_depth=5))


@pytest.mark.parametrize("kind", ["continuous", "missing", "categorical"])
@pytest.mark.parametrize("case", FINITE, ids=str)
def test_integer_weights(case, kind):
    """On the rows drawn. Others may miss what no row of a node missed: they follow the child with
    more rows, and a weight is not several rows."""
    problem = medium_problem(kind, 700, 2)
    (tree,) = grow_forest(problem, case, 1, BOOTSTRAP, seed=3)
    copies = np.bincount(drawn_rows(BOOTSTRAP, problem.y, 3, 0), minlength=problem.n_rows)
    kept = np.flatnonzero(copies).tolist()
    weighted = grow(repeated(problem, kept, copies.astype(float)), case)
    X = problem.X[kept]
    np.testing.assert_array_equal(partition(tree.apply(X)), partition(weighted.apply(X)))
    a, b = (t.predict_proba(X, t.leaf_values("laplace", 1.0)) for t in (tree, weighted))
    np.testing.assert_allclose(a, b, rtol=1e-12)


# --------------------------------------------------------------------------- balanced weights


def balanced_weights(problem: Problem, rows: list[int]) -> np.ndarray:
    """Every class that was drawn gets the same share of the weight that was drawn."""
    own = np.ones(problem.n_rows) if problem.weights is None else problem.weights
    total = np.bincount(problem.y[rows], own[rows], minlength=problem.n_classes)
    wanted = total.sum() / np.count_nonzero(total)
    return own * (wanted / np.where(total > 0, total, wanted))[problem.y]


@pytest.mark.parametrize("draw", [Draw(), BOOTSTRAP, Draw(n_drawn=30)], ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_balanced_weights(draw, weighted):
    problem = medium_problem("missing", 600, 3, weighted=weighted)
    trees = grow_forest(problem, Case("gini"), 4, draw, balance_weights=True, seed=1)
    for number, tree in enumerate(trees):
        rows = drawn_rows(draw, problem.y, 1, number)
        again = repeated(problem, rows, balanced_weights(problem, rows))
        want = grow(again, Case("gini"), seed=1, tree_index=number)
        assert_same_tree(tree, want, 1e-9)
        root = tree.weighted_counts[0][tree.counts[0] > 0]
        np.testing.assert_allclose(root, root.mean(), rtol=1e-9)
        want_total = len(rows) if problem.weights is None else problem.weights[rows].sum()
        assert root.sum() == pytest.approx(want_total)
