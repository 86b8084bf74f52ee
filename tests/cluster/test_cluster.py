"""Shards and coordinators are told nonsense: they say so and go on."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.cases import Case
from oracle.row_sampling import Draw
from rarewood import _core
from support.cluster import Coded, RowCoded, combine, coordinate
from support.draw import examples
from support.grown import assert_same_tree, grow_forest
from support.medium import medium_problem

CASE = Case("gini")
RNG = np.random.default_rng(0)


@pytest.fixture(scope="module")
def coded():
    return Coded(medium_problem("categorical", 300, 3, weighted=True), 32)


PLANES = {"oblique_dim": 2, "n_cuts": 3, "oblique_draw": "between", "split_samples": 4}
KINDS = st.sampled_from([(Coded, {}), (RowCoded, PLANES)])


def rounds(coded: Coded, options=None, **cluster):
    """All requests of a forest, and all responses to them."""
    coordinator = coded.coordinator(
        CASE, 2, Draw(replace=True), cluster=cluster, balance_weights=True, **(options or {})
    )
    shards = coded.shards([coded.problem.n_rows // 3])
    requests, responses = [], []
    while (request := coordinator.request()) is not None:
        responses.append([shard.respond(request) for shard in shards])
        requests.append(request)
        coordinator.receive(combine(responses[-1], RNG))
    return requests, responses


@st.composite
def damaged(draw, message: bytes) -> bytes:
    """Bytes changed, left out, added or cut off."""
    data = bytearray(message)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(len(data) - 1, 0)))
        kind = draw(st.sampled_from(["change", "drop", "insert", "cut"]))
        if kind == "change" and data:
            data[at] = draw(st.integers(0, 255))
        elif kind == "drop":
            del data[at : at + draw(st.integers(1, 4))]
        elif kind == "insert":
            data[at:at] = draw(st.binary(min_size=1, max_size=9))
        elif kind == "cut":
            del data[at:]
    return bytes(data)


@examples(300)
@given(data=st.data())
def test_damaged_requests(data):
    kind, options = data.draw(KINDS)
    coded = kind(medium_problem("categorical", 60, 2, weighted=True), 8)
    requests, _ = rounds(coded, options, gather_bytes=data.draw(st.sampled_from([0, 300])))
    shard = coded.shard(0, 60)
    n_sound = data.draw(st.integers(0, len(requests) - 1))
    for request in requests[:n_sound]:
        shard.respond(request)
    bad = data.draw(damaged(requests[n_sound]))
    with suppress(ValueError):
        shard.respond(bad)


@examples(300)
@given(data=st.data())
def test_damaged_answers(data):
    kind, options = data.draw(KINDS)
    coded = kind(medium_problem("categorical", 60, 2, weighted=True), 8)
    cluster = {"gather_bytes": data.draw(st.sampled_from([0, 300]))}
    coordinator = coded.coordinator(CASE, 2, cluster=cluster, **options)
    shards = coded.shards([20])
    for _ in range(data.draw(st.integers(0, 3))):
        request = coordinator.request()
        if request is None:
            return
        coordinator.receive(combine([shard.respond(request) for shard in shards], RNG))
    request = coordinator.request()
    if request is None:
        return
    responses = [shard.respond(request) for shard in shards]
    whole = _core.combine_responses(*responses)
    bad = data.draw(damaged(data.draw(st.sampled_from([whole, responses[0]]))))
    try:
        coordinator.receive(_core.combine_responses(bad, responses[1]))
    except ValueError:
        pass
    else:
        return
    try:
        coordinator.receive(bad)
    except ValueError:
        assert coordinator.request() == request
        coordinator.receive(whole)


def test_a_refused_answer_changes_nothing(coded):
    coordinator = coded.coordinator(CASE, 2, Draw(replace=True))
    shards = coded.shards([100])
    while (request := coordinator.request()) is not None:
        responses = [shard.respond(request) for shard in shards]
        with pytest.raises(ValueError, match="message"):
            coordinator.receive(b"nonsense")
        assert coordinator.request() == request
        coordinator.receive(combine(responses, RNG))
    want = grow_forest(coded.problem, CASE, 2, Draw(replace=True), columns=coded.whole)
    for tree, whole in zip(coordinator.trees(), want, strict=True):
        assert_same_tree(tree, whole)


def test_rounds_out_of_order(coded):
    requests, responses = rounds(coded, gather_bytes=0)
    shard = coded.shard(0, 100)
    shard.respond(requests[0])
    with pytest.raises(ValueError, match="order"):
        shard.respond(requests[2])
    with pytest.raises(ValueError, match="replay"):
        coded.shard(0, 100).respond(requests[3])
    with pytest.raises(ValueError, match="same request"):
        _core.combine_responses(responses[0][0], responses[1][1])
    coordinator = coded.coordinator(CASE)
    with pytest.raises(ValueError, match="no request"):
        coordinator.receive(responses[0][0])
    with pytest.raises(ValueError, match="not grown yet"):
        coordinator.trees()


def test_a_shard_that_is_left_out_is_noticed(coded):
    coordinator = coded.coordinator(CASE)
    one, other = coded.shards([100])
    request = coordinator.request()
    with pytest.raises(ValueError, match="class_totals"):
        coordinator.receive(one.respond(request))
    coordinator.receive(_core.combine_responses(one.respond(request), other.respond(request)))
    request = coordinator.request()
    with pytest.raises(ValueError, match="shards"):
        coordinator.receive(one.respond(request))


def test_a_shard_serves_one_coordinator_after_the_other(coded):
    shards = coded.shards([50, 200])
    first = coordinate(coded.coordinator(CASE), shards)
    again = coordinate(coded.coordinator(CASE), shards)
    assert_same_tree(first[0], again[0])


def test_shards_must_fit_the_table(coded):
    with pytest.raises(ValueError, match="class_totals"):
        _core.Shard(
            coded.columns(slice(0, 10)),
            coded.problem.y[:10].copy(),
            coded.problem.n_classes,
            coded.problem.weights[:10].copy(),
            first_row=295,
            class_totals=coded.totals,
            class_firsts=coded.totals * 0,
        )


def test_coordinators_need_bins_or_coordinates(coded):
    planes = {"oblique_dim": 2, "n_cuts": 3, "split_samples": 9}
    with pytest.raises(ValueError, match="from_row_codes"):
        coded.coordinator(CASE, **planes)
    by_row = RowCoded(coded.problem, 32)
    for options in ({**planes, "split_samples": 0}, {**planes, "max_leaf_nodes": 9}):
        with pytest.raises(ValueError, match="split_samples must be at least 1"):
            by_row.coordinator(CASE, **options)
    coded_exactly = _core.Columns(coded.problem.X, coded.problem.n_categories, 0)
    with pytest.raises(ValueError, match="max_bins"):
        _core.Coordinator(
            coded_exactly,
            coded.totals,
            [_core.Criterion("gini")],
            _core.GrowOptions(),
            _core.RowSampling(),
        )
