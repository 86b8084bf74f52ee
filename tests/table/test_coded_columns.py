"""Columns from codes: read where they are, checked before a tree is grown of them."""

from __future__ import annotations

import gc
import tracemalloc

import numpy as np
import pytest

from rarewood import _core

CODES = np.array([[0, 1, 2, 2], [1, 0, 255, 1]], dtype=np.uint8)
GOOD = {
    "codes": CODES,
    "edges": [np.array([0.5, 1.5]), np.empty(0)],
    "n_categories": np.array([0, 2]),
    "has_missing": np.array([False, True]),
    "max_bins": 8,
}
Y = np.array([0, 0, 1, 1], dtype=np.int32)


def made(**changes) -> _core.Columns:
    return _core.Columns.from_codes(**(GOOD | changes))


def grow(columns: _core.Columns, y=Y, **options) -> _core.Tree:
    return _core.grow(columns, y, 2, None, _core.Criterion("gini"), _core.GrowOptions(**options))


def test_what_it_holds():
    columns = made()
    assert (columns.n_rows, columns.n_features, columns.max_bins) == (4, 2, 8)
    assert columns.has_missing
    assert columns.nbytes == 0, "the codes are not its own"
    np.testing.assert_array_equal(columns.codes(0), CODES[0])
    np.testing.assert_array_equal(columns.codes(1), CODES[1])
    np.testing.assert_array_equal(columns.edges(0), [0.5, 1.5])
    assert len(columns.edges(1)) == 0
    tree = grow(columns)
    assert (tree.n_nodes, tree.threshold[0]) == (3, 1.5)


def test_missing_values_may_lie_in_another_part_of_the_table():
    assert made(has_missing=np.array([True, True])).has_missing


@pytest.mark.parametrize("rows", [slice(1, 3), slice(2, 2), slice(3, 4), slice(None, None, 4)])
def test_a_run_of_rows_of_a_larger_table(rows):
    columns = made(codes=CODES[:, rows])
    assert columns.n_rows == CODES[:, rows].shape[1]
    for f in range(2):
        np.testing.assert_array_equal(columns.codes(f), CODES[f, rows])


def test_read_only_and_mapped_codes(tmp_path):
    path = tmp_path / "codes"
    CODES.tofile(path)
    mapped = np.memmap(path, np.uint8, "r", shape=CODES.shape)
    assert grow(made(codes=mapped)).n_nodes == 3


def test_arrays_stay_alive_and_are_not_copied():
    rng = np.random.default_rng(0)
    n, n_categories = 1_000_000, 100_000
    codes = rng.integers(0, 3, size=(2, n), dtype=np.uint8)
    of_rows = rng.integers(0, n_categories, size=n, dtype=np.int32)
    y = np.asarray(of_rows >= n_categories // 2, dtype=np.int32)
    tracemalloc.start()
    columns = made(
        codes=codes, n_categories=np.array([0, n_categories]), wide={1: of_rows}, n_threads=2
    )
    assert tracemalloc.get_traced_memory()[1] < n / 10
    tracemalloc.stop()
    del codes, of_rows
    gc.collect()
    rng.integers(0, 3, size=(2, n), dtype=np.uint8)  # would take the place of what was let go
    assert grow(columns, y, max_depth=3).n_nodes == 3


def test_room_for_the_codes_row_by_row():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, size=(4, 5000), dtype=np.uint8)
    y = np.asarray(codes[0] + codes[1] > 2, dtype=np.int32)
    table = {"codes": codes, "edges": [np.array([0.5, 1.5])] * 4,
             "n_categories": np.zeros(4, np.int64), "has_missing": np.zeros(4, bool)}  # fmt: skip
    space = np.full((5000, 4), 77, dtype=np.uint8)
    columns = made(**table, row_space=space)
    tree = grow(columns, y)
    np.testing.assert_array_equal(space, codes.T)
    assert columns.nbytes == 0
    expected = made(**table)
    np.testing.assert_array_equal(tree.counts, grow(expected, y).counts)
    assert expected.nbytes == space.nbytes


