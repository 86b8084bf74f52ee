"""Sums of weights are those of exact arithmetic, whatever the order and the parts."""

from __future__ import annotations

from fractions import Fraction
from math import fsum

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rarewood.table._exact_sum import exact_totals, group_counts

WEIGHTS = st.floats(0, 1e300) | st.sampled_from([5e-324, 2.2e-308, 0.1, 1.0, 1e16, 1.7e308])
ROWS = st.lists(st.tuples(WEIGHTS, st.integers(0, 3)), max_size=50)


def totals(rows):
    weights = np.array([weight for weight, _ in rows], dtype=np.float64)
    codes = np.array([code for _, code in rows], dtype=np.int32)
    return exact_totals(weights, codes, 4)


def rounded(weights) -> float:
    """The sum, rounded once."""
    whole = sum(map(Fraction, weights), Fraction(0))
    try:
        return float(whole)
    except OverflowError:
        return float("inf")


@given(ROWS)
def test_each_total_is_rounded_once(rows):
    expected = [rounded(w for w, code in rows if code == group) for group in range(4)]
    found = totals(rows)
    assert found.values.tolist() == expected
    assert found.total == rounded(w for w, _ in rows)
    if np.isfinite(expected).all() and np.isfinite(found.total):
        assert found.total == fsum(w for w, _ in rows)


@given(ROWS, st.integers(0, 50), st.randoms(use_true_random=False))
def test_any_order_and_any_parts(rows, cut, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    merged = totals(shuffled[:cut]).merge(totals(shuffled[cut:]))
    assert merged == totals(rows)
    numbers = [2, 0, 3, 1]
    moved = totals([(weight, numbers[code]) for weight, code in rows])
    assert totals(rows).renumbered(numbers, 4) == moved


@given(st.lists(st.integers(0, 3), max_size=50))
def test_without_weights_rows_are_counted(codes):
    codes = np.array(codes, dtype=np.int32)
    assert exact_totals(None, codes, 4) == exact_totals(np.ones(len(codes)), codes, 4)


def test_a_table_of_many_rows():
    random = np.random.default_rng(0)
    weights, codes = random.random(300_000), random.integers(0, 5, 300_000).astype(np.int32)
    expected = [fsum(weights[codes == group]) for group in range(5)]
    assert exact_totals(weights, codes, 5).values.tolist() == expected


@given(st.integers(0, 200_000), st.integers(1, 5), st.integers(0, 9))
def test_counts_of_groups(n_rows, n_groups, seed):
    codes = np.random.default_rng(seed).integers(0, n_groups, n_rows).astype(np.int32)
    counts = [int((codes == group).sum()) for group in range(n_groups)]
    assert group_counts(codes, n_groups).tolist() == counts
    assert exact_totals(None, codes, n_groups).values.tolist() == counts
