"""Sampled features and random cuts: each node draws what its key says, and takes the best."""

from __future__ import annotations

from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.cases import FEW, Case
from oracle.chance import Chance
from oracle.problem import Limits
from oracle.random_tree import check_tree
from support.draw import examples, problems
from support.grown import grow
from support.medium import medium_problem

SEEDS = st.integers(0, 2**64 - 1)
CASES = st.sampled_from(FEW)
CHANCES = st.builds(
    Chance, max_features=st.none() | st.integers(1, 2), n_cuts=st.sampled_from([0, 1, 3])
)


def check(problem, case, limits, chance, seed, **options):
    chance = asdict(chance)
    chance["max_features"] = min(chance["max_features"] or 99, problem.n_features)
    tree = grow(problem, case, limits, seed=seed, tree_index=3, **chance, **options)
    check_tree(tree, problem, case, limits, Chance(**chance), seed, 3)


@examples(150)
@given(
    problem=problems(rows=(2, 25), features=(1, 4), classes=(2, 4), missing=True),
    case=CASES,
    chance=CHANCES,
    seed=SEEDS,
)
def test_every_node(problem, case, chance, seed):
    check(problem, case, Limits(), chance, seed)


@examples(60)
@given(
    problem=problems(rows=(2, 25), features=(2, 5), classes=(2, 3), categorical=True, missing=True),
    case=CASES,
    chance=CHANCES,
    seed=SEEDS,
    mode=st.sampled_from(["subset", "multiway", "onehot"]),
)
def test_every_node_with_categorical_columns(problem, case, chance, seed, mode):
    check(problem, case, Limits(categorical_split=mode), chance, seed)


@examples(60)
@given(
    problem=problems(rows=(2, 25), features=(2, 4), missing=True, categorical=True, weighted=True),
    case=st.sampled_from([case for case in FEW if not case.has_infinities]),
    chance=CHANCES,
    seed=SEEDS,
)
def test_every_node_with_weights(problem, case, chance, seed):
    check(problem, case, Limits(), chance, seed)


@examples(60)
@given(
    problem=problems(rows=(5, 40), features=(2, 4), missing=True, categorical=True),
    case=CASES,
    chance=CHANCES,
    seed=SEEDS,
    limits=st.sampled_from(
        [Limits(min_samples_leaf=3), Limits(min_gain=0.02), Limits(max_depth=2, min_samples_leaf=2)]
    ),
)
def test_every_node_within_limits(problem, case, chance, seed, limits):
    check(problem, case, limits, chance, seed)


@pytest.mark.parametrize("search", ["auto", "sort"])
@pytest.mark.parametrize(
    "kind", ["continuous", "mixed", "missing", "categorical", "float32", "hard"]
)
def test_upper_nodes_of_larger_tables(kind, search):
    problem, limits = medium_problem(kind, 400, 2), Limits(max_depth=2)
    for chance in (Chance(2), Chance(2, 3)):
        check(problem, Case("hellinger"), limits, chance, 7, search=search)
