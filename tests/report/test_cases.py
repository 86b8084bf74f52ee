"""The cases of the report: which rows, why, and which rows are like them."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from rarewood import RareForestClassifier, presets
from rarewood.evaluate import Protocol, compare
from rarewood.evaluate._cell import Table
from rarewood.report import render, summarize
from rarewood.report._case_rows import choose_cases
from rarewood.report._reasons import reason_text
from rarewood.report._similar import Neighbourhood
from rarewood.workflow import explain_cases
from support.reported import binary, nasty, wine


def cases_of(case, name):
    return next(one for one in case.summary["cases"]["models"] if one["name"] == name)


def first_repeat(case, name):
    """Scores of all rows in the first repeat, and whether they are rare."""
    found = case.results.predictions(case.results.datasets[0], name)
    score = np.empty(len(case.y))
    is_first = found.repeat == 0
    score[found.rows[is_first]] = found.scores[is_first, found.pos_index]
    return score, np.asarray(case.y) == found.classes[found.pos_index]


@pytest.mark.parametrize(
    ("case", "name"), [(binary, "forest"), (binary, "svm"), (wine, "tree"), (wine, "forest")]
)
def test_the_cases_are_the_most_extreme_rows_out_of_fold(case, name):
    made = case()
    score, is_rare = first_repeat(made, name)
    shown, rows = cases_of(made, name), made.summary["cases"]["rows"]
    down = sorted(range(len(score)), key=lambda row: (-score[row], row))
    up = sorted(range(len(score)), key=lambda row: (score[row], row))
    expected = {
        "alerts": down[:5],
        "misses": [row for row in up if is_rare[row]][:5],
        "false_alarms": [row for row in down if not is_rare[row]][:5],
    }
    for kind, wanted in expected.items():
        assert [int(one["row"]) for one in shown[kind]] == wanted
        assert [one["score"] for one in shown[kind]] == pytest.approx(score[wanted])
        for one in shown[kind]:
            about = rows[one["row"]]
            assert (about["row"], about["is_rare"]) == (
                int(one["row"]) + 1,
                is_rare[int(one["row"])],
            )
            assert about["label"] == str(made.y[int(one["row"])])


def test_the_cases_of_a_table_are_among_those_of_its_parts():
    draw = np.random.RandomState(0)
    score, is_rare = draw.randint(0, 30, 400) / 30, draw.rand(400) < 0.2
    part = draw.randint(0, 3, 400)
    for kind, rows in choose_cases(is_rare, score).items():
        for k in range(3):
            inside = np.flatnonzero(part == k)
            found = inside[choose_cases(is_rare[inside], score[inside])[kind]]
            assert set(rows[part[rows] == k]) <= set(found)


def test_the_reasons_are_those_of_the_model_that_predicted_the_row():
    case = binary()
    protocol = Protocol(2, 3)
    for fold in range(2):
        split = protocol.split(np.asarray(case.y), 0, fold)
        seed = protocol.model_seed(0, fold)
        model = RareForestClassifier(10, random_state=seed)
        model.fit(case.X.iloc[split.train], case.y[split.train])
        for one in cases_of(case, "forest")["misses"]:
            if int(one["row"]) in split.test:
                from rarewood.explain import shap_values

                values = shap_values(model, case.X.iloc[[int(one["row"])]]).of_class("yes")[0]
                found = dict(zip(case.X.columns, values, strict=True))
                for reason in one["reasons"]:
                    assert reason["change"] == pytest.approx(found[reason["column"]], abs=1e-12)


@pytest.mark.parametrize("name", ["tree", "forest"])
def test_the_contributions_lead_to_the_score(name):
    shown = cases_of(binary(), name)
    assert (shown["unit"], shown["method"]) == ("probability", "SHAP values")
    for kind in ("alerts", "misses", "false_alarms"):
        for one in shown[kind]:
            total = one["base_value"] + sum(reason["change"] for reason in one["reasons"])
            assert total + one["others"] == pytest.approx(one["score"], abs=1e-9)
            sizes = [abs(reason["change"]) for reason in one["reasons"]]
            assert sizes == sorted(sizes, reverse=True)
            spread = one["scores"]
            assert spread["low"] <= one["score"] <= spread["high"]
            assert spread["low"] <= spread["mean"] <= spread["high"]


def test_reasons_in_words():
    assert reason_text("amount", 812, 0.2134) == "amount = 812 raises the score by 0.21"
    assert reason_text("age", 1234567.0, -12.3) == "age = 1.23457e+06 lowers the score by 12"
    assert reason_text("sex", None, -0.001) == "sex is missing and lowers the score by 0.001"
    assert reason_text("a", "b", 1.26, "log odds") == "a = b raises the log odds by 1.3"


def mixed(n=120):
    """A table with numbers, categories and missing values of both."""
    draw = np.random.RandomState(1)
    table = pd.DataFrame(
        {
            "skewed": draw.lognormal(0, 3, n),
            "few": draw.randint(0, 4, n).astype(float),
            "kind": draw.choice(["a", "b", "c"], n).astype(object),
            "flag": draw.rand(n) < 0.4,
        }
    )
    table.loc[::7, "few"] = np.nan
    table.loc[::5, "kind"] = None
    y = np.where(draw.rand(n) < 0.2, "rare", "rest")
    return table, y


def naive_distance(table, weights, a, b):
    """The distance of two rows, by the words of its description."""
    total = 0.0
    for name, weight in zip(table.columns, weights, strict=True):
        x, z = table[name].iloc[a], table[name].iloc[b]
        if pd.isna(x) or pd.isna(z):
            part = float(pd.isna(x) != pd.isna(z))
        elif table[name].dtype == float:
            known = table[name].dropna()
            rank = [((known < v).sum() + (known <= v).sum()) / 2 for v in (x, z)]
            part = abs(rank[0] - rank[1]) / len(known)
        else:
            part = float(x != z)
        total += weight * part
    return total / sum(weights)


def test_the_nearest_rows_are_those_of_a_naive_search():
    table, y = mixed()
    around = Neighbourhood(Table("t", table, y, np.array(["rare", "rest"]), 0), [3, 50], seed=0)
    assert around.n_rows == len(y)
    weights = np.array([0.5, 0.2, 0.0, 0.3])
    for row in (3, 50):
        found = around.nearest(row, weights, 2)
        for label in ("rare", "rest"):
            others = [k for k in range(len(y)) if y[k] == label and k != row]
            naive = {k: naive_distance(table, weights, row, k) for k in others}
            nearest = sorted(naive.values())[:2]
            mine = [(k, d) for k, d in found if y[k] == label]
            assert [d for _, d in mine] == pytest.approx(nearest, abs=1e-12)
            assert [naive[k] for k, _ in mine] == pytest.approx(nearest, abs=1e-12)
        assert [d for _, d in found] == sorted(d for _, d in found)


def test_units_do_not_change_the_distance():
    table, y = mixed()
    scaled = table.assign(skewed=np.log(table["skewed"]), few=-1000 * table["few"])
    classes = np.array(["rare", "rest"])
    found = [
        Neighbourhood(Table("t", X, y, classes, 0), [9], 0).nearest(9, np.ones(4), 3)
        for X in (table, scaled)
    ]
    assert [row for row, _ in found[0]] == [row for row, _ in found[1]]


def test_a_large_table_is_searched_in_part():
    draw = np.random.RandomState(0)
    X, y = draw.randn(9000, 3), np.where(draw.rand(9000) < 0.3, 1, 0)
    around = Neighbourhood(Table("t", X, y, np.array([0, 1]), 1), [17], seed=0)
    assert around.n_rows == 4000
    assert {len(group) for group in around.groups} == {2000}
    assert 17 not in [row for row, _ in around.nearest(17, np.ones(3), 5)]


@pytest.mark.parametrize("case", [binary, nasty, wine])
def test_the_cases_are_data_and_complete(case):
    cases = case().summary["cases"]
    assert json.loads(json.dumps(cases, allow_nan=False)) == cases
    for model in cases["models"]:
        for kind in cases["kinds"]:
            for one in model[kind]:
                needed = {reason["column"] for reason in one["reasons"]}
                assert needed <= set(cases["rows"][one["row"]]["values"])
                labels = [cases["rows"][other["row"]]["is_rare"] for other in one["similar"]]
                assert sorted(labels) == [False, False, True, True]
                for other in one["similar"]:
                    assert needed <= set(cases["rows"][other["row"]]["values"])
                    assert 0 <= other["distance"] <= 1
                    assert other["row"] != one["row"]


def test_a_model_without_scores_has_no_cases_and_one_without_reasons_says_so():
    names = {one["name"]: one for one in binary().summary["cases"]["models"]}
    assert set(names) == {"tree", "forest", "logistic", "svm"}
    case = binary()
    results = compare(
        {"tree": presets.ccpdt()}, {"small": (case.X, case.y)}, protocol=Protocol(2, 1),
        store=None, keep_predictions=True,
    )  # fmt: skip
    bare = summarize(results, case.X, case.y)["cases"]["models"][0]
    assert bare["method"] is bare["weights"] is bare["misses"][0]["base_value"] is None
    assert bare["misses"][0]["reasons"] == []
    assert len(bare["misses"][0]["similar"]) == 4


def test_a_page_without_cases_has_no_row_of_the_table():
    case = binary()
    summary = summarize(case.results, case.X, case.y, models=case.models, cases=False)
    assert summary["cases"] is None
    page = render(summary)
    assert 'id="cases"' not in page
    values = [
        value
        for about in case.summary["cases"]["rows"].values()
        for value in about["values"].values()
    ]
    ends = {*case.X.min(), *case.X.max()}  # the ranges of the columns
    inside = [value for value in values if value not in ends]
    assert inside
    assert not [value for value in inside if repr(value) in page]
    with_cases = render(case.summary)
    assert [value for value in inside if repr(value) in with_cases]
    old = {key: value for key, value in case.summary.items() if key != "cases"}
    assert 'id="cases"' not in render(old)


def test_an_error_of_annotate_is_a_warning_of_the_fit():
    X, y = mixed()

    def broken(model, samples, outcome):
        raise RuntimeError("no reason")

    results = compare(
        {"tree": presets.hddt()}, {"t": (X, y)}, protocol=Protocol(2, 2), store=None,
        keep_predictions=True, annotate=broken,
    )  # fmt: skip
    warned = [cell for cell in results.cells if any("no reason" in text for text in cell.warnings)]
    assert [cell.repeat for cell in warned] == [0, 0]
    assert not results.failures()
    assert all(set(fold) == {"rows"} for fold in results.annotations("t", "tree"))


def test_an_unfinished_comparison_has_the_cases_of_the_finished_folds():
    case = binary()
    cells = [c for c in case.results.cells if c.model == "forest" and (c.repeat, c.fold) == (0, 1)]
    part = replace(case.results, cells=cells, models=["forest"])
    cases = summarize(part, case.X, case.y)["cases"]
    tested = {int(row) for row in part.predictions("small", "forest").rows}
    model = cases["models"][0]
    assert {int(one["row"]) for one in model["alerts"]} <= tested
    similar = [other for one in model["alerts"] for other in one["similar"]]
    assert all((other["score"] is None) == (int(other["row"]) not in tested) for other in similar)


def test_the_arrays_of_a_fold():
    X, y = mixed()
    results = compare(
        {"tree": presets.hddt()}, {"t": (X, y)}, protocol=Protocol(2, 1), store=None,
        keep_predictions=True, annotate=explain_cases,
    )  # fmt: skip
    folds = results.annotations("t", "tree")
    assert len(folds) == 2
    for fold in folds:
        assert fold["case_values"].shape == (len(fold["case_places"]), X.shape[1])
        assert fold["case_places"].max() < len(fold["rows"])