def test_room_of_the_wrong_size_or_kind():
    with pytest.raises(ValueError, match="a place for every row and feature"):
        made(row_space=np.empty((2, 4), dtype=np.uint8))
    for space in (np.empty((4, 2), dtype=np.int8), np.empty((2, 4), dtype=np.uint8).T):
        with pytest.raises(TypeError):
            made(row_space=space)


WIDE = {
    "n_categories": np.array([0, 300]),
    "wide": {1: np.array([299, 0, -1, 7], dtype=np.int32)},
}


def test_wide_columns():
    tree = grow(made(**WIDE))
    assert tree.n_nodes == 3


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"max_bins": 0}, "2 ... 255"),
        ({"max_bins": 256}, "2 ... 255"),
        ({"max_bins": 2}, "leaves room for 1"),
        ({"codes": np.empty((0, 4), np.uint8), "edges": [], "n_categories": np.empty(0, np.int64),
          "has_missing": np.empty(0, bool)}, "at least one column"),
        ({"codes": CODES[:1]}, "codes of 1 features, but edges of 2"),
        ({"edges": GOOD["edges"][:1]}, "codes of 2 features, but edges of 1"),
        ({"n_categories": np.array([0])}, "of equal length"),
        ({"has_missing": np.array([False])}, "of equal length"),
        ({"codes": np.asfortranarray(CODES)}, "side by side"),
        ({"codes": CODES[:, ::2]}, "side by side"),
        ({"has_missing": np.array([False, False])}, "column 1 holds the code of missing"),
        ({"edges": [np.array([0.5]), np.empty(0)]}, "column 0 holds the code 2"),
        ({"n_categories": np.array([0, 1])}, "column 1 holds the code 1"),
        ({"n_categories": np.array([0, -1])}, "at most"),
        ({"n_categories": np.array([0, 2**24 + 1])}, "at most"),
        ({"n_categories": np.array([3, 2])}, "column 0 is categorical: it has no edges"),
        ({"edges": [np.array([1.5, 0.5]), np.empty(0)]}, "finite and increase"),
        ({"edges": [np.array([0.5, 0.5]), np.empty(0)]}, "finite and increase"),
        ({"edges": [np.array([0.5, np.inf]), np.empty(0)]}, "finite and increase"),
        ({"edges": [np.array([np.nan, 1.0]), np.empty(0)]}, "finite and increase"),
        ({"n_categories": np.array([0, 300])}, "give its categories in `wide`"),
        ({"wide": {1: np.zeros(4, np.int32)}}, "must not be in `wide`"),
        (WIDE | {"wide": {2: np.zeros(4, np.int32)}}, "features that exist"),
        (WIDE | {"wide": {-1: np.zeros(4, np.int32)}}, "features that exist"),
        (WIDE | {"wide": {1: np.zeros(5, np.int32)}}, "of all 4 rows"),
        (WIDE | {"wide": {1: np.full(4, 300, np.int32)}}, "category numbers 0 ... 299"),
        (WIDE | {"wide": {1: np.full(4, -2, np.int32)}}, "category numbers 0 ... 299"),
        (WIDE | {"has_missing": np.array([False, False]), "codes": CODES % 255},
         "misses categories"),
    ],
)  # fmt: skip
def test_bad_tables(changes, message):
    with pytest.raises(ValueError, match=message.replace("...", r"\.\.\.")):
        made(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"codes": CODES.astype(np.int8)},
        {"codes": CODES[0]},
        {"edges": GOOD["edges"][0]},
        {"n_categories": np.array([0.0, 2.0])},
        {"has_missing": np.array([0, 1])},
        {"wide": {1: np.zeros(4)}},
    ],
)
def test_bad_types(changes):
    with pytest.raises(TypeError):
        made(**changes)


def test_hyperplanes_need_values():
    with pytest.raises(ValueError, match="hyperplanes are drawn from the values"):
        grow(made(), n_cuts=3, oblique_dim=2)


def test_a_tree_needs_a_row():
    with pytest.raises(ValueError, match="at least one row"):
        grow(made(codes=CODES[:, :0]), Y[:0])
