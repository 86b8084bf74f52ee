"""A table that is added in parts gets the bins and codes of the table as a whole."""

from __future__ import annotations

import pickle
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import bins as oracle
from oracle.cases import Case
from oracle.problem import Limits, Problem
from rarewood import _core
from support.draw import examples, problems
from support.grown import assert_same_tree, encode, grow
from support.medium import KINDS, medium_problem

BINS = (2, 3, 17, 64, 254, 255)


@st.composite
def parts(draw, n_rows: int, most: int = 6) -> list[list[tuple[int, int]]]:
    """Batches of consecutive rows, some empty, in any order, dealt to several statistics."""
    cuts = draw(st.lists(st.integers(0, n_rows), max_size=most))
    bounds = [0, *sorted(cuts), n_rows]
    batches = draw(st.permutations(list(pairwise(bounds))))
    n_surveys = draw(st.integers(1, 3))
    owner = draw(
        st.lists(st.integers(0, n_surveys - 1), min_size=len(batches), max_size=len(batches))
    )
    return [[b for b, o in zip(batches, owner, strict=True) if o == s] for s in range(n_surveys)]


def statistics(
    problem: Problem, max_bins: int, dealt: list[list[tuple[int, int]]]
) -> _core.BinStatistics:
    """Statistics of each dealt list, sent about as bytes, and merged."""
    is_float32 = problem.X.dtype == np.float32
    statistics = []
    for batches in dealt:
        part = _core.BinStatistics(problem.n_rows, problem.n_categories, max_bins, is_float32)
        for begin, end in batches:
            part.add(begin, problem.X[begin:end], n_threads=2)
        statistics.append(pickle.loads(pickle.dumps(part)))
    merged = statistics.pop()
    for part in statistics:
        merged.merge(part)
    return merged


def assert_as_local(problem: Problem, max_bins: int, bins: _core.Bins) -> None:
    local = encode(problem, max_bins)
    codes = bins.encode(problem.X, 2)
    assert codes.shape == problem.X.T.shape
    assert bins.has_missing.tolist() == np.isnan(problem.X).any(axis=0).tolist()
    assert bins.n_categories.tolist() == problem.n_categories.tolist()
    for f in range(problem.n_features):
        np.testing.assert_array_equal(bins.edges[f], local.edges(f))
        np.testing.assert_array_equal(codes[f], local.codes(f))


@examples(150)
@given(
    data=st.data(),
    problem=problems(rows=(1, 40), features=(1, 4), categorical=True, missing=True),
    max_bins=st.sampled_from(BINS),
)
def test_small_tables(data, problem, max_bins):
    dealt = data.draw(parts(problem.n_rows))
    assert_as_local(problem, max_bins, statistics(problem, max_bins, dealt).finish())


@examples(100)
@given(
    problem=problems(rows=(1, 40), features=(1, 3), categorical=True, missing=True),
    max_bins=st.sampled_from(BINS),
)
def test_small_tables_as_the_twin(problem, max_bins):
    bins = statistics(problem, max_bins, [[(0, problem.n_rows)]]).finish()
    codes = bins.encode(problem.X)
    for f, n_categories in enumerate(problem.n_categories):
        want = [] if n_categories else oracle.edges(problem.X[:, f], max_bins)
        assert bins.edges[f].tolist() == want
        assert codes[f].tolist() == oracle.codes(problem.X[:, f], want, n_categories)


@pytest.mark.parametrize("max_bins", BINS)
@pytest.mark.parametrize("kind", KINDS)
def test_medium_tables(kind, max_bins):
    problem = medium_problem(kind, 3000, 2)
    dealt = [[(1000, 1700), (0, 1000)], [(1700, 3000)]]
    assert_as_local(problem, max_bins, statistics(problem, max_bins, dealt).finish())


# --------------------------------------------------------------------------- sampled tables

TALL = 40_000  # rows; less than half of them are sampled


def tall_columns() -> dict[str, np.ndarray]:
    """Columns that look different in the sample than they are, and others."""
    rng = np.random.default_rng(11)
    sampled = np.zeros(TALL, dtype=bool)
    sampled[oracle.sample_rows(TALL)] = True
    hidden = np.flatnonzero(~sampled)
    digits = rng.integers(-4, 6, size=TALL).astype(np.float64)
    columns = {
        "continuous": rng.normal(size=TALL),
        "heavy tails": np.sinh(8 * rng.normal(size=TALL)),
        "one value fills a third": np.where(rng.random(TALL) < 0.3, 0.0, rng.normal(size=TALL)),
        "constant": np.full(TALL, 3.25),
        "whole": digits,
        "255 whole numbers": rng.integers(100, 355, size=TALL).astype(np.float64),
        "256 whole numbers": rng.integers(100, 356, size=TALL).astype(np.float64),
        "large whole numbers": digits + 5e6,
        "tenths": digits / 10,
        "both zeros": np.where(rng.random(TALL) < 0.5, -0.0, 0.0) + digits * (digits > 2),
    }
    hide = {
        "a fraction": 0.55,
        "a tiny fraction": 1e-20,
        "a whole number nearby": 17.0,
        "a whole number far away": 300.0,
        "a missing value": np.nan,
    }
    for name, value in hide.items():
        columns[f"whole, {name} is hidden"] = digits.copy()
        columns[f"whole, {name} is hidden"][hidden[:3]] = value
        columns[f"tenths, {name} is hidden"] = digits / 10
        columns[f"tenths, {name} is hidden"][hidden[-1]] = value
    columns["whole, many tiny fractions are hidden"] = digits.copy()
    columns["whole, many tiny fractions are hidden"][hidden[:400]] = 1e-20 * np.arange(400)
    columns["tenths, many values are hidden"] = digits / 10
    columns["tenths, many values are hidden"][hidden[:400]] = rng.normal(size=400)
    columns["missing in the sample"] = np.where(sampled, np.nan, digits)
    columns["missing in most rows"] = np.where(rng.random(TALL) < 0.9, np.nan, digits / 10)
    columns["all missing"] = np.full(TALL, np.nan)
    return columns


