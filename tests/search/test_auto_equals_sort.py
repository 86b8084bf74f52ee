"""The fast search and the plain sort-based one grow the same tree, to the last array."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from oracle.cases import DISTINCT, EVERY, Case
from oracle.problem import Limits
from support.grown import assert_same_tree, encode, grow
from support.medium import KINDS, deep, medium_problem

SIZES = (300, 1000, 2500)


def compare(problem, case: Case, limits: Limits | None = None, **options) -> None:
    columns = encode(problem)
    limits = limits or Limits()
    limits = replace(limits, max_depth=limits.max_depth or deep(case).max_depth)
    tolerance = 0.0 if problem.weights is None else 1e-9
    auto = grow(problem, case, limits, columns, **options)
    plain = grow(problem, case, limits, columns, search="sort", **options)
    assert_same_tree(auto, plain, tolerance)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("case", DISTINCT, ids=str)
def test_all_kinds_of_data(case, k, kind):
    for seed, n in enumerate(SIZES):
        compare(medium_problem(kind, n, k, seed), case)


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_all_criteria(case):
    for k in (2, 3):
        compare(medium_problem("mixed", 600, k), case)


@pytest.mark.parametrize("k", [4, 5, 8])
@pytest.mark.parametrize("case", DISTINCT, ids=str)
def test_more_classes(case, k):
    for kind in ("continuous", "mixed", "missing"):
        compare(medium_problem(kind, 800, k), case)


@pytest.mark.parametrize("kind", ["continuous", "coarse", "mixed", "missing"])
@pytest.mark.parametrize("k", [12, 100])
def test_many_classes(k, kind):
    """Cuts are searched in batches, and Hellinger distances over classes of equal size."""
    for n, weighted in ((300, False), (150, True)):
        y = np.random.default_rng(k).permutation(np.arange(n) % k).astype(np.int32)
        problem = replace(medium_problem(kind, n, 2, weighted=weighted), y=y, n_classes=k)
        for case in (Case("gini"), Case("hellinger")):
            compare(problem, case)


@pytest.mark.parametrize("leaf", [2, 5, 40])
@pytest.mark.parametrize("case", DISTINCT, ids=str)
def test_large_leaves(case, leaf):
    for kind in ("continuous", "mixed", "missing", "categorical"):
        compare(medium_problem(kind, 1500, 2), case, Limits(min_samples_leaf=leaf))
        compare(medium_problem(kind, 700, 3), case, Limits(min_samples_leaf=leaf))


@pytest.mark.parametrize("mode", ["multiway", "onehot"])
@pytest.mark.parametrize("case", DISTINCT, ids=str)
def test_other_categorical_splits(case, mode):
    for k in (2, 3):
        compare(medium_problem("categorical", 1000, k), case, Limits(categorical_split=mode))


@pytest.mark.parametrize("case", DISTINCT, ids=str)
def test_sampled_features(case):
    for seed in range(4):
        problem = medium_problem("mixed", 1500, 2, seed)
        compare(problem, case, max_features=2, seed=seed, tree_index=seed)


@pytest.mark.parametrize("case", DISTINCT, ids=str)
def test_weights(case):
    for kind in ("continuous", "coarse", "missing"):
        for k in (2, 3):
            compare(medium_problem(kind, 1000, k, weighted=True), case)


@pytest.mark.parametrize("case", DISTINCT, ids=str)
def test_best_first(case):
    for kind in ("continuous", "categorical", "missing"):
        compare(medium_problem(kind, 1200, 2), case, max_leaf_nodes=25)


@pytest.mark.parametrize(
    "n", [2, 3, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 513]
)
@pytest.mark.parametrize("case", [Case("hellinger"), Case("gini"), Case("ihdw")], ids=str)
def test_around_powers_of_two(case, n):
    """Where one way of searching gives way to another."""
    for seed in range(6):
        kind = ("continuous", "coarse", "missing")[seed % 3]
        compare(medium_problem(kind, n, 2, seed), case)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("case", DISTINCT, ids=str)
def test_several_thousand_rows(case, k):
    """Nodes of every size between the whole table and a hundred rows."""
    for seed, kind in enumerate(("continuous", "balanced", "mixed", "missing")):
        limits = Limits(min_samples_split=100, max_depth=8)
        compare(medium_problem(kind, 5000, k, seed), case, limits)


@pytest.mark.parametrize("kind", ["skewed", "float32", "missing"])
@pytest.mark.parametrize(
    "case", [Case(n) for n in ("hellinger", "entropy", "gain_ratio", "ihdw")], ids=str
)
def test_twenty_thousand_rows(case, kind):
    """Where counts outgrow the tables of logarithms, and bins keep lists of their rows."""
    limits = Limits(min_samples_split=300, max_depth=6)
    compare(medium_problem(kind, 20_000, 2), case, limits)
