"""No command writes over what it reads, or over what is not its own."""

from __future__ import annotations

import os
import shutil
import sqlite3

import pytest

from support.program import fails, patients, run

QUICK = ("--models", "hddt", "--protocol", "1x2", "-j", 1)


@pytest.fixture(autouse=True)
def _in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_compare_spares_the_table_it_reads(tmp_path):
    table = patients(tmp_path / "results.csv")
    before = table.read_bytes()
    fails(run("compare", "results.csv", "-t", "ill", "--out", ".", *QUICK), "is an input")
    assert table.read_bytes() == before
    assert list(tmp_path.iterdir()) == [table]


def test_compare_spares_a_folder_that_is_no_run(tmp_path):
    data = patients(tmp_path / "patients.csv")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "report.html").write_text("my own")
    result = run("compare", data, "-t", "ill", "--out", "mine", *QUICK)
    fails(result, "mine is not the folder of a run", "contains report.html", "--out")
    assert (mine / "report.html").read_text() == "my own"


def test_rules_spare_the_model(tmp_path):
    data = patients(tmp_path / "patients.csv")
    assert run("fit", data, "-t", "ill", "-o", "model", "--preset", "hddt").exit_code == 0
    before = (tmp_path / "model").read_bytes()
    fails(run("rules", "model", "-o", "model"), "is an input and would be overwritten")
    assert (tmp_path / "model").read_bytes() == before


def test_report_spares_the_run(tmp_path):
    data = patients(tmp_path / "patients.csv")
    assert run("compare", data, "-t", "ill", "--out", "out", *QUICK).exit_code == 0
    for name in ("run.json", "results.sqlite", "results.csv", "summary.json"):
        before = (tmp_path / "out" / name).read_bytes()
        fails(run("report", "out", "-o", f"out/{name}"), "is an input and would be overwritten")
        assert (tmp_path / "out" / name).read_bytes() == before


def test_a_damaged_run_is_said(tmp_path):
    data = patients(tmp_path / "patients.csv")
    assert run("compare", data, "-t", "ill", "--out", "out", *QUICK).exit_code == 0
    for text, words in [
        ("{half", "run.json is damaged: it is not JSON"),
        ("[]", "run.json is damaged: it is not a JSON object"),
        ("{}", "run.json is damaged: it has no plan"),
        ('{"plan": {"zz": 1}, "command": ""}', "run.json is damaged: it has no plan"),
    ]:
        (tmp_path / "out" / "run.json").write_text(text)
        fails(run("report", "out"), words)
    shutil.rmtree(tmp_path / "out")
    fails(run("report", "out"), "There is no folder out")


def test_pipes_devices_and_the_standard_output_are_no_files(tmp_path):
    data = patients(tmp_path / "patients.csv")
    os.mkfifo(tmp_path / "pipe.csv")
    for place in ("pipe.csv", "-"):
        fails(run("fit", data, "-t", "ill", "-o", place), f"{place} is not a regular file")
    assert (tmp_path / "pipe.csv").is_fifo()
    assert run("fit", data, "-t", "ill", "-o", "model", "--preset", "hddt").exit_code == 0
    fails(run("predict", "model", data, "-o", "pipe.csv"), "pipe.csv is not a regular file")


def test_a_store_that_cannot_be_written(tmp_path, monkeypatch):
    def full(*args, **more):
        raise sqlite3.OperationalError("database or disk is full")

    data = patients(tmp_path / "patients.csv")
    monkeypatch.setattr("rarewood.evaluate._comparison.run_task", full)
    result = run("compare", data, "-t", "ill", "--out", "out", *QUICK)
    fails(result, "results.sqlite: database or disk is full", "are kept")


def test_a_damaged_store_is_said(tmp_path):
    data = patients(tmp_path / "patients.csv")
    assert run("compare", data, "-t", "ill", "--out", "out", *QUICK).exit_code == 0
    store = tmp_path / "out" / "results.sqlite"
    whole = store.read_bytes()
    store.write_bytes(whole[:100] + b"\xff" * (len(whole) - 100))
    words = ("results.sqlite is damaged: ", "Restore it from a copy, or delete it")
    fails(run("compare", data, "-t", "ill", "--out", "out", *QUICK), *words)
    (tmp_path / "out" / "summary.json").unlink()
    fails(run("report", "out"), *words)
    store.unlink()
    assert run("compare", data, "-t", "ill", "--out", "out", *QUICK).exit_code == 0


def test_ctrl_c_while_the_report_is_written(tmp_path, monkeypatch):
    def interrupt(summary):
        raise KeyboardInterrupt

    data = patients(tmp_path / "patients.csv")
    with monkeypatch.context() as patch:
        patch.setattr("rarewood.report.render", interrupt)
        result = run("compare", data, "-t", "ill", "--out", "out", *QUICK)
    assert result.exit_code == 130
    assert result.stderr.splitlines()[-1] == (
        "rarewood: Interrupted. All fits are done and kept in out: the same command writes the "
        "report."
    )
    assert not (tmp_path / "out" / "report.html").exists()
    assert run("compare", data, "-t", "ill", "--out", "out", *QUICK).exit_code == 0
    assert (tmp_path / "out" / "report.html").exists()
