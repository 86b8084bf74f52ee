"""No command writes over what it reads, or over what is not its own."""

from __future__ import annotations

import os
import shutil

import pytest

from cli.program import fails, patients, run

QUICK = ("--models", "hddt", "--protocol", "1x2", "-j", 1)


@pytest.fixture(autouse=True)
def _in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_compare_spares_the_table_it_reads(tmp_path):
    table = patients(tmp_path / "results.csv")
    before = table.read_bytes()
    fails(run("compare", "results.csv", "-t", "ill", "--out", ".", *QUICK), "is read by this")
    assert table.read_bytes() == before
    assert list(tmp_path.iterdir()) == [table]


def test_compare_spares_a_folder_that_is_no_run(tmp_path):
    data = patients(tmp_path / "patients.csv")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "report.html").write_text("my own")
    result = run("compare", data, "-t", "ill", "--out", "mine", *QUICK)
    fails(result, "mine is not the folder of a run", "has a file report.html", "--out")
    assert (mine / "report.html").read_text() == "my own"


def test_rules_spare_the_model(tmp_path):
    data = patients(tmp_path / "patients.csv")
    assert run("fit", data, "-t", "ill", "-o", "model", "--preset", "hddt").exit_code == 0
    before = (tmp_path / "model").read_bytes()
    fails(run("rules", "model", "-o", "model"), "is read by this command")
    assert (tmp_path / "model").read_bytes() == before


def test_report_spares_the_run(tmp_path):
    data = patients(tmp_path / "patients.csv")
    assert run("compare", data, "-t", "ill", "--out", "out", *QUICK).exit_code == 0
    for name in ("run.json", "results.sqlite", "results.csv", "summary.json"):
        before = (tmp_path / "out" / name).read_bytes()
        fails(run("report", "out", "-o", f"out/{name}"), "is read by this command")
        assert (tmp_path / "out" / name).read_bytes() == before


def test_a_damaged_run_is_said(tmp_path):
    data = patients(tmp_path / "patients.csv")
    assert run("compare", data, "-t", "ill", "--out", "out", *QUICK).exit_code == 0
    for text, words in [
        ("{half", "run.json is damaged: it is not JSON"),
        ("[]", "run.json is damaged: it holds no names"),
        ("{}", "run.json is damaged: it does not say what was asked"),
        ('{"plan": {"zz": 1}, "command": ""}', "run.json is damaged: it does not say what"),
    ]:
        (tmp_path / "out" / "run.json").write_text(text)
        fails(run("report", "out"), words)
    shutil.rmtree(tmp_path / "out")
    fails(run("report", "out"), "There is no folder out")


def test_pipes_devices_and_the_standard_output_are_no_files(tmp_path):
    data = patients(tmp_path / "patients.csv")
    os.mkfifo(tmp_path / "pipe.csv")
    for place in ("pipe.csv", "-"):
        fails(run("fit", data, "-t", "ill", "-o", place), f"{place} is no plain file")
    assert (tmp_path / "pipe.csv").is_fifo()
    assert run("fit", data, "-t", "ill", "-o", "model", "--preset", "hddt").exit_code == 0
    fails(run("predict", "model", data, "-o", "pipe.csv"), "pipe.csv is no plain file")
