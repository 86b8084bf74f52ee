"""Importances, decision boundaries and the alpha sweep."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import precision_score
from sklearn.model_selection import StratifiedKFold

from rarewood import RareForestClassifier, RareTreeClassifier, plot, presets


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def table(n=300, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 4))
    y = np.where((X[:, 0] > 0.8) & (X[:, 1] + 0.3 * random.normal(size=n) > 0), "rare", "common")
    return X, y


# ---------------------------------------------------------------- importances


def test_importances_of_a_forest_with_their_spread():
    X, y = table()
    forest = RareForestClassifier(15, random_state=0).fit(X, y)
    ax = plot.feature_importances(forest)
    expected = forest.feature_importances_
    order = np.argsort(-expected)
    assert [bar.get_width() for bar in ax.patches] == pytest.approx(expected[order])
    assert [t.get_text() for t in ax.get_yticklabels()] == [f"feature_{j}" for j in order]
    trees = np.array([tree.feature_importances_ for tree in forest])
    (spread,) = ax.collections
    low, high = np.quantile(trees[:, order], [0.25, 0.75], axis=0)
    ends = np.array([[path[0, 0], path[1, 0]] for path in spread.get_segments()])
    np.testing.assert_allclose(ends, np.column_stack([low, high]))
    assert ax.get_title() == "Feature importances, all features, 15 trees"
    assert ax.yaxis_inverted()


def test_importances_of_one_tree_have_no_spread():
    X, y = table()
    tree = RareTreeClassifier(max_depth=3).fit(X, y)
    given = plt.subplots()[1]
    ax = plot.feature_importances(tree, max_features=2, feature_names=list("abcd"), ax=given)
    assert ax is given
    assert len(ax.patches) == 2
    assert not ax.collections
    assert ax.get_legend() is None
    assert ax.get_title() == "Feature importances, 2 of 4 features, one tree"


def test_columns_without_importance_are_left_out():
    X, y = table()
    stump = RareTreeClassifier(max_depth=1).fit(X, y)
    ax = plot.feature_importances(stump)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["feature_0"]
    assert ax.get_title() == "Feature importances, 1 of 4 features, one tree"
    leaf = RareTreeClassifier().fit(X, ["same"] * len(X))
    assert [bar.get_width() for bar in plot.feature_importances(leaf).patches] == [0.0]


def test_importances_of_frames_and_of_other_forests():
    X, y = table()
    frame = pd.DataFrame(X, columns=["a", "$b$ and more", "c" * 50, "d"])
    ax = plot.feature_importances(RareForestClassifier(3, random_state=0).fit(frame, y))
    labels = {t.get_text() for t in ax.get_yticklabels()}
    assert labels == {"a", r"\$b\$ and more", "c" * 27 + "...", "d"}
    assert plot.feature_importances(RandomForestClassifier(3).fit(X, y)).collections


def test_importances_of_nothing_are_refused():
    with pytest.raises(TypeError, match="fitted RareTreeClassifier or RareForestClassifier"):
        plot.feature_importances("a tree")
    X, y = table(50)
    model = RareTreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match="max_features must be at least 1"):
        plot.feature_importances(model, max_features=0)
    with pytest.raises(ValueError, match="feature_names must have 4 names"):
        plot.feature_importances(model, feature_names=["a"])


# ---------------------------------------------------------------- boundaries


def mesh(ax):
    (found,) = [c for c in ax.collections if hasattr(c, "get_coordinates")]
    corners = found.get_coordinates()
    middles = (corners[:-1, :-1] + corners[1:, 1:]) / 2
    return middles, np.asarray(found.get_array()).reshape(middles.shape[:2])


@pytest.mark.parametrize("make", [RareTreeClassifier, RareForestClassifier])
def test_colours_are_the_probability_of_the_rare_class(make):
    X, y = table()
    model = make(random_state=0).fit(X[:, :2], y)
    ax = plot.decision_boundary(model, X[:, :2], y, grid_resolution=20)
    middles, values = mesh(ax)
    expected = model.predict_proba(middles.reshape(-1, 2))[:, 1]
    np.testing.assert_allclose(values.ravel(), expected)
    assert ax.get_title() == "Probability of class rare"
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["border of rare", "other", "rare"]
    points = [c for c in ax.collections if len(c.get_offsets()) > 1]
    assert sorted(len(c.get_offsets()) for c in points) == sorted(
        np.unique(y, return_counts=True)[1]
    )


def test_other_columns_are_held_and_classes_chosen():
    X, y = table()
    X[::7, 3] = np.nan
    model = RareTreeClassifier(max_depth=4).fit(X, y)
    ax = plot.decision_boundary(model, X, features=(2, 0), pos_label="common", grid_resolution=9)
    middles, values = mesh(ax)
    rows = np.tile(np.nanmedian(X, axis=0), (81, 1))
    rows[:, [2, 0]] = middles.reshape(-1, 2)
    np.testing.assert_allclose(values.ravel(), model.predict_proba(rows)[:, 0])
    assert "2 other features at their median" in ax.get_title()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("feature_2", "feature_0")


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_categorical_columns_have_bands(frame):
    X, y = table()
    colours = np.array(["red", "green", "blue"], dtype=object)[np.arange(300) % 3]
    data = frame({"size": X[:, 0], "colour": colours, "kind": colours[::-1]})
    y = np.where((X[:, 0] > 0.5) & (colours == "green"), "rare", "common")
    model = RareTreeClassifier().fit(data, y)
    ax = plot.decision_boundary(model, data, y, features=("size", "colour"), grid_resolution=30)
    _, values = mesh(ax)
    assert values.shape == (3, 30)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["blue", "green", "red"]
    assert values[1, -1] > 0.9 > 0.1 > values[[0, 2], -1].max()
    rare = next(c for c in ax.collections if c.get_label() == "rare").get_offsets()
    assert (np.abs(rare[:, 1] - 1) < 0.5).all()  # in the band of green
    assert "1 other feature at its median" in ax.get_title()


def test_three_classes_and_booleans():
    X, _ = table()
    y = np.digitize(X[:, 0], [-1, 1.5])
    model = RareTreeClassifier(max_depth=3).fit(X[:, :2], y)
    assert plot.decision_boundary(model, X[:, :2], y).get_title() == "Probability of class 2"
    model = RareTreeClassifier(max_depth=3).fit(X[:, :2], y == 2)
    assert plot.decision_boundary(model, X[:, :2]).get_title() == "Probability of class True"


def test_boundaries_of_nothing_are_refused():
    X, y = table(60)
    model = RareTreeClassifier().fit(X, y)
    for features in [(0, 0), (1,), "ab", (0, 1, 2)]:
        with pytest.raises(ValueError, match="two different features"):
            plot.decision_boundary(model, X, features=features)
    with pytest.raises(ValueError, match="must lie between 0 and 3"):
        plot.decision_boundary(model, X, features=(0, 4))
    with pytest.raises(ValueError, match=r"no feature 'size'.*indices from 0 to 3"):
        plot.decision_boundary(model, X, features=("size", 1))
    with pytest.raises(ValueError, match="pos_label must be one of"):
        plot.decision_boundary(model, X, pos_label="gold")
    with pytest.raises(ValueError, match="one label for each of 60 samples"):
        plot.decision_boundary(model, X, y[:10])
    with pytest.raises(ValueError, match="no values in X"):
        plot.decision_boundary(model, X * [np.nan, 1, 1, 1])
    with pytest.raises(TypeError, match="DecisionBoundaryDisplay"):
        plot.decision_boundary(RandomForestClassifier(2).fit(X, y), X)
    with pytest.raises(TypeError, match="needs a fitted"):
        plot.decision_boundary(RareTreeClassifier(), X)


# ---------------------------------------------------------------- alpha


def test_the_sweep_is_a_cross_validation_of_small_trees():
    X, y = table(400)
    axes = plot.alpha_sweep(X, y, alphas=[0.5, 1.5], cv=4, random_state=3)
    folds = list(StratifiedKFold(4, shuffle=True, random_state=3).split(X, y))
    for ax, label in zip(axes, ["rare", "common"], strict=True):
        (line,) = [line for line in ax.lines if line.get_label() == "mean"]
        assert line.get_xdata().tolist() == [0.5, 1.5]
        for alpha, value in zip(*line.get_data(), strict=True):
            scores = [
                precision_score(
                    y[test],
                    presets.alpha_tree(alpha, max_depth=3).fit(X[train], y[train]).predict(X[test]),
                    pos_label=label,
                )
                for train, test in folds
            ]
            assert value == pytest.approx(np.mean(scores))
    assert [ax.get_ylabel() for ax in axes] == [
        "precision (PPV)", "negative predictive value (NPV)",
    ]  # fmt: skip
    assert axes[0].get_title() == "Samples predicted as rare"
    assert axes[1].get_title() == "Samples predicted as not rare"


def test_the_sweep_does_not_depend_on_threads_and_takes_frames_and_axes():
    X, y = table(200)
    given = plt.subplots(2, 1)[1]
    frame = pd.DataFrame(X, columns=list("abcd"))
    one = plot.alpha_sweep(frame, y, alphas=[0.3, 0.9, 1.7], cv=3, ax=given)
    assert one[0] is given[0]
    two = plot.alpha_sweep(X, y, alphas=[0.3, 0.9, 1.7], cv=3, n_jobs=2)
    for ax, other in zip(one, two, strict=True):
        for line, same in zip(ax.lines, other.lines, strict=True):
            np.testing.assert_array_equal(line.get_ydata(), same.get_ydata())


def test_folds_without_a_positive_prediction_are_left_out():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(300, 2)), np.arange(300) % 30 == 0
    axes = plot.alpha_sweep(X, y, alphas=[0.2, 0.5], max_depth=1)
    assert "no predictions" in [text.get_text() for text in axes[0].texts]
    assert len(axes[1].lines) == 2


def test_bad_sweeps_are_refused():
    X, y = table(60)
    with pytest.raises(ValueError, match="between 0 and 2"):
        plot.alpha_sweep(X, y, alphas=[3.0])
    with pytest.raises(ValueError, match="alphas must be a sequence"):
        plot.alpha_sweep(X, y, alphas=[])
    with pytest.raises(ValueError, match="at least two classes"):
        plot.alpha_sweep(X, ["a"] * 60)
    with pytest.raises(ValueError, match="pos_label must be one of"):
        plot.alpha_sweep(X, y, pos_label="gold")
    with pytest.raises(TypeError, match="ax must be two axes"):
        plot.alpha_sweep(X, y, alphas=[1.0], ax=plt.subplots()[1])
