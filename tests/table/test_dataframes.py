"""pandas, polars and pyarrow tables: kinds by type, missing values, and the same columns again."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rarewood import RareTreeClassifier
from rarewood.table._encode import encode, encode_like

COLUMNS = {
    "age": [31.0, 45.5, None, 22.0, 60.0, 38.0],
    "colour": ["red", "green", "red", None, "blue", "red"],
    "member": [True, False, True, True, None, False],
    "visits": [1, 2, 3, 4, 5, 6],
}
LABELS = ["no", "yes", "no", "no", "yes", "no"]
MATRIX = [
    [31.0, 2, 1, 1],
    [45.5, 1, 0, 2],
    [np.nan, 2, 1, 3],
    [22.0, np.nan, 1, 4],
    [60.0, 0, np.nan, 5],
    [38.0, 2, 0, 6],
]


def pandas_nullable(columns):
    return pd.DataFrame(columns).convert_dtypes()


def pandas_arrow(columns):
    return pa.table(columns).to_pandas(types_mapper=pd.ArrowDtype)


def pandas_category(columns):
    return pd.DataFrame(columns).astype({"colour": "category"})


def polars_category(columns):
    return pl.DataFrame(columns).with_columns(pl.col("colour").cast(pl.Categorical))


def pyarrow_dictionary(columns):
    table = pa.table(columns)
    place = table.column_names.index("colour")
    return table.set_column(place, "colour", table["colour"].dictionary_encode())


FRAMES = [
    pd.DataFrame,
    pandas_nullable,
    pandas_arrow,
    pandas_category,
    lambda columns: pd.DataFrame(columns, dtype=object),
    pl.DataFrame,
    polars_category,
    pa.table,
    pyarrow_dictionary,
]
IDS = ["pandas", "nullable", "arrow", "category", "objects", "polars", "polars category"]
every_frame = pytest.mark.parametrize("frame", FRAMES, ids=[*IDS, "pyarrow", "dictionary"])


@every_frame
def test_every_library_gives_the_same_matrix(frame):
    matrix, schema = encode(frame(COLUMNS))
    np.testing.assert_array_equal(matrix, MATRIX)
    assert matrix.flags.f_contiguous
    assert schema.names.tolist() == list(COLUMNS)
    assert schema.categories[1].values.tolist() == ["blue", "green", "red"]
    assert schema.categories[2].values.tolist() == [False, True]
    assert schema.n_categories.tolist() == [0, 3, 2, 0]


@every_frame
def test_every_library_gives_the_same_model(frame):
    X = frame(COLUMNS)
    model = RareTreeClassifier(criterion="entropy").fit(X, LABELS)
    assert model.feature_names_in_.tolist() == list(COLUMNS)
    assert model.predict(X).tolist() == LABELS
    expected = RareTreeClassifier(criterion="entropy").fit(pd.DataFrame(COLUMNS), LABELS)
    assert str(model.tree_) == str(expected.tree_)


@every_frame
def test_a_model_of_one_library_predicts_the_tables_of_another(frame):
    _, schema = encode(pd.DataFrame(COLUMNS))
    np.testing.assert_array_equal(encode_like(frame(COLUMNS), schema), MATRIX)


def test_an_array_of_objects_is_a_frame_without_names():
    frame = pd.DataFrame(
        {"x": [1.5, None, 3.0, 2.0], "c": ["a", "b", None, "a"], "k": [1, 2, 3, 4]}
    )
    objects = frame.to_numpy(dtype=object)
    named, plain = (RareTreeClassifier().fit(X, [0, 1, 1, 0]) for X in (frame, objects))
    assert list(plain._schema.categories) == [1]
    np.testing.assert_array_equal(plain.predict_proba(objects), named.predict_proba(frame))
    with pytest.raises(ValueError, match="X holds text"):
        RareTreeClassifier(categorical_features=None).fit(objects, [0, 1, 1, 0])


@every_frame
def test_unseen_categories_and_missing_values_at_prediction(frame):
    _, schema = encode(frame(COLUMNS))
    others = {
        "age": [1.0, None],
        "colour": ["violet", None],
        "member": [None, True],
        "visits": [1, 2],
    }
    if frame is FRAMES[4]:
        others["visits"] = [1, None]
    matrix = encode_like(frame(others), schema)
    np.testing.assert_array_equal(matrix[:, 1], [np.nan, np.nan])
    np.testing.assert_array_equal(matrix[:, 2], [np.nan, 1])


def test_categories_are_sorted_whatever_their_order_in_a_type():
    sizes = ["small", "large", "medium", "small"]
    order = ["small", "medium", "large", "never"]
    for column in (
        pd.Series(pd.Categorical(sizes, order)).to_frame("size"),
        pd.Series(pd.Categorical(sizes, order, ordered=True)).to_frame("size"),
        pl.DataFrame({"size": pl.Series(sizes, dtype=pl.Enum(order))}),
    ):
        matrix, schema = encode(column)
        assert schema.categories[0].values.tolist() == ["large", "medium", "small"]
        np.testing.assert_array_equal(matrix[:, 0], [2, 0, 1, 2])


def test_categories_of_several_types_have_one_order():
    values = ["b", 2, ("c", 1), 10, "a"]
    for order in (values, values[::-1]):
        _, schema = encode(pd.DataFrame({"x": pd.Categorical(values, order)}))
        assert schema.categories[0].values.tolist() == [10, 2, "a", "b", ("c", 1)]


def test_categories_may_be_any_values():
    ages = pd.Series([10, 35, 70, np.nan])
    X = pd.DataFrame(
        {"group": pd.cut(ages, [0, 30, 60, 90]), "code": pd.Categorical([3, 1, 3, None])}
    )
    matrix, schema = encode(X)
    np.testing.assert_array_equal(matrix, [[0, 1], [1, 0], [2, 1], [np.nan, np.nan]])
    assert schema.categories[0].values[0] == pd.Interval(0, 30)
    model = RareTreeClassifier().fit(X[["group"]], [0, 1, 1, 0])
    assert "group in {(30, 60], (60, 90]}" in model.tree_.export_text()


@pytest.mark.parametrize(
    ("dtypes", "kept"),
    [
        ({"a": "float32", "b": "int16", "c": "bool"}, np.float32),
        ({"a": "float16", "b": "uint8", "c": "category"}, np.float32),
        ({"a": "Float32", "b": "Int8", "c": "boolean"}, np.float32),
        ({"a": "float32", "b": "int32", "c": "bool"}, np.float64),
        ({"a": "float64", "b": "int8", "c": "bool"}, np.float64),
    ],
)
def test_the_matrix_has_the_smallest_exact_type(dtypes, kept):
    X = pd.DataFrame({"a": [0, 1], "b": [1, 0], "c": [1, 0]}).astype(dtypes)
    matrix, _ = encode(X)
    assert matrix.dtype == kept
    np.testing.assert_array_equal(matrix, [[0, 1, 1], [1, 0, 0]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_pandas_table_of_floats_is_not_copied(dtype):
    values = np.arange(12, dtype=dtype).reshape(4, 3)
    X = pd.DataFrame(values, columns=list("abc"))
    assert np.shares_memory(encode(X)[0], X.to_numpy())


def test_numbers_of_unusual_types():
    decimals = [Decimal("1.5"), None]
    for X in (
        pd.DataFrame({"x": decimals}),
        pl.DataFrame({"x": decimals}),
        pa.table({"x": decimals}),
        pl.DataFrame({"x": [1.5, None]}, schema={"x": pl.Float32}),
        pl.DataFrame({"x": [1.5, float("nan")]}),
        pd.DataFrame({"x": [1.5, None]}, dtype=object),
        pa.table({"x": pa.array([np.float16(1.5), None], pa.float16())}),
    ):
        np.testing.assert_array_equal(encode(X)[0], [[1.5], [np.nan]])


def test_text_of_unusual_types():
    texts = pa.array(["b", None, "a"])
    large, encoded = texts.cast(pa.large_string()), texts.dictionary_encode()
    as_view = pa.array(["b", None, "a"], pa.string_view())  # which pandas does not know
    tables = [pa.table({"x": values}) for values in (large, encoded, as_view)]
    frames = [table.to_pandas(types_mapper=pd.ArrowDtype) for table in tables[:2]]
    for X in [*tables, *frames]:
        np.testing.assert_array_equal(encode(X)[0], [[1], [np.nan], [0]])


def test_columns_without_any_value_are_missing_throughout():
    for X in (
        pd.DataFrame({"x": [None, None]}),
        pl.DataFrame({"x": [None, None]}),
        pa.table({"x": pa.nulls(2)}),
        pl.DataFrame({"x": [None, None]}, schema={"x": pl.String}),
    ):
        assert np.isnan(encode(X)[0]).all()


def test_a_column_without_any_value_fits_every_kind_at_prediction():
    _, schema = encode(pd.DataFrame(COLUMNS))
    nothing = {name: [None, None] for name in COLUMNS}
    for X in (
        pd.DataFrame(nothing),
        pd.DataFrame(nothing, dtype=float),
        pl.DataFrame(nothing),
        pl.DataFrame(nothing, schema=dict.fromkeys(nothing, pl.String)),
        pa.table({name: pa.nulls(2) for name in COLUMNS}),
    ):
        assert np.isnan(encode_like(X, schema)).all()


@pytest.mark.parametrize("chosen", [["code"], [0], [True, False], np.array(["code"])])
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_numeric_columns_are_categorical_if_the_user_says_so(frame, chosen):
    X = frame({"code": [20, 10, 20], "x": [1.0, 2.0, 3.0]})
    matrix, schema = encode(X, chosen)
    np.testing.assert_array_equal(matrix, [[1, 1], [0, 2], [1, 3]])
    np.testing.assert_array_equal(encode_like(X, schema), matrix)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_floats_may_be_categorical_too(frame):
    X = frame({"code": [2.5, None, 1.5]})
    matrix, schema = encode(X, ["code"])
    np.testing.assert_array_equal(matrix, [[1], [np.nan], [0]])
    np.testing.assert_array_equal(encode_like(frame({"code": [1.5, 9.0]}), schema), [[0], [np.nan]])


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_without_categorical_columns_booleans_are_numbers_and_text_is_an_error(frame):
    X = frame({"b": [True, False, None], "x": [1, 2, 3]})
    np.testing.assert_array_equal(encode(X, None)[0], [[1, 1], [0, 2], [np.nan, 3]])
    with pytest.raises(ValueError, match=r"column 'colour' holds text .* categorical_features"):
        encode(frame(COLUMNS), None)
    with pytest.raises(ValueError, match="column 'colour' holds text"):
        encode(frame(COLUMNS), ["member"])


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match=r"does not have: \['size'\]. Its columns are \['age'"):
        encode(pd.DataFrame(COLUMNS), ["size", "age"])


DAY = dt.date(2020, 1, 1)
REFUSED = {
    "pandas dates": (pd.DataFrame({"x": pd.to_datetime([DAY, None])}), "datetime64"),
    "pandas spans": (pd.DataFrame({"x": pd.to_timedelta([1, 2])}), "timedelta64"),
    "pandas periods": (pd.DataFrame({"x": pd.period_range("2020", periods=2)}), "period"),
    "date objects": (pd.DataFrame({"x": [DAY, None]}), "holds date"),
    "polars dates": (pl.DataFrame({"x": [DAY, None]}), "Date"),
    "pyarrow dates": (pa.table({"x": [DAY, None]}), "date32"),
    "lists": (pl.DataFrame({"x": [[1], [2]]}), "List"),
    "bytes": (pl.DataFrame({"x": [b"a", b"b"]}), "Binary"),
    "mixed text": (pd.DataFrame({"x": [1, "a"]}), "mixes numbers and text"),
    "mixed booleans": (pd.DataFrame({"x": [True, "a"]}), "mixes true/false values and text"),
    "complex": (pd.DataFrame({"x": [1j, 2]}), "Complex data not supported"),
    "complex objects": (pd.DataFrame({"x": [1j, "a"]}), "Complex data not supported"),
}


@pytest.mark.parametrize(("X", "message"), REFUSED.values(), ids=REFUSED)
def test_columns_that_no_tree_can_use_are_named(X, message):
    with pytest.raises(ValueError, match=message) as error:
        RareTreeClassifier().fit(X, [0, 1])
    assert "column 'x'" in str(error.value)


def test_sparse_and_lazy_tables_are_refused_with_a_remedy():
    sparse = pd.DataFrame({"x": pd.arrays.SparseArray([0.0, 1.0])})
    with pytest.raises(TypeError, match=r"sparse matrix.*toarray\(\)"):
        encode(sparse)
    with pytest.raises(TypeError, match=r"lazy table \(LazyFrame\).*collect"):
        encode(pl.LazyFrame(COLUMNS))


def test_empty_tables_are_refused():
    with pytest.raises(ValueError, match=r"0 sample\(s\) \(shape=\(0, 4\)\)"):
        encode(pd.DataFrame(COLUMNS).iloc[:0])
    with pytest.raises(ValueError, match=r"0 feature\(s\)"):
        encode(pd.DataFrame(index=[0, 1]))
