"""The bins of a table, from hand to hand: what they refuse, and where they write."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from rarewood import _core

GOOD = {
    "edges": [np.array([0.5, 1.5]), np.empty(0), np.empty(0)],
    "n_categories": np.array([0, 2, 300]),
    "has_missing": np.array([False, True, True]),
    "max_bins": 8,
    "coordinates": [np.array([-1.0, 1.5, 1e9]), np.empty(0), np.empty(0)],
}
X = np.array([[0.0, 1, 299], [1.5, 0, np.nan], [7.25, np.nan, 3]])
CODES = [[0, 1, 2], [1, 0, 255], [0, 255, 0]]


def made(**changes) -> _core.Bins:
    return _core.Bins(**(GOOD | changes))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_codes(dtype, order):
    bins = made()
    assert (bins.n_features, bins.max_bins) == (3, 8)
    codes = bins.encode(np.array(X, dtype, order=order))
    assert codes.dtype == np.uint8
    assert codes.tolist() == CODES
    assert bins.encode(np.repeat(X, 2, axis=0).astype(dtype)[::2]).tolist() == CODES
    assert bins.encode(X[:0].astype(dtype)).shape == (3, 0)


def test_state_and_pickle():
    for copy in (_core.Bins.from_state(made().state()), pickle.loads(pickle.dumps(made()))):
        assert copy.encode(X).tolist() == CODES
        assert copy.edges[0].tolist() == [0.5, 1.5]
        assert copy.n_categories.tolist() == [0, 2, 300]
        assert copy.has_missing.tolist() == [False, True, True]
        assert copy.max_bins == 8
        assert [x.tolist() for x in copy.coordinates] == [[-1.0, 1.5, 1e9], [], []]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"max_bins": 0}, "2 ... 255"),
        ({"max_bins": 2}, "leaves room for 1"),
        ({"n_categories": np.array([0, 2])}, "equal length"),
        ({"has_missing": np.array([True])}, "equal length"),
        ({"n_categories": np.array([2, 2, 300])}, "column 0 is categorical"),
        ({"n_categories": np.array([0, 2, 2**24 + 1])}, "column 2 may have at most"),
        ({"edges": [np.array([0.5, np.nan]), *GOOD["edges"][1:]]}, "finite and increase"),
        ({"edges": [np.array([0.5, 0.5]), *GOOD["edges"][1:]]}, "finite and increase"),
        *(
            ({"coordinates": [np.array(bad), np.empty(0), np.empty(0)]}, message)
            for bad, message in [
                ([0.0, 1.0], "3 bins, but 2 coordinates"),
                ([0.5, 0.5, 2.0], "not within its bin"),
                ([0.0, 1.6, 2.0], "not within its bin"),
                ([0.0, 1.0, np.inf], "not within its bin"),
                ([np.nan, 1.0, 2.0], "not within its bin"),
            ]
        ),
        ({"coordinates": [np.array([-1.0, 1.5, 1e9]), np.zeros(1), np.empty(0)]}, "column 1"),
        ({"coordinates": [np.array([-1.0, 1.5, 1e9])]}, "equal length"),
    ],
)
def test_bad_bins(changes, message):
    message = message.replace("...", r"\.\.\.")
    with pytest.raises(ValueError, match=message):
        made(**changes)
    with pytest.raises(ValueError, match=message):
        _core.Bins.from_state(GOOD | changes)


def test_bad_states():
    for name in GOOD:
        state = made().state()
        state[name] = "nothing of the kind"
        with pytest.raises(ValueError, match="wrong type"):
            _core.Bins.from_state(state)
        del state[name]
        with pytest.raises(ValueError, match=f"'{name}' is missing"):
            _core.Bins.from_state(state)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([np.inf, 0, 0], "column 0 holds an infinite value"),
        ([np.nan, 0, 0], "column 0 misses a value, though none was missing"),
        ([0, 2, 0], "column 1 is categorical"),
        ([0, 0.5, 0], "column 1 is categorical"),
        ([0, 0, 300], "column 2 is categorical"),
        ([0, 0, -1], "column 2 is categorical"),
    ],
)
def test_rows_of_another_table(row, message):
    bins = made(coordinates=None)  # with coordinates any value may be missing
    with pytest.raises(ValueError, match=message):
        bins.encode(np.array([row], dtype=np.float64), 2)
    with pytest.raises(ValueError, match=message):
        bins.encode_into(np.array([row], dtype=np.float64), np.empty((3, 1), np.uint8))


def test_a_value_that_was_not_surveyed_goes_by_the_edges():
    """Whole numbers have a way of their own, which other values must not take."""
    bins = _core.Bins([np.arange(5) - 0.5], np.array([0]), np.array([False]), 8)
    values = np.array([-9, -1, 0, 1, 4, 5, 99, 0.25, 0.5, np.nextafter(0.5, 1), 1e300])
    assert bins.encode(values[:, None])[0].tolist() == [0, 0, 1, 2, 5, 5, 5, 1, 1, 2, 5]


def test_encoding_by_row_and_snapping():
    codes = np.full((5, 3), 77, np.uint8)
    made().encode_rows_into(X, codes, 1)
    assert codes[1:4].T.tolist() == CODES
    assert (codes[[0, 4]] == 77).all()
    for bad in (np.empty((5, 2), np.uint8), np.empty((2, 3), np.uint8)):
        with pytest.raises(ValueError, match="the codes"):
            made().encode_rows_into(X, bad)
    given = np.array([[0.4, 1, 299], [1.2, 0, np.nan], [np.nan, np.nan, 3]])
    want = [[-1, 1, 299], [1.5, 0, np.nan], [np.nan, np.nan, 3]]
    for matrix in (given, np.asfortranarray(given, dtype=np.float32)):
        snapped = made().snap(matrix)
        assert snapped.dtype == np.float32
        np.testing.assert_array_equal(snapped, np.array(want))
    wide = made(coordinates=[np.array([0.1, 1.5, 2.0]), np.empty(0), np.empty(0)])
    assert wide.snap(given.astype(np.float32)).dtype == np.float64
    with pytest.raises(ValueError, match="infinite"):
        made().snap(np.array([[np.inf, 0, 0]]))
    with pytest.raises(ValueError, match="no coordinates"):
        made(coordinates=None).snap(X)


def test_encoding_into_a_mapped_file(tmp_path):
    codes = np.memmap(tmp_path / "codes", np.uint8, "w+", shape=(3, 10))
    made().encode_into(X, codes, 4)
    codes.flush()
    on_disk = np.fromfile(tmp_path / "codes", np.uint8).reshape(3, 10)
    assert on_disk[:, 4:7].tolist() == CODES
    assert not on_disk[:, :4].any()
    assert not on_disk[:, 7:].any()


@pytest.mark.parametrize(
    ("codes", "first_row", "message"),
    [
        (np.empty((3, 10), np.uint8), 8, "no space for 3 rows from row 8 on"),
        (np.empty((3, 10), np.uint8), -1, "no space"),
        (np.empty((3, 10), np.uint8), 2**62, "no space"),
        (np.empty((3, 2), np.uint8), 0, "no space"),
        (np.empty((2, 10), np.uint8), 0, "3 features x rows"),
        (np.empty((10, 3), np.uint8).T, 0, "side by side"),
    ],
)
def test_bad_places(codes, first_row, message):
    with pytest.raises(ValueError, match=message):
        made().encode_into(X, codes, first_row)


def test_places_that_cannot_be_written():
    codes = np.empty((3, 10), np.uint8)
    codes.flags.writeable = False
    for bad in (codes, np.empty((3, 10), np.int8), np.empty(30, np.uint8)):
        with pytest.raises(TypeError):
            made().encode_into(X, bad, 0)


def test_rows_of_another_width():
    with pytest.raises(ValueError, match="2 columns, but there are bins for 3"):
        made().encode(X[:, :2])