COLUMNS = tall_columns()


@pytest.fixture(scope="module", params=[np.float64, np.float32])
def tall(request) -> Problem:
    X = np.stack(list(COLUMNS.values()), axis=1).astype(request.param)
    return Problem.of(np.asfortranarray(X), np.arange(TALL) % 2, 2)


@pytest.mark.parametrize("max_bins", [2, 16, 64, 255])
def test_tall_tables(tall, max_bins):
    dealt = [[(30_000, 40_000), (5, 9)], [(0, 5), (9, 10), (20_000, 30_000)], [(10, 20_000)]]
    bins = statistics(tall, max_bins, dealt).finish()
    for name, found, x in zip(COLUMNS, bins.edges, tall.X.T, strict=True):
        np.testing.assert_array_equal(found, oracle.edges(x, max_bins), err_msg=name)
    assert_as_local(tall, max_bins, bins)


def test_the_hidden_values_are_hidden():
    """Otherwise the test above would not see what it is meant to see."""
    sample = oracle.sample_rows(TALL)
    for name, column in COLUMNS.items():
        if name.endswith("hidden"):
            assert not np.isin(column, column[sample]).all(), name


@examples(10)
@given(data=st.data())
def test_tall_tables_in_any_parts(data):
    names = ["continuous", "tenths, many values are hidden", "whole, a missing value is hidden"]
    X = np.stack([COLUMNS[name] for name in names], axis=1)
    problem = Problem.of(X, np.zeros(TALL), 1)
    dealt = data.draw(parts(TALL))
    assert_as_local(problem, 255, statistics(problem, 255, dealt).finish())


# --------------------------------------------------------------------------- encoding


@examples(60)
@given(
    data=st.data(),
    problem=problems(rows=(1, 40), features=(1, 4), categorical=True, missing=True),
    max_bins=st.sampled_from(BINS),
)
def test_encoding_into_an_array(data, problem, max_bins):
    bins = statistics(problem, max_bins, [[(0, problem.n_rows)]]).finish()
    whole = bins.encode(problem.X)
    codes = np.full((problem.n_features, problem.n_rows + 3), 77, dtype=np.uint8)
    for begin, end in chain.from_iterable(data.draw(parts(problem.n_rows))):
        bins.encode_into(problem.X[begin:end], codes, first_row=begin + 2, n_threads=2)
    np.testing.assert_array_equal(codes[:, 2:-1], whole)
    assert (codes[:, :2] == 77).all()
    assert (codes[:, -1] == 77).all()


@examples(100)
@given(
    cuts=st.lists(
        st.floats(allow_nan=False, allow_infinity=False)
        | st.integers(-9, 9).map(lambda i: i + 0.5),
        max_size=20,
        unique=True,
    ),
    x=st.lists(
        st.floats(allow_infinity=False, width=32) | st.integers(-12, 12).map(lambda i: i / 2),
        min_size=1,
    ),
    dtype=st.sampled_from([np.float32, np.float64]),
)
def test_any_edges_and_values(cuts, x, dtype):
    """Also where edges and values are of different precision, and beyond all edges."""
    cuts = np.sort(np.array(cuts, dtype=np.float64))
    with np.errstate(over="ignore"):
        near = np.concatenate([np.nextafter(cuts, -np.inf), cuts, np.nextafter(cuts, np.inf)])
        near = near.astype(dtype)
    column = np.concatenate([np.array(x, dtype=dtype), near[np.isfinite(near)]])
    bins = _core.Bins([cuts], np.array([0]), np.array([True]), 255)
    assert bins.encode(column[:, None])[0].tolist() == oracle.codes(column, cuts.tolist())


@pytest.mark.parametrize("kind", ["missing", "categorical", "mixed"])
def test_the_way_from_parts_to_a_tree(kind):
    problem = medium_problem(kind, 3000, 3)
    bins = statistics(problem, 32, [[(0, 1500)], [(1500, 3000)]]).finish()
    columns = _core.Columns.from_codes(
        bins.encode(problem.X), bins.edges, bins.n_categories, bins.has_missing, bins.max_bins
    )
    case = Case("hellinger")
    local = grow(problem, case, Limits(), encode(problem, 32))
    assert_same_tree(local, grow(problem, case, Limits(), columns))
