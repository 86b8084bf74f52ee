"""Rules that can be read: surrogates of oblique forests, and rules on other rows."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from rarewood import presets, save, workflow
from rarewood.intake import TableError
from rarewood.rules import extract
from support.program import fails, patients, run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rules")
    patients(folder / "train.csv", 600)
    patients(folder / "new.csv", 400)
    for name in ("rare-forest", "hddt"):
        params = {"n_estimators": 20} if name == "rare-forest" else {}
        workflow.fit(
            folder / "train.csv", "ill", out=folder / f"{name}.rarewood", model=name, params=params
        )
    return folder


def test_the_rules_of_an_oblique_forest_are_those_of_a_surrogate(folder):
    found = workflow.rules(folder / "rare-forest.rarewood")
    assert len(found) > 0
    assert not any("*" in text for text in found["rule"])  # no hyperplanes
    planes = workflow.rules(folder / "rare-forest.rarewood", model_rules=True)
    assert any("*" in text for text in planes["rule"])


def test_the_counts_are_those_of_the_labels_in_the_training_table(folder):
    found = workflow.rules(folder / "rare-forest.rarewood")
    table = pd.read_csv(folder / "train.csv")
    again = workflow.rules(folder / "rare-forest.rarewood", validate=folder / "train.csv")
    np.testing.assert_array_equal(again.counts, found.counts)
    assert found.totals[0].tolist() == [(table["ill"] == label).sum() for label in found.classes]
    shallow = workflow.rules(folder / "rare-forest.rarewood", max_depth=1)
    np.testing.assert_array_equal(
        shallow.validate(table[["age", "pressure", "smoker"]], table["ill"]).counts, shallow.counts
    )
    assert np.all(np.diff(found["p_value"]) >= 0)


def test_the_fidelity_is_the_agreement_with_the_forest(folder):
    model = folder / "rare-forest.rarewood"
    held_out = workflow.fidelity(model)
    assert held_out["n_rows"] == 600
    assert 0.7 < held_out["agreement"] < 1
    new = workflow.fidelity(model, folder / "new.csv")
    predicted = workflow.predict(model, folder / "new.csv").frame["prediction"]
    assert new["n_alerts"] == (predicted == "ill").sum()
    assert new["n_rows"] == 400
    assert workflow.fidelity(folder / "hddt.rarewood") is None


def test_rules_are_validated_on_other_rows(folder):
    model = folder / "hddt.rarewood"
    found = workflow.rules(model, n_rules=4)
    tested = workflow.rules(model, n_rules=4, validate=folder / "new.csv")
    assert tested["rule"].tolist() == found["rule"].tolist()
    table = pd.read_csv(folder / "new.csv")
    by_hand = found.validate(table[["age", "pressure", "smoker"]], table["ill"])
    assert tested["p_holm"].tolist() == by_hand["p_holm"].tolist()
    assert tested.counted_on == "validation"


def test_other_classes_are_the_rest_or_refused(folder, tmp_path):
    table = pd.read_csv(folder / "new.csv")
    table.loc[:9, "ill"] = "unsure"
    table.loc[10:19, "ill"] = None
    table.to_csv(tmp_path / "odd.csv", index=False)
    with pytest.raises(TableError, match="does not have: unsure"):
        workflow.rules(folder / "hddt.rarewood", validate=tmp_path / "odd.csv")
    out = tmp_path / "rest.rarewood"
    workflow.fit(tmp_path / "odd.csv", "ill", pos_label="ill", out=out, model="hddt")
    tested = workflow.rules(out, validate=tmp_path / "odd.csv")
    assert tested.totals[0].sum() == 390
    table.drop(columns="ill").to_csv(tmp_path / "bare.csv", index=False)
    with pytest.raises(TableError, match="no target column 'ill'"):
        workflow.rules(folder / "hddt.rarewood", validate=tmp_path / "bare.csv")


def test_an_oblique_forest_without_a_surrogate(folder, tmp_path):
    table = pd.read_csv(folder / "train.csv")[["age", "pressure"]].fillna(0)
    forest = presets.hedexh(n_estimators=3).fit(table, np.arange(600) % 7 == 0)
    save(forest, tmp_path / "f.rarewood")
    with pytest.raises(ValueError, match=r"it has no surrogate tree.*`model_rules`"):
        workflow.rules(tmp_path / "f.rarewood")
    planes = workflow.rules(tmp_path / "f.rarewood", model_rules=True)
    assert len(planes) <= len(extract(forest, max_depth=3))
    fails(run("rules", tmp_path / "f.rarewood"), "set --model-rules")


def test_a_damaged_surrogate_is_refused(folder):
    from rarewood.workflow._model_file import open_model
    from rarewood.workflow._surrogate import open_surrogate

    loaded = open_model(folder / "rare-forest.rarewood")
    good = loaded.fit_notes["surrogate"]
    for change in (
        {"tree": "x"}, {"tree": "AAAA"}, {"tree": None}, {"counts": []}, {"counts": "x"},
        {"counts": [[-1, 2]] * len(good["counts"])}, {"fidelity": 3},
    ):  # fmt: skip
        loaded.fit_notes["surrogate"] = {**good, **change}
        with pytest.raises(ValueError, match="damaged model file: its surrogate"):
            open_surrogate(loaded)
    loaded.fit_notes["surrogate"] = good
    assert open_surrogate(loaded) is not None


def test_the_command_prints_the_fidelity_beside_the_rules(folder):
    model = folder / "rare-forest.rarewood"
    text = run("rules", model, "--top", "2").stdout
    assert text.startswith("rules of a surrogate: a tree with ordinary splits")
    assert "Fidelity on 600 held-out rows: it decides like the model for" in text
    assert "use --validate with other rows" in text
    tested = run("rules", model, "--top", "2", "--validate", folder / "new.csv").stdout
    assert "rows of " in tested
    assert "The p-values are computed on the rows of" in tested
    planes = run("rules", model, "--model-rules").stdout
    assert "surrogate" not in planes
    data = run("rules", model, "--format", "json")
    assert "Fidelity" in data.stderr
    assert json.loads(data.stdout)
