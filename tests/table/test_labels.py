"""Labels of every type become class numbers; weights are checked, multiplied and thinned out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import DataConversionWarning

from rarewood.table._labels import encode_labels

LABELS = {
    "ints": np.array([3, -1, 3, 7]),
    "int8 at both ends": np.array([-128, 127, 0, 127], dtype=np.int8),
    "large unsigned": np.array([2**64 - 1, 2**64 - 2], dtype=np.uint64),
    "far apart": np.array([0, 10**15, -(10**15)]),
    "bools": np.array([True, False, True]),
    "one class": np.array([5, 5]),
    "whole floats": np.array([1.0, 0.0, -2.0]),
    "float32": np.array([1, 0], dtype=np.float32),
    "huge whole floats": np.array([1e300, 0.0]),
    "text": np.array(["b", "a", "b"]),
    "objects": np.array(["b", "a", "long text"], dtype=object),
    "dates": np.array(["2020-01-02", "2020-01-01"], dtype="datetime64[D]"),
}


@pytest.mark.parametrize("y", LABELS.values(), ids=LABELS)
def test_classes_are_those_of_numpy(y):
    classes, codes = encode_labels(y)
    expected, inverse = np.unique(y, return_inverse=True)
    np.testing.assert_array_equal(classes, expected)
    np.testing.assert_array_equal(codes, inverse)
    assert classes.dtype == y.dtype
    assert codes.dtype == np.int32


@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.float64, bool])
def test_many_labels(dtype):
    y = np.random.default_rng(0).choice([0, 1, 5, 100], 200_000).astype(dtype)
    y[-1] = 7
    classes, codes = encode_labels(y)
    expected, inverse = np.unique(y, return_inverse=True)
    np.testing.assert_array_equal(classes, expected)
    np.testing.assert_array_equal(codes, inverse)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1))
def test_any_integers_are_encoded_as_by_numpy(values):
    y = np.array(values)
    classes, codes = encode_labels(y)
    expected, inverse = np.unique(y, return_inverse=True)
    np.testing.assert_array_equal(classes, expected)
    np.testing.assert_array_equal(codes, inverse)


SERIES = {
    "list": ["b", "a"],
    "tuple of bools": (True, False),
    "pandas text": pd.Series(["b", "a"]),
    "pandas category": pd.Series(["b", "a"], dtype="category"),
    "pandas Int64": pd.Series([2, 1], dtype="Int64"),
    "pandas boolean": pd.Series([True, False], dtype="boolean"),
    "pandas arrow": pd.Series(["b", "a"], dtype=pd.ArrowDtype(pa.string())),
    "pandas objects": pd.Series([2, 1], dtype=object),
    "pandas index": pd.Index(["b", "a"]),
    "polars text": pl.Series(["b", "a"]),
    "polars category": pl.Series(["b", "a"], dtype=pl.Categorical),
    "polars bool": pl.Series([True, False]),
    "pyarrow text": pa.chunked_array([["b"], ["a"]]),
    "pyarrow array": pa.array([2, 1]),
    "pyarrow dictionary": pa.chunked_array([pa.array(["b", "a"]).dictionary_encode()]),
}


@pytest.mark.parametrize("y", SERIES.values(), ids=SERIES)
def test_series_of_every_library(y):
    classes, codes = encode_labels(y)
    assert codes.tolist() == [1, 0]
    assert classes.tolist() in (["a", "b"], [1, 2], [False, True])


def test_a_column_of_labels_is_flattened_with_a_warning():
    with pytest.warns(DataConversionWarning, match="column-vector"):
        _, codes = encode_labels(np.array([[1], [0]]))
    assert codes.tolist() == [1, 0]
    with pytest.warns(DataConversionWarning, match="column-vector"):
        encode_labels(pd.DataFrame({"y": [1, 0]}))


MISSING = {
    "NaN": np.array([1.0, np.nan]),
    "None among text": ["a", None],
    "NaN among objects": np.array(["a", np.nan], dtype=object),
    "NA among objects": np.array(["a", pd.NA], dtype=object),
    "pandas": pd.Series(["a", None]),
    "pandas Int64": pd.Series([1, None], dtype="Int64"),
    "polars": pl.Series(["a", None]),
    "polars NaN": pl.Series([1.0, float("nan")]),
    "pyarrow": pa.chunked_array([["a", None]]),
}


@pytest.mark.parametrize("y", MISSING.values(), ids=MISSING)
def test_missing_labels_are_refused_and_found(y):
    with pytest.raises(
        ValueError, match=r"y contains NaN or another missing value, first in row 1"
    ):
        encode_labels(y)


@pytest.mark.parametrize(
    ("y", "error", "message"),
    [
        (None, ValueError, "target y is None"),
        (np.array([[0, 1], [1, 0]]), ValueError, "multioutput targets are not supported"),
        (pd.DataFrame({"a": [0], "b": [1]}), ValueError, "multioutput targets are not supported"),
        (np.array([0.5, 1.5]), ValueError, "Unknown label type: continuous"),
        (np.array([np.inf, 1.0]), ValueError, "infinity"),
        (np.array([1j, 2]), ValueError, "omplex"),
        (
            np.array(["a", 1], dtype=object),
            ValueError,
            "y contains labels of different types: number and text",
        ),
        (np.array([{1}, {2}], dtype=object), ValueError, "Unknown label type"),
        ([b"a", b"b"], TypeError, "bytes"),
        (3, ValueError, "1d array"),
    ],
)
def test_targets_that_are_not_labels_are_refused(y, error, message):
    with pytest.raises(error, match=message):
        encode_labels(y)
