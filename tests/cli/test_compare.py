"""compare and report, end to end in a temporary folder."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from html import unescape
from pathlib import Path

import pandas as pd
import pytest

from rarewood.intake import prepare
from support.program import REGISTRY, entry, fails, patients, run

QUICK = ("--models", "hddt,ccpdt,logistic-regression", "--protocol", "2x2", "-j", "1")


@pytest.fixture(autouse=True)
def _in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def data(tmp_path):
    return patients(tmp_path / "patients.csv")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    path = patients(folder / "patients.csv")
    result = run("compare", path, "--target", "ill", "--out", folder / "out", *QUICK)
    assert result.exit_code == 0, result.stderr
    return folder / "out", result


def test_it_says_what_it_found(finished):
    text = finished[1].stdout
    taken = prepare(finished[0].parent / "patients.csv", "ill")
    assert text.startswith("\n".join(taken.findings.lines()))
    assert "use a skipped column with --keep, such as --keep patient_id" in text
    assert "3 columns used (2 numeric, 1 categorical)" in text
    assert "skipped 'patient_id'" in text
    assert "skipped 'seen': it contains dates" in text
    assert "3 models by 2 x 2-fold cross-validation: 12 fits, 1 at a time" in text


def test_it_ends_with_a_ranked_table_and_the_path_of_the_report(finished):
    folder, result = finished
    text = result.stdout
    frame = pd.read_csv(folder / "results.csv")
    means = frame.groupby("model")["average_precision"].mean().sort_values(ascending=False)
    places = [text.index(f"\n{REGISTRY[name].label} ") for name in means.index]
    assert places == sorted(places)
    assert all(f"{mean:.3f}" in text for mean in means)
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["verdict"]["recommended"] == means.index[0]
    assert f"\n{summary['verdict']['sentence']}\n" in text  # the same in terminal, page and data
    assert f'<p id="verdict">{summary["verdict"]["sentence"]}</p>' in unescape(
        (folder / "report.html").read_text()
    )
    assert "corrected resampled t-test over the folds" in text
    assert text.strip().splitlines()[-1] == f"report: {folder / 'report.html'}"
    assert "12 of 12 fits done" in result.stderr


def test_the_cases_are_rows_of_the_file(finished):
    folder, _ = finished
    cases = json.loads((folder / "summary.json").read_text())["cases"]
    table = pd.read_csv(folder.parent / "patients.csv")
    assert len(cases["models"]) == 3
    for about in cases["rows"].values():
        row = table.iloc[about["row"] - 1]
        assert about["ids"] == {"patient_id": str(row["patient_id"])}
        assert about["label"] == row["ill"]
        for name, value in about["values"].items():
            assert value is None if pd.isna(row[name]) else value == row[name]


def test_rows_of_a_sample_have_their_numbers_in_the_file(data):
    table = pd.read_csv(data)
    table.loc[::10, "ill"] = None
    table.to_csv(data, index=False)
    options = ("--sample", 150, "--models", "hddt", "--protocol", "cv2", "-j", "1")
    result = run("compare", data, "-t", "ill", "--out", "out", *options)
    assert result.exit_code == 0, result.stderr
    cases = json.loads(Path("out/summary.json").read_text())["cases"]
    assert max(about["row"] for about in cases["rows"].values()) > 150
    for about in cases["rows"].values():
        row = table.iloc[about["row"] - 1]
        assert (about["ids"]["patient_id"], about["label"]) == (str(row["patient_id"]), row["ill"])


def test_a_page_without_cases(data, finished):
    options = ("--models", "hddt", "--protocol", "cv2", "-j", "1")
    result = run("compare", data, "-t", "ill", "--out", "out", "--no-cases", *options)
    assert result.exit_code == 0, result.stderr
    assert json.loads(Path("out/summary.json").read_text())["cases"] is None
    assert 'id="cases"' not in Path("out/report.html").read_text()
    folder, _ = finished
    assert 'id="cases"' in (folder / "report.html").read_text()
    result = run("report", folder, "--no-cases", "-o", "page.html")
    assert result.exit_code == 0, result.stderr
    page = Path("page.html").read_text()
    assert 'id="cases"' not in page
    ids = {about["ids"]["patient_id"] for about in
           json.loads((folder / "summary.json").read_text())["cases"]["rows"].values()}  # fmt: skip
    assert not [one for one in ids if f'"{one}"' in page]
    # Later the same fits are shown with their rows and the reasons.
    run("compare", data, "-t", "ill", "--out", "out", *options)
    models = json.loads(Path("out/summary.json").read_text())["cases"]["models"]
    assert all(one["reasons"] for model in models for one in model["misses"])


def test_the_files_of_the_run(finished):
    folder, _ = finished
    assert {p.name for p in folder.iterdir()} == {
        "run.json", "results.sqlite", "results.csv", "summary.json", "report.html",
    }  # fmt: skip
    about = json.loads((folder / "run.json").read_text())
    assert about["state"] == "finished"
    assert about["plan"]["target"] == "ill"
    assert about["findings"]["pos_label"] == "ill"
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["data"]["pos_label"] == "ill"
    assert [c["name"] for c in summary["data"]["skipped"]] == ["patient_id", "seen"]
    assert len(pd.read_csv(folder / "results.csv")) == 12
    page = (folder / "report.html").read_text()
    assert page.startswith("<!doctype html>".upper()) or page.lower().startswith("<!doctype html>")


def test_a_run_is_not_computed_twice(finished, tmp_path):
    folder, _ = finished
    before = sqlite3.connect(folder / "results.sqlite").execute("SELECT * FROM cells").fetchall()
    path = folder.parent / "patients.csv"
    assert run("compare", path, "-t", "ill", "--out", folder, *QUICK).exit_code == 0
    after = sqlite3.connect(folder / "results.sqlite").execute("SELECT * FROM cells").fetchall()
    assert after == before


def test_the_report_of_a_finished_run_is_made_again(finished, tmp_path):
    folder, result = finished
    page = (folder / "report.html").read_text()
    again = run("report", folder, "-o", tmp_path / "page.html")
    assert again.exit_code == 0, again.stderr
    assert (tmp_path / "page.html").read_text() == page
    table = result.stdout[result.stdout.index("model  ") :].splitlines()[:-1]
    assert "\n".join(table) in again.stdout
    run("report", folder / "run.json")
    assert (folder / "report.html").read_text() == page


def test_the_report_of_what_there_is(data, tmp_path):
    assert run("compare", data, "-t", "ill", "--out", "out", *QUICK).exit_code == 0
    about = json.loads((tmp_path / "out" / "run.json").read_text()) | {"state": "unfinished"}
    (tmp_path / "out" / "run.json").write_text(json.dumps(about))
    store = sqlite3.connect(tmp_path / "out" / "results.sqlite")
    store.execute("DELETE FROM cells WHERE model = 'hddt'")
    store.execute("DELETE FROM cells WHERE model = 'ccpdt' AND repeat = 1 AND fold = 1")
    store.commit()
    result = run("report", "out")
    assert result.exit_code == 0, result.stderr
    assert "unfinished: 7 of 12 fits are done" in result.stdout  # of 12, as compare said
    assert "HDDT" not in result.stdout
    store.execute("DELETE FROM cells")
    store.commit()
    fails(run("report", "out"), "no fit was finished", "Run the comparison again")


def test_the_report_of_something_else(tmp_path):
    fails(run("report", tmp_path / "nowhere"), "There is no folder")
    fails(run("report", tmp_path), "neither run.json nor summary.json")
    (tmp_path / "run.json").write_text("{")
    fails(run("report", tmp_path), "is damaged: it is not JSON")


def test_the_same_results_for_any_number_of_processes(data, tmp_path):
    frames = []
    for n_jobs in (1, 2):
        out = tmp_path / f"out{n_jobs}"
        result = run("compare", data, "-t", "ill", "--out", out, *QUICK[:-1], n_jobs)
        assert result.exit_code == 0, result.stderr
        frame = pd.read_csv(out / "results.csv")
        # Pickles of equal objects may differ by a few bytes.
        frames.append(frame.drop(columns=["fit_time", "predict_time", "model_size"]))
    pd.testing.assert_frame_equal(*frames)


def test_options_reach_the_models(data, tmp_path):
    result = run(
        "compare", data, "-t", "ill", "--rare", "well", "--out", "out", "--keep", "seen",
        "--drop", "age", "--sample", 200, "--seed", 3, "--metric", "auc", *QUICK,
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    about = json.loads((tmp_path / "out" / "run.json").read_text())
    assert about["findings"]["pos_label"] == "well"
    assert about["findings"]["n_rows"] == 200
    assert about["findings"]["used"] == ["pressure", "smoker", "seen"]
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["ranking"]["metric"] == "auc"
    assert summary["settings"]["protocol"]["seed"] == 3


def test_a_data_set_by_name_and_a_folder_of_its_own(tmp_path):
    result = run("compare", "wine", "--models", "hddt", "--protocol", "cv2", "-j", "1")
    assert result.exit_code == 0, result.stderr
    (folder,) = (path for path in (tmp_path / "rarewood-runs").iterdir() if not path.is_symlink())
    assert folder.name.startswith("wine-cv2-")
    assert (folder / "report.html").is_file()
    assert "Hellinger tree (HDDT) is the only model" in result.stdout


def test_a_model_that_fails_does_not_stop_the_others(data, monkeypatch):
    monkeypatch.setitem(REGISTRY, "hddt", entry("hddt", "make_broken"))
    result = run("compare", data, "-t", "ill", "--out", "out", *QUICK)
    assert result.exit_code == 0, result.stderr
    assert "hddt failed in 4 of 4 folds" in result.stdout


def test_errors_before_any_work(data, tmp_path, monkeypatch):
    base = ("compare", data, "-t", "ill", "--out", "out")
    fails(run("compare", tmp_path / "patient.csv", "-t", "ill"), "Did you mean", "patients.csv")
    fails(run("compare", data, "-t", "il"), "Did you mean 'ill'?")
    fails(run("compare", data), "with --target", "patient_id, age, pressure")
    fails(run(*base, "--rare", "sick"), "has no class 'sick'")
    fails(run(*base, "--models", "hdd"), "Unknown model 'hdd'", "Did you mean 'hddt'")
    fails(run(*base, "--metric", "acu"), "Unknown metric 'acu'. Did you mean 'auc'")
    fails(run(*base, "--protocol", "many"), "Invalid --protocol 'many'; expected 5x2")
    fails(run(*base, "--protocol", "cv1"), "at least 2 folds")
    fails(run(*base, "--protocol", "cv100"), "rows, too few for 100 folds")
    one = pd.read_csv(data).assign(ill=["ill"] + ["well"] * 239)
    one.to_csv(tmp_path / "one.csv", index=False)
    line = fails(run("compare", "one.csv", "-t", "ill"), "has 1 row, too few for 2")
    assert "fewer folds" not in line
    (tmp_path / "one.csv").unlink()
    fails(run(*base, "--memory", "10KB"), "of memory, but only 10.0 KB are available")
    fails(run(*base, "--columns", "age,weight"), "no column 'weight'")
    fails(run("compare", data, "-t", "seen"), "contains dates, not classes")
    fails(run("compare", data, "-t", "pressure"), "is continuous")
    (tmp_path / "file").write_text("")
    fails(run("compare", data, "-t", "ill", "--out", "file/out"), "Cannot write", "--out")
    absent = replace(REGISTRY["lightgbm"], name="absent", package="no_such_package")
    monkeypatch.setitem(REGISTRY, "absent", absent)
    fails(run(*base, "--models", "absent"), "needs the package no_such_package")
    assert {path.name for path in tmp_path.iterdir()} == {"patients.csv", "file"}
