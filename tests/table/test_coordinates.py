"""Bins with coordinates, chosen from a sample in which every class weighs the same."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import bins as oracle
from rarewood import _core
from support.draw import examples, problems

NUMERIC = np.zeros(1, dtype=np.int64)


def chosen(
    X: np.ndarray, y: np.ndarray, n_categories: np.ndarray, max_bins: int, bounds: list[int]
) -> _core.Bins:
    """Bins from statistics of some parts, sent about as bytes and merged from the last on."""
    counts = np.bincount(y).astype(np.int64)
    merged = None
    for begin, end in reversed(list(zip([0, *bounds], [*bounds, len(y)], strict=True))):
        part = _core.BinStatistics(len(y), n_categories, max_bins, X.dtype == np.float32, counts)
        before = np.bincount(y[:begin], minlength=len(counts))
        part.add(begin, X[begin:end], 2, y[begin:end], before)
        part = pickle.loads(pickle.dumps(part))
        if merged is not None:
            merged.merge(part)
        else:
            merged = part
    return merged.finish()


@examples(150)
@given(
    data=st.data(),
    problem=problems(rows=(1, 40), features=(1, 3), categorical=True, missing=True),
    max_bins=st.sampled_from([2, 3, 17, 254, 255]),
)
def test_small_tables_in_any_parts(data, problem, max_bins):
    bounds = sorted(data.draw(st.lists(st.integers(0, problem.n_rows), max_size=4)))
    bins = chosen(problem.X, problem.y, problem.n_categories, max_bins, bounds)
    snapped = bins.snap(problem.X, 2)
    codes = np.empty(problem.X.shape, dtype=np.uint8)
    bins.encode_rows_into(problem.X, codes)
    for f, n_categories in enumerate(problem.n_categories):
        column = problem.X[:, f]
        if n_categories:
            np.testing.assert_array_equal(snapped[:, f], column)
            assert not bins.coordinates[f].size
            continue
        cuts, coordinates = oracle.with_coordinates(column, problem.y, max_bins)
        assert bins.edges[f].tolist() == cuts
        assert bins.coordinates[f].tolist() == coordinates
        assert codes[:, f].tolist() == oracle.codes(column, cuts)
        of_code = np.array([*coordinates, *[np.nan] * (256 - len(coordinates))])
        np.testing.assert_array_equal(snapped[:, f], of_code[codes[:, f]])
        if len(np.unique(column[~np.isnan(column)])) <= max_bins:
            np.testing.assert_array_equal(snapped[:, f], column)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("counts", [(39_000, 1_000), (30_000, 9_990, 10), (40_000,), (20_000,) * 2])
def test_tall_tables(counts, dtype):
    """Classes of which a part is drawn, and classes that are taken several times."""
    rng = np.random.default_rng(3)
    y = rng.permutation(np.repeat(np.arange(len(counts), dtype=np.int32), counts))
    x = rng.normal(size=len(y)) + 3 * y
    X = np.stack([x, np.exp(3 * x), np.where(x < 0, 0, x), rng.integers(0, 300, len(y))], axis=1)
    X[rng.random(X.shape) < 0.02] = np.nan
    X = X.astype(dtype)
    kinds = np.zeros(4, dtype=np.int64)
    bins = chosen(X, y, kinds, 255, [7, 25_000])
    assert pickle.dumps(bins.state()) == pickle.dumps(chosen(X, y, kinds, 255, []).state())
    assert bins.is_float32 == (dtype == np.float32)
    for f in range(4):
        cuts, coordinates = oracle.with_coordinates(X[:, f], y, 255)
        assert bins.edges[f].tolist() == cuts
        assert bins.coordinates[f].tolist() == coordinates


def test_a_rare_tail_has_bins():
    rng = np.random.default_rng(0)
    y = (np.arange(100_000) % 200 == 0).astype(np.int32)
    x = rng.normal(size=(len(y), 1)) + 4 * y[:, np.newaxis]
    is_rare = y == 1
    bins = chosen(x, y, NUMERIC, 255, [])
    plain = _core.BinStatistics(len(y), NUMERIC, 255)
    plain.add(0, x)
    n_bins = [len(np.unique(one.encode(x[is_rare])[0])) for one in (bins, plain.finish())]
    assert n_bins[0] > 4 * n_bins[1]


@pytest.mark.parametrize(
    ("y", "before", "message"),
    [
        ([0, 0, 1], None, "need the class of each row"),
        (None, [0, 0], "need the class of each row"),
        ([0, 1], [0, 0], "need the class of each row"),
        ([0, 1, 2], [0, 0], "numbers 0"),
        ([0, -1, 1], [0, 0], "numbers 0"),
        ([1, 1, 1], [0, 0], "class 1 has 2 rows"),
        ([0, 0, 1], [1, 0], "there are 0 rows before these"),
        ([0, 0, 1], [1, -1], "out of range"),
    ],
)
def test_bad_classes(y, before, message):
    statistics = _core.BinStatistics(5, NUMERIC, 16, class_counts=np.array([3, 2]))
    y = None if y is None else np.array(y, dtype=np.int32)
    before = None if before is None else np.array(before)
    with pytest.raises(ValueError, match=message):
        statistics.add(0, np.zeros((3, 1)), 1, y, before)
    assert statistics.n_rows_seen == 0


def test_bad_counts():
    for counts in ([3, 1], [6, -1], [3, 3], [5, 1]):
        with pytest.raises(ValueError, match="class_counts"):
            _core.BinStatistics(5, NUMERIC, 16, class_counts=np.array(counts))
    plain = _core.BinStatistics(5, NUMERIC, 16)
    with pytest.raises(ValueError, match="have no classes"):
        plain.add(0, np.zeros((1, 1)), 1, np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.int64))
