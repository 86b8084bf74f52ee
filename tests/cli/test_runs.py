"""Runs that can be trusted: folders by what they are, a list, signs of life, quick answers."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from rarewood import workflow
from rarewood.cli import _heartbeat
from rarewood.cli._heartbeat import Heartbeat
from support.program import command, fails, patients, run

ONE = ("--models", "hddt", "-j", "1")


@pytest.fixture(autouse=True)
def _in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def data(tmp_path):
    return patients(tmp_path / "patients.csv")


def compared(data, *words):
    result = run("compare", data, "-t", "ill", *ONE, *words)
    assert result.exit_code == 0, result.stderr
    return (
        result.stdout.strip().splitlines()[-1].removeprefix("report: ").removesuffix("/report.html")
    )


def test_a_run_never_replaces_one_of_another_protocol_sample_class_or_table(data, tmp_path):
    places = [
        compared(data, "--protocol", "cv2"),
        compared(data, "--protocol", "cv3"),
        compared(data, "--protocol", "2x2"),
        compared(data, "--protocol", "cv2", "--sample", "200"),
        compared(data, "--protocol", "cv2", "--seed", "1"),
        compared(data, "--protocol", "cv2", "--rare", "well"),
        compared(data, "--protocol", "cv2", "--drop", "age"),
    ]
    data.write_text("\n".join(data.read_text().splitlines()[:-1]))
    places.append(compared(data, "--protocol", "cv2"))
    assert len(set(places)) == len(places)
    assert places[3].startswith("rarewood-runs/patients-cv2-sample200-")
    assert compared(data, "--protocol", "cv2") == places[-1]  # the same resumes


def test_a_folder_that_was_named_is_not_reused_for_another_protocol(data):
    compared(data, "--protocol", "cv2", "--out", "mine")
    compared(data, "--protocol", "cv2", "--out", "mine", "--metric", "auc")
    fails(
        run("compare", data, "-t", "ill", *ONE, "--protocol", "cv3", "--out", "mine"),
        "mine has a run on another table", "another folder with --out",
    )  # fmt: skip


def test_runs_are_listed_and_the_latest_has_a_name(data, tmp_path):
    assert "no runs in" in run("runs").stdout
    fails(run("report", "latest"), "There is no run in")
    first = compared(data, "--protocol", "cv2")
    time.sleep(0.02)
    second = compared(data, "--protocol", "cv3")
    lines = run("runs").stdout.splitlines()
    assert lines[0].startswith(f"{second}: 240 rows, target 'ill', cv3, finished")
    assert lines[1].strip() == workflow.runs()[0].verdict
    assert lines[2].startswith(f"{first}: ")
    assert os.path.realpath("rarewood-runs/latest") == os.path.realpath(second)
    assert f"report: {second}/report.html" in run("report", "latest").stdout
    (tmp_path / "rarewood-runs" / "broken").mkdir()
    (tmp_path / "rarewood-runs" / "broken" / "run.json").write_text("{")
    assert len(run("runs").stdout.splitlines()) == 4


def test_the_majority_as_rare_class_is_questioned(data):
    result = run(
        "compare", data, "-t", "ill", *ONE, "--protocol", "cv2", "--rare", "well", "-o", "r"
    )
    question = "'well' is the majority, with "
    assert question in result.stdout
    assert "is 'ill' not the class of interest?" in result.stdout
    summary = json.loads(Path("r/summary.json").read_text())
    assert question in summary["verdict"]["caveats"][0]


def test_a_quick_comparison_says_that_it_is_quick(tmp_path, monkeypatch):
    monkeypatch.setattr("rarewood.workflow._compare._QUICK_ROWS", 1000)
    data = patients(tmp_path / "many.csv", 1200)
    result = run("compare", data, "-t", "ill", *ONE, "--quick", "-o", "quick")
    assert result.exit_code == 0, result.stderr
    caveat = "Quick comparison on a random sample of 1,000 of 1,200 rows with 3 folds"
    assert caveat in result.stdout
    summary = json.loads(Path("quick/summary.json").read_text())
    assert summary["data"]["n_rows"] == 1000
    assert summary["verdict"]["caveats"][0].startswith(caveat)
    assert caveat in Path("quick/report.html").read_text()


def test_a_large_table_has_an_estimate_of_the_time(tmp_path, monkeypatch):
    monkeypatch.setattr("rarewood.workflow._estimate_time._LARGE", 5000)
    data = patients(tmp_path / "large.csv", 5000)
    words = ("compare", data, "-t", "ill", *ONE, "--protocol", "cv2", "-o", "large")
    result = run(*words)
    assert "this takes about" in result.stdout
    assert "(from fits on 2,400 rows)" in result.stdout
    assert "this takes about" not in run(*words).stdout  # it is resumed


def test_a_long_step_gives_a_sign_of_life(monkeypatch, capsys):
    monkeypatch.setattr(_heartbeat, "_SECONDS", 0.3)
    with Heartbeat("reading a.csv") as heart:
        time.sleep(0.8)
        heart.step("")
        time.sleep(0.5)
        heart.step(lambda: "3 of 5 fits done")
        time.sleep(0.5)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("reading a.csv, ")
    assert "3 of 5 fits done" in lines
    assert len(lines) <= 6


def test_short_steps_do_not_add_up_to_a_long_silence(monkeypatch, capsys):
    monkeypatch.setattr(_heartbeat, "_SECONDS", 0.5)
    with Heartbeat() as heart:
        for k in range(8):
            heart.step(f"explaining model {k}")
            time.sleep(0.2)
    assert len(capsys.readouterr().err.splitlines()) >= 2


def test_help_and_mistakes_load_no_library():
    """They are fast; times are not tested, since machines differ."""
    import subprocess
    import sys

    code = (
        "import sys; from rarewood.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "finally: print([n for n in ('sklearn', 'pandas', 'scipy.stats') if n in sys.modules])"
    )
    assert command()  # the program itself is run by other tests
    for words in (
        ["--help"], ["compare", "--help"], ["compare", "nowhere.csv", "-t", "y"],
        ["compare", __file__, "-t", "y", "--models", "hdd"],
        ["compare", __file__, "-t", "y", "--metric", "acu"],
        ["compare", __file__, "-t", "y", "--protocol", "many"],
        ["compare", __file__, "-t", "y", "--cost", "fp=3"], ["models"], ["runs"],
    ):  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False
        )
        assert done.stdout.strip().endswith("[]"), (words, done.stdout[-300:], done.stderr)


def test_models_are_listed_with_names_that_explain_themselves():
    lines = run("models", "--all").stdout.splitlines()
    assert len(lines) == len(workflow.models())
    (hddt,) = (line for line in lines if line.startswith("hddt "))
    assert hddt.split(maxsplit=1)[1] == "Hellinger tree (HDDT) [default]"
