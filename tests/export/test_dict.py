"""A model as plain data, read back from JSON by a few lines, predicts what the model predicts."""

from __future__ import annotations

import json
from bisect import bisect_left
from math import isnan

import numpy as np
import pandas as pd
import pytest

from rarewood import C45Classifier, RareForestClassifier, RareTreeClassifier, export


def is_missing(value):
    return value is None or (isinstance(value, float) and isnan(value))


def snapped(feature, value):
    if "edges" not in feature or is_missing(value):
        return value
    return feature["coordinates"][bisect_left(feature["edges"], value)]


def child_of(node, row):
    """Return which child a row goes to, as the documentation of ``to_dict`` says."""
    if "terms" in node:
        values = [row[j] for j, _ in node["terms"]]
        if any(map(is_missing, values)):
            return node["missing_child"]
        total = node["terms"][0][1] * values[0]
        for (_, weight), value in zip(node["terms"][1:], values[1:], strict=True):
            total += weight * value
        return int(total > node["threshold"])
    value = row[node["feature"]]
    if "categories" in node:
        places = [i for i, part in enumerate(node["categories"]) if value in part]
        return places[0] if places else node["missing_child"]
    if is_missing(value):
        return node["missing_child"]
    return int(value > node["threshold"]) if "threshold" in node else 0


def probabilities(made, row):
    row = [snapped(*pair) for pair in zip(made["features"], row, strict=True)]
    found = []
    for nodes in made["trees"]:
        node = nodes[0]
        while "children" in node:
            node = nodes[node["children"][child_of(node, row)]]
        found.append(node["probabilities"])
    return np.mean(found, axis=0)


def table(n, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 4)), columns=list("abde"))
    X["c"] = rng.choice(["red", "green", "blue", None], n)
    X["k"] = pd.Series(rng.choice([True, False], n), dtype=object)
    X = X.mask(rng.random(X.shape) < 0.08)
    y = np.where(X["a"].fillna(1) + (X["c"] == "red") + rng.normal(size=n) > 1.5, "ill", "well")
    return X, y


@pytest.mark.parametrize(
    "model",
    [
        RareTreeClassifier(),
        RareTreeClassifier(categorical_split="multiway"),
        RareForestClassifier(4, random_state=0),
        RareForestClassifier(4, random_state=0, max_bins=9, oblique_dim=3),
        RareForestClassifier(4, random_state=0, splitter="random"),
    ],
    ids=["subset", "multiway", "oblique", "coded", "random"],
)
def test_json_predicts_what_the_model_predicts(model):
    model.fit(*table(300, 0))
    made = json.loads(json.dumps(export.to_dict(model), allow_nan=False))
    X, _ = table(60, 1)
    X.loc[0, "c"] = "violet"
    rows = X.astype(object).to_numpy().tolist()
    found = [probabilities(made, row) for row in rows]
    np.testing.assert_allclose(found, model.predict_proba(X), rtol=0, atol=1e-12)
    assert made["classes"] == ["ill", "well"]
    assert [feature["name"] for feature in made["features"]] == list(X)


def test_other_models_are_refused():
    with pytest.raises(TypeError, match=r"got C45Classifier.*to_onnx or to_c"):
        export.to_dict(C45Classifier().fit([[0.0], [1.0]], [0, 1]))
