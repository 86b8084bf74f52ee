"""Weights are rounded once, to a grid on which no sum depends on its order."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import weights as twin
from oracle.cases import FEW
from oracle.problem import Problem
from oracle.row_sampling import Draw, drawn_rows
from rarewood import _core
from support.draw import examples, problems
from support.grown import assert_same_tree, grow_forest, row_sampling

WEIGHTS = st.one_of(
    st.floats(1e-3, 1e3),
    st.floats(5e-324, 1.7e308),
    st.integers(1, 10**6).map(float),
    st.sampled_from([0.1, 1 / 3, 1e-12, 5e-324, 1.7e308]),
)
DRAWS = st.builds(
    Draw,
    replace=st.booleans(),
    balance=st.booleans(),
    n_drawn=st.integers(0, 50),
    step=st.integers(0, 3),
)


def rounded(weights: np.ndarray, draw: Draw, y: np.ndarray) -> np.ndarray:
    totals = np.bincount(y, minlength=3).astype(np.int64)
    return _core.round_weights(
        weights, _core.weight_sizes(weights), row_sampling(draw, y, len(totals)), totals
    )


@st.composite
def weighted(draw):
    weights = np.array(draw(st.lists(WEIGHTS, min_size=1, max_size=30)))
    y = draw(st.lists(st.integers(0, 2), min_size=len(weights), max_size=len(weights)))
    return weights, np.array(y, dtype=np.int32)


@examples(300)
@given(table=weighted(), draw=DRAWS)
def test_the_grid_is_that_of_whole_numbers_and_fractions(table, draw):
    weights, y = table
    totals = np.bincount(y, minlength=3).tolist()
    if twin.may_be_infinite(weights.tolist(), draw, totals):
        with pytest.raises(ValueError, match="sample_weight is too large"):
            rounded(weights, draw, y)
        return
    want = twin.rounded(weights.tolist(), draw, totals)
    assert [Fraction(w) for w in rounded(weights, draw, y).tolist()] == want


@examples(200)
@given(table=weighted(), draw=DRAWS, seed=st.integers(0, 100))
def test_all_sums_are_exact(table, draw, seed):
    weights, y = table
    if twin.may_be_infinite(weights.tolist(), draw, np.bincount(y, minlength=3).tolist()):
        return
    ours = rounded(weights, draw, y)
    drawn = ours[drawn_rows(draw, y, seed, 0)]
    total = sum((Fraction(w) for w in drawn.tolist()), Fraction(0))
    if total > Fraction(1.7e308):
        return  # beyond what a double can hold, as before
    for order in (drawn, drawn[::-1], np.sort(drawn)):
        assert Fraction(float(np.cumsum(order)[-1])) == total


@examples(200)
@given(table=weighted())
def test_sizes_of_parts_add_up(table):
    weights, _ = table
    parts = [_core.weight_sizes(part) for part in np.array_split(weights, 3)]
    np.testing.assert_array_equal(sum(parts), _core.weight_sizes(weights))


@examples(100)
@given(weights=st.lists(st.integers(1, 2**20), min_size=1, max_size=50), draw=DRAWS)
def test_whole_weights_stay(weights, draw):
    weights = np.array(weights, dtype=np.float64)
    y = np.zeros(len(weights), dtype=np.int32)
    np.testing.assert_array_equal(rounded(weights, draw, y), weights)


def test_weights_are_hardly_changed():
    """A million of usual weights: the last bits."""
    rng = np.random.default_rng(0)
    weights = rng.uniform(0.1, 10, 1_000_000)
    y = rng.integers(0, 3, len(weights), dtype=np.int32)
    for draw, most in ((Draw(), 1e-8), (Draw(replace=True), 1e-6)):
        np.testing.assert_allclose(rounded(weights, draw, y), weights, rtol=most)


@pytest.mark.parametrize("bad", [0.0, -1.0, np.inf, np.nan])
def test_what_is_not_a_weight_is_refused(bad):
    with pytest.raises(ValueError, match="positive and finite"):
        _core.weight_sizes(np.array([1.0, bad]))


def test_sizes_must_be_sizes():
    sizes = _core.weight_sizes(np.ones(3))
    for bad in (sizes[1:], -sizes):
        with pytest.raises(ValueError, match="weight_sizes"):
            _core.round_weights(np.ones(3), bad, _core.RowSampling(), np.array([3]))


@examples(60)
@given(
    problem=problems(rows=(2, 40), categorical=True, missing=True, weighted=True),
    balance=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_the_order_of_rows_does_not_matter(problem, balance, seed):
    """To the last bit of all weights."""
    order = np.random.default_rng(seed).permutation(problem.n_rows)
    turned = Problem.of(
        problem.X[order],
        problem.y[order],
        problem.n_classes,
        problem.n_categories,
        problem.weights[order],
    )
    for case in FEW:
        (one,) = grow_forest(problem, case, 1, balance_weights=balance)
        (other,) = grow_forest(turned, case, 1, balance_weights=balance)
        assert_same_tree(one, other)
