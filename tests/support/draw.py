"""What hypothesis draws: count tables, columns of awkward numbers, whole problems."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from oracle.problem import Problem

BIG = {np.float64: 1.7e308, np.float32: 3.4e38}
TINY = {np.float64: 5e-324, np.float32: 1.4e-45}


def examples(n: int) -> settings:
    """n percent of the number of examples of the profile."""
    return settings(max_examples=max(1, n * settings().max_examples // 100))


# --------------------------------------------------------------------------- count tables


@st.composite
def count_tables(draw, classes=(2, 5), children=(2, 5), kinds=("small", "large", "skew", "float")):
    """Children x classes, some of them empty; never all zero."""
    k = draw(st.integers(*classes))
    v = draw(st.integers(*children))
    kind = draw(st.sampled_from(kinds))
    small = st.integers(0, 6)
    columns = {
        "small": [small] * k,
        "large": [st.integers(0, 10**6)] * k,
        "skew": [st.integers(0, 10**12), *[st.integers(0, 3)] * (k - 1)],
        "float": [st.floats(1e-3, 1e3) | st.just(0.0)] * k,
    }[kind]
    columns = draw(st.permutations(columns))
    table = np.array([[draw(c) for c in columns] for _ in range(v)], dtype=np.float64)
    if not table.any():
        table[0, 0] = 1
    return table


def full_tables(**options):
    """Tables in which every class and every child has rows."""
    return count_tables(**options).filter(lambda t: t.any(axis=0).all() and t.any(axis=1).all())


# --------------------------------------------------------------------------- columns


def pools(dtype):
    """Small sets of distinct values that are hard to tell apart, or hard to halve."""
    big, tiny = BIG[dtype], TINY[dtype]

    def neighbours(start: float) -> list[float]:
        values = [dtype(start)]
        for _ in range(5):
            values.append(np.nextafter(values[-1], dtype(math.inf)))
        return values

    return st.sampled_from(
        [
            [0, 1],
            [0, 1, 2, 3],
            list(range(-5, 6)),
            [0.1 * i for i in range(12)],
            neighbours(1.0),
            neighbours(-0.1),
            neighbours(1e6),
            neighbours(0.0),
            [tiny * i for i in (-3, -2, -1, 0, 1, 2, 7)],
            [-big, -big / 3, 0.0, big / 2, big * 0.99, big],
            [big / 2, *neighbours(big * 0.9)],
            [-0.0, 0.0, tiny, -tiny, 1.0],
            [-big, -1.0, -tiny, 0.0, tiny, 1.0, big],
        ]
    )


@st.composite
def numeric_columns(draw, n_rows: int, dtype, missing: bool):
    pool = [dtype(x) for x in draw(pools(dtype))]
    continuous = draw(st.integers(0, 3)) == 0
    if continuous:
        seed = draw(st.integers(0, 2**32 - 1))
        column = np.random.default_rng(seed).normal(size=n_rows).astype(dtype)
    else:
        column = np.array(draw(st.lists(st.sampled_from(pool), min_size=n_rows, max_size=n_rows)))
    return _with_holes(draw, column.astype(dtype), missing)


@st.composite
def categorical_columns(draw, n_rows: int, dtype, n_categories: int, missing: bool):
    values = st.lists(st.integers(0, n_categories - 1), min_size=n_rows, max_size=n_rows)
    return _with_holes(draw, np.array(draw(values), dtype=dtype), missing)


def _with_holes(draw, column, missing: bool):
    if missing and draw(st.booleans()):
        holes = draw(st.sets(st.integers(0, len(column) - 1), max_size=max(1, len(column) // 3)))
        column[list(holes)] = np.nan
    return column


# --------------------------------------------------------------------------- problems


@st.composite
def labels(draw, n_rows: int, n_classes: int):
    y = np.zeros(n_rows, dtype=np.int32)
    if draw(st.integers(0, 3)) == 0:  # as rare as it gets: one row
        y[draw(st.integers(0, n_rows - 1))] = n_classes - 1
        return y
    drawn = st.lists(st.integers(0, n_classes - 1), min_size=n_rows, max_size=n_rows)
    y[:] = draw(drawn)
    return y


@st.composite
def problems(
    draw,
    rows=(2, 20),
    features=(1, 3),
    classes=(2, 5),
    categorical: bool = False,
    missing: bool = False,
    weighted: bool = False,
    dtypes=(np.float64, np.float32),
):
    n, f = draw(st.integers(*rows)), draw(st.integers(*features))
    k = draw(st.integers(*classes))
    dtype = draw(st.sampled_from(dtypes))
    columns, n_categories = [], []
    for _ in range(f):
        size = draw(st.integers(1, 6)) if categorical and draw(st.booleans()) else 0
        if size:
            columns.append(draw(categorical_columns(n, dtype, size, missing)))
        else:
            columns.append(draw(numeric_columns(n, dtype, missing)))
        n_categories.append(size)
    X = np.stack(columns, axis=1)
    X = np.asfortranarray(X) if draw(st.booleans()) else np.ascontiguousarray(X)
    weights = None
    if weighted:
        some = st.sampled_from([0.1, 0.5, 1.0, 1.0, 3.0, 1e-3, 250.0])
        weights = draw(st.lists(some, min_size=n, max_size=n))
    return Problem.of(X, draw(labels(n, k)), k, n_categories, weights)
