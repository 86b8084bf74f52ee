"""Partial dependence: against its definition, against scikit-learn, and its errors."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.inspection import partial_dependence as of_sklearn
from sklearn.tree import DecisionTreeRegressor

from oracle.shapley import game_value
from rarewood import RareForestClassifier, RareTreeClassifier
from rarewood.explain import partial_dependence
from support.explained import AXIS_PARALLEL, LABELS, MODELS, TABLE, trees_of

X, Y = load_breast_cancer(return_X_y=True, as_frame=True)


@pytest.mark.parametrize("features", ["x", "shape", ["colour", "z"], [3, "x", "v"]], ids=str)
@pytest.mark.parametrize("name", AXIS_PARALLEL)
def test_recursion_is_the_weighted_walk_by_definition(name, features):
    model = AXIS_PARALLEL[name].fit(TABLE, LABELS)
    custom = {"x": [-1.0, 0.2, np.nan], "colour": ["green", None, "violet"]}
    found = partial_dependence(
        model, TABLE, features, method="recursion", grid_resolution=4, custom_values=custom
    )
    numbers = {"green": 0, None: np.nan, "violet": np.nan} | {c: i for i, c in enumerate("abcdef")}
    numbers["green"] = model._schema.categories[2].numbers["green"]
    known = {frozenset([feature]) for feature in found.features}
    assert found.average.shape == (3, *map(len, found.grid_values))
    for place in np.ndindex(*found.average.shape[1:]):
        row = np.full(6, -99.0)
        for feature, values, at in zip(found.features, found.grid_values, place, strict=True):
            row[feature] = numbers.get(values[at], values[at])
        for number in range(3):
            by_hand = np.mean([game_value(t, row, known, number) for t in trees_of(model)])
            assert found.average[number, *place] == pytest.approx(by_hand, abs=1e-12)


def test_recursion_is_that_of_scikit_learn():
    """With weights, which exclude ties, the trees of Gini and of squared errors are the same."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(400, 4)).astype(np.float32)
    y = (values[:, 0] * values[:, 1] + rng.normal(size=400) > 0.5).astype(int)
    weight = rng.uniform(0.5, 1.5, 400)
    theirs = DecisionTreeRegressor(min_samples_leaf=15).fit(values, y, weight)
    ours = RareTreeClassifier("gini", min_samples_leaf=15, leaf="raw").fit(values, y, weight)
    assert ours.get_n_leaves() > 12
    np.testing.assert_allclose(ours.predict_proba(values)[:, 1], theirs.predict(values), atol=1e-6)
    for features in (0, [1], [0, 2]):
        expected = of_sklearn(theirs, values, features, method="recursion", grid_resolution=20)
        found = partial_dependence(ours, values, features, grid_resolution=20)
        np.testing.assert_allclose(found.average[1:], expected["average"], atol=1e-6)
        for one, other in zip(found.grid_values, expected["grid_values"], strict=True):
            np.testing.assert_allclose(one, other)


@pytest.mark.parametrize("coded", [None, 30])
@pytest.mark.parametrize("features", ["worst area", ["mean texture", "worst area"]], ids=str)
def test_brute_is_that_of_scikit_learn_for_planes_too(features, coded):
    forest = RareForestClassifier(10, max_bins=coded, random_state=0).fit(X, Y)
    expected = of_sklearn(forest, X[:80], features, method="brute", grid_resolution=6)
    found = partial_dependence(forest, X[:80], features, grid_resolution=6)
    if coded is None:
        np.testing.assert_allclose(found.of_class(1), expected["average"][0], atol=1e-12)
    else:  # the grid is made of coordinates
        np.testing.assert_allclose(found.of_class(1), expected["average"][0], atol=0.02)


@pytest.mark.parametrize("name", MODELS)
def test_a_feature_without_influence_is_flat_and_brute_averages_predictions(name):
    model = MODELS[name].fit(TABLE.assign(constant=1.0), LABELS)
    table = TABLE[:30].assign(constant=1.0)
    flat = partial_dependence(model, table, "constant", custom_values={"constant": [0, 1, np.nan]})
    assert np.ptp(flat.average, axis=1).max() < 1e-12
    found = partial_dependence(model, table, "shape", method="brute")
    for at, shape in enumerate(found.grid_values[0]):
        changed = table.assign(shape=pd.Categorical([shape] * 30, categories=list("abcdef")))
        expected = model.predict_proba(changed).mean(axis=0)
        np.testing.assert_allclose(found.average[:, at], expected, atol=1e-12)


def test_displays():
    pytest.importorskip("matplotlib").use("Agg")
    model = AXIS_PARALLEL["subset"].fit(TABLE, LABELS)
    for features in ("z", "colour", ["z", "x"], ["colour", "shape"]):
        found = partial_dependence(model, TABLE, features, grid_resolution=7)
        drawn = found.to_display("rare").plot()
        assert drawn.axes_.size == 1
        name = features if isinstance(features, str) else features[0]
        assert name in (drawn.axes_[0, 0].get_xlabel(), drawn.axes_[0, 0].get_ylabel())
    line = partial_dependence(model, TABLE, "z", grid_resolution=7)
    plotted = line.to_display("rare").plot().lines_[0, 0].get_ydata()
    np.testing.assert_array_equal(plotted, line.of_class("rare"))
    three = partial_dependence(model, TABLE, ["x", "z", "w"], grid_resolution=3)
    with pytest.raises(ValueError, match="one or two features, not 3"):
        three.to_display("rare")


@pytest.mark.parametrize(
    ("features", "options", "message"),
    [
        ("y", {}, "no feature 'y'"),
        (9, {}, "features 0 to 5"),
        (["x", 0], {}, "each of them once"),
        ([], {}, "one or more features"),
        ("x", {"method": "recursive"}, "method must be"),
        ("x", {"method": "recursion"}, "Hyperplanes cannot be followed"),
        ("x", {"percentiles": (0.9, 0.1)}, "ascending order"),
        ("x", {"percentiles": (0.5, 0.50001), "grid_resolution": 9}, "Both percentiles"),
    ],
)
def test_errors(features, options, message):
    model = MODELS["planes"].fit(TABLE, LABELS)
    table = TABLE.assign(x=np.r_[np.zeros(150), np.arange(50)])
    with pytest.raises(ValueError, match=message):
        partial_dependence(model, table, features, **options)
