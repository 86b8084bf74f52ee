"""A model as plain data, read back from JSON by a few lines, predicts what the model predicts."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from oracle.model_dict import probabilities
from rarewood import C45Classifier, RareForestClassifier, RareTreeClassifier, export


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
