"""Comparisons from Python: data in, data out, and resumed where they were."""

from __future__ import annotations

import json
import pickle
import sqlite3
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from rarewood import workflow
from support.program import patients, run

QUICK = {"models": ["hddt", "ccpdt"], "protocol": "1x2", "n_jobs": 1}


class Recorder(workflow.Listener):
    """Keeps what it receives; stops the run after some fits if it is told to."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.seen: list[tuple] = []
        self._stop_after = stop_after

    def on_table(self, findings, streamed):
        self.seen.append(("table", findings.n_rows, streamed))

    def on_comparison(self, folder, models, absent, protocol, n_jobs):
        self.seen.append(("comparison", folder, models, absent, len(protocol), n_jobs))

    def on_fit_done(self, cell, n_done, n_fits):
        self.seen.append(("fit", cell.model, n_done, n_fits))
        if n_done == self._stop_after:
            raise KeyboardInterrupt


def _cells(folder):
    with sqlite3.connect(folder / "results.sqlite") as store:
        return dict(store.execute("SELECT key, finished FROM cells").fetchall())


@pytest.fixture
def data(tmp_path):
    return patients(tmp_path / "patients.csv")


def test_a_comparison_is_data(data, tmp_path, capfd):
    recorder = Recorder()
    out = tmp_path / "out"
    found = workflow.compare(data, "ill", out=out, listener=recorder, **QUICK)
    assert capfd.readouterr() == ("", "")
    assert found.folder == out
    assert found.report.read_text().lower().startswith("<!doctype html>")
    assert (found.n_done, found.n_fits) == (4, 4)
    assert {one["model"] for one in found.ranking} == {"hddt", "ccpdt"}
    assert found.ranking[0]["model"] == found.best
    means = found.results.to_frame("pandas").groupby("model")["average_precision"].mean()
    for one in found.ranking:
        assert one["mean"] == pytest.approx(means[one["model"]])
        assert one["scores"]["average_precision"] == one["mean"]
    assert set(found.ties) <= {"hddt", "ccpdt"} - {found.best}
    assert recorder.seen[:2] == [
        ("table", 240, None),
        ("comparison", out, ["hddt", "ccpdt"], [], 2, 1),
    ]
    assert [one[2:] for one in recorder.seen[2:]] == [(n, 4) for n in (1, 2, 3, 4)]


def test_an_interrupted_comparison_is_reported_and_resumed(data, tmp_path):
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        workflow.compare(data, "ill", out=out, listener=Recorder(stop_after=3), **QUICK)
    before = _cells(out)
    assert len(before) == 3
    partial = workflow.report(out, tmp_path / "page.html")
    assert (partial.n_done, partial.n_fits) == (3, 4)
    assert (tmp_path / "page.html").is_file()
    found = workflow.compare(data, "ill", out=out, **QUICK)
    after = _cells(out)
    assert len(after) == 4
    assert {key: after[key] for key in before} == before
    again = workflow.report(found)
    assert again.results is None
    assert again.summary == found.summary


def test_the_same_results_as_the_command_line(data, tmp_path):
    found = workflow.compare(data, "ill", out=tmp_path / "a", **QUICK)
    words = ("compare", data, "-t", "ill", "--out", tmp_path / "b", "--models", "hddt,ccpdt")
    assert run(*words, "--protocol", "1x2", "-j", 1).exit_code == 0
    own, other = (
        pd.read_csv(tmp_path / name / "results.csv").drop(columns=["fit_time", "predict_time"])
        for name in ("a", "b")
    )
    pd.testing.assert_frame_equal(own, other)
    assert len(found.results) == len(own)


def test_a_table_in_memory(data, tmp_path):
    out = tmp_path / "out"
    found = workflow.compare(pd.read_csv(data), "ill", pos_label="well", out=out, **QUICK)
    assert json.loads((out / "run.json").read_text())["plan"]["data"] == "table"
    assert found.summary["data"]["pos_label"] == "well"


def test_errors_are_ordinary_exceptions(data, tmp_path):
    out = tmp_path / "out"
    with pytest.raises(ValueError, match="Unknown model 'hdt'"):
        workflow.compare(data, "ill", models=["hdt"], out=out)
    with pytest.raises(ValueError, match="Invalid `protocol` 'many'"):
        workflow.compare(data, "ill", protocol="many", out=out)
    with pytest.raises(ValueError, match=r"too few for 100 folds.*`pos_label`"):
        workflow.compare(data, "ill", protocol="cv100", out=out)
    with pytest.raises(FileNotFoundError, match="There is no folder"):
        workflow.report(out)
    assert not out.exists()


def test_the_size_of_a_model_is_that_of_its_pickle():
    from rarewood.workflow._model_size import model_size

    model = {"large": np.zeros((300, 300)), "by column": np.asfortranarray(np.ones((200, 300)))}
    size = model_size(SimpleNamespace(model=model))
    assert size == len(pickle.dumps(model, protocol=5))
    assert np.isnan(model_size(SimpleNamespace(model=lambda: None)))
