"""``rarewood rules`` and ``rarewood explain``."""

from __future__ import annotations

import io
import json
import sqlite3

import numpy as np
import pandas as pd
import pytest

import rarewood
from rarewood.operating import PriorCorrectedClassifier, ThresholdedClassifier
from support.customers import customers
from support.program import fails
from support.program import run as run_program

NEW = customers(300, seed=1)


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("explain")
    customers().to_csv(folder / "train.csv", index=False)
    NEW.to_csv(folder / "new.csv", index=False)
    for name, preset in (("tree", "ccpdt"), ("forest", "rare-forest")):
        run("fit", folder / "train.csv", "-t", "cheats", "-o", folder / name, "--preset", preset,
            "--folds", "2")  # fmt: skip
    return folder


@pytest.fixture
def here(fitted, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("tree", "forest", "new.csv"):
        (tmp_path / name).symlink_to(fitted / name)
    return tmp_path


def run(*words):
    result = run_program(*words)
    assert result.exit_code == 0, result.output + result.stderr
    return result


def test_rules_in_words(here):
    text = run("rules", "tree", "--top", "3").stdout
    assert text.startswith("3 of ")
    assert text.count("THEN yes") == 3
    assert "too small" in text
    text = run("rules", "forest", "--top", "4", "--model-rules").stdout
    assert "at most 3 conditions each" in text
    assert max(line.count(" and ") for line in text.splitlines() if " IF " in line) <= 2
    assert "THEN no" in run("rules", "tree", "--class", "no").stdout


def test_rules_as_tables(here):
    rules = rarewood.rules.extract(rarewood.load("tree").estimator_, pos_label="yes")
    best = rules[rules["lift"] > 1][:5].to_frame()
    table = pd.read_csv(io.StringIO(run("rules", "tree", "--top", "5", "--format", "csv").stdout))
    pd.testing.assert_frame_equal(table, best, check_dtype=False)
    run("rules", "tree", "--top", "5", "-o", "rules.json")
    records = json.loads((here / "rules.json").read_text())
    assert [record["rule"] for record in records] == best["rule"].tolist()


def test_rules_as_sql_select_the_rows_that_they_hold_for(here):
    run("rules", "tree", "--top", "3", "--table", "people", "-o", "rules.sql")
    base = sqlite3.connect(":memory:")
    facts = rarewood.modelfile.describe("tree")
    X = rarewood.intake.apply_recipe(facts["notes"]["fit"]["recipe"], NEW)
    X.astype({"region": object, "vip": object}).to_sql("people", base, index=False)
    rows = pd.read_sql((here / "rules.sql").read_text(), base)
    rules = rarewood.rules.extract(rarewood.load("tree").estimator_, pos_label="yes")
    holds = rules[rules["lift"] > 1][:3].apply(X).toarray()
    np.testing.assert_array_equal(rows[["rule_1", "rule_2", "rule_3"]], holds)


def test_the_way_of_a_row_through_a_tree(here):
    text = run("explain", "tree", "new.csv", "--row", "7").stdout
    assert text.splitlines()[0] == "row 7 of new.csv, customer 000006"
    assert "all training rows" in text
    found = json.loads(run("explain", "tree", "new.csv", "-r", "7", "--format", "json").stdout)
    model = rarewood.load("tree")
    facts = rarewood.modelfile.describe("tree")
    X = rarewood.intake.apply_recipe(facts["notes"]["fit"]["recipe"], NEW)[6:7]
    assert found["prediction"] == model.predict(X)[0]
    assert found["probability"] == model.predict_proba(X)[0, 1]
    assert found["path"][0]["n_samples"] == 600
    assert found["path"][-1]["probability"] == found["probability"]


def test_the_vote_of_a_forest(here):
    run_text = run("explain", "forest", "new.csv", "--row", "300", "--top", "2").stdout
    assert "100 trees" in run_text
    assert "prediction" in run_text
    assert "2 more columns" in run_text
    words = ("explain", "forest", "new.csv", "-r", "300", "--format", "json", "--depth", "2")
    found = json.loads(run(*words).stdout)
    total = found["base_value"] + sum(part["shap_value"] for part in found["shap_values"])
    assert total == pytest.approx(found["probability"], abs=1e-12)
    assert "rules" not in found  # of an oblique forest: its surrogate has
    rule = found["surrogate"]
    assert f"IF {rule['rule']}\n   THEN {rule['prediction']}, " in run_text
    alerted = rarewood.workflow.predict("forest", "new.csv", top=1).frame["row"][0]
    rule = rarewood.workflow.explain("forest", "new.csv", int(alerted))["surrogate"]
    counted = rarewood.workflow.rules("forest")
    place = counted["rule"].tolist().index(rule["rule"])
    assert counted["support"][place] == rule["n_samples"]
    assert {part["column"] for part in found["shap_values"]} <= set(NEW)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["explain", "tree", "new.csv", "--row", "301"], "has 300 rows: there is no row 301"),
        (["explain", "nowhere", "new.csv", "--row", "1"], "There is no model file"),
        (["rules", "tree", "--class", "yess"], "Did you mean 'yes'"),
        (["rules", "tree", "-o", "no/where.csv"], "does not exist"),
        (["rules", "new.csv"], "is not a model file"),
    ],
)
def test_mistakes(here, words, message):
    fails(run_program(*words), message)


