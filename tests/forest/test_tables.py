"""Tables with names, categories and missing values, many classes, and columns of every kind."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from rarewood import RareForestClassifier, presets

RANDOM = np.random.default_rng(1)
N = 300
NUMERIC = RANDOM.normal(size=(N, 3))
COLOUR = RANDOM.choice(["red", "green", "blue", "grey"], N)
LABELS = np.where((NUMERIC[:, 0] > 0) & np.isin(COLOUR, ["red", "blue"]), "rare", "common")
TABLE = pd.DataFrame(
    {
        "x": np.where(RANDOM.random(N) < 0.05, np.nan, NUMERIC[:, 0]),
        "y": NUMERIC[:, 1],
        "z": NUMERIC[:, 2].astype(np.float32),
        "colour": pd.Series(np.where(RANDOM.random(N) < 0.05, None, COLOUR)),
        "member": RANDOM.random(N) < 0.5,
    }
)
FORESTS = {
    "default": RareForestClassifier(),
    "three columns": RareForestClassifier(oblique_dim=3, oblique_draw="points"),
    "multiway": presets.bagged_hddt(),
    "onehot": presets.beat(),
    "balanced": presets.balanced_random_forest(),
    "one cut": presets.extra_trees(),
    "bins": presets.random_forest(max_bins=16),
}


@pytest.fixture(params=FORESTS)
def forest(request):
    return clone(FORESTS[request.param]).set_params(n_estimators=20, random_state=0)


def test_names_categories_and_missing_values(forest):
    forest.fit(TABLE, LABELS)
    assert forest.feature_names_in_.tolist() == list(TABLE)
    assert forest.score(TABLE, LABELS) > 0.93
    importances = dict(zip(TABLE, forest.feature_importances_, strict=True))
    assert min(importances["x"], importances["colour"]) > importances["member"]


def test_pandas_and_polars_give_the_same_forest(forest):
    frame = pl.from_pandas(TABLE)
    expected = clone(forest).fit(TABLE, LABELS).predict_proba(TABLE)
    model = forest.fit(frame, pl.Series(LABELS))
    np.testing.assert_array_equal(model.predict_proba(frame), expected)


def test_unknown_categories_and_missing_values_are_predicted(forest):
    forest.fit(TABLE, LABELS)
    other = TABLE.head(4).assign(colour=["violet", None, "red", "blue"], x=[np.nan, 1.0, 2.0, -1.0])
    mean = np.mean([tree.predict_proba(other) for tree in forest], axis=0)
    np.testing.assert_allclose(forest.predict_proba(other), mean)
    missing = other.assign(colour=[None] * 4)
    np.testing.assert_array_equal(
        forest.predict_proba(missing)[0], forest.predict_proba(other)[0]
    )  # a category that no tree has seen is missing


def test_columns_in_another_order_are_refused(forest):
    forest.fit(TABLE, LABELS)
    with pytest.raises(ValueError, match="feature names"):
        forest.predict(TABLE[TABLE.columns[::-1]])


def test_one_column_is_enough(forest):
    x = np.arange(40.0).reshape(-1, 1)
    forest.set_params(oblique_dim=2).fit(x, np.arange(40) >= 20)
    assert forest.score(x, np.arange(40) >= 20) > 0.9


def test_only_nominal_columns(forest):
    table = TABLE[["colour", "member"]]
    labels = (TABLE["colour"] == "red").to_numpy()
    assert forest.set_params(oblique_dim=2).fit(table, labels).score(table, labels) > 0.9


def test_columns_without_a_value_or_with_one_only(forest):
    table = TABLE.assign(nothing=np.nan, same=1.0)
    forest.fit(table, LABELS)
    np.testing.assert_array_equal(forest.feature_importances_[-2:], [0, 0])
    assert forest.score(table, LABELS) > 0.9


def test_many_classes(forest):
    X, y = load_iris(return_X_y=True)
    names = load_iris().target_names[y]
    forest.fit(X, names)
    assert forest.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert forest.score(X, names) > 0.93
