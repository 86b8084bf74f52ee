"""ROC curves of models: what is drawn is what scikit-learn computes."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import trapezoid
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score, roc_curve
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.svm import LinearSVC

from rarewood import RareTreeClassifier, plot, presets
from rarewood.operating import operating_curve
from rarewood.plot._roc_curves import height_at


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def table(n=240, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3))
    y = np.where(X[:, 0] + random.normal(size=n) > 1.2, "rare", "common")
    return X, y


def curve_of(ax, label):
    (line,) = [line for line in ax.lines if line.get_label().startswith(label)]
    return line.get_xdata(), line.get_ydata(), line.get_label()


@pytest.mark.parametrize("model", [RareTreeClassifier(max_depth=3), LogisticRegression()])
def test_the_curve_of_a_fitted_model(model):
    X, y = table()
    model.fit(X[:120], y[:120])
    ax = plot.roc({"it": model}, X[120:], y[120:])
    x, height, label = curve_of(ax, "it")
    scores = model.predict_proba(X[120:])[:, 1]
    fpr, tpr, _ = roc_curve(y[120:] == "rare", scores, drop_intermediate=False)
    np.testing.assert_allclose(x, fpr)
    np.testing.assert_allclose(height, tpr)
    assert label == f"it, AUC {roc_auc_score(y[120:] == 'rare', scores):.3f}"
    assert ax.get_title() == "ROC curves of rare"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("false positive rate", "true positive rate")


def test_mean_curves_of_a_cross_validation():
    X, y = table()
    folds = RepeatedStratifiedKFold(n_splits=2, n_repeats=2, random_state=3)
    models = {
        "tree": presets.hddt(max_depth=4),
        "forest": presets.bagged_hddt(n_estimators=5, random_state=0),
    }
    ax = plot.roc(models, X, y, cv=folds)
    assert ax.get_title() == "ROC curves of rare, mean of 4 test sets"
    assert len(ax.collections) == 2
    heights, areas, rates = [], [], np.linspace(0, 1, 1001)
    for train, test in folds.split(X, y):
        scores = presets.hddt(max_depth=4).fit(X[train], y[train]).predict_proba(X[test])[:, 1]
        fpr, tpr, _ = roc_curve(y[test] == "rare", scores, drop_intermediate=False)
        heights.append([naive_height(fpr, tpr, rate) for rate in rates])
        areas.append(roc_auc_score(y[test] == "rare", scores))
    x, height, label = curve_of(ax, "tree")
    np.testing.assert_allclose(x, np.append(0, rates))
    np.testing.assert_allclose(height, np.append(0, np.mean(heights, axis=0)), atol=1e-12)
    assert label == f"tree, AUC {np.mean(areas):.3f} ± {np.std(areas, ddof=1):.3f}"
    assert not plot.roc(models, X, y, cv=folds, band=False).collections


def naive_height(fpr, tpr, rate):
    """The highest point of the curve at a rate, between points on a line."""
    here = max(i for i in range(len(fpr)) if fpr[i] <= rate)
    if here == len(fpr) - 1:
        return tpr[here]
    fraction = (rate - fpr[here]) / (fpr[here + 1] - fpr[here])
    return tpr[here] + fraction * (tpr[here + 1] - tpr[here])


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=2, max_size=30))
def test_heights_are_those_of_the_definition(samples):
    y, scores = (np.array(part) for part in zip(*samples, strict=True))
    if y.all() or not y.any():
        return
    curve = operating_curve(y, scores, pos_label=True)
    rates = np.linspace(0, 1, 13)
    expected = [naive_height(curve.false_positive_rate, curve.recall, rate) for rate in rates]
    np.testing.assert_allclose(height_at(curve, rates), expected, atol=1e-12)
    assert (np.diff(expected) >= 0).all()


def test_one_class_against_the_rest():
    X, y = table()
    three = np.where(X[:, 1] > 1, "third", y)
    model = RareTreeClassifier(max_depth=4).fit(X, three)
    ax = plot.roc(model, X, three, pos_label="third")
    x, height, label = curve_of(ax, "RareTreeClassifier")
    area = roc_auc_score(three == "third", model.predict_proba(X)[:, 2])
    assert label == f"RareTreeClassifier, AUC {area:.3f}"
    assert trapezoid(height, x) == pytest.approx(area)


def test_frames_decision_functions_and_given_axes():
    X, y = table()
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(d=np.where(X[:, 0] > 0, "u", "v"))
    axes = plt.subplots(1, 2)[1]
    assert plot.roc(presets.hddt(), frame, y, cv=2, ax=axes[0]) is axes[0]
    svc = LinearSVC().fit(X, y)
    label = curve_of(plot.roc({"svc": svc}, X, y, pos_label="common", ax=axes[1]), "svc")[2]
    assert label == f"svc, AUC {roc_auc_score(y == 'common', -svc.decision_function(X)):.3f}"


def test_many_models_have_different_lines():
    X, y = table()
    models = {f"m{i}": RareTreeClassifier(max_depth=1 + i).fit(X, y) for i in range(9)}
    ax = plot.roc(models, X, y)
    styles = {(line.get_color(), line.get_linestyle()) for line in ax.lines[:9]}
    assert len(styles) == 9


def test_bad_arguments():
    X, y = table()
    tree = RareTreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match="at least one classifier"):
        plot.roc({}, X, y)
    with pytest.raises(ValueError, match="at least two classes"):
        plot.roc(tree, X, np.zeros(len(y)))
    with pytest.raises(ValueError, match="has not been fitted with class 'other'"):
        plot.roc(tree, X, np.where(X[:, 0] > 1, "other", "common"), pos_label="other")
    with pytest.raises(TypeError, match="no predict_proba"):
        plot.roc(object(), X, y)
    with pytest.raises(TypeError, match="ax must be matplotlib axes"):
        plot.roc(tree, X, y, ax=3)
