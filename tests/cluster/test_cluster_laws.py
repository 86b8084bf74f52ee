"""Trees that are grown on shards are those of the whole table, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.cases import EVERY, FEW, Case
from oracle.problem import Limits, Problem
from oracle.row_sampling import BLOCK, Draw
from rarewood import _core
from support.cluster import Coded, combine, coordinate
from support.draw import examples, problems
from support.grown import assert_same_tree, criterion, grow_forest, options_of
from support.medium import medium_problem

HELLINGER = Case("hellinger")
DRAWS = st.builds(
    Draw,
    replace=st.booleans(),
    balance=st.booleans(),
    n_drawn=st.integers(0, 50),
    step=st.integers(0, 3),
)
CLUSTERS = st.fixed_dictionaries(
    {
        "gather_bytes": st.sampled_from([0, 20, 1 << 20]),
        "max_response_bytes": st.sampled_from([1, 2000, 1 << 26]),
        "max_kept_bytes": st.sampled_from([0, 3000, 1 << 29]),
        "trees_at_once": st.integers(0, 3),
    }
)


def check(coded: Coded, shards, cases, n_trees=1, draw=None, limits=None, cluster=None, **options):
    want = grow_forest(
        coded.problem, cases, n_trees, draw, limits, columns=coded.whole, **dict(options)
    )
    coordinator = coded.coordinator(cases, n_trees, draw, limits, cluster, **options)
    trees = coordinate(coordinator, shards)
    assert len(trees) == len(want)
    for ours, whole in zip(trees, want, strict=True):
        assert_same_tree(ours, whole)


@st.composite
def tables(draw, **options):
    problem = draw(problems(rows=(1, 60), **options))
    coded = Coded(problem, draw(st.sampled_from([2, 5, 255])))
    cuts = draw(st.lists(st.integers(0, problem.n_rows), max_size=4))
    return coded, coded.shards(cuts)


@examples(100)
@given(table=tables(), cluster=CLUSTERS)
def test_numeric_tables(table, cluster):
    for case in FEW:
        check(*table, case, cluster=cluster)


@pytest.mark.parametrize("gather_bytes", [0, 1 << 16])
@pytest.mark.parametrize("case", EVERY, ids=str)
def test_every_criterion(case, gather_bytes):
    coded = Coded(medium_problem("continuous", 3000, 3), 64)
    check(coded, coded.shards([700, 2000]), case, cluster={"gather_bytes": gather_bytes})


@pytest.mark.parametrize("balance", [False, True])
def test_draws_from_more_rows_than_are_drawn_together(balance):
    coded = Coded(medium_problem("continuous", 3 * BLOCK - 100, 2), 32)
    draw = Draw(replace=True, balance=balance)
    shards = coded.shards([BLOCK // 2, BLOCK + 5, 2 * BLOCK])
    check(coded, shards, HELLINGER, 2, draw, Limits(max_depth=4))


@examples(60)
@given(table=tables(categorical=True, missing=True), cluster=CLUSTERS, data=st.data())
def test_categorical_and_missing_values(table, cluster, data):
    limits = Limits(
        categorical_split=data.draw(st.sampled_from(["subset", "multiway", "onehot"])),
        min_samples_leaf=data.draw(st.integers(1, 3)),
        max_depth=data.draw(st.integers(0, 3)),
    )
    for case in FEW:
        check(*table, case, limits=limits, cluster=cluster)


@examples(60)
@given(
    table=tables(categorical=True, missing=True, weighted=True),
    cluster=CLUSTERS,
    balance=st.booleans(),
    least=st.sampled_from([0.0, 0.3]),
)
def test_weights(table, cluster, balance, least):
    for case in FEW:
        limits = Limits(min_weight_leaf=least)
        check(*table, case, limits=limits, cluster=cluster, balance_weights=balance)


@examples(100)
@given(
    table=tables(features=(1, 5), categorical=True, missing=True),
    draw=DRAWS,
    cluster=CLUSTERS,
    n_trees=st.integers(1, 5),
    seed=st.integers(0, 2**64 - 1),
    data=st.data(),
)
def test_forests(table, draw, cluster, n_trees, seed, data):
    options = {
        "max_features": data.draw(st.integers(1, table[0].problem.n_features)),
        "n_cuts": data.draw(st.sampled_from([0, 0, 1, 4])),
        "balance_weights": data.draw(st.booleans()),
        "first_tree": data.draw(st.integers(0, 3)),
    }
    cases = data.draw(st.one_of(st.sampled_from(FEW), st.permutations(FEW)))
    if isinstance(cases, list):
        cases = cases[:n_trees] if len(cases) >= n_trees else cases[0]
    check(*table, cases, n_trees, draw, cluster=cluster, seed=seed, **options)


@examples(60)
@given(
    table=tables(features=(1, 5), categorical=True, missing=True, weighted=True),
    draw=DRAWS,
    cluster=CLUSTERS,
    seed=st.integers(0, 1000),
    n_cuts=st.sampled_from([0, 2]),
)
def test_weighted_forests(table, draw, cluster, seed, n_cuts):
    check(*table, HELLINGER, 3, draw, cluster=cluster, seed=seed, max_features=1, n_cuts=n_cuts)


@examples(60)
@given(
    table=tables(categorical=True, missing=True),
    cluster=CLUSTERS,
    n_leaves=st.integers(2, 20),
    split=st.sampled_from(["subset", "multiway"]),
)
def test_best_first(table, cluster, n_leaves, split):
    limits = Limits(categorical_split=split)
    for case in FEW:
        check(*table, case, limits=limits, cluster=cluster, max_leaf_nodes=n_leaves)


@pytest.mark.parametrize("kind", ["missing", "categorical", "mixed", "skewed", "float32", "hard"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"max_features": 2},
        {"max_features": 2, "n_cuts": 3},
        {"max_leaf_nodes": 60},
        {"balance_weights": True},
    ],
    ids=str,
)
def test_medium_tables(kind, options):
    """Large enough for rows that stay, rows that are sent, and several messages."""
    coded = Coded(medium_problem(kind, 4000, 3), 255)
    cluster = {"gather_bytes": 4000, "max_response_bytes": 50_000}
    check(
        coded,
        coded.shards([100, 1500, 1500]),
        HELLINGER,
        4,
        Draw(replace=True),
        cluster=cluster,
        **options,
    )


@pytest.mark.parametrize(
    ("kind", "threshold"), [("fisher", 0.01), ("error", 0.25), ("cost_complexity", 0.001)]
)
def test_pruned_trees(kind, threshold):
    pruning = _core.Pruning(kind, threshold)
    coded = Coded(medium_problem("mixed", 3000, 2), 64)
    want = _core.grow(
        coded.whole,
        coded.problem.y,
        2,
        None,
        criterion(HELLINGER),
        options_of(coded.problem),
        pruning,
    )
    (tree,) = coordinate(coded.coordinator(HELLINGER, pruning=pruning), coded.shards([1000]))
    assert_same_tree(tree, want)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("split", ["subset", "multiway", "onehot"])
def test_many_categories(split, weighted):
    """More than codes can tell."""
    rng = np.random.default_rng(3)
    n = 3000
    X = np.stack([rng.integers(0, 2000, n), rng.integers(0, 300, n), rng.normal(size=n)], axis=1)
    X[rng.random(n) < 0.1, 0] = np.nan
    y = ((np.nan_to_num(X[:, 0]) % 7 < 2) ^ (rng.random(n) < 0.1)).astype(np.int32)
    weights = rng.uniform(0.1, 3, n) if weighted else None
    problem = Problem.of(X, y, 2, [2000, 300, 0], weights)
    coded = Coded(problem, 255)
    limits = Limits(categorical_split=split, max_depth=5)
    for gather_bytes in (0, 2000):
        check(
            coded,
            coded.shards([500, 2500]),
            HELLINGER,
            2,
            Draw(replace=True),
            limits,
            {"gather_bytes": gather_bytes},
        )


# --------------------------------------------------------------------------- rounds


@examples(40)
@given(
    table=tables(features=(1, 4), categorical=True, missing=True, weighted=True),
    draw=DRAWS,
    cluster=CLUSTERS,
    options=st.sampled_from(
        [{}, {"max_features": 1}, {"max_leaf_nodes": 5}, {"balance_weights": True}]
    ),
    seed=st.integers(0, 1000),
)
def test_lost_shards_are_replaced(table, draw, cluster, options, seed):
    """Before any response: the new shard hears the replay, then the request that waits."""
    coded, shards = table
    problem = coded.problem
    want = grow_forest(problem, HELLINGER, 3, draw, columns=coded.whole, **options)
    coordinator = coded.coordinator(HELLINGER, 3, draw, None, cluster, **options)
    rng = np.random.default_rng(seed)
    ends = np.cumsum([0, *(shard.n_rows for shard in shards)])
    while (request := coordinator.request()) is not None:
        responses = []
        for i, shard in enumerate(shards):
            if rng.random() < 0.3:  # dies, before or after it answered
                if rng.random() < 0.5:
                    shard.respond(request)
                shard = shards[i] = coded.shard(int(ends[i]), int(ends[i + 1]))
                shard.respond(coordinator.replay())
            responses.append(shard.respond(request))
            if rng.random() < 0.2:  # its response gets lost
                assert shard.respond(request, 2) == responses[-1]
        coordinator.receive(combine(responses, rng), 2)
    for ours, whole in zip(coordinator.trees(), want, strict=True):
        assert_same_tree(ours, whole)


@examples(30)
@given(
    table=tables(features=(1, 4), categorical=True, missing=True, weighted=True),
    draw=DRAWS,
    seed=st.integers(0, 1000),
)
def test_answers_combine_in_any_order(table, draw, seed):
    coded, shards = table
    coordinator = coded.coordinator(HELLINGER, 2, draw, None, {"gather_bytes": 200})
    rng = np.random.default_rng(seed)
    while (request := coordinator.request()) is not None:
        responses = [shard.respond(request) for shard in shards]
        one, other = combine(responses, rng), combine(responses, rng)
        assert len(one) == len(other)
        coordinator.receive(one)


def test_messages_stay_small():
    """About as large as told, however wide the frontier."""
    coded = Coded(medium_problem("continuous", 20_000, 2), 255)
    shards = coded.shards([10_000])
    sizes = []
    for most in (20_000, 1 << 26):
        coordinator = coded.coordinator(
            HELLINGER, limits=Limits(max_depth=7), cluster={"max_response_bytes": most}
        )
        largest = 0
        while (request := coordinator.request()) is not None:
            response = combine([s.respond(request) for s in shards], np.random.default_rng(0))
            largest = max(largest, len(response))
            coordinator.receive(response)
        sizes.append(largest)
    one_node = 2 * 255 * 2 * coded.problem.n_features
    assert sizes[0] < 20_000 + one_node < sizes[1]


def test_more_rows_than_32_bits_can_count():
    """One shard in place of 2^24 equal ones: counts are as many times as large."""
    times = 2**24
    problem = medium_problem("missing", 2000, 3)
    coded = Coded(problem, 64)
    want = grow_forest(problem, HELLINGER, 1, limits=Limits(max_depth=5), columns=coded.whole)[0]
    own = coded.totals
    coded.totals = own * times
    assert coded.totals.sum() > 2**34
    coordinator = coded.coordinator(
        HELLINGER, limits=Limits(max_depth=5), cluster={"gather_bytes": 0}
    )
    shard = coded.shard(0, problem.n_rows)
    while (request := coordinator.request()) is not None:
        response = shard.respond(request)
        for _ in range(24):
            response = _core.combine_responses(response, response)
        coordinator.receive(response)
    (tree,) = coordinator.trees()
    np.testing.assert_array_equal(tree.counts, want.counts * times)
    for name in ("feature", "threshold", "first_child", "missing_child"):
        np.testing.assert_array_equal(getattr(tree, name), getattr(want, name))


def test_threads_change_nothing():
    """Nodes of so many rows are counted in parts."""
    problem = medium_problem("missing", 300_000, 2)
    coded = Coded(problem, 32)
    limits = Limits(max_depth=4)
    want = grow_forest(problem, HELLINGER, 2, Draw(replace=True), limits, columns=coded.whole)
    coordinator = coded.coordinator(HELLINGER, 2, Draw(replace=True), limits)
    shards = coded.shards([30_000])
    while (request := coordinator.request()) is not None:
        responses = [shard.respond(request, 3) for shard in shards]
        assert responses[1] == shards[1].respond(request, 1)
        coordinator.receive(_core.combine_responses(*responses), 3)
    for ours, whole in zip(coordinator.trees(), want, strict=True):
        assert_same_tree(ours, whole)