def test_a_model_of_several_classes_without_names(here):
    X = np.random.default_rng(0).normal(size=(90, 2))
    y = np.digitize(X[:, 0], [-1, 1])
    forest = rarewood.RareForestClassifier(3, random_state=0).fit(X, y)
    rarewood.save(forest, "own")
    pd.DataFrame(X, columns=["a", "b"]).to_csv("own.csv", index=False)
    found = json.loads(run("explain", "own", "own.csv", "-r", "5", "--format", "json").stdout)
    assert found["prediction"] == forest.predict(X)[4]
    assert "column 0" in run("explain", "own", "own.csv", "-r", "5").stdout
    assert "IF" in run("rules", "own", "--model-rules").stdout


def test_a_corrected_forest_tells_both_probabilities(here):
    facts = rarewood.modelfile.describe("forest")
    X = rarewood.intake.apply_recipe(facts["notes"]["fit"]["recipe"], NEW)
    forest = rarewood.presets.balanced_random_forest(n_estimators=20, random_state=0)
    model = PriorCorrectedClassifier(forest).fit(X, NEW["cheats"])
    rarewood.save(ThresholdedClassifier(model, cv=2, random_state=0).fit(X, NEW["cheats"]), "own")
    words = ("explain", "own", "new.csv", "-r", "3")
    found = json.loads(run(*words, "--format", "json").stdout)
    assert found["probability"] == model.predict_proba(X)[2, 1]
    assert found["uncorrected"] == pytest.approx(model.estimator_.predict_proba(X)[2, 1])
    assert "prediction after prior correction" in run(*words).stdout
    run("predict", "own", "new.csv", "-o", "out.csv")
    # As text: versions of pandas read numbers with different precision.
    out = pd.read_csv("out.csv", dtype=str)
    probability = [float(number) for number in out["probability_yes"]]
    np.testing.assert_array_equal(probability, model.predict_proba(X)[:, 1])
    assert out["prediction"].tolist() == rarewood.load("own").predict(X).tolist()


@pytest.mark.parametrize("preset", ["ccpdt", "rare-forest"])
def test_names_that_look_like_markup(tmp_path, monkeypatch, preset):
    monkeypatch.chdir(tmp_path)
    names = {"age": "[/b] age", "income": ":bomb: [bold]"}
    table = customers().rename(columns=names)
    table["cheats"] = np.where(table["cheats"] == "yes", "[/red]", "[no]")
    table.to_csv("t.csv", index=False)
    run("fit", "t.csv", "-t", "cheats", "-o", "model", "--preset", preset, "--folds", 2)
    text = run("explain", "model", "t.csv", "--row", 1, "--top", 99).stdout
    assert "probability of [/red]" in text
    if preset == "rare-forest":
        assert all(name in text for name in names.values())


def test_several_rows_and_identifiers(here):
    text = run("explain", "forest", "new.csv", "-r", 7, "--row-id", "000002", "--top", "2").stdout
    parts = text.split("\n\n")
    firsts = [part.splitlines()[0] for part in parts]
    assert firsts == ["row 7 of new.csv, customer 000006", "row 3 of new.csv, customer 000002"]
    assert all(" the score by 0." in part.splitlines()[2] for part in parts)
    words = ("explain", "forest", "new.csv", "--row-id", "000002", "--format", "json")
    found = json.loads(run(*words).stdout)
    assert [one["row"] for one in found] == [3]
    by_number = json.loads(run("explain", "forest", "new.csv", "-r", 3, "--format", "json").stdout)
    assert by_number == found[0]
    assert f"because {'; '.join(found[0]['reasons'])}" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "--row NUMBER or with --row-id VALUE"),
        (("--row-id", "99"), "has no row with '99' in the column 'customer'"),
        (("--row-id", "99", "--id", "nothing"), "no column 'nothing'"),
    ],
)
def test_rows_that_are_not_there(here, words, message):
    fails(run_program("explain", "tree", "new.csv", *words), message)
