"""verbose tells how far a fit has come."""

from __future__ import annotations

import io
import re
import sys

import pytest
from sklearn.datasets import make_classification

from rarewood import RareForestClassifier
from rarewood._progress import Progress

X, Y = make_classification(100, random_state=0)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_silent_by_default(capfd):
    RareForestClassifier(5).fit(X, Y)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("verbose", [1, 5, True])
def test_a_line_on_the_error_stream(capfd, verbose):
    RareForestClassifier(5, verbose=verbose).fit(X, Y)
    out, err = capfd.readouterr()
    assert out == ""
    assert re.fullmatch(r"5 of 5 trees grown in \d+\.\d s", err.splitlines()[-1])
    assert "\r" not in err


def test_a_warm_start_counts_the_new_trees(capfd):
    model = RareForestClassifier(2, warm_start=True).fit(X, Y)
    model.set_params(n_estimators=5, verbose=1).fit(X, Y)
    assert "3 of 3 trees" in capfd.readouterr().err


def test_a_file_gets_a_line_for_every_tenth(monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    with Progress(50) as progress:
        for n_done in [*range(50), 50, 50]:
            progress(n_done)
    counts = [int(line.split()[0]) for line in stream.getvalue().splitlines()]
    assert counts[-1] == 50
    assert counts == sorted(set(counts))
    assert 9 <= len(counts) <= 12


def test_a_file_gets_a_line_for_every_doubling_where_the_end_is_not_known(monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    with Progress(None, "rows kept") as progress:
        for n_done in range(100):
            progress(n_done)
    found = [line.partition(" in ")[0] for line in stream.getvalue().splitlines()]
    assert found == [f"{n} rows kept" for n in (0, 1, 2, 4, 8, 16, 32, 64, 99)]


def test_a_terminal_gets_one_line_that_changes(monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream := Terminal())
    monkeypatch.setattr("rarewood._progress._PAUSE", 0.0)
    with Progress(3) as progress:
        for n_done in (0, 1, 1, 3, 3):
            progress(n_done)
    *lines, end = stream.getvalue().split("\r")[1:]
    assert [line.split()[0] for line in (*lines, end)] == ["0", "1", "3"]
    assert [line.split()[-1] for line in (*lines, end)] == [
        f"[{'#' * n}{'.' * (20 - n)}]" for n in (0, 6, 20)
    ]
    assert stream.getvalue().count("\n") == 1
    assert end.endswith("\n")


def test_a_notebook_is_updated_like_a_terminal_but_not_too_often(monkeypatch):
    class OutStream(io.StringIO):  # of Jupyter's kernel: not a terminal
        __module__ = "ipykernel.iostream"

    monkeypatch.setattr(sys, "stderr", stream := OutStream())
    RareForestClassifier(300, max_depth=1, verbose=1).fit(X, Y)
    lines = stream.getvalue().split("\r")[1:]
    assert len(lines) < 150
    assert lines[-1].startswith("300 of 300 trees grown in ")
    assert lines[-1].endswith(f"[{'#' * 20}]\n")


def test_an_interrupted_line_is_ended(monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream := Terminal())

    def interrupted():
        with Progress(3) as progress:
            progress(1)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert stream.getvalue().endswith("\n")
