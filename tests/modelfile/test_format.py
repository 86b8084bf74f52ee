"""The format is what its documentation says: a reader made from that alone predicts the same."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rarewood
from oracle.model_file import PlainModel
from rarewood import RareForestClassifier, RareTreeClassifier, presets
from rarewood.operating import ThresholdedClassifier

RANDOM = np.random.default_rng(8)
N = 160
TABLE = pd.DataFrame(
    {
        "x": np.where(RANDOM.random(N) < 0.15, np.nan, RANDOM.normal(size=N)),
        "z": RANDOM.normal(size=N),
        "w": RANDOM.integers(0, 9, N),
        "colour": RANDOM.choice(["red", "green", "blue", None], N),
        "member": RANDOM.random(N) < 0.5,
    }
)
LABELS = np.where(TABLE["z"] + (TABLE["colour"] == "red") > 1.0, "rare", "common")
NEW = TABLE.sample(60, random_state=0).reset_index(drop=True)
NEW.loc[::5, "colour"] = "violet"
NEW.loc[::7, ["x", "z"]] = np.nan
MODELS = {
    "tree": RareTreeClassifier(),
    "multiway": presets.hddt(leaf="m_estimate"),
    "raw planes": RareTreeClassifier(
        splitter="oblique", n_cuts=5, oblique_dim=3, random_state=0, leaf="raw"
    ),
    "forest": RareForestClassifier(5, random_state=0),
    "bins": RareForestClassifier(5, random_state=0, max_bins=7),
    "weighted": RareForestClassifier(5, random_state=0, class_weight="balanced"),
    "drawn": presets.balanced_random_forest(n_estimators=5, random_state=0, leaf="shrunk"),
}


def rows_of(table: pd.DataFrame) -> list[list]:
    plain = table.astype(object).where(table.notna(), None)
    return plain.to_numpy().tolist()


@pytest.mark.parametrize("leaf", ["raw", "laplace", "shrunk"])
@pytest.mark.parametrize("model", [RareTreeClassifier(), RareForestClassifier(4)])
def test_a_reader_knows_monotonic_constraints(model, leaf, tmp_path):
    rare = LABELS == "rare"
    model.set_params(monotonic_cst={"x": 1, "z": -1}, leaf=leaf, random_state=0)
    rarewood.save(model.fit(TABLE, rare), tmp_path / "model")
    plain = PlainModel(tmp_path / "model")
    assert plain.header["format_version"] == 3
    found = np.array([plain.predict_proba(row) for row in rows_of(NEW)])
    np.testing.assert_allclose(found, model.predict_proba(NEW), rtol=0, atol=1e-14)
    again = rarewood.load(tmp_path / "model")
    np.testing.assert_array_equal(again.predict_proba(NEW), model.predict_proba(NEW))
    free = model.set_params(monotonic_cst=None).fit(TABLE, rare).predict_proba(NEW)
    assert not np.allclose(found, free)


@pytest.mark.parametrize("name", MODELS)
def test_a_reader_made_from_the_documentation_agrees(name, tmp_path):
    model = MODELS[name].fit(TABLE, LABELS)
    rarewood.save(model, tmp_path / "model")
    plain = PlainModel(tmp_path / "model")
    found = np.array([plain.predict_proba(row) for row in rows_of(NEW)])
    np.testing.assert_allclose(found, model.predict_proba(NEW), rtol=0, atol=1e-14)
    assert [plain.predict(row) for row in rows_of(NEW)] == model.predict(NEW).tolist()


def test_with_a_threshold(tmp_path):
    model = ThresholdedClassifier(MODELS["forest"], by="recall>=1", cv=2, random_state=0)
    rarewood.save(model.fit(TABLE, LABELS), tmp_path / "model")
    plain = PlainModel(tmp_path / "model")
    labels = [plain.predict(row) for row in rows_of(NEW)]
    assert labels == model.predict(NEW).tolist()
    assert labels != model.estimator_.predict(NEW).tolist()
