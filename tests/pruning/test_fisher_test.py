"""Fisher's exact test against SciPy, against whole numbers, and against many digits."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from rarewood.pruning import fisher_p_value
from support.draw import examples

mpmath.mp.dps = 50
# by_digits(5 * 10**8, 5 * 10**8, 499_990_000, 500_010_000), a sum of 200,000 terms
EXACT = 0.32737656659061550


def by_counting(a, b, c, d):
    """Count the tables that are at least as extreme, in whole numbers."""
    ways = sum(comb(a + b, x) * comb(c + d, a + c - x) for x in range(a, min(a + b, a + c) + 1))
    return Fraction(ways, comb(a + b + c + d, a + c))


def by_digits(a, b, c, d):
    """Sum the smaller tail with 50 digits, each term from the one before it."""
    if a * (a + b + c + d) < (a + b) * (a + c):
        return 1 - by_digits(b + 1, a - 1, d - 1, c + 1) if min(a, d) else mpmath.mpf(1)

    def log(n):
        return mpmath.loggamma(n + 1)

    margins = log(a + b) + log(c + d) + log(a + c) + log(b + d) - log(a + b + c + d)
    term = total = mpmath.exp(margins - log(a) - log(b) - log(c) - log(d))
    while b and c and term > total * mpmath.mpf(10) ** -20:
        term *= mpmath.mpf(b * c) / ((a + 1) * (d + 1))
        a, b, c, d = a + 1, b - 1, c - 1, d + 1
        total += term
    return total


cells = st.integers(0, 40)


@given(cells, cells, cells, cells)
def test_small_tables_by_counting(a, b, c, d):
    assert fisher_p_value(a, b, c, d) == pytest.approx(float(by_counting(a, b, c, d)), rel=1e-12)


wide = st.integers(0, 6).flatmap(lambda digits: st.integers(0, 10**digits))


@given(wide, wide, wide, wide)
def test_like_scipy(a, b, c, d):
    expected = fisher_exact([[a, b], [c, d]], alternative="greater").pvalue
    if expected > 1e-300:
        assert fisher_p_value(a, b, c, d) == pytest.approx(expected, rel=1e-9)


@examples(40)
@given(
    st.integers(3, 9).flatmap(lambda digits: st.integers(10**digits // 2, 10**digits)),
    st.floats(0.0001, 0.9999),
    st.floats(0.0001, 0.9999),
    st.floats(-4, 36),
)
def test_large_tables_by_digits(n, share_of_class, share_covered, deviations):
    of_class, covered = int(n * share_of_class), int(n * share_covered)
    spread = (
        n * share_of_class * (1 - share_of_class) * share_covered * (1 - share_covered)
    ) ** 0.5
    a = int(of_class * covered / n + deviations * spread)
    a = min(max(a, of_class + covered - n, 0), of_class, covered)
    table = (a, of_class - a, covered - a, n - of_class - covered + a)
    expected = by_digits(*table)
    if expected > mpmath.mpf(10) ** -300:
        assert abs(fisher_p_value(*table) / expected - 1) < 1e-9


@pytest.mark.parametrize(
    ("table", "p_value"),
    [
        ((3, 1, 1, 3), 17 / 70),  # the lady tasting tea
        ((4, 0, 0, 4), 1 / 70),
        ((0, 0, 0, 0), 1.0),
        ((0, 5, 5, 90), 1.0),
        ((5, 0, 0, 0), 1.0),
        ((1, 0, 0, 10**9), 1 / (10**9 + 1)),
    ],
)
def test_by_hand(table, p_value):
    assert fisher_p_value(*table) == pytest.approx(p_value, rel=1e-12)


def test_a_billion_rows_near_the_mean():
    # SciPy's logarithms of factorials are off by 2e-7 here.
    table = (5 * 10**8, 5 * 10**8, 499_990_000, 500_010_000)
    assert fisher_p_value(*table) == pytest.approx(EXACT, rel=1e-9)


@given(wide, wide, wide, wide)
def test_either_way_of_looking_at_a_table(a, b, c, d):
    # Rule and class may change places; so may "covered" with "not covered", if both classes do.
    p = fisher_p_value(a, b, c, d)
    assert fisher_p_value(a, c, b, d) == pytest.approx(p, rel=1e-9)
    assert fisher_p_value(d, c, b, a) == pytest.approx(p, rel=1e-9)
    assert 0 <= p <= 1


def test_many_tables_at_once():
    rng = np.random.default_rng(0)
    a, b, c, d = rng.integers(0, 100, size=(4, 5, 3))
    got = fisher_p_value(a, b, c, d)
    assert got.shape == (5, 3)
    assert got[4, 2] == fisher_p_value(a[4, 2], b[4, 2], c[4, 2], d[4, 2])
    assert fisher_p_value(3, [1, 2], 1, 3).shape == (2,)


@pytest.mark.parametrize("bad", [-1, 1.5, "3", float("nan"), 2**60])
def test_counts_must_be_counts(bad):
    with pytest.raises(ValueError, match=r"integers|negative"):
        fisher_p_value(bad, 1, 1, 1)
