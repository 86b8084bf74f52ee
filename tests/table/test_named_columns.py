"""Columns by name: labels and weights in a table, extra columns, and tables without clear names."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rarewood import RareForestClassifier, RareTreeClassifier
from support.streamed import assert_same_model

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(60, 2))
COLUMNS = {
    "a": X[:, 0],
    "ill": np.where(X[:, 0] + X[:, 1] > 1.2, "yes", "no").tolist(),
    "town": RANDOM.choice(["north", "south"], 60).tolist(),
    "w": RANDOM.integers(0, 3, 60).astype(float),
    "b": X[:, 1],
}
HUGE = [getattr(pl, name) for name in ("Int128", "UInt128") if hasattr(pl, name)]  # newer ones
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.fixture(params=FRAMES)
def make(request):
    return FRAMES[request.param]


@pytest.fixture(params=["tree", "forest"])
def model(request):
    if request.param == "tree":
        return RareTreeClassifier(random_state=0)
    return RareForestClassifier(3, random_state=0)


def without(*names: str) -> dict:
    return {name: values for name, values in COLUMNS.items() if name not in names}


def fitted_on(model, frame, y, weight=None):
    return type(model)(**model.get_params()).fit(frame, y, weight)


def test_labels_and_weights_are_columns(make, model):
    named = fitted_on(model, make(COLUMNS), "ill", "w")
    labels = np.array(COLUMNS["ill"], dtype=object)
    apart = fitted_on(model, make(without("ill", "w")), labels, COLUMNS["w"])
    assert named.feature_names_in_.tolist() == ["a", "town", "b"]
    assert_same_model(named, apart)
    assert_same_model(fitted_on(model, make(without("w")), "ill", COLUMNS["w"]), apart)
    assert_same_model(fitted_on(model, make(without("ill")), labels, "w"), apart)


def test_a_record_batch_is_a_table_in_memory(model):
    batch = pa.record_batch(COLUMNS)
    assert_same_model(
        fitted_on(model, batch, "ill", "w"), fitted_on(model, pa.table(COLUMNS), "ill", "w")
    )
    assert len(fitted_on(model, batch, "ill").predict(batch)) == 60


def test_names_that_are_not_there(make, model):
    frame = make(COLUMNS)
    for y, weight, message in [
        ("il", None, r"The table has no column 'il' \(y\)\. Did you mean 'ill'\?"),
        ("ill", "weight", r"no column 'weight' \(sample_weight\)"),
        ("ill", "ill", "y and sample_weight are the same column, 'ill'"),
        ("ill", "town", "sample_weight='town' does not hold numbers"),
    ]:
        with pytest.raises(ValueError, match=message):
            model.fit(frame, y, weight)
    with pytest.raises(ValueError, match="0 feature"):
        model.fit(make({"ill": COLUMNS["ill"]}), "ill")
    assert not hasattr(model, "classes_")


def test_a_missing_label_or_weight_is_named(make, model):
    gap = [*COLUMNS["ill"][:7], None, *COLUMNS["ill"][8:]]
    with pytest.raises(ValueError, match="y contains NaN or another missing value, first in row 7"):
        model.fit(make({**COLUMNS, "ill": gap}), "ill")
    gap = [*COLUMNS["w"][:5].tolist(), None, *COLUMNS["w"][6:].tolist()]
    with pytest.raises(ValueError, match=r"sample_weight contains NaN .* first in row 5"):
        model.fit(make({**COLUMNS, "w": gap}), "ill", "w")


def test_an_array_has_no_names(model):
    with pytest.raises(ValueError, match=r"y='ill' is the name of a column, but .*DataFrame"):
        model.fit(X, "ill")
    with pytest.raises(ValueError, match="sample_weight='w' is the name of a column, but X has no"):
        model.fit(X.tolist(), COLUMNS["ill"], "w")


def test_extra_columns_are_ignored(make, model):
    fitted = fitted_on(model, make(COLUMNS), "ill", "w")
    plain, extra = make(without("ill", "w")), make({"new": COLUMNS["a"], **COLUMNS})
    for method in ("predict", "predict_proba", "apply"):
        expected = getattr(fitted, method)(plain)
        np.testing.assert_array_equal(getattr(fitted, method)(extra), expected)
        np.testing.assert_array_equal(getattr(fitted, method)([pa.table(COLUMNS)]), expected)


def test_missing_columns_and_another_order_are_errors(make, model):
    fitted = fitted_on(model, make(COLUMNS), "ill", "w")
    with pytest.raises(ValueError, match="yet now missing:\n- town"):
        fitted.predict(make(without("town")))
    for names in (["b", "town", "a"], ["b", "town", "a", "w", "ill"]):
        with pytest.raises(ValueError, match="same order"):
            fitted.predict(make({name: COLUMNS[name] for name in names}))


def test_a_model_without_names_takes_no_extra_columns(make, model):
    fitted = fitted_on(model, X, COLUMNS["ill"])
    with (
        pytest.warns(UserWarning, match="was fitted without feature names"),
        pytest.raises(ValueError, match=r"X has 3 features, but .* is expecting 2 features"),
    ):
        fitted.predict(make({"a": X[:, 0], "b": X[:, 1], "c": X[:, 1]}))


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(X, columns=["x", "x"]),
        pd.DataFrame([[1.0, "a"]] * 60, columns=["x", "x"]),
        pa.table([X[:, 0], X[:, 1]], names=["x", "x"]),
    ],
)
def test_two_columns_of_one_name(frame, model):
    with pytest.raises(ValueError, match="X has several columns named 'x': rename all but one"):
        model.fit(frame, COLUMNS["ill"])


def test_a_dict(model):
    with pytest.raises(TypeError, match=r"X is a dict\. .*pandas\.DataFrame\(X\)"):
        model.fit({"a": X[:, 0]}, COLUMNS["ill"])


@pytest.mark.parametrize("dtype", HUGE, ids=str)
def test_integers_of_128_bits(dtype, model):
    frame = pl.DataFrame({"a": range(60)}, schema={"a": dtype})
    with pytest.raises(ValueError, match=r"column 'a' holds integers of 128 bits.*Int64"):
        model.fit(frame, COLUMNS["ill"])
    assert hasattr(model.fit(frame.cast(pl.Int64), COLUMNS["ill"]), "classes_")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (datetime.date(2020, 1, 1), "column 1 holds date, .* Convert it to numbers"),
        (1j, "Complex data not supported: column 1"),
        ([1], "column 1 holds list"),
    ],
)
def test_an_array_of_objects(value, message, model):
    table = np.empty((60, 2), dtype=object)
    table[:, 0] = 1.5
    table[:, 1] = [value] * 60
    if isinstance(value, list):
        for row in range(60):
            table[row, 1] = value
    with pytest.raises((TypeError, ValueError), match=message):
        model.fit(table, COLUMNS["ill"])
