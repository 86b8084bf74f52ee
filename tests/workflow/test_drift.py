"""Drift between the table of a comparison and another one."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from rarewood import workflow
from rarewood.intake import TableError
from support.program import fails, run


def table(n, seed, rate=0.1, shift=0.0):
    rng = np.random.default_rng(seed)
    is_rare = rng.random(n) < rate
    x = rng.normal(size=(n, 3)) + 2.0 * is_rare[:, np.newaxis] * [1, 1, 0] + [0, 0, shift]
    frame = pd.DataFrame(x, columns=["a", "b", "c"])
    frame["kind"] = rng.choice(["red", "blue"], n)
    return frame.assign(y=np.where(is_rare, "bad", "good"))


@pytest.fixture(scope="module")
def comparison(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drift")
    path = folder / "old.csv"
    table(1500, 0).to_csv(path, index=False)
    return workflow.compare(
        path, "y", models=["rare-forest", "hddt"], protocol="cv2", n_jobs=1, out=folder / "run"
    )


def test_the_same_distribution_has_not_shifted(comparison):
    found = workflow.drift(comparison, table(1500, 1))
    assert found["n_significant"] == 0
    assert found["score"]["p_value"] > 0.01
    rates = found["rare_rate"]
    assert rates["by_values"]["low"] < 0.1 < rates["by_values"]["high"]
    assert rates["by_class"]["low"] < 0.1 < rates["by_class"]["high"]
    assert rates["actual"] == pytest.approx((table(1500, 1)["y"] == "bad").mean())
    json.dumps(found, allow_nan=False)


def test_a_shifted_column_is_named_and_leaves_the_score_alone(comparison):
    new = table(1500, 2, shift=1.5).drop(columns="y")
    new.loc[:99, "kind"] = "green"
    found = workflow.drift(comparison, new)
    shifted = [one["name"] for one in found["columns"] if one["is_significant"]]
    assert shifted == ["c", "kind"]
    assert found["columns"][1]["n_unseen"] == 100
    assert "2 of 4 columns shifted significantly, most of all c" in found["sentence"]
    assert found["rare_rate"]["actual"] is None


def test_a_higher_rate_of_the_rare_class_is_estimated_without_labels(comparison):
    new = table(3000, 3, rate=0.3).drop(columns="y")
    found = workflow.drift(comparison, new)
    estimate = found["rare_rate"]["by_class"]
    assert estimate["low"] < 0.3 < estimate["high"]
    assert 0.2 < estimate["rate"] < 0.4
    before, after = found["score"]["alerts_per_1000"]
    assert after > 2 * before


def test_rows_of_the_old_table_are_noticed(comparison):
    both = pd.concat([table(1500, 0).iloc[:300], table(1200, 4)])
    found = workflow.drift(comparison, both)
    assert found["repeated"] == pytest.approx(0.2)
    assert "20.0% of its rows are also in the first table" in found["sentence"]


def test_a_sample_of_a_large_table_is_said(comparison, monkeypatch):
    monkeypatch.setattr("rarewood.workflow._drift._MOST_ROWS", 300)
    found = workflow.drift(comparison, table(1500, 1))
    assert (found["n_rows"], found["n_in_table"]) == (300, 1500)
    assert found["sentence"].startswith("table (300 of 1,500 rows, drawn at random): ")


def test_a_table_without_a_column_is_refused(comparison):
    with pytest.raises(TableError, match="lacks columns of the comparison: b"):
        workflow.drift(comparison, table(50, 5).drop(columns="b"))


def test_the_command_writes_a_page_beside_the_report(comparison, tmp_path):
    path = tmp_path / "newer rows.csv"
    table(400, 6, shift=2.0).to_csv(path, index=False)
    before = comparison.report.read_bytes()
    done = run("report", comparison.folder, "--compare-with", path)
    assert done.exit_code == 0, done.stderr
    page = comparison.folder / "report-newer_rows.html"
    assert done.stdout.strip().endswith(f"report: {page}")
    summary = json.loads((comparison.folder / "summary-newer_rows.json").read_text())
    assert summary["drift"]["sentence"] in done.stdout
    text = page.read_text()
    assert 'id="drift"' in text
    assert "newer rows.csv: 1 of 4 columns shifted significantly, most of all c" in text
    assert comparison.report.read_bytes() == before
    fails(run("report", comparison.folder, "--compare-with", "nowhere.csv"), "nowhere.csv")
