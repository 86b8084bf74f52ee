"""Arrays become a matrix for the core: without copies where possible, exactly where not."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from rarewood import RareTreeClassifier, _core
from rarewood.table._encode import encode, encode_like
from rarewood.table._schema import Categories

VALUES = np.arange(12.0).reshape(4, 3)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "layout",
    [
        np.ascontiguousarray,
        np.asfortranarray,
        lambda X: np.repeat(X, 2, axis=0)[::2],
        lambda X: np.repeat(X, 2, axis=1)[:, ::2],
        lambda X: X[::-1].copy()[::-1],
    ],
    ids=["C", "F", "every other row", "every other column", "reversed"],
)
def test_float_arrays_are_not_copied(dtype, layout):
    X = layout(VALUES.astype(dtype))
    for matrix in (encode(X)[0], encode_like(X, encode(X)[1])):
        assert matrix is X
    np.testing.assert_array_equal(matrix, VALUES)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (np.float16, np.float32),
        (np.int8, np.float32),
        (np.uint16, np.float32),
        (bool, np.float32),
        (np.int32, np.float64),
        (np.int64, np.float64),
        (np.uint64, np.float64),
        (np.longdouble, np.float64),
        (np.dtype(np.float64).newbyteorder(), np.float64),
        (object, np.float64),
    ],
)
def test_other_types_are_converted_to_an_exact_float_type(given, kept):
    X = np.array([[0, 1], [1, 0]]).astype(given)
    matrix, _ = encode(X)
    assert matrix.dtype == kept
    np.testing.assert_array_equal(matrix, [[0, 1], [1, 0]])


def test_a_field_of_a_structured_array_is_copied_if_its_steps_are_odd():
    rows = np.zeros((4, 3), dtype=[("tag", "u1"), ("x", "f8")])
    rows["x"] = VALUES
    matrix, _ = encode(rows["x"])
    np.testing.assert_array_equal(matrix, VALUES)
    assert matrix.strides[1] % matrix.itemsize == 0


def test_lists_and_numeric_text_are_converted():
    np.testing.assert_array_equal(encode([[1, 2.5], [3, None]])[0], [[1, 2.5], [3, np.nan]])
    np.testing.assert_array_equal(encode(np.array([["1", "2.5"]]))[0], [[1, 2.5]])


@pytest.mark.parametrize("order", ["C", "F"])
def test_missing_values_are_noticed(order):
    X = np.array([[1.0, 2.0], [3.0, np.nan], [4.0, 5.0]], order=order)
    assert RareTreeClassifier().fit(X, [0, 1, 0]).tree_.schema.has_missing
    assert not RareTreeClassifier().fit(X[:, :1], [0, 1, 0]).tree_.schema.has_missing


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("value", [0.0, np.nan])
def test_the_search_for_infinite_values_makes_no_copy(order, value):
    X = np.full((400_000, 10), value, dtype=np.float32, order=order)
    tracemalloc.start()
    matrix, schema = encode(X)
    _core.Columns(matrix, schema.n_categories, 0, 1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < X.nbytes / 8


def test_masked_values_are_missing():
    X = np.ma.masked_array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    np.testing.assert_array_equal(encode(X)[0], [[1, np.nan], [3, 4]])
    np.testing.assert_array_equal(encode(X, [1])[0], [[1, np.nan], [3, 0]])


def test_a_sum_that_overflows_is_not_taken_for_an_infinite_value():
    X = np.full((3, 2), 3e38, dtype=np.float32)
    assert encode(X)[0] is X
    model = RareTreeClassifier().fit(X, [0, 1, 1])
    assert model.predict(X).tolist() == [1, 1, 1]


def test_chosen_columns_of_a_numeric_array_become_category_numbers():
    X = np.array([[7.0, 1.5], [3.0, 2.5], [np.nan, 3.5], [7.0, 4.5]])
    matrix, schema = encode(X, [0])
    np.testing.assert_array_equal(matrix[:, 0], [1, 0, np.nan, 1])
    np.testing.assert_array_equal(matrix[:, 1], X[:, 1])
    assert matrix.flags.f_contiguous
    assert schema.categories[0].values.tolist() == [3.0, 7.0]
    assert schema.n_categories.tolist() == [2, 0]
    assert np.isnan(X[2, 0])
    assert X[0, 0] == 7.0, "the caller's array must not change"


@pytest.mark.parametrize("chosen", [[1], [False, True, False], np.array([1, 1])])
def test_indices_and_masks_choose_columns(chosen):
    X = np.array([[1.0, "b", 3], [2.0, "a", 4], [3.0, None, 5]], dtype=object)
    matrix, schema = encode(X, chosen)
    np.testing.assert_array_equal(matrix, [[1, 1, 3], [2, 0, 4], [3, np.nan, 5]])
    assert list(schema.categories) == [1]


def test_text_and_numbers_in_lists_keep_their_types():
    matrix, schema = encode([[1, "b"], [2, "a"]], [1])
    np.testing.assert_array_equal(matrix, [[1, 1], [2, 0]])
    assert schema.categories[1].values.tolist() == ["a", "b"]


def test_an_array_of_text_may_hold_numeric_columns():
    X = np.array([["1.5", "b"], ["2", "a"]])
    matrix, schema = encode(X, [1])
    np.testing.assert_array_equal(matrix, [[1.5, 1], [2, 0]])
    np.testing.assert_array_equal(encode_like(X[::-1], schema), [[2, 0], [1.5, 1]])


def test_large_integers_stay_distinct_as_categories():
    X = np.array([[2**60], [2**60 + 1], [2**60]])
    matrix, schema = encode(X, [0])
    np.testing.assert_array_equal(matrix[:, 0], [0, 1, 0])
    np.testing.assert_array_equal(encode_like(X[1:2], schema), [[1]])


def test_unseen_categories_become_missing():
    _, schema = encode(np.array([[1.0], [2.0]]), [0])
    np.testing.assert_array_equal(
        encode_like(np.array([[2.0], [3.0], [np.nan]]), schema), [[1], [np.nan], [np.nan]]
    )


def test_no_column_is_categorical_with_an_empty_list():
    matrix, schema = encode(VALUES, [])
    np.testing.assert_array_equal(matrix, VALUES)
    assert not schema.categories


def test_a_categorical_column_without_values_has_room_for_one_category():
    matrix, schema = encode(np.array([[None, 1.0], [None, 2.0]], dtype=object), [0])
    assert np.isnan(matrix[:, 0]).all()
    assert schema.n_categories.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ([3], "between 0 and 2"),
        ([-1], "between 0 and 2"),
        ([True, False], "3 columns, the mask 2 values"),
        (["a"], "X has none"),
        ([0.5], "only names, only indices or only booleans"),
        ([[0, 1]], "2 dimensions"),
    ],
)
def test_a_wrong_choice_of_columns_is_refused(chosen, message):
    with pytest.raises(ValueError, match=message):
        encode(VALUES, chosen)


def test_too_many_rows_are_refused_from_the_shape_alone():
    X = np.broadcast_to(np.float32(0), (_core.MAX_ROWS + 1, 2))
    with pytest.raises(ValueError, match=f"{_core.MAX_ROWS}"):
        encode(X)


def test_too_many_categories_are_refused(monkeypatch):
    class Small:
        MAX_CATEGORIES = 3

    monkeypatch.setattr("rarewood.table._values._core", Small)
    X = np.arange(4.0).reshape(-1, 1)
    encode(X[:3], [0])
    with pytest.raises(ValueError, match=r"column 0 has 4 categories, .* at most 3.* identifier"):
        encode(X, [0])


def test_categories_show_their_values():
    assert repr(Categories(["a", "b"])) == "Categories(['a', 'b'])"
    assert len(Categories([])) == 0
