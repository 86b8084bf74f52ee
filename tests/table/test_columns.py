"""Encoded columns: codes follow the values, edges separate them, missing has its own code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from oracle.bins import sample_rows
from oracle.cases import Case
from oracle.problem import Problem
from rarewood import _core
from support.draw import examples, problems
from support.grown import encode, grow
from support.medium import KINDS, medium_problem

BINS = (0, 2, 3, 17, 64, 255)


def check_column(columns, problem, f: int, max_bins: int) -> None:
    x = np.asarray(problem.X[:, f], dtype=np.float64)
    codes, edges = np.asarray(columns.codes(f)), columns.edges(f)
    assert codes.shape == x.shape
    is_missing = np.isnan(x)
    present, seen = x[~is_missing], codes[~is_missing]
    assert not np.isin(codes[is_missing], seen).any(), "missing shares a code with a value"
    assert len(np.unique(codes[is_missing])) <= 1
    if problem.n_categories[f]:
        assert len(np.unique(seen)) == len(np.unique(present))
        np.testing.assert_array_equal(seen, present)
        return
    order = np.argsort(present, kind="stable")
    assert (np.diff(seen[order].astype(np.int64)) >= 0).all(), "codes do not follow the values"
    for value in np.unique(present)[:50]:
        assert len(np.unique(seen[present == value])) == 1, "one value, two codes"
    assert len(np.unique(seen)) <= (max_bins or 255)
    assert (np.diff(edges) > 0).all()
    np.testing.assert_array_equal(seen, np.searchsorted(edges, present, side="left"))
    if len(np.unique(present)) <= (max_bins or 255):
        assert len(np.unique(seen)) == len(np.unique(present)), "few values, yet some share a code"


@pytest.mark.parametrize("max_bins", BINS)
@examples(30)
@given(problem=problems(rows=(1, 40), categorical=True, missing=True))
def test_small_tables(max_bins, problem):
    columns = encode(problem, max_bins)
    assert (columns.n_rows, columns.n_features) == problem.X.shape
    assert columns.max_bins == max_bins
    for f in range(problem.n_features):
        check_column(columns, problem, f, max_bins)


@pytest.mark.parametrize("max_bins", BINS)
@pytest.mark.parametrize("kind", KINDS)
def test_larger_tables(kind, max_bins):
    problem = medium_problem(kind, 3000, 2)
    columns = encode(problem, max_bins, 2)
    for f in range(problem.n_features):
        check_column(columns, problem, f, max_bins)
    assert columns.nbytes >= problem.n_rows * problem.n_features


@pytest.mark.parametrize("max_bins", [0, 255])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_tiny_fraction_is_not_taken_for_a_whole_number(dtype, max_bins):
    """It is in no sample, so the column seems to hold whole numbers."""
    n = 40_000
    X = (np.arange(n) % 5).astype(dtype)[:, None]
    rows = sorted(set(range(n)) - set(sample_rows(n, 2048)) - set(sample_rows(n)))[:7]
    X[rows] = 1e-20
    problem = Problem.of(X, X[:, 0] == dtype(1e-20))
    columns = encode(problem, max_bins)
    check_column(columns, problem, 0, max_bins)
    tree = grow(problem, Case("gini"), columns=columns)
    assert tree.n_nodes == 5
    assert sorted(tree.counts[tree.feature < 0, 1]) == [0, 0, 7]


@pytest.mark.parametrize("max_bins", [8, 64, 255])
def test_bins_are_about_equally_full(max_bins):
    x = np.exp(3 * np.random.default_rng(0).normal(size=20_000))
    columns = _core.Columns(x[:, None], np.array([0]), max_bins, 1)
    sizes = np.bincount(columns.codes(0))
    assert len(sizes) >= 0.9 * max_bins
    assert sizes.max() <= 3 * len(x) / max_bins


@pytest.mark.parametrize("n_categories", [1, 2, 254, 255, 256, 257, 65_536, 70_000])
def test_any_number_of_categories(n_categories):
    """Up to 255 categories the codes are the categories; beyond, they only steer the search."""
    x = np.random.default_rng(0).integers(0, n_categories, size=50).astype(np.float64)
    x[:2] = 0, n_categories - 1
    x[2] = np.nan
    columns = _core.Columns(x[:, None], np.array([n_categories]), 0, 1)
    codes = np.asarray(columns.codes(0))
    assert codes.shape == (50,)
    if n_categories <= 255:
        np.testing.assert_array_equal(np.delete(codes, 2), np.delete(x, 2))
        assert codes[2] not in np.delete(codes, 2)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_codes_do_not_depend_on_the_layout(dtype, order):
    X = np.random.default_rng(0).normal(size=(500, 4)).astype(dtype)
    kinds = np.zeros(4, dtype=np.int64)
    plain = _core.Columns(np.ascontiguousarray(X), kinds, 0, 1)
    other = _core.Columns(np.array(X, order=order), kinds, 0, 2)
    strided = _core.Columns(np.repeat(X, 2, axis=0)[::2], kinds, 0, 1)
    for f in range(4):
        np.testing.assert_array_equal(plain.codes(f), other.codes(f))
        np.testing.assert_array_equal(plain.codes(f), strided.codes(f))


def test_the_table_stays_alive():
    X = np.random.default_rng(0).normal(size=(300, 2))
    y = (X[:, 0] > 0).astype(np.int32)
    columns = _core.Columns(X.copy(), np.zeros(2, dtype=np.int64), 0, 1)
    options = {
        "max_depth": 0, "min_samples_split": 2, "min_samples_leaf": 1, "min_weight_leaf": 0.0,
        "max_features": 2, "max_leaf_nodes": 0, "min_gain": 0.0, "n_cuts": 0,
        "categorical_split": "subset", "seed": 0,
    }  # fmt: skip
    tree = _core.grow(columns, y, 2, None, _core.Criterion("gini"), _core.GrowOptions(**options))
    assert tree.n_nodes == 3


@pytest.mark.parametrize(
    ("X", "n_categories", "max_bins"),
    [
        (np.array([[1.0], [np.inf]]), [0], 0),
        (np.array([[1.0], [-np.inf]]), [0], 0),
        (np.array([[1.0], [2.0]]), [0, 0], 0),
        (np.array([[1.0], [2.0]]), [0], 1),
        (np.array([[1.0], [2.0]]), [0], 256),
        (np.array([[1.0], [2.0]]), [0], -1),
        (np.array([[1.0], [2.0]]), [-1], 0),
        (np.array([[1.0], [2.0]]), [2], 0),
        (np.array([[0.5], [1.0]]), [2], 0),
        (np.array([[-1.0], [1.0]]), [2], 0),
        (np.array([[0.0], [1.0]]), [2**24 + 1], 0),
        (np.empty((0, 1)), [0], 0),
    ],
)
def test_bad_tables(X, n_categories, max_bins):
    with pytest.raises(ValueError):
        _core.Columns(X, np.array(n_categories), max_bins, 1)
