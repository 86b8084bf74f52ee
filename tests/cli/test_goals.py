"""Costs, a capacity or a recall: one grammar in compare, fit and predict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rarewood.cli._goals import parse_goal
from rarewood.operating import AlertBudget, LowestCost, RecallFloor
from rarewood.operating._goals import rule_in_rows
from rarewood.operating._rule_text import as_rule
from support.program import fails, patients, run

QUICK = ("--models", "hddt,logistic-regression", "--protocol", "cv2", "-j", "1")
GOALS = {
    ("--cost", "fp=1,fn=20"): ("expected_cost", LowestCost(1, 20)),
    ("--cost", "fp=1,fn=20,tp=-2"): ("expected_cost", LowestCost(1, 20, -2)),
    ("--alerts", "50", "--rows-per-day", "200"): ("recall_at_capacity", AlertBudget(50, 200)),
    ("--alerts", "25%"): ("recall_at_capacity", AlertBudget(25, 100)),
    ("--recall", "0.9"): ("alerts_at_recall", RecallFloor(0.9)),
}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return patients(tmp_path_factory.mktemp("goals") / "patients.csv")


@pytest.fixture(autouse=True)
def _in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def model(data):
    path = data.parent / "m.rarewood"
    result = run(
        "fit", data, "-t", "ill", "--preset", "hedex", "--set", "n_estimators=20", "-o", path
    )
    assert result.exit_code == 0, result.stderr
    return path


@pytest.mark.parametrize("words", GOALS, ids=" ".join)
def test_the_models_are_ranked_by_what_counts(data, words):
    metric, rule = GOALS[words]
    result = run("compare", data, "-t", "ill", "-o", "out", *QUICK, *words)
    assert result.exit_code == 0, result.stderr
    summary = json.loads(Path("out/summary.json").read_text())
    assert summary["ranking"]["metric"] == summary["goal"]["metric"] == metric
    assert as_rule(summary["goal"]["rule"]) == rule
    for baseline in summary["goal"]["baselines"]:
        assert f"\n{baseline['name']} " in result.stdout
    reached = summary["models"][0]["goal"]
    assert f"at the threshold {reached['threshold']:.4g} ({rule_in_rows(rule)})" in result.stdout


@pytest.mark.parametrize("words", GOALS, ids=" ".join)
def test_fit_and_predict_choose_the_threshold_for_it(data, model, words):
    rule = GOALS[words][1]
    fitted = run("fit", data, "-t", "ill", "--preset", "hddt", "-o", "m.rarewood", *words)
    assert fitted.exit_code == 0, fitted.stderr
    assert f"({rule_in_rows(rule)})" in fitted.stdout
    assert "expected on new rows: recall" in fitted.stdout
    assert ("without a model: alert everyone" in fitted.stdout) == isinstance(rule, LowestCost)
    predicted = run("predict", model, data, "-o", "out.csv", *words)
    assert predicted.exit_code == 0, predicted.stderr
    assert f"; {rule_in_rows(rule)})" in predicted.stderr
    assert "expected on rows like those of training: recall" in predicted.stderr


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("--cost", "fp=3"), ("--cost fp=3", "must contain the costs fp and fn")),
        (("--cost", "fp=3,fn=2,tp=4"), ("--cost", "a false negative must cost more")),
        (("--alerts", "30"), ("--alerts 30 needs --rows-per-day", "2%")),
        (("--alerts", "2%", "--rows-per-day", "100"), ("needs no --rows-per-day",)),
        (("--alerts", "300", "--rows-per-day", "100"), ("no more than the rows of a day",)),
        (("--rows-per-day", "100"), ("--rows-per-day needs --alerts",)),
        (("--recall", "1.5"), ("--recall 1.5", "above 0 and at most 1")),
        (("--recall", "0.9", "--alerts", "2%"), ("exclude each other",)),
    ],
)
def test_mistakes_are_the_same_in_all_commands(data, model, words, parts):
    lines = {
        fails(run(*command, *words), *parts)
        for command in (
            ("compare", data, "-t", "ill", "-o", "out"),
            ("fit", data, "-t", "ill", "-o", "other.rarewood"),
            ("predict", model, data, "-o", "out.csv"),
        )
    }
    assert len(lines) == 1


def test_a_threshold_excludes_a_goal(data, model):
    goal = ("--threshold", "0.3", "--recall", "0.9")
    fails(run("fit", data, "-t", "ill", "-o", "x.rarewood", *goal), "--threshold excludes --cost")
    fails(run("predict", model, data, "-o", "out.csv", *goal), "--threshold excludes --cost")


def test_a_threshold_that_decides_nothing_is_said(data, model):
    everyone = run("predict", model, data, "-o", "out.csv", "--threshold", "0")
    assert "alerts everyone" in everyone.stderr
    no_one = run("predict", model, data, "-o", "out.csv", "--threshold", "1")
    assert "alerts no one" in no_one.stderr
    words = ("--preset", "hddt", "--threshold", "0")
    fitted = run("fit", data, "-t", "ill", "-o", "x.rarewood", *words)
    assert "note: This threshold alerts everyone." in fitted.stdout


def test_the_words_of_the_options():
    assert parse_goal(None, None, None, None) is None
    assert parse_goal("cost:fp=1,fn=2", None, None, None) == "cost:fp=1,fn=2"
    assert parse_goal(None, "20/1000", None, None) == "alerts<=20/1000"
    assert parse_goal(None, None, None, "90%") == "recall>=90%"
