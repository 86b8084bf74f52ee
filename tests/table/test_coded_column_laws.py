"""Codes that were made elsewhere grow the tree that the table itself grows, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.cases import EVERY, FEW, Case
from oracle.problem import Limits, Problem
from oracle.row_sampling import Draw
from support.draw import examples, problems
from support.grown import assert_same_tree, encode, from_codes, grow, grow_forest
from support.medium import KINDS, medium_problem

SPLITS = ("subset", "multiway", "onehot")


def assert_same(problem: Problem, max_bins: int, case: Case, limits: Limits, **options) -> None:
    local = grow(problem, case, limits, encode(problem, max_bins), **options)
    coded = grow(problem, case, limits, from_codes(problem, max_bins), **options)
    assert_same_tree(local, coded)


@examples(150)
@given(
    problem=problems(rows=(1, 40), features=(1, 4), categorical=True, missing=True),
    max_bins=st.sampled_from([2, 3, 16, 255]),
    case=st.sampled_from(EVERY),
    split=st.sampled_from(SPLITS),
    n_cuts=st.sampled_from([0, 0, 1, 3]),
    max_leaf_nodes=st.sampled_from([0, 0, 3]),
)
def test_small_tables(problem, max_bins, case, split, n_cuts, max_leaf_nodes):
    limits = Limits(max_depth=6, categorical_split=split)
    sizes = {"n_cuts": n_cuts, "max_leaf_nodes": max_leaf_nodes}
    assert_same(problem, max_bins, case, limits, max_features=1, **sizes)


@examples(60)
@given(
    problem=problems(rows=(2, 40), categorical=True, missing=True, weighted=True),
    max_bins=st.sampled_from([2, 16, 255]),
    case=st.sampled_from(FEW),
    split=st.sampled_from(SPLITS),
)
def test_weighted_tables(problem, max_bins, case, split):
    limits = Limits(max_depth=6, min_samples_leaf=2, categorical_split=split)
    assert_same(problem, max_bins, case, limits)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_larger_tables(kind, weighted):
    problem = medium_problem(kind, 3000, 3, weighted=weighted)
    assert_same(problem, 64, Case("hellinger"), Limits())


def wide_problem(n: int = 2000, n_categories: int = 300) -> Problem:
    """One categorical column with more categories than codes, one with as many as there can be."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(n, 3))
    X[:, 1] = rng.integers(0, n_categories, size=n)
    X[:, 2] = rng.integers(0, 255, size=n)
    signal = np.sin(X[:, 1]) + np.cos(X[:, 2]) + 0.3 * rng.normal(size=n)
    X[rng.random(X.shape) < 0.05] = np.nan
    y = (signal > np.quantile(signal, 0.9)).astype(np.int32)
    return Problem.of(X, y, 2, [0, n_categories, 255])


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("n_cuts", [0, 4])
def test_more_categories_than_codes(split, n_cuts):
    limits = Limits(max_depth=7, categorical_split=split)
    assert_same(wide_problem(), 32, Case("entropy"), limits, n_cuts=n_cuts)


@pytest.mark.parametrize("draw", [Draw(replace=True), Draw(replace=True, balance=True)], ids=str)
@pytest.mark.parametrize("balance_weights", [False, True])
def test_forests(draw, balance_weights):
    problem = medium_problem("categorical", 1500, 3)
    columns = encode(problem, 32), from_codes(problem, 32, n_threads=2)
    local, coded = (
        grow_forest(
            problem, Case("gini"), 5, draw, Limits(), table,
            max_features=2, n_threads=2, balance_weights=balance_weights,
        )
        for table in columns
    )  # fmt: skip
    for a, b in zip(local, coded, strict=True):
        assert_same_tree(a, b)
