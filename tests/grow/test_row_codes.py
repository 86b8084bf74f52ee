"""Tables of codes by row, with coordinates: trees equal those of the coordinates as values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewood import _core

N_CATEGORIES = np.array([0, 0, 0, 5, 300])
MISSING = 255


def make_table(seed: int, n_rows: int):
    """Codes, coordinates and wide categories, and the same table as values."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 20, (n_rows, 5)).astype(np.uint8)
    codes[rng.random(codes.shape) < 0.05] = MISSING
    codes[:, 3] = rng.integers(0, 5, n_rows)
    wide = rng.integers(-1, 300, n_rows).astype(np.int32)
    codes[:, 4] = np.where(wide < 0, MISSING, np.minimum(wide, 254))
    coordinates = [np.sort(rng.normal(size=20)) for _ in range(3)] + [np.empty(0)] * 2
    X = np.column_stack(
        [np.append(c, [np.nan] * 236)[codes[:, j]] for j, c in enumerate(coordinates[:3])]
        + [codes[:, 3], np.where(wide < 0, np.nan, wide)]
    )
    y = ((np.nan_to_num(X[:, 0]) + rng.normal(size=n_rows)) > 1).astype(np.int32)
    return codes, coordinates, {4: wide}, X, y


def coded(codes, coordinates, wide, **how) -> _core.Columns:
    return _core.Columns.from_row_codes(
        codes, coordinates, N_CATEGORIES, np.ones(5, dtype=bool), wide, **how
    )


@given(st.integers(0, 99), st.sampled_from(["points", "direction", "between"]), st.booleans())
def test_trees_equal_those_of_the_coordinates(seed, draw, is_float32):
    codes, coordinates, wide, X, y = make_table(seed, 200)
    if is_float32:
        X = X.astype(np.float32)
        coordinates = [c.astype(np.float32).astype(float) for c in coordinates]
    options = _core.GrowOptions(
        n_cuts=5, oblique_dim=2, oblique_draw=draw, max_features=2, seed=seed
    )
    tables = [
        _core.Columns(X, N_CATEGORIES),
        coded(codes, coordinates, wide, is_float32=is_float32),
    ]
    raw, by_code = (
        _core.grow(table, y, 2, None, _core.Criterion("hellinger"), options) for table in tables
    )
    assert raw.n_nodes == by_code.n_nodes
    np.testing.assert_array_equal(raw.threshold, by_code.threshold)
    np.testing.assert_array_equal(raw.counts, by_code.counts)


def test_bad_codes_are_refused():
    codes, coordinates, wide, _, _ = make_table(0, 30)
    with pytest.raises(ValueError, match="column 0 holds the code 19, but has only 3 bins"):
        coded(codes, [coordinates[0][:3], *coordinates[1:]], wide)
    with pytest.raises(ValueError, match="finite and increase"):
        coded(codes, [coordinates[0][::-1].copy(), *coordinates[1:]], wide)
    with pytest.raises(ValueError, match="give its categories in `wide`"):
        coded(codes, coordinates, {})
    with pytest.raises(ValueError, match="coordinates of 4"):
        coded(codes, coordinates[:4], wide)


def test_axis_parallel_trees_are_refused():
    codes, coordinates, wide, _, y = make_table(0, 30)
    table, options = coded(codes, coordinates, wide), _core.GrowOptions()
    with pytest.raises(ValueError, match="oblique_dim must be at least 2"):
        _core.grow(table, y, 2, None, _core.Criterion("gini"), options)
