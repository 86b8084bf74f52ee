"""The whole path from a CSV file to a decision, for three kinds of goals.

Compare in the command line, read the page in a browser, fit for the same goal, rank and decide new
rows, explain one of them, and check on the labels of the new rows what the page has promised.
"""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from support.program import patients, run

MODELS = ("--models", "hddt,hedex,logistic-regression", "--protocol", "cv3", "-j", "1")
GOALS = {
    "cost": ("--cost", "fp=10,fn=100"),
    "alerts": ("--alerts", "200", "--rows-per-day", "1000"),
    "recall": ("--recall", "0.8"),
}
N_NEW = 2000


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paths")
    patients(folder / "train.csv", 900)
    return patients(folder / "new.csv", N_NEW, seed=1).parent


def done(*words):
    result = run(*words)
    assert result.exit_code == 0, (result.stdout, result.stderr)
    return result


@pytest.mark.parametrize("kind", GOALS)
def test_from_a_file_to_a_decision(visit, tables, tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    goal, train, new = GOALS[kind], tables / "train.csv", tables / "new.csv"
    compared = done("compare", train, "-t", "ill", *MODELS, *goal)
    summary = json.loads(Path("rarewood-runs/latest/summary.json").read_text())
    page = Path(compared.stdout.splitlines()[-1].removeprefix("report: ")).resolve()
    best = read_page(visit, page, summary, compared.stdout)

    preset = best["name"] if best["name"] in ("hddt", "hedex") else "hedex"
    model = ("--preset", preset, "-o", "model.rarewood")
    fitted = done("fit", train, "-t", "ill", *model, *goal)
    assert summary["goal"]["text"] in fitted.stdout
    done("predict", "model.rarewood", new, "-o", "all.csv")
    decided = pd.read_csv("all.csv").merge(pd.read_csv(new), on="patient_id")
    keeps_its_promise(kind, decided, summary, best)

    n_alerts = int((decided["prediction"] == "ill").sum())
    done("predict", "model.rarewood", new, "-o", "top.csv", "--top", n_alerts, "--why")
    top = pd.read_csv("top.csv")
    alerted = decided.loc[decided["prediction"] == "ill", "patient_id"]
    assert sorted(top["patient_id"]) == sorted(alerted)  # the ranked list is what is decided
    first = top.iloc[0]
    explained = done("explain", "model.rarewood", new, "--row-id", first["patient_id"]).stdout
    assert f"row {first['row']:,} of new.csv, patient_id {first['patient_id']}" in explained
    assert first["reason_1"] in explained


def read_page(visit, page, summary, printed):
    """Read verdict, threshold and cases in the browser; return the recommended model."""
    seen = visit(page)
    verdict = summary["verdict"]
    best = next(one for one in summary["models"] if one["name"] == verdict["recommended"])
    assert seen.text("#verdict") == verdict["sentence"]
    assert verdict["sentence"] in printed
    assert seen.value("#threshold") == pytest.approx(best["goal"]["threshold"])
    assert summary["goal"]["text"] in seen.text("#message")
    seen.page.click("a[href='#cases-misses']")
    seen.page.locator("#cases-misses-list summary").first.click()
    cases = next(one for one in summary["cases"]["models"] if one["name"] == best["name"])
    miss = cases["misses"][0]
    about = summary["cases"]["rows"][miss["row"]]
    text = seen.page.locator("#cases-misses-list .case").first.inner_text()
    assert f"row {about['row']}, patient_id {about['ids']['patient_id']}" in text
    if miss["reasons"]:
        assert miss["reasons"][0]["text"] in text
    return best


def keeps_its_promise(kind, decided, summary, best):
    """The decisions on new rows reach what the page expects of them."""
    is_ill, is_alert = decided["ill"] == "ill", decided["prediction"] == "ill"
    n_hits, n_alerts = int((is_ill & is_alert).sum()), int(is_alert.sum())
    recall = n_hits / int(is_ill.sum())
    low, high = best["goal"]["recall"]["interval"]
    assert low - 0.05 <= recall <= high + 0.05
    if kind == "cost":
        cost = 10 * (n_alerts - n_hits) + 100 * int((is_ill & ~is_alert).sum())
        without = [one["cost_per_1000"] for one in summary["goal"]["baselines"]]
        assert 1000 * cost / N_NEW < min(without)
    elif kind == "alerts":
        assert n_alerts <= 1.2 * 200 * N_NEW / 1000
        assert recall > 1.5 * n_alerts / N_NEW  # more than alerts at random would find
    else:
        assert recall >= 0.8 - 0.08
        assert n_alerts < 0.8 * N_NEW
