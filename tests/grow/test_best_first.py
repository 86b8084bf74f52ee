"""A limited number of leaves: the most important nodes are split first."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

from oracle.cases import FEW, Case
from oracle.problem import Problem
from support.grown import grow, outline
from support.medium import deep

FINITE = [case for case in FEW if not case.has_infinities]


def blobs(n: int = 600, k: int = 2, seed: int = 0) -> Problem:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n) > 1).astype(np.int32)
    return Problem.of(X, y + (k > 2) * (X[:, 3] > 1.2), k)


def expand_greedily(tree, n_leaves: int) -> set[int]:
    """Inner nodes of the full tree, in the order of rows times gain, until there are enough."""

    def importance(node: int) -> float:
        return -float(tree.counts[node].sum() * tree.gain[node])

    heap, chosen = [(importance(0), 0)], set()
    while heap and len(chosen) < n_leaves - 1:
        _, node = heapq.heappop(heap)
        if tree.feature[node] < 0:
            continue
        chosen.add(node)
        for child in (tree.first_child[node], tree.first_child[node] + 1):
            heapq.heappush(heap, (importance(child), int(child)))
    return chosen


def outline_of(tree, chosen: set[int], node: int = 0) -> tuple:
    counts = tuple(tree.counts[node].tolist())
    if node not in chosen:
        return (counts,)
    children = (tree.first_child[node], tree.first_child[node] + 1)
    inner = tuple(outline_of(tree, chosen, int(c)) for c in children)
    return (counts, int(tree.feature[node]), float(tree.threshold[node]), inner)


@pytest.mark.parametrize("n_leaves", [2, 3, 8, 20])
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("case", FINITE, ids=str)
def test_the_most_important_nodes_come_first(case, k, n_leaves):
    problem = blobs(k=k)
    full = grow(problem, case)
    limited = grow(problem, case, max_leaf_nodes=n_leaves)
    assert (limited.feature < 0).sum() == n_leaves
    inner = set(np.flatnonzero(limited.feature >= 0).tolist())
    assert outline_of(limited, inner) == outline_of(full, expand_greedily(full, n_leaves))


@pytest.mark.parametrize("case", FEW, ids=str)
def test_enough_leaves_make_the_full_tree(case):
    problem = blobs(300)
    limited = grow(problem, case, deep(case), max_leaf_nodes=problem.n_rows)
    assert outline(limited) == outline(grow(problem, case, deep(case)))


def test_multiway_counts_its_leaves():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, size=(200, 3)).astype(np.float64)
    problem = Problem.of(X, (X.sum(axis=1) > 7).astype(int), 2, [5, 5, 5])
    for limit in (2, 5, 9, 12, 30):
        tree = grow(problem, Case("gini"), max_leaf_nodes=limit, categorical_split="multiway")
        assert (tree.feature < 0).sum() <= limit
