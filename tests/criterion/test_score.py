"""The value of every criterion is its definition, to many digits, at any skew."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import bulk, criteria
from oracle.cases import EVERY, REFERENCES, Case
from rarewood import _core
from support.draw import count_tables, examples
from support.grown import criterion, score

RELATIVE, ABSOLUTE = 1e-9, 1e-12


def assert_is_value(case: Case, table) -> None:
    """The core's value is the definition's: relative to it, and where terms cancel
    relative to the size of the terms."""
    got, want = score(case, table), criteria.value(case, table)
    assert not math.isnan(got)
    if math.isinf(want) or math.isinf(got):
        assert got == want, f"{case} {np.asarray(table).tolist()}"
        return
    allowed = RELATIVE * abs(float(want)) + ABSOLUTE * float(criteria.scale(case, table))
    assert abs(got - float(want)) <= allowed, f"{case} {np.asarray(table).tolist()}: {got} {want}"


def test_every_criterion_of_the_registry_has_an_oracle():
    names = [entry["name"] for entry in _core.criterion_entries()]
    assert set(names) == criteria.NAMES
    assert len(names) == len(set(names))
    assert {case.name for case in EVERY} == criteria.NAMES


def test_every_criterion_has_a_sentence_and_a_reference():
    for entry in _core.criterion_entries():
        assert entry["summary"].endswith("."), entry["name"]
        assert entry["reference"], entry["name"]
        criterion = _core.Criterion(entry["name"])
        assert criterion.name == entry["name"]
        assert criterion.parameters == {p["name"]: p["default"] for p in entry["parameters"]}
        assert all(p["summary"].endswith(".") for p in entry["parameters"])


@examples(200)
@given(table=count_tables())
def test_value_is_the_definition(table):
    for case in EVERY:
        assert_is_value(case, table)


@examples(150)
@given(
    common=st.sampled_from([10**3, 10**6, 10**9, 10**12]),
    rare=st.integers(1, 5),
    left=st.integers(0, 5),
    share=st.sampled_from([0.0, 1e-9, 1e-3, 0.3, 0.5, 1 - 1e-6, 1.0]),
    others=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=2),
)
def test_extreme_skew(common, rare, left, share, others):
    left = min(left, rare)
    left_common = round(share * common)
    first = [left, left_common, *(a for a, _ in others)]
    second = [rare - left, common - left_common, *(b for _, b in others)]
    for case in EVERY:
        assert_is_value(case, [first, second])


@examples(150)
@given(table=count_tables(), alpha=st.floats(1e-3, 2))
def test_any_alpha(table, alpha):
    if 0 < abs(alpha - 1) < 1e-3:
        alpha = 1.0
    for reference in REFERENCES:
        assert_is_value(Case("alpha", alpha, reference), table)


@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize("off", [1e-4, 1e-7, 1e-10, 1e-13])
def test_alpha_tends_to_its_limits(reference, off):
    """Next to 0 and 1 the formula divides a difference by almost nothing."""
    table = [[30, 20, 5], [3, 40, 7], [1, 2, 3]]
    for limit, near in ((0.0, off), (1.0, 1 - off), (1.0, 1 + off)):
        at_limit = score(Case("alpha", limit, reference), table)
        assert score(Case("alpha", near, reference), table) == pytest.approx(
            at_limit, rel=10 * off + 1e-6
        )


@examples(100)
@given(table=count_tables(), data=st.data())
def test_zero_rows_and_columns_change_nothing(table, data):
    v, k = table.shape
    wider = np.insert(table, data.draw(st.integers(0, k)), 0, axis=1)
    taller = np.insert(wider, data.draw(st.integers(0, v)), 0, axis=0)
    for case in EVERY:
        assert score(case, wider) == pytest.approx(score(case, table), rel=1e-14, abs=0), case
        assert score(case, taller) == pytest.approx(score(case, wider), rel=1e-14, abs=0), case


@pytest.mark.parametrize("case", EVERY, ids=str)
@pytest.mark.parametrize("k", [1, 2, 3])
def test_single_class(case, k):
    table = np.zeros((3, k))
    table[:2, k - 1] = [3, 4]
    want = -math.e if case.name == "dcsm" else 0.0
    assert score(case, table) == pytest.approx(want, rel=1e-15, abs=0)


@pytest.mark.parametrize("reference", REFERENCES)
def test_where_alpha_is_infinite(reference):
    """A child without some class at alpha 0; a pure child with the complement at
    alpha >= 1; nowhere else."""
    pure, mixed = [[3, 0], [1, 4]], [[3, 1], [1, 4]]
    for alpha in (0.0, 0.5, 0.999, 1.0, 1.5, 2.0):
        case = Case("alpha", alpha, reference)
        infinite = alpha == 0 or (alpha >= 1 and reference == "complement")
        assert math.isinf(score(case, pure)) == infinite
        assert score(case, pure) > 0
        assert math.isfinite(score(case, mixed))
    some_missing = [[3, 0, 1], [1, 4, 2]]
    assert score(Case("alpha", 0.0, reference), some_missing) == math.inf
    assert math.isfinite(score(Case("alpha", 2.0, reference), some_missing))


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_many_tables_at_once(case):
    rng = np.random.default_rng(3)
    tables = rng.integers(0, 9, size=(200, 3, 4)).astype(np.float64)
    tables[:, 0, 0] += 1
    together = criterion(case).score(tables)
    assert together.shape == (200,)
    assert together.tolist() == [score(case, table) for table in tables]
    np.testing.assert_allclose(
        together, bulk.values(case, tables).astype(float), rtol=1e-9, atol=1e-12
    )


def test_public_score_is_the_cores():
    from rarewood import criteria as public

    table = [[5, 20], [15, 60], [9, 1]]
    for case in EVERY:
        given_as = (
            public.Alpha(case.alpha, reference=case.reference)
            if case.name == "alpha"
            else case.name
        )
        assert public.score(given_as, table) == score(case, table)
