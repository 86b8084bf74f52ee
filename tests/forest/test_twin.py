"""Whole forests against a naive one: draws of rows, sampled features, cuts, planes, leaves."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from oracle import forest as twin
from oracle.cases import FEW, Case
from oracle.chance import Chance
from oracle.problem import Limits, Problem
from oracle.row_sampling import Draw
from rarewood import _core
from support.draw import examples, problems
from support.grown import grow_forest, row_sampling

# What gains nothing is left out: there rounding may choose another split, and another subtree.
LIMITS = Limits(min_gain=1e-6)
CASES = st.sampled_from([case for case in FEW if not case.has_infinities])
DRAWS = st.builds(
    Draw,
    replace=st.booleans(),
    balance=st.booleans(),
    n_drawn=st.integers(0, 20),
    step=st.integers(0, 3),
)
SEEDS = st.integers(0, 2**64 - 1)
LEAVES = st.sampled_from([("raw", 0.0), ("m_estimate", 2.0), ("shrunk", 5.0)])
LAPLACE = ("laplace", 1.0)


def check(problem: Problem, case: Case, chance: Chance, draw: Draw, seed: int, leaf=LAPLACE):
    want = twin.grow(problem, case, LIMITS, chance, draw, seed, 3)
    trees = grow_forest(problem, case, 3, draw, LIMITS, seed=seed, **asdict(chance))
    forest = _core.Forest(trees, *leaf)
    proba = twin.predict_proba(want, problem.X, *leaf)
    np.testing.assert_allclose(forest.predict_proba(problem.X), proba, rtol=1e-9, atol=1e-12)
    total, n_votes = twin.out_of_bag(want, problem, draw, seed, *leaf)
    sampling = row_sampling(draw, problem.y, problem.n_classes)
    sums, votes = forest.out_of_bag(problem.X, sampling, problem.y, seed)
    np.testing.assert_allclose(sums, total, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(votes, n_votes)


@examples(60)
@given(
    problem=problems(rows=(2, 20), features=(2, 4), classes=(2, 3), missing=True),
    case=CASES,
    draw=DRAWS,
    seed=SEEDS,
)
def test_random_forests(problem, case, draw, seed):
    """All cuts of some of the features."""
    check(problem, case, Chance(max_features=problem.n_features - 1), draw, seed)


@examples(40)
@given(
    problem=problems(rows=(2, 20), features=(2, 4), classes=(2, 3), categorical=True, missing=True),
    case=CASES,
    draw=DRAWS,
    seed=SEEDS,
    dim=st.integers(1, 3),
    leaf=LEAVES,
)
def test_random_cuts_and_planes(problem, case, draw, seed, dim, leaf):
    kind = "points" if seed % 2 else "direction"
    check(
        problem,
        case,
        Chance(max_features=1, n_cuts=2, oblique_dim=dim, oblique_draw=kind),
        draw,
        seed,
        leaf,
    )


@examples(20)
@given(
    problem=problems(rows=(2, 20), features=(1, 3), categorical=True, missing=True, weighted=True),
    case=CASES,
    draw=DRAWS,
    seed=SEEDS,
)
def test_bagged_trees_with_weights(problem, case, draw, seed):
    check(problem, case, Chance(max_features=problem.n_features), draw, seed)
