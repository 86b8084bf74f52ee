"""Which rows a tree of a forest draws: as the twin does, within bounds, and evenly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from oracle import random
from oracle.row_sampling import BLOCK, Draw, drawn_rows
from rarewood import _core
from support.draw import examples
from support.grown import row_sampling

SEEDS = st.sampled_from([0, 1, 2**32, 2**63, 2**64 - 1]) | st.integers(0, 2**64 - 1)
TREES = st.integers(0, 100) | st.sampled_from([2**32, 2**63])
DRAWS = st.builds(
    Draw,
    replace=st.booleans(),
    balance=st.booleans(),
    n_drawn=st.integers(0, 30),
    step=st.integers(0, 3),
)
LABELS = st.lists(st.integers(0, 4), min_size=1, max_size=30)


def copies(draw: Draw, y, n_classes: int, seed: int, tree: int) -> np.ndarray:
    y = np.asarray(y, dtype=np.int32)
    return row_sampling(draw, y, n_classes).copies(y, n_classes, seed, tree)


def test_the_mixer_is_that_of_splitmix64():
    """Its first numbers for seed 1234567, as its authors publish them."""
    state, numbers = 1234567, []
    for _ in range(3):
        state = (state + random.STEP) & random.MASK
        numbers.append(random.mix64(state))
    assert numbers == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(seed=SEEDS, tree=TREES)
def test_the_number_of_a_tree(seed, tree):
    value = _core.uniform(seed, tree)
    assert value == random.uniform(seed, tree)
    assert 0 <= value < 1


def test_the_numbers_of_trees_are_uniform():
    values = [_core.uniform(seed, tree) for seed in range(30) for tree in range(50)]
    assert stats.kstest(values, "uniform").pvalue > 1e-3


@examples(200)
@given(draw=DRAWS, y=LABELS, seed=SEEDS, tree=TREES)
def test_the_twin_draws_the_same(draw, y, seed, tree):
    want = np.bincount(drawn_rows(draw, y, seed, tree), minlength=len(y))
    assert copies(draw, y, 5, seed, tree).tolist() == want.tolist()


@pytest.mark.parametrize("n_rows", [BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK - 1])
@pytest.mark.parametrize("draw", [Draw(replace=True), Draw(replace=True, n_drawn=900)], ids=str)
def test_the_twin_draws_the_same_from_many_rows(draw, n_rows):
    want = np.bincount(drawn_rows(draw, [0] * n_rows, 3, n_rows), minlength=n_rows)
    found = copies(draw, [0] * n_rows, 1, 3, n_rows)
    assert found.sum() == (draw.n_drawn or n_rows)
    assert np.array_equal(found, want)


def test_the_twin_draws_the_same_from_many_rows_of_each_class():
    y = np.arange(3 * BLOCK) % 2
    for step in (0, 90_000):
        draw = Draw(replace=True, balance=True, n_drawn=2000, step=step)
        want = np.bincount(drawn_rows(draw, y, 8, 1), minlength=len(y))
        assert np.array_equal(copies(draw, y, 2, 8, 1), want)


def test_many_rows_are_drawn_evenly():
    """Blocks get as many draws as a multinomial number says, and so do rows."""
    n_rows, n_trees = 5 * BLOCK // 2, 200
    found = [copies(Draw(replace=True), [0] * n_rows, 1, 1, tree) for tree in range(n_trees)]
    of_blocks = np.array([np.add.reduceat(one, np.arange(0, n_rows, BLOCK // 4)) for one in found])
    expected = BLOCK // 4
    # Ten blocks: each sum of squares is a chi-square number of nine degrees of freedom.
    statistics = ((of_blocks - expected) ** 2 / expected).sum(axis=1)
    assert stats.kstest(statistics, stats.chi2(of_blocks.shape[1] - 1).cdf).pvalue > 1e-3
    times = np.bincount(np.concatenate(found), minlength=8)[:8]
    poisson = stats.poisson(1).pmf(np.arange(8)) * n_rows * n_trees
    assert np.abs(times / poisson - 1).max() < 0.05


@examples(100)
@given(draw=DRAWS, y=LABELS, seed=SEEDS, tree=TREES)
def test_totals(draw, y, seed, tree):
    found, y = copies(draw, y, 5, seed, tree), np.array(y)
    size = np.bincount(y, minlength=5)
    drawn = np.bincount(y, found, minlength=5)
    if not draw.is_random:
        assert (found == 1).all()
    if not draw.replace:
        assert found.max() <= 1
    if draw.balance:
        n = draw.n_drawn or size[size > 0].min()
        want = np.where(size > 0, n + draw.step * np.arange(5), 0)
    else:
        want = draw.n_drawn or len(y)
    if not draw.replace:
        want = np.minimum(want, size if draw.balance else len(y))
    assert np.array_equal(drawn if draw.balance else drawn.sum(), want)


@examples(50)
@given(draw=DRAWS, y=LABELS, seed=SEEDS)
def test_classes_that_are_absent_change_nothing(draw, y, seed):
    few, many = (copies(draw, y, k, seed, 1).tolist() for k in (5, 50))
    assert few == many


@pytest.mark.parametrize(
    "draw",
    [
        Draw(replace=True),
        Draw(replace=True, n_drawn=7),
        Draw(n_drawn=7),
        Draw(replace=True, balance=True),
        Draw(balance=True),
        Draw(balance=True, n_drawn=3),
        Draw(balance=True, n_drawn=2, step=1),
        Draw(replace=True, balance=True, n_drawn=2, step=9),
    ],
    ids=str,
)
def test_every_row_of_a_class_is_drawn_as_often(draw):
    y = np.repeat([0, 1, 2], [12, 8, 5])
    total = sum(copies(draw, y, 3, seed=11, tree=t).astype(int) for t in range(600))
    for c in range(3) if draw.balance else [slice(None)]:
        own = total[y == c] if draw.balance else total
        if draw.balance and not draw.replace and own.min() == 600:
            continue  # the smallest class is drawn as a whole
        # Without replacement the counts vary less than a chi-square says.
        assert stats.chisquare(own).pvalue > 1e-3


def test_pairs_of_rows_are_drawn_without_regard_to_each_other():
    """Out of 6 rows 3 without replacement: each of the 20 sets comes up as often."""
    sets = [tuple(copies(Draw(n_drawn=3), [0] * 6, 1, 5, t).tolist()) for t in range(2000)]
    _, times = np.unique(sets, axis=0, return_counts=True)
    assert len(times) == 20
    assert stats.chisquare(times).pvalue > 1e-3


def test_trees_and_seeds_draw_different_rows():
    draw = Draw(replace=True)
    found = {tuple(copies(draw, [0] * 40, 1, s, t).tolist()) for s in range(10) for t in range(10)}
    assert len(found) == 100


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"total": -1}, "at least 0"),
        ({"per_class": [3, -1]}, "at least 0"),
        ({"total": 2**40}, "below 2"),
        ({"per_class": [0, 0]}, "above 0"),
        ({"total": 3, "per_class": [1, 1]}, "not both"),
        ({"with_replacement": True}, "set total or per_class"),
    ],
)
def test_bad_amounts(bad, message):
    with pytest.raises(ValueError, match=message):
        _core.RowSampling(**bad)


def test_amounts_for_other_classes():
    sampling = _core.RowSampling(per_class=[1, 2])
    with pytest.raises(ValueError, match="one amount for each of 3 classes; got 2"):
        sampling.copies(np.array([0, 1, 2], dtype=np.int32), 3, 0, 0)


def test_a_draw_from_absent_classes_only():
    columns = _core.Columns(np.zeros((3, 1)), np.zeros(1, dtype=np.int64))
    with pytest.raises(ValueError, match="at least one row"):
        _core.grow_forest(
            columns,
            np.zeros(3, dtype=np.int32),
            2,
            None,
            [_core.Criterion("gini")],
            _core.GrowOptions(),
            _core.RowSampling(per_class=[0, 4]),
            n_trees=1,
        )


@pytest.mark.parametrize("y", [[0, 2], [-1, 0]])
def test_classes_out_of_range(y):
    with pytest.raises(ValueError, match="classes must be numbers"):
        _core.RowSampling(per_class=[1, 1]).copies(np.array(y, dtype=np.int32), 2, 0, 0)
