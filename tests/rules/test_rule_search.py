"""The search for rules on items, against its slow twin."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.rules import Twin
from rarewood import _core


@st.composite
def item_tables(draw):
    """Items of rows, some missing, and a class that depends on a few of them."""
    n, n_features = draw(st.integers(1, 60)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    codes = rng.integers(0, 3, (n, n_features))
    is_class = rng.random(n) < draw(st.sampled_from([0.05, 0.3, 0.6]))
    depends = draw(st.integers(0, n_features))
    is_class |= (codes[:, :depends] == 0).all(axis=1) & (depends > 0)
    items = codes + 3 * np.arange(n_features)
    items[rng.random(items.shape) < draw(st.sampled_from([0, 0.2]))] = -1
    return items.astype(np.int32), is_class


def run(items, is_class, step=10**9, **options):
    options = {"alpha": 0.05, "max_length": 3, "max_rules": 10**6, **options}
    feature_of_item = np.repeat(np.arange(items.shape[1], dtype=np.int32), 3)
    search = _core.RuleSearch(items, feature_of_item, is_class, **options)
    while not search.advance(step):
        pass
    return search, search.take_rules()


def as_dict(found):
    lists = np.split(found["items"], found["begin"][1:-1])
    counts = zip(found["a"].tolist(), found["c"].tolist(), strict=True)
    # Without rules, `lists` is one empty list.
    return {frozenset(own.tolist()): pair for own, pair in zip(lists, counts, strict=False)}


# No level is a fraction that a p-value of a small table can be, such as 1 / 20.
@given(item_tables(), st.sampled_from([0.0011, 0.051, 0.31, 1.0]), st.integers(1, 4), st.booleans())
def test_the_rules_of_the_twin(table, alpha, max_length, redundant):
    items, is_class = table
    _, found = run(items, is_class, alpha=alpha, max_length=max_length, redundant=redundant)
    twin = Twin(items.tolist(), is_class.tolist(), redundant)
    assert as_dict(found) == twin.rules(alpha, max_length)
    for rule, log_p in zip(as_dict(found), found["log_p"], strict=True):
        assert log_p == pytest.approx(math.log(twin.p(rule)), abs=1e-9)


@given(item_tables(), st.integers(1, 5))
def test_the_result_does_not_depend_on_the_size_of_steps(table, step):
    whole, in_steps = run(*table)[1], run(*table, step=step)[1]
    for name in whole:
        np.testing.assert_array_equal(whole[name], in_steps[name])


@given(item_tables())
def test_the_order_of_rows_has_no_effect(table):
    items, is_class = table
    order = np.random.default_rng(0).permutation(len(items))
    one, other = run(items, is_class)[1], run(items[order], is_class[order])[1]
    for name in one:
        np.testing.assert_array_equal(one[name], other[name])


@given(item_tables(), st.integers(1, 4))
def test_a_bound_on_the_number_keeps_the_most_significant(table, most):
    search, found = run(*table, alpha=0.5)
    limited, fewer = run(*table, alpha=0.5, max_rules=most)
    assert not search.is_cut
    assert len(fewer["a"]) <= most
    assert (np.diff(found["log_p"]) >= 0).all()
    if not limited.is_cut:
        assert as_dict(fewer) == as_dict(found)
    single = run(*table, alpha=0.5, max_length=1)[1]
    limited_single = run(*table, alpha=0.5, max_length=1, max_rules=most)[1]
    assert limited_single["log_p"].tolist() == single["log_p"].tolist()[:most]


def test_p_values_below_the_smallest_float_still_improve():
    # Two items that together hold exactly in the class: both p-values would round to zero.
    n = 6000
    is_class = np.arange(n) < n // 2
    items = np.zeros((n, 2), dtype=np.int32) + np.array([1, 4], dtype=np.int32)
    items[: n // 2] = [0, 3]
    items[n // 2 : n // 2 + 100, 0] = 0
    items[-100:, 1] = 3
    _, found = run(items, is_class)
    rules = as_dict(found)
    assert rules[frozenset([0, 3])] == (3000, 0)
    assert found["log_p"][0] < -1000
    exact = -mpmath.log(mpmath.binomial(6000, 3000))  # no other table is as extreme
    assert found["log_p"][0] == pytest.approx(float(exact), rel=1e-12)


def test_bad_items_are_refused():
    feature_of_item = np.zeros(3, dtype=np.int32)
    options = {"alpha": 0.05, "max_length": 2, "max_rules": 5}
    bad = np.array([[7]], dtype=np.int32)
    with pytest.raises(ValueError, match="items of their feature"):
        _core.RuleSearch(bad, feature_of_item, np.array([True]), **options)
    with pytest.raises(ValueError, match="as many rows"):
        _core.RuleSearch(bad, feature_of_item, np.array([True, False]), **options)
    with pytest.raises(ValueError, match="alpha"):
        _core.RuleSearch(bad * 0, feature_of_item, np.array([True]), **{**options, "alpha": 0.0})
    with pytest.raises(ValueError, match="at least 1"):
        _core.RuleSearch(bad * 0, feature_of_item, np.array([True]), **{**options, "max_rules": 0})
