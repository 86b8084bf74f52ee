"""Hyperplanes: each node draws those that its key says, and takes the best."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from oracle import planes, random
from oracle.audit import rows_of_nodes, values_at
from oracle.cases import FEW, Case
from oracle.chance import Chance
from oracle.problem import Limits, Problem
from oracle.random_tree import check_tree, plane_of
from support.draw import examples, problems
from support.grown import assert_same_tree, grow
from support.medium import medium_problem

HELLINGER = Case("hellinger")
KINDS = ("points", "direction", "between")
SEEDS = st.integers(0, 2**64 - 1)
CASES = st.sampled_from(FEW)
CHANCES = st.builds(
    Chance,
    max_features=st.integers(1, 5),
    n_cuts=st.sampled_from([1, 2, 5]),
    oblique_dim=st.integers(2, 4),
    oblique_draw=st.sampled_from(KINDS),
)


def check(problem: Problem, case: Case, chance: Chance, seed: int, limits=None, **options):
    own = asdict(chance)
    own["max_features"] = min(chance.max_features, problem.n_features)
    tree = grow(problem, case, limits, seed=seed, tree_index=1, **own, **options)
    check_tree(tree, problem, case, limits, Chance(**own), seed, 1)
    return tree


@examples(120)
@given(
    problem=problems(rows=(2, 25), features=(2, 5), classes=(2, 3), missing=True),
    case=CASES,
    chance=CHANCES,
    seed=SEEDS,
)
def test_every_node(problem, case, chance, seed):
    """Neighbouring, huge and tiny values; missing ones; fewer columns than a plane needs."""
    check(problem, case, chance, seed)


@examples(60)
@given(
    problem=problems(
        rows=(2, 25), features=(2, 5), classes=(2, 3), categorical=True, missing=True, weighted=True
    ),
    case=st.sampled_from([case for case in FEW if not case.has_infinities]),
    chance=CHANCES,
    seed=SEEDS,
    leaf=st.integers(1, 4),
)
def test_every_node_with_categorical_columns_and_weights(problem, case, chance, seed, leaf):
    check(problem, case, chance, seed, Limits(min_samples_leaf=leaf))


def smooth_problem(seed: int, k: int, dtype=np.float64) -> Problem:
    """Columns of very different scales, one constant, some with holes."""
    rng = np.random.default_rng(seed)
    scale = np.array([1.0, 1e-12, 1e12, 1e30 if dtype == np.float32 else 1e280, 1.0])
    X = rng.normal(size=(60, 5)) * scale + scale * rng.integers(-3, 4, size=5)
    X[:, 4] = 2.5
    if seed % 2:
        X[rng.random(X.shape) < 0.07] = np.nan
    weights = rng.gamma(2.0, size=60) if seed % 3 == 0 else None
    return Problem.of(X.astype(dtype), rng.integers(0, k, size=60), k, weights=weights)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dim", [2, 3, 4])
def test_whole_trees(dim, kind):
    n_planes = 0
    for seed in range(6):
        problem = smooth_problem(seed, 2 + seed % 2, np.float32 if seed > 3 else np.float64)
        chance = Chance(1 + seed % 4, 3, dim, kind)
        tree = check(problem, FEW[seed], chance, seed)
        n_planes += sum(len(plane_of(tree, v)) == dim for v in range(tree.n_nodes))
    assert n_planes > 20


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("data", ["continuous", "missing", "categorical", "hard"])
def test_upper_nodes_of_larger_tables(data, kind):
    chance = Chance(3, 4, 2, kind)
    check(medium_problem(data, 500, 3), HELLINGER, chance, 5, Limits(max_depth=2))


@pytest.mark.parametrize("kind", KINDS)
def test_without_planes_there_are_ordinary_cuts(kind):
    """Fewer numeric columns that vary than a plane needs: the cuts of HeDEx."""
    problem = smooth_problem(1, 2)
    plain = grow(problem, HELLINGER, n_cuts=3, seed=4)
    plane = grow(problem, HELLINGER, n_cuts=3, seed=4, oblique_dim=5, oblique_draw=kind)
    assert not len(plane.plane_weight)
    assert_same_tree(plain, plane)


# --------------------------------------------------------------------------- the planes


@given(key=SEEDS, dim=st.integers(2, 6))
def test_a_plane_passes_through_its_points(key, dim):
    first, *differences = planes.draw_points(dim, random.Random(key))
    normal = [Fraction(x) for x in planes.normal_of(differences)]
    assert any(normal)
    for row in differences:
        terms = [n * Fraction(x) for n, x in zip(normal, row, strict=True)]
        assert abs(sum(terms)) <= Fraction(1e-12) * max(map(abs, terms))
        ends = [a + d for a, d in zip(first, row, strict=True)]
        assert all(-1e-15 <= x <= 1 + 1e-15 for x in (*first, *ends))


def test_points_that_do_not_span_a_plane_have_no_normal():
    assert planes.normal_of([[0.0, 0.0]]) == [0.0, 0.0]
    assert planes.normal_of([[0.5, 1.0, 0.25], [0.25, 0.5, 0.125]]) == [0.0, 0.0, 0.0]


def test_directions_are_normal_and_even():
    drawn = np.array([planes.draw_direction(2, random.Random(key)) for key in range(4000)])
    assert stats.kstest(drawn.ravel(), "norm").pvalue > 1e-3
    angles = np.arctan2(drawn[:, 1], drawn[:, 0])
    assert stats.kstest(angles, stats.uniform(-np.pi, 2 * np.pi).cdf).pvalue > 1e-3


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_a_plane_divides_the_rows_of_its_node(kind, dim):
    problem = medium_problem("missing", 400, 2)
    tree = grow(problem, HELLINGER, n_cuts=2, oblique_dim=dim, oblique_draw=kind, max_features=2)
    for node, here in enumerate(rows_of_nodes(tree, problem.X)):
        if len(plane_of(tree, node)) == 0:
            continue
        sums = values_at(tree, node, problem.X[here])
        features = [f for f, _ in plane_of(tree, node)]
        assert len(set(features)) == dim
        assert features[0] == tree.feature[node]
        if kind == "direction":
            assert np.nanmin(sums) <= tree.threshold[node] < np.nanmax(sums)
        assert (np.isnan(sums) == np.isnan(problem.X[np.ix_(here, features)]).any(axis=1)).all()


def test_directions_cut_uniformly_along_the_rows():
    """Of one plane: where its threshold lies between the lowest and the highest sum."""
    rng = np.random.default_rng(2)
    problem = Problem.of(rng.normal(size=(80, 3)), rng.integers(0, 2, size=80))
    places = []
    for seed in range(400):
        options = {"n_cuts": 1, "max_features": 1, "oblique_dim": 2, "seed": seed}
        tree = grow(problem, HELLINGER, Limits(max_depth=1), oblique_draw="direction", **options)
        sums = values_at(tree, 0, problem.X)
        places.append((tree.threshold[0] - sums.min()) / np.ptp(sums))
    assert stats.kstest(places, "uniform").pvalue > 1e-3


@pytest.mark.parametrize("kind", ["points", "direction"])  # landmarks depend on the values
def test_the_scale_of_a_column_changes_no_partition(kind):
    """The planes live in the box of the rows. Powers of two round nowhere."""
    problem = medium_problem("continuous", 300, 2)
    scaled = Problem.of(problem.X * 2.0 ** np.array([0, 40, -40, 7, -300]), problem.y, 2)
    options = {"n_cuts": 3, "max_features": 2, "oblique_dim": 3, "oblique_draw": kind}
    a, b = (grow(p, HELLINGER, **options) for p in (problem, scaled))
    np.testing.assert_array_equal(a.feature, b.feature)
    np.testing.assert_array_equal(a.counts, b.counts)
    np.testing.assert_array_equal(a.plane_feature, b.plane_feature)
    np.testing.assert_array_equal(a.apply(problem.X), b.apply(scaled.X))


def test_missing_rows_are_counted_though_the_first_plane_is_none():
    """Sums that rounding makes equal: the first of two planes divides nothing, the second does."""
    a, b, hole = 1e15, 1e15 + 0.125, np.nan
    X = [[a, b], [b, a], [hole, a], [hole, b], [a, hole], [b, hole]]
    problem = Problem.of(X, [0, 1, 0, 0, 0, 0])
    for seed in range(60):
        for kind in KINDS:
            check(problem, Case("gini"), Chance(1, 2, 2, kind), seed)
