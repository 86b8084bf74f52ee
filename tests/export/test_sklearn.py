"""A tree as one of scikit-learn: the same predictions, and the tools for such trees."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.metrics import log_loss
from sklearn.tree import DecisionTreeClassifier, export_text, plot_tree

from rarewood import RareForestClassifier, RareTreeClassifier, presets
from support import handmade
from support.exported import MODELS, labels, numeric, table

FRAME = table(400, seed=2)
X, Y = numeric(FRAME).astype(np.float32), labels(FRAME, 3)


@pytest.mark.parametrize(
    "model",
    [
        RareTreeClassifier(),
        RareTreeClassifier(max_depth=3, leaf="raw", class_weight="balanced"),
        presets.ccpdt(),
        presets.cart(criterion="entropy", max_leaf_nodes=9),
        RareTreeClassifier(splitter="random", random_state=0),
        RareTreeClassifier(min_samples_leaf=300),
    ],
    ids=str,
)
def test_predictions_are_equal(model):
    model = model.fit(X, Y)
    tree = model.to_sklearn()
    assert type(tree) is DecisionTreeClassifier
    other = numeric(table(500, seed=9)).astype(np.float32)
    for frame in (X, other):
        np.testing.assert_array_equal(tree.predict_proba(frame), model.predict_proba(frame))
        assert tree.predict(frame).tolist() == model.predict(frame).tolist()
        np.testing.assert_array_equal(tree.apply(frame), model.apply(frame))
    again = pickle.loads(pickle.dumps(tree))
    np.testing.assert_array_equal(again.predict_proba(X), tree.predict_proba(X))
    assert (tree.get_depth(), tree.get_n_leaves()) == (model.get_depth(), model.get_n_leaves())


def test_impurities_and_importances_are_those_that_scikit_learn_computes():
    for criterion in ("gini", "entropy"):
        grown = DecisionTreeClassifier(
            criterion=criterion, max_depth=4, random_state=0, min_samples_leaf=20
        ).fit(X.fillna(0), Y)
        ours = presets.cart(criterion=criterion, max_depth=4, min_samples_leaf=20)
        tree = ours.fit(X.fillna(0), Y).to_sklearn(smoothed=False)
        proba = [one.predict_proba(X.fillna(0)) for one in (grown, tree)]
        assert log_loss(Y, proba[1]) == pytest.approx(log_loss(Y, proba[0]))
        assert tree.tree_.impurity[0] == pytest.approx(grown.tree_.impurity[0])
        assert tree.feature_importances_ == pytest.approx(grown.feature_importances_)


def test_a_split_by_missing_values():
    node = handmade.split("x", np.inf, handmade.leaf(5, 1), handmade.leaf(0, 3), missing=1)
    view = handmade.tree(node, {"x": None})
    model = RareTreeClassifier()
    model._keep(view, 1, 0.0, None)
    X = pd.DataFrame({"x": [0.0, 1e30, np.nan]})
    found = model.to_sklearn().predict_proba(X)
    np.testing.assert_array_equal(found, view.probabilities[[1, 1, 2]])


def test_tools_of_scikit_learn():
    model = RareTreeClassifier(max_depth=2).fit(X, Y)
    text = export_text(model.to_sklearn(), feature_names=list("xyz"))
    assert text.count("class: ") == model.get_n_leaves()
    drawn = plot_tree(model.to_sklearn(smoothed=False), feature_names=list("xyz"))
    assert len(drawn) >= model.tree_.n_nodes
    assert f"value = {model.tree_.counts[0].tolist()}" in drawn[0].get_text()


def test_dtreeviz():
    dtreeviz = pytest.importorskip("dtreeviz")
    names, y = np.unique(Y, return_inverse=True)  # it needs classes that are numbers
    model = RareTreeClassifier(max_depth=2).fit(X.fillna(0), y)
    adaptor = dtreeviz.model(
        model.to_sklearn(smoothed=False), X_train=X.fillna(0), y_train=y,
        feature_names=list("xyz"), class_names=names.tolist(),
    )  # fmt: skip
    number, threshold = int(model.tree_.feature[0]), float(model.tree_.threshold[0])
    text = adaptor.explain_prediction_path(X.fillna(0).to_numpy()[0])
    assert "xyz"[number] in text
    assert f"{threshold:.2f}" in text
    assert adaptor.ctree_leaf_distributions() is None  # draws


def test_refusals():
    with pytest.raises(TypeError, match="'colour' is categorical"):
        MODELS["subsets"]().to_sklearn()
    with pytest.raises(TypeError, match="hyperplanes"):
        RareTreeClassifier(splitter="oblique", random_state=0).fit(X, Y).to_sklearn()
    coded = RareForestClassifier(1, max_bins=8, random_state=0).fit(X, Y)
    with pytest.raises(TypeError, match=r"hyperplanes|coordinates of bins"):
        coded[0].to_sklearn()
    with pytest.raises(NotFittedError):
        RareTreeClassifier().to_sklearn()
