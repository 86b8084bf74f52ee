"""A table at prediction must have the columns that it had in training, of the same kinds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rarewood import RareTreeClassifier

COLUMNS = {
    "age": [31.0, 45.5, None, 22.0, 60.0, 38.0],
    "colour": ["red", "green", "red", None, "blue", "red"],
    "member": [True, False, True, True, None, False],
    "visits": [1, 2, 3, 4, 5, 6],
}
LABELS = ["no", "yes", "no", "no", "yes", "no"]
CHANGED = {
    "numeric to text": ({"age": ["old"] * 6}, "'age' was numeric .* is categorical now"),
    "numeric to bool": (
        {"visits": [True] * 6},
        "'visits' was numeric .* is categorical now",
    ),
    "text to numbers": (
        {"colour": [1.0] * 6},
        r"'colour' was categorical \(text\) .* numeric",
    ),
    "text to bool": (
        {"colour": [True] * 6},
        r"'colour' was categorical \(text\) .* \(bool\)",
    ),
    "bool to numbers": ({"member": [0, 1] * 3}, r"column 'member' was categorical \(bool\)"),
}


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
@pytest.mark.parametrize(("column", "message"), CHANGED.values(), ids=CHANGED)
def test_a_column_that_changed_its_kind_is_named(frame, column, message):
    model = RareTreeClassifier().fit(frame(COLUMNS), LABELS)
    with pytest.raises(ValueError, match=message):
        model.predict(frame({**COLUMNS, **column}))


def test_a_category_of_numbers_must_stay_a_category():
    X = pd.DataFrame({"code": pd.Categorical([1, 2, 1])})
    model = RareTreeClassifier().fit(X, [0, 1, 0])
    assert model.predict(X).tolist() == [0, 1, 0]
    with pytest.raises(ValueError, match=r"was categorical \(number\)"):
        model.predict(X.astype(int))


def test_an_array_after_a_table_is_read_by_its_values():
    X = pd.DataFrame(COLUMNS)
    model = RareTreeClassifier(criterion="entropy").fit(X, LABELS)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        assert model.predict(X.to_numpy()).tolist() == LABELS
    with (
        pytest.warns(UserWarning, match="does not have valid feature names"),
        pytest.raises(ValueError, match="column 'colour' was categorical"),
    ):
        model.predict(np.zeros((2, 4)))


def test_names_must_be_the_same_and_in_order():
    X = pd.DataFrame(COLUMNS)
    model = RareTreeClassifier().fit(X, LABELS)
    with pytest.raises(ValueError, match="same order"):
        model.predict(X[X.columns[::-1]])
    with pytest.raises(ValueError, match=r"unseen at fit time:\n- years"):
        model.predict(X.rename(columns={"age": "years"}))
    with pytest.raises(ValueError, match="now missing"):
        model.predict(X.drop(columns="age"))


def test_a_table_after_an_array_warns():
    X = pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, 2.0]})
    model = RareTreeClassifier().fit(X.to_numpy(), [0, 1])
    assert not hasattr(model, "feature_names_in_")
    with pytest.warns(UserWarning, match="fitted without feature names"):
        model.predict(X)


def test_names_go_away_when_a_table_without_names_is_fitted():
    X = pd.DataFrame({"a": [1.0, 2.0]})
    model = RareTreeClassifier().fit(X, [0, 1])
    assert model.feature_names_in_.tolist() == ["a"]
    model.fit(X.rename(columns={"a": 0}), [0, 1])
    assert not hasattr(model, "feature_names_in_")


def test_names_of_mixed_types_are_refused_as_scikit_learn_does():
    X = pd.DataFrame([[1.0, 2.0], [3.0, 4.0]], columns=["a", 1])
    with pytest.raises(TypeError, match="string names"):
        RareTreeClassifier().fit(X, [0, 1])


def test_number_columns_of_a_table_may_have_names_that_are_numbers():
    X = pd.DataFrame({0: [1.0, 2.0], 1: ["a", "b"]})
    model = RareTreeClassifier().fit(X, [0, 1])
    assert model.predict(X).tolist() == [0, 1]
    with pytest.raises(ValueError, match="column 1 was categorical"):
        model.predict(pd.DataFrame({0: [1.0, 2.0], 1: [1.0, 2.0]}))
