"""Trees of hyperplanes that are grown on shards are those of the whole table, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.cases import FEW, Case
from oracle.problem import Limits, Problem
from oracle.row_sampling import Draw
from rarewood import _core
from support.cluster import RowCoded, combine, coordinate
from support.draw import examples, problems
from support.grown import assert_same_tree, criterion, grow_forest, options_of, row_sampling
from support.medium import medium_problem

HELLINGER = Case("hellinger")
PLANES = {"n_cuts": 3, "oblique_dim": 2, "oblique_draw": "between", "split_samples": 5}
CLUSTERS = st.fixed_dictionaries(
    {
        "gather_bytes": st.sampled_from([0, 40, 1 << 20]),
        "max_response_bytes": st.sampled_from([1, 2000, 1 << 26]),
        "trees_at_once": st.integers(0, 3),
    }
)


def check(coded, shards, case, n_trees=1, draw=None, limits=None, cluster=None, **options):
    options = PLANES | options
    want = grow_forest(
        coded.problem, case, n_trees, draw, limits, columns=coded.whole, **dict(options)
    )
    trees = coordinate(coded.coordinator(case, n_trees, draw, limits, cluster, **options), shards)
    for ours, whole in zip(trees, want, strict=True):
        assert_same_tree(ours, whole)
    return trees


@st.composite
def tables(draw, **options):
    problem = draw(problems(rows=(1, 60), features=(2, 5), missing=True, **options))
    coded = RowCoded(problem, draw(st.sampled_from([2, 5, 255])))
    cuts = draw(st.lists(st.integers(0, problem.n_rows), max_size=4))
    return coded, coded.shards(cuts)


@examples(100)
@given(
    table=tables(categorical=True),
    cluster=CLUSTERS,
    n_most=st.integers(1, 20),
    kind=st.sampled_from(["points", "direction", "between"]),
    seed=st.integers(0, 2**64 - 1),
)
def test_any_table(table, cluster, n_most, kind, seed):
    for case in FEW:
        how = {"split_samples": n_most, "oblique_draw": kind, "seed": seed}
        check(*table, case, cluster=cluster, **how)


@examples(100)
@given(
    table=tables(categorical=True, weighted=True),
    draw=st.builds(Draw, replace=st.booleans(), balance=st.booleans(), n_drawn=st.integers(0, 50)),
    cluster=CLUSTERS,
    balance=st.booleans(),
    seed=st.integers(0, 99),
)
def test_weighted_forests(table, draw, cluster, balance, seed):
    how = {"max_features": 2, "seed": seed, "balance_weights": balance, "oblique_dim": 2}
    check(*table, HELLINGER, 3, draw, cluster=cluster, **how)


@examples(100)
@given(
    table=tables(categorical=True, weighted=True),
    cluster=CLUSTERS,
    least=st.integers(1, 12),
    weight=st.sampled_from([0.0, 4.0]),
    gain=st.sampled_from([0.0, 0.1]),
)
def test_splits_of_a_sample_that_break_a_limit(table, cluster, least, weight, gain):
    limits = Limits(
        min_samples_leaf=least, min_weight_leaf=weight, min_gain=gain, min_samples_split=2 * least
    )
    check(*table, Case("gini"), limits=limits, cluster=cluster, split_samples=3)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["continuous", "missing", "categorical", "float32", "hard"])
def test_medium_tables(kind, weighted):
    """Large enough for nodes that are sampled, nodes that are sent, and several messages."""
    coded = RowCoded(medium_problem(kind, 4000, 3, weighted=weighted), 255)
    shards = coded.shards([100, 1500, 1500])
    cluster = {"gather_bytes": 200, "max_response_bytes": 30_000}
    for limits in (None, Limits(min_samples_leaf=30, min_samples_split=60)):
        check(
            coded, shards, HELLINGER, 3, Draw(replace=True), limits, cluster,
            split_samples=100, max_features=2,
        )  # fmt: skip


@pytest.mark.parametrize("weighted", [False, True])
def test_many_categories(weighted):
    """More than codes can tell."""
    rng = np.random.default_rng(3)
    n = 3000
    X = np.stack([rng.integers(0, 2000, n), *rng.normal(size=(2, n))], axis=1)
    X[rng.random(n) < 0.1, 0] = np.nan
    y = ((np.nan_to_num(X[:, 0]) % 7 < 2) ^ (rng.random(n) < 0.1)).astype(np.int32)
    weights = rng.uniform(0.1, 3, n) if weighted else None
    coded = RowCoded(Problem.of(X, y, 2, [2000, 0, 0], weights), 255)
    for gather_bytes in (0, 2000):
        cluster = {"gather_bytes": gather_bytes}
        check(
            coded, coded.shards([500, 2500]), HELLINGER, 2, Draw(replace=True), None, cluster,
            split_samples=60,
        )  # fmt: skip


@pytest.mark.parametrize("collapse", [0.1, 2.0])
def test_collapsed_trees(collapse):
    """Nodes whose subtrees would be collapsed are not split, in branches as well."""
    pruning = _core.Pruning(collapse=collapse, leaf="shrunk", leaf_strength=3.0)
    coded = RowCoded(medium_problem("mixed", 4000, 3), 64)
    shards, how = coded.shards([1000, 3000]), PLANES | {"split_samples": 80}
    want = _core.grow_forest(
        coded.whole, coded.problem.y, 3, None, [criterion(HELLINGER)],
        options_of(coded.problem, **how), row_sampling(Draw(), coded.problem.y, 3),
        n_trees=2, pruning=pruning,
    )  # fmt: skip
    cluster = {"gather_bytes": 500}
    coordinator = coded.coordinator(HELLINGER, 2, cluster=cluster, pruning=pruning, **how)
    for ours, whole in zip(coordinate(coordinator, shards), want, strict=True):
        assert_same_tree(ours, whole)


@examples(60)
@given(
    table=tables(categorical=True, weighted=True),
    cluster=CLUSTERS,
    least=st.integers(1, 4),
    seed=st.integers(0, 1000),
)
def test_lost_shards_are_replaced(table, cluster, least, seed):
    """The new shard hears the splits, also those that did not hold."""
    coded, shards = table
    limits = Limits(min_samples_leaf=least, min_samples_split=2 * least)
    draw = Draw(replace=True)
    want = grow_forest(coded.problem, HELLINGER, 3, draw, limits, columns=coded.whole, **PLANES)
    coordinator = coded.coordinator(HELLINGER, 3, draw, limits, cluster, **PLANES)
    rng = np.random.default_rng(seed)
    ends = np.cumsum([0, *(shard.n_rows for shard in shards)])
    while (request := coordinator.request()) is not None:
        responses = []
        for i in range(len(shards)):
            if rng.random() < 0.3:
                shards[i] = coded.shard(int(ends[i]), int(ends[i + 1]))
                shards[i].respond(coordinator.replay())
            responses.append(shards[i].respond(request))
            assert shards[i].respond(request, 2) == responses[-1]
        coordinator.receive(combine(responses, rng), 2)
    for ours, whole in zip(coordinator.trees(), want, strict=True):
        assert_same_tree(ours, whole)


def test_the_bytes_of_a_sample_do_not_grow_with_the_shards():
    coded = RowCoded(medium_problem("continuous", 20_000, 2), 255)
    how = PLANES | {"split_samples": 200}
    sizes = []
    for n_shards in (2, 50):
        shards = coded.shards([20_000 * i // n_shards for i in range(1, n_shards)])
        coordinator = coded.coordinator(HELLINGER, **how)
        rng = np.random.default_rng(0)
        for _ in range(2):  # the second response has the sample of the root
            response = combine([s.respond(coordinator.request()) for s in shards], rng)
            coordinator.receive(response)
        sizes.append(len(response))
    one_row = coded.problem.n_features + 4
    assert sizes[0] < 2 * (200 + 25 + 16 + 60) * one_row
    assert sizes[1] < 1.2 * sizes[0]
