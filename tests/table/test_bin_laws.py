"""Binned search: the best of the bin edges, and all there is where values are few."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import bulk, criteria
from oracle.audit import is_close, rows_of_nodes
from oracle.cases import DISTINCT, Case
from oracle.problem import Limits, Problem
from support.draw import examples, problems
from support.grown import encode, grow, partition
from support.medium import deep, medium_problem


def best_of_the_edges(problem: Problem, edges: list[np.ndarray], here, case: Case) -> float:
    """The best value over all edges of all features, missing rows on either side."""
    found = [-math.inf]
    for f, cuts in enumerate(edges):
        x = np.asarray(problem.X[here, f], dtype=np.float64)
        one = np.eye(problem.n_classes)[problem.y[here]]
        missing = np.isnan(x)
        for cut in [*cuts, math.inf]:
            for left in (x <= cut, (x <= cut) | missing):
                table = np.stack([one[left].sum(axis=0), one[~left].sum(axis=0)])
                if table.sum(axis=1).all():
                    found.append(float(bulk.values(case, table[None])[0]))
    return max(found)


@pytest.mark.parametrize("max_bins", [2, 3, 16, 64])
@pytest.mark.parametrize("kind", ["continuous", "coarse", "missing"])
@pytest.mark.parametrize("case", [Case("hellinger"), Case("ihdw"), Case("gini")], ids=str)
def test_the_best_of_the_edges(case, kind, max_bins):
    problem = medium_problem(kind, 600, 2)
    columns = encode(problem, max_bins)
    tree = grow(problem, case, Limits(max_depth=3), columns)
    edges = [columns.edges(f) for f in range(problem.n_features)]
    for node, here in enumerate(rows_of_nodes(tree, problem.X)):
        assert tree.counts[node].tolist() == problem.counts(here)
        if tree.feature[node] < 0:
            continue
        unsplit = float(criteria.value_of_not_splitting(case, problem.counts(here)))
        best = best_of_the_edges(problem, edges, here, case)
        assert is_close(tree.gain[node] + unsplit, best)


@examples(80)
@given(
    problem=problems(rows=(4, 40), missing=True),
    max_bins=st.sampled_from([60, 255]),
    case=st.sampled_from(DISTINCT),
)
def test_bins_for_every_value_give_the_exact_partition(problem, max_bins, case):
    exact = grow(problem, case)
    binned = grow(problem, case, columns=encode(problem, max_bins))
    if (exact.gain[exact.feature >= 0] < 1e-9).any():
        return  # where nothing is gained rounding decides
    np.testing.assert_array_equal(exact.feature, binned.feature)
    np.testing.assert_array_equal(exact.counts, binned.counts)
    rows = problem.X
    np.testing.assert_array_equal(partition(exact.apply(rows, 1)), partition(binned.apply(rows, 1)))


@pytest.mark.parametrize("case", DISTINCT, ids=str)
def test_a_coarse_table_needs_no_refinement(case):
    problem = medium_problem("coarse", 2000, 2)
    exact = grow(problem, case, deep(case))
    binned = grow(problem, case, deep(case), encode(problem, 255))
    np.testing.assert_array_equal(exact.feature, binned.feature)
    np.testing.assert_array_equal(exact.counts, binned.counts)


@pytest.mark.parametrize("max_bins", [4, 32, 255])
def test_more_bins_are_not_worse_at_the_root(max_bins):
    problem = medium_problem("continuous", 3000, 2)
    stump = Limits(max_depth=1)
    exact = grow(problem, Case("hellinger"), stump).gain[0]
    binned = grow(problem, Case("hellinger"), stump, encode(problem, max_bins)).gain[0]
    assert binned <= exact * (1 + 1e-12)
    assert binned > exact * (0.5 if max_bins < 10 else 0.9)
