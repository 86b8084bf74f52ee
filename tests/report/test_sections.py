"""Data, rules, importances and tree of the report."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import fisher_exact
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score

from rarewood import RareForestClassifier, presets, report
from rarewood.evaluate import Protocol, compare
from rarewood.evaluate._cell import Table
from rarewood.explain import shap_values
from rarewood.intake._findings import ColumnFinding, Findings
from rarewood.report._half_model import HalfModel
from rarewood.report._importances import importances
from rarewood.report._model import describe_model
from rarewood.report._pooled import Pooled
from rarewood.report._tree_drawing import draw_tree
from support.reported import NASTY, binary, nasty, wine


def mixed_table(backend):
    """A table with numbers, categories, flags and gaps, and its labels."""
    columns = {
        "age": [20.0, None, 40.0, 50.0] * 20,
        "colour": ["red", "blue", None, "red"] * 20,
        "flag": [True, False, True, True] * 20,
        "same": [1] * 80,
    }
    return backend(columns), (["a"] * 7 + ["b"]) * 10


@pytest.mark.parametrize("backend", [pd.DataFrame, pl.DataFrame])
def test_the_data_is_described(backend):
    X, y = mixed_table(backend)
    results = compare({"t": presets.hddt()}, {"d": (X, y)}, store=None, keep_predictions=True)
    data = report.summarize(results, X, y, name="My data")["data"]
    assert (data["name"], data["n_rows"], data["n_columns"]) == ("My data", 80, 4)
    assert data["classes"] == [
        {"label": "a", "n": 70, "fraction": 0.875, "is_rare": False},
        {"label": "b", "n": 10, "fraction": 0.125, "is_rare": True},
    ]
    assert (data["pos_label"], data["n_rare"], data["imbalance"]) == ("b", 10, 7.0)
    assert (data["n_missing"], data["n_columns_with_missing"], data["n_numeric"]) == (40, 2, 2)
    found = {c["name"]: (c["n_missing"], c["n_distinct"], c["low"]) for c in data["columns"]}
    assert found == {
        "age": (20, 3, 20.0), "colour": (20, 2, None), "flag": (0, 2, None), "same": (0, 1, 1.0)
    }  # fmt: skip


def test_findings_of_the_file_are_shown():
    case = binary()
    columns = [
        ColumnFinding("c1", "date", True, "in days", n_missing=3, n_distinct=9),
        ColumnFinding("id", "id", False, "it is an identifier"),
    ]
    findings = Findings(
        "a.csv", 600, "y", {"no": 550, "yes": 50}, "yes", columns, 2, ["careful"], {"file": "a.csv"}
    )
    data = report.summarize(case.results, case.X, case.y, findings=findings)["data"]
    found = {name: data["columns"][1][name] for name in ("kind", "n_missing", "n_distinct")}
    assert found == {"kind": "date", "n_missing": 3, "n_distinct": 9}
    assert (data["columns"][0]["kind"], data["n_numeric"]) == ("numeric", 6)
    assert data["skipped"] == [{"name": "id", "reason": "it is an identifier"}]
    assert data["notes"] == ["careful", "2 rows without a label were left out"]
    assert (data["warnings"], data["source"]) == (["c1: in days"], "a.csv")


def explained(case, name):
    """The explanation of a compared model."""
    return case.summary["explanations"][case.model(name)["explanation"]]


def test_rules_of_a_tree_are_found_on_one_half_and_tested_on_the_other():
    case = binary()
    found = explained(case, "tree")["rules"]
    assert found["rules"]
    split = Protocol(2, 1, 0).split(case.y, 0, 0)
    assert (found["n_found_on"], found["n_tested_on"]) == (len(split.train), len(split.test))
    other, is_rare = case.X.iloc[split.test], case.y[split.test] == "yes"
    assert found["n_rare_tested_on"] == is_rare.sum()
    check_rules(found["rules"], other, is_rare)


def check_rules(found, other, is_rare):
    """The counts and p-values of rules are those of the rows that match."""
    n_rare, n = int(is_rare.sum()), len(is_rare)
    for rule in found:
        hits, rows = rule["rare"], rule["rows"]
        table = [[hits, rows - hits], [n_rare - hits, n - n_rare - rows + hits]]
        expected = fisher_exact(table, alternative="greater").pvalue
        assert rule["p_value"] == pytest.approx(expected)
        covered = other.query(rule["rule"].replace(" = ", " == "))
        # Thresholds are rounded in words, so a row at the very edge may fall out.
        assert len(covered) == pytest.approx(rows, abs=2)
    p_values = [rule["p_value"] for rule in found]
    assert p_values == sorted(p_values)


@pytest.mark.parametrize("name", ["forest", "logistic", "svm", "labels"])
def test_other_models_are_read_by_a_surrogate_of_their_decisions(name):
    case, model = binary(), binary().model(name)
    found = explained(case, name)
    surrogate, tree = found["surrogate"], found["tree"]
    split = Protocol(2, 1, 0).split(case.y, 0, 0)
    blank = clone(case.models[name])
    if "random_state" in blank.get_params():
        blank.set_params(random_state=0)
    fitted = blank.fit(case.X.iloc[split.train], case.y[split.train])
    other, is_rare = case.X.iloc[split.test], case.y[split.test] == "yes"
    if name == "labels":
        alerts = fitted.predict(other) == "yes"
    else:
        method = "decision_function" if name == "svm" else "predict_proba"
        score = getattr(fitted, method)(other)
        score = score if name == "svm" else score[:, 1]
        assert surrogate["threshold"] == model["best_f"]["threshold"]
        alerts = score >= surrogate["threshold"]
    assert surrogate["n_alerts"] == alerts.sum()
    assert 0.8 < surrogate["agreement"] <= 1
    assert tree["boxes"][0]["details"] == f"{is_rare.sum()} rare of {len(other)}"
    assert tree["boxes"][0]["fractions"][1] == pytest.approx(alerts.mean())
    check_rules(found["rules"]["rules"], other, is_rare)  # with the labels of these rows


def test_importances_of_own_models_have_gain_and_shap_too():
    case = binary()
    found = explained(case, "forest")["importances"]
    split = Protocol(2, 1, 0).split(case.y, 0, 0)
    half = RareForestClassifier(10, random_state=0)
    half.fit(case.X.iloc[split.train], case.y[split.train])
    gains = dict(zip(case.X.columns, half.feature_importances_, strict=True))
    assert {c["name"]: c["gain"] for c in found["columns"]} == pytest.approx(gains)
    proba = half.predict_proba(case.X.iloc[split.test])[:, 1]
    assert found["average_precision"] == pytest.approx(
        average_precision_score(case.y[split.test] == "yes", proba)
    )
    values = shap_values(half, case.X.iloc[split.test]).of_class("yes")
    assert found["n_shap_rows"] == len(values) <= 500
    means = dict(zip(case.X.columns, abs(values).mean(axis=0), strict=True))
    assert {c["name"]: c["shap"] for c in found["columns"]} == pytest.approx(means)
    drops = [column["drop"] for column in found["columns"]]
    assert drops == sorted(drops, reverse=True)
    assert drops[0] > 0.05
    assert explained(case, "labels")["importances"] is None
    assert explained(case, "logistic")["importances"]["columns"][0]["gain"] is None


@pytest.mark.parametrize("kind", ["pandas", "polars", "numpy", "logistic", "logistic numpy"])
def test_losses_are_those_of_tables_with_one_column_shuffled(kind):
    rng = np.random.default_rng(0)
    values = rng.integers(0, 9, size=(300, 3)).astype(float)
    y = (values @ [1.0, 2.0, 0.0] + 3 * rng.normal(size=300) > 20).astype(int)
    names = ["feature_0", "feature_1", "feature_2"]  # those of an array
    frame = pd.DataFrame(values, columns=names, index=rng.integers(0, 9, 300))
    is_own = not kind.startswith("logistic")
    if is_own and kind != "numpy":
        frame["feature_1"] = frame["feature_1"].map(lambda x: f"kind {x:.0f}").astype("category")
    X = {"polars": pl.DataFrame(frame)}.get(kind, values if kind.endswith("numpy") else frame)
    before = X.copy() if kind != "polars" else X.clone()
    blank = RareForestClassifier(5, random_state=0) if is_own else LogisticRegression()
    half = HalfModel.fit(Table("t", X, y, np.array([0, 1]), 1), blank, 0)
    found = importances(half, seed=3)

    known, other = half.known, frame.iloc[half.other].reset_index(drop=True)
    model = clone(blank).fit(frame.iloc[known], y[known])
    rng = np.random.default_rng(3)
    expected = {}
    for j in np.argsort(-model.feature_importances_) if is_own else range(3):
        scores = []
        for _ in range(5):
            order = rng.permutation(len(other))
            shuffled = other.assign(**{other.columns[j]: other.iloc[order, j].to_numpy()})
            shuffled = shuffled.astype(other.dtypes)
            proba = model.predict_proba(shuffled)[:, 1]
            scores.append(average_precision_score(y[half.other], proba))
        expected[frame.columns[j]] = found["average_precision"] - np.mean(scores)
    drops = {column["name"]: column["drop"] for column in found["columns"]}
    assert drops == pytest.approx(expected)
    assert (np.asarray(X) == np.asarray(before)).all()  # nobody's table is changed


def test_of_many_columns_those_that_matter_are_shown():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(400, 60)), columns=[f"c{j}" for j in range(60)])
    y = (X["c41"] + X["c52"] > 1.5).astype(int).to_numpy()
    table = Table("t", X, y, np.array([0, 1]), 1)
    found = importances(HalfModel.fit(table, LogisticRegression(), 0), seed=0)
    assert len(found["columns"]) == 20
    assert {one["name"] for one in found["columns"][:2]} == {"c41", "c52"}


def test_a_model_that_fails_on_half_of_the_rows_is_left_out_of_the_panels():
    case = binary()
    models = {**case.models, "forest": case.models["broken"]}
    summary = report.summarize(case.results, case.X, case.y, models=models)
    number = next(m["explanation"] for m in summary["models"] if m["name"] == "forest")
    found = summary["explanations"][number]
    assert found["error"].startswith("ValueError: cannot fit")
    assert found["tree"] is found["rules"] is found["importances"] is None
    assert "could not be fitted again" in report.render(summary)


def test_a_single_rare_row_is_reported_with_a_warning():
    X = np.random.default_rng(0).normal(size=(40, 2))
    y = np.arange(40) == 0
    results = compare(
        {"t": presets.hddt()},
        {"d": (X, y)},
        protocol=Protocol(2),
        store=None,
        keep_predictions=True,
    )
    summary = report.summarize(results, X, y)
    assert summary["explanations"][0]["importances"]["average_precision"] is None
    page = report.render(summary)
    assert "The rare class has only 1 row" in page
    assert "cannot be computed" in page
    assert 'id="importances-0"' not in page


def test_without_models_a_tree_for_reading_takes_their_place():
    case = binary()
    summary = report.summarize(case.results, case.X, case.y)
    assert [(one["model"], one["is_compared"]) for one in summary["explanations"]] == [
        ("CCPDT tree", False)
    ]
    assert {model["explanation"] for model in summary["models"]} == {0}


def test_the_tree_is_drawn_without_overlaps():
    case = wine()
    drawn = explained(case, "tree")["tree"]
    boxes = [box for box in drawn["boxes"] if box["node"] >= 0]
    assert boxes[0]["title"]
    assert drawn["n_rows"] == len(case.y)
    for i, a in enumerate(boxes):
        assert sum(a["fractions"]) == pytest.approx(1)
        assert a["x"] >= 0
        assert a["x"] + a["width"] <= drawn["size"][0] + 1e-9
        for b in boxes[:i]:
            is_beside = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
            assert is_beside or abs(a["middle"] - b["middle"]) >= drawn["height"]


def test_the_drawing_has_the_depth_that_was_asked_for():
    model = presets.hddt().fit(binary().X, binary().y)
    assert len(draw_tree(model, 0)["boxes"]) == 2  # the root and a mark
    deep = draw_tree(model, 3)
    assert max(_depth(deep["boxes"], k) for k in range(len(deep["boxes"]))) == 4
    assert any("leaves" in box["details"] for box in deep["boxes"] if box["node"] < 0)


def _depth(boxes, place):
    parent = boxes[place]["parent"]
    return 0 if parent < 0 else 1 + _depth(boxes, parent)


def test_names_are_unchanged():
    data = nasty().summary["data"]
    assert data["name"] == NASTY
    assert {c["name"] for c in data["columns"]} == set(nasty().X.columns)
    assert nasty().summary["explanations"][0]["model"] == f"tree {NASTY}"


def test_many_rows_make_no_large_report():
    rng = np.random.default_rng(0)
    n = 300_000
    is_rare = rng.random(n) < 0.01
    pooled = Pooled(
        y=is_rare.astype(np.int64),
        is_rare=is_rare,
        predicted_rare=np.zeros(n, dtype=bool),
        score=1 / (1 + np.exp(4 - rng.normal(size=n) - 2 * is_rare)),
        is_probability=True,
    )
    model = describe_model("m", pooled, ["a", "b"], 1, n, 400)
    assert model["curve"]["n_points"] > 290_000
    assert len(model["curve"]["threshold"]) <= 801
    assert len(str(model)) < 60_000
