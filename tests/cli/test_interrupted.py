"""A run that is interrupted, in whatever way, loses nothing and goes on where it was."""

from __future__ import annotations

import os
import pty
import signal
import sqlite3
import subprocess
import time
from contextlib import suppress

import pandas as pd
import psutil
import pytest

from support.program import REGISTRY, entry, patients, run, start_waiting

MODELS = ("--models", "hddt,cart,waiting", "--protocol", "10x2")
PATIENCE = 300  # seconds, for a machine that has much to do
TIMES = ["fit_time", "predict_time"]


@pytest.fixture(autouse=True)
def _waiting_is_a_model(monkeypatch):
    monkeypatch.setitem(REGISTRY, "waiting", entry("waiting", "Waiting"))


def cells(folder):
    """Keys and times of the finished cells; none while the file is being made."""
    try:
        store = sqlite3.connect(f"file:{folder / 'results.sqlite'}?mode=ro", uri=True, timeout=30)
        return dict(store.execute("SELECT key, finished FROM cells").fetchall())
    except sqlite3.OperationalError:
        return {}


def wait_for_cells(process, folder, n):
    end = time.monotonic() + PATIENCE
    while len(cells(folder)) < n:
        assert process.poll() is None, "ended too soon"
        assert time.monotonic() < end, "no cells"
        time.sleep(0.02)


def scores(folder):
    return pd.read_csv(folder / "results.csv").drop(columns=TIMES)


@pytest.fixture
def reference(tmp_path):
    out = tmp_path / "reference"
    data = patients(tmp_path / "patients.csv")
    assert run("compare", data, "-t", "ill", "--out", out, *MODELS, "-j", 1).exit_code == 0
    return scores(out)


def goes_on(data, out, before, reference):
    result = run("compare", data, "-t", "ill", "--out", out, *MODELS, "-j", 1)
    assert result.exit_code == 0, result.stderr
    after = cells(out)
    assert len(after) == 60
    assert {key: after[key] for key in before} == before, "computed again"
    pd.testing.assert_frame_equal(scores(out), reference)


def test_a_killed_run_goes_on(tmp_path, reference):
    data, out = tmp_path / "patients.csv", tmp_path / "out"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    words = ("compare", data, "-t", "ill", "--out", out, *MODELS, "-j", 2)
    process = start_waiting(*words, **quiet)
    try:
        wait_for_cells(process, out, n=1)
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # a session of its own: its workers, no one else
        process.wait(timeout=60)
    before = cells(out)
    assert 1 <= len(before) < 60
    assert not (out / "summary.json").exists()
    result = run("report", out)
    assert result.exit_code == 0, result.stderr
    assert "unfinished: " in result.stdout
    goes_on(data, out, before, reference)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_their_parent(tmp_path, number):
    """The signal is sent to the program only, as by a system that ends a service."""
    data, out = patients(tmp_path / "patients.csv"), tmp_path / "out"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    words = ("compare", data, "-t", "ill", "--out", out, "--models", "waiting", "-j", 2)
    process = start_waiting(*words, **quiet)
    try:
        workers = wait_for_workers(process, n=2, folder=out)
        process.send_signal(number)
        assert process.wait(timeout=60) == (-number if number == signal.SIGKILL else 128 + number)
        _, alive = psutil.wait_procs(workers, timeout=20)
        assert [one for one in alive if one.status() != psutil.STATUS_ZOMBIE] == []
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert run("compare", data, "-t", "ill", "--out", out, *words[6:]).exit_code == 0


def wait_for_workers(process, n, folder):
    """Wait until n workers compute a cell; return them and all other children."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert process.poll() is None, "ended too soon"
        with suppress(sqlite3.OperationalError):
            store = sqlite3.connect(f"file:{folder / 'results.sqlite'}?mode=ro", uri=True)
            pids = {pid for (pid,) in store.execute("SELECT pid FROM claims")}
            store.close()
            if len(pids) == n:
                return psutil.Process(process.pid).children(recursive=True)
        time.sleep(0.05)
    raise AssertionError("no workers")


def test_a_process_that_the_system_ends(tmp_path, monkeypatch):
    monkeypatch.setitem(REGISTRY, "hddt", entry("hddt", "Deadly"))
    data, out = patients(tmp_path / "patients.csv"), tmp_path / "out"
    result = run("compare", data, "-t", "ill", "--out", out, *MODELS, "-j", 2)
    assert result.exit_code == 2
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("rarewood: A process was killed by the system")
    assert "--n-jobs" in last
    assert "Traceback" not in result.stderr


def test_ctrl_c_in_a_terminal(tmp_path, reference):
    data, out = tmp_path / "patients.csv", tmp_path / "out"
    main, side = pty.openpty()
    words = ("compare", data, "-t", "ill", "--out", out, *MODELS, "-j", 2)
    process = start_waiting(*words, stdin=side, stdout=side, stderr=side)
    os.close(side)
    os.set_blocking(main, False)
    shown = b""
    end = time.monotonic() + PATIENCE
    try:
        while not (cells(out) and b"s per fit" in shown) and time.monotonic() < end:
            shown += read(main)
        os.killpg(process.pid, signal.SIGINT)  # what a terminal sends to the program and workers
        while process.poll() is None and time.monotonic() < end:
            shown += read(main)
        shown += read(main)
    finally:
        os.killpg(process.pid, signal.SIGKILL) if process.poll() is None else None
        os.close(main)
    text = shown.decode(errors="replace")
    assert process.returncode == 130, text
    assert "Traceback" not in text
    assert "of 60 fits are done and kept in" in text
    assert "s per fit" in text  # the live table
    assert "of 60 fits done in" in text  # the progress bar
    before = cells(out)
    assert 1 <= len(before) < 60
    goes_on(data, out, before, reference)


def read(file):
    time.sleep(0.02)
    try:
        return os.read(file, 1 << 16)
    except (BlockingIOError, OSError):
        return b""
