"""Large nodes, which the core searches by codes, bounds and refinement, are exact too."""

from __future__ import annotations

import numpy as np
import pytest

from oracle.audit import check_tree
from oracle.cases import DISTINCT, EVERY, Case
from oracle.problem import Limits
from support.grown import grow
from support.medium import KINDS, deep, medium_problem

SHALLOW = Limits(max_depth=3)
STUMP = Limits(max_depth=1)


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "categorical"])
@pytest.mark.parametrize("case", DISTINCT, ids=str)
def test_upper_nodes(case, kind):
    problem = medium_problem(kind, 2500, 2)
    check_tree(grow(problem, case, SHALLOW), problem, case, SHALLOW)


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_the_root_by_every_criterion(case):
    problem = medium_problem("mixed", 2500, 2)
    check_tree(grow(problem, case, STUMP), problem, case, STUMP)


@pytest.mark.parametrize("k", [3, 5])
@pytest.mark.parametrize("kind", ["continuous", "mixed", "missing"])
@pytest.mark.parametrize("case", DISTINCT, ids=str)
def test_upper_nodes_of_several_classes(case, kind, k):
    problem = medium_problem(kind, 900, k)
    limits = Limits(max_depth=3)
    check_tree(grow(problem, case, limits), problem, case, limits)


@pytest.mark.parametrize("n", [300])
@pytest.mark.parametrize("case", DISTINCT, ids=str)
def test_whole_trees(case, n):
    """From nodes of all rows down to nodes of two."""
    problem = medium_problem("continuous", n, 2, seed=1)
    check_tree(grow(problem, case, deep(case)), problem, case, deep(case))


@pytest.mark.parametrize("kind", ["continuous", "missing"])
@pytest.mark.parametrize("case", DISTINCT, ids=str)
def test_weights(case, kind):
    problem = medium_problem(kind, 800, 2, weighted=True)
    limits = Limits(max_depth=3)
    check_tree(grow(problem, case, limits), problem, case, limits)


@pytest.mark.parametrize("leaf", [7, 60])
@pytest.mark.parametrize("kind", ["continuous", "coarse", "missing"])
@pytest.mark.parametrize("case", DISTINCT, ids=str)
def test_large_leaves(case, kind, leaf):
    problem = medium_problem(kind, 1200, 2)
    limits = Limits(max_depth=3, min_samples_leaf=leaf)
    check_tree(grow(problem, case, limits), problem, case, limits)


@pytest.mark.parametrize("mode", ["multiway", "subset", "onehot"])
@pytest.mark.parametrize("case", [Case("hellinger"), Case("ihdw"), Case("gain_ratio")], ids=str)
def test_categorical_columns(case, mode):
    problem = medium_problem("categorical", 600, 2)
    limits = Limits(max_depth=2, categorical_split=mode)
    check_tree(grow(problem, case, limits), problem, case, limits)


@pytest.mark.parametrize("case", DISTINCT, ids=str)
def test_one_rare_row_among_thousands(case):
    rng = np.random.default_rng(5)
    problem = medium_problem("continuous", 4000, 2)
    problem.y[:] = 0
    problem.y[rng.integers(4000)] = 1
    check_tree(grow(problem, case, SHALLOW), problem, case, SHALLOW)
