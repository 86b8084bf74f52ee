"""The store: nothing is computed twice, and nothing finished is lost."""

from __future__ import annotations

import os
import pickle
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification

from rarewood.evaluate import (
    Metric,
    Protocol,
    Store,
    compare,
    five_by_two,
)
from rarewood.evaluate import _claims as claims
from rarewood.evaluate._damage import DamagedStoreError
from rarewood.evaluate._store import Cell, Wanted

X, Y = make_classification(60, weights=[0.8], random_state=0)
DATA = {"one": (X, Y)}
FITS = []


class Counting(ClassifierMixin, BaseEstimator):
    """Notes every fit."""

    def __init__(self, a=1, fails=False, interrupts_after=None):
        self.a = a
        self.fails = fails
        self.interrupts_after = interrupts_after

    def fit(self, X, y):
        FITS.append(len(X))
        if self.interrupts_after is not None and len(FITS) > self.interrupts_after:
            raise KeyboardInterrupt
        if self.fails:
            raise ValueError("fails")
        self.classes_ = np.unique(y)
        self.share_ = y.mean()
        return self

    def predict_proba(self, X):
        p = 1 / (1 + np.exp(-self.a * X[:, 0]))
        return np.column_stack([1 - p, p])

    def predict(self, X):
        return self.classes_[(X[:, 0] > 0).astype(int)]


@pytest.fixture
def file(tmp_path):
    FITS.clear()
    return tmp_path / "results.sqlite"


def run(file, models=None, data=DATA, **options):
    """Run a comparison; return its results and the number of fits."""
    before = len(FITS)
    results = compare(models or {"m": Counting()}, data, store=file, **options)
    return results, len(FITS) - before


def test_a_finished_cell_is_never_computed_again(file):
    first, n = run(file)
    assert n == 10
    second, n = run(file)
    assert n == 0
    pd.testing.assert_frame_equal(first.to_frame(), second.to_frame())


def test_only_what_is_new_is_computed(file):
    run(file, protocol=Protocol(2, 2))
    assert run(file, protocol=Protocol(2, 5))[1] == 6
    assert run(file, {"other name": Counting()})[1] == 0
    assert run(file, {"m": Counting(a=2), "n": Counting()})[1] == 10
    assert run(file, data={"renamed": DATA["one"]})[1] == 0
    assert run(file, data={"one": (X + 1e-9, Y)})[1] == 10
    assert run(file, protocol=five_by_two(seed=1))[1] == 10
    assert run(file, metrics=["brier"])[1] == 0


def test_results_carry_the_names_of_this_comparison(file):
    run(file)
    results, _ = run(file, {"a": Counting(), "b": Counting()}, {"new": DATA["one"]})
    assert results.datasets == ["new"]
    assert results.models == ["a", "b"]
    values = results.matrix("auc").values
    assert values[0, 0] == values[0, 1]


def test_refresh(file):
    models = {"m": Counting(), "bad": Counting(fails=True)}
    assert run(file, models)[1] == 20
    assert run(file, models)[1] == 0  # a failure is a result
    assert run(file, models, refresh="failed")[1] == 10
    assert run(file, models, refresh=True)[1] == 20
    assert run(file, models)[1] == 0


def test_a_change_of_version_is_noticed(file, monkeypatch):
    run(file)
    monkeypatch.setattr("numpy.__version__", "0.0")
    assert run(file)[1] == 10


def test_predictions_are_kept_on_request(file):
    run(file)
    results, n = run(file, keep_predictions=True)
    assert n == 10
    assert len(results.predictions("one", "m").rows) == 300
    assert run(file, keep_predictions=True)[1] == 0
    assert run(file)[1] == 0


def test_another_metric_needs_no_fit_if_predictions_are_kept(file):
    own = Metric("own", lambda o: float(o.scores[:, 1].mean()))
    run(file)
    assert run(file, metrics=[own])[1] == 10
    run(file, refresh=True, keep_predictions=True)
    results, n = run(file, metrics=[own, "recall_at_precision_0.8", "auc"])
    assert n == 0
    assert not np.isnan(results.scores("own")).any()
    assert not np.isnan(results.scores("recall_at_precision_0.8")).any()
    assert run(file, keep_predictions=True)[1] == 0


def test_an_interrupt_keeps_what_is_finished(file):
    with pytest.raises(KeyboardInterrupt):
        run(file, {"m": Counting(interrupts_after=3)})
    store = Store(file)
    assert len(store) == 3
    (n_claims,) = sqlite3.connect(file).execute("SELECT count(*) FROM claims").fetchone()
    assert n_claims == 0


def test_a_store_may_be_given_and_read(file):
    store = Store(file)
    run(store, {"m": Counting(), "bad": Counting(fails=True)})
    cells = store.cells()
    assert len(cells) == len(store) == 20
    assert all(cell.about["versions"]["rarewood"] for cell in cells)
    bad = [cell for cell in cells if cell.model == "bad"]
    assert bad[0].error == "fails"
    assert [c.finished for c in cells] == sorted(c.finished for c in cells)
    assert pickle.loads(pickle.dumps(store)).path == store.path
    assert str(file) in repr(store)
    store.close()
    assert len(store) == 20  # opens again by itself


def test_the_default_store_is_in_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    compare({"m": Counting()}, DATA)
    assert (tmp_path / "rarewood-results.sqlite").is_file()


def test_files_that_are_no_store(tmp_path):
    (tmp_path / "text").write_text("not a data base, but long enough to be looked at" * 50)
    with pytest.raises(ValueError, match="cannot be used as a results store"):
        Store(tmp_path / "text")
    with pytest.raises(FileNotFoundError, match="folder does not exist"):
        Store(tmp_path / "nowhere" / "file")
    connection = sqlite3.connect(tmp_path / "newer")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(ValueError, match="another version of rarewood"):
        Store(tmp_path / "newer")


def damage(data, draw):
    """Overwrite, repeat, zero or cut a random part of a file."""
    place, size = draw.randrange(len(data)), draw.choice([1, 8, 100, 4096])
    kind = draw.choice(["noise", "zeros", "cut", "moved"])
    if kind == "cut":
        return data[:place]
    if kind == "moved":
        other = draw.randrange(len(data))
        part = data[other : other + size]
    else:
        part = draw.randbytes(size) if kind == "noise" else bytes(size)
    return data[:place] + part + data[place + len(part) :]


def test_a_damaged_store_is_one_error(file):
    """Damage that cannot be read is one error; other damage (a number in a text) is not seen."""
    run(file, keep_predictions=True)
    Store(file).close()
    whole, errors = file.read_bytes(), []
    for seed in range(150):
        other = file.with_name(f"{seed}.sqlite")
        other.write_bytes(damage(whole, random.Random(seed)))
        try:
            results, _ = run(other, keep_predictions=True)
            results.predictions("one", "m")
            results.to_frame()
            Store(other).cells()
        except ValueError as error:
            errors.append(error)
    assert len(errors) > 30
    for error in errors:
        if isinstance(error, DamagedStoreError):
            assert "from a copy" in str(error)
        else:  # the first bytes are damaged
            assert re.search("cannot be used as a results store|its format is", str(error))


# --------------------------------------------------------------------------- claims


def put_claim(file, key, host, pid, age):
    with sqlite3.connect(file) as connection:
        connection.execute(
            "INSERT INTO claims VALUES (?, 'other', ?, ?, ?)", [key, host, pid, time.time() - age]
        )


def test_claims(file):
    store = Store(file)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    put_claim(file, "alive here", claims.HOST, os.getpid(), 1)
    put_claim(file, "dead here", claims.HOST, dead.pid, 1)
    put_claim(file, "alive elsewhere", "elsewhere", 1, 1)
    put_claim(file, "silent elsewhere", "elsewhere", 1, 2 * claims.LEASE)
    put_claim(file, "from a clock set back", "elsewhere", 1, -3600)
    states = {
        key: store.claim(key, Wanted())
        for key in (
            "free",
            "alive here",
            "dead here",
            "alive elsewhere",
            "silent elsewhere",
            "from a clock set back",
        )
    }
    assert states == {
        "free": "ours",
        "alive here": "busy",
        "dead here": "ours",
        "alive elsewhere": "busy",
        "silent elsewhere": "ours",
        "from a clock set back": "ours",
    }
    other = Store(file)
    assert other.claim("free", Wanted()) == "busy"
    store.finish(Cell("free", "d", "m", 0, 0, scores={"auc": float("nan")}))
    assert other.claim("free", Wanted()) == "done"
    assert np.isnan(other.get(["free"])["free"].scores["auc"])
    assert other.claim("free", Wanted(metrics=frozenset({"brier"}))) == "ours"
    other.release("free")
    assert store.claim("free", Wanted(predictions=True)) == "ours"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a process that nobody waits for")
def test_a_killed_process_that_nobody_waited_for_is_dead():
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    assert claims.is_alive(claims.HOST, process.pid, time.time())
    process.kill()
    while claims.is_alive(claims.HOST, process.pid, time.time()):
        time.sleep(0.01)  # would wait forever if a zombie were taken for a process
    process.wait()


def test_a_long_cell_gives_signs_of_life(file, monkeypatch):
    monkeypatch.setattr(claims, "BEAT", 0.01)
    store = Store(file)
    store.claim("key", Wanted())
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("UPDATE claims SET beat = 0")
    with claims.heartbeat(lambda: store.beat("key")):
        beat = 0
        while beat == 0:
            (beat,) = connection.execute("SELECT beat FROM claims").fetchone()
    connection.close()
    assert abs(time.time() - beat) < claims.LEASE


def test_threads_may_share_a_store(file):
    store = Store(file)

    def work(number):
        for key in range(20):
            if store.claim(f"{number} {key}", Wanted()) == "ours":
                store.finish(Cell(f"{number} {key}", "d", "m", 0, 0))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert len(store) == 80


# --------------------------------------------------------------------------- processes

SCRIPT = """
import os, sys, time
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from rarewood.evaluate import Protocol, compare

class Slow(ClassifierMixin, BaseEstimator):
    def __init__(self, number=0):
        self.number = number
    def fit(self, X, y):
        time.sleep(0.05)
        self.classes_ = np.unique(y)
        return self
    def predict(self, X):
        # The last thing before the cell is written: one line, in one piece, for each computed cell.
        line = f"{self.number} {X[:, 0].sum():.6f}\\n".encode()
        file = os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(file, line)
        os.close(file)
        return self.classes_[(X[:, 0] > 0).astype(int)]

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 2))
results = compare({str(n): Slow(n) for n in range(3)}, {"d": (X, X[:, 0] > 0.7)},
                  protocol=Protocol(2, 5), store=sys.argv[1], n_jobs=int(sys.argv[3]))
print(len(results), len(results.failures()), results.matrix("accuracy").values.tolist())
"""


def start(folder, log, n_jobs=1):
    (folder / "script.py").write_text(SCRIPT)
    words = [folder / "script.py", folder / "results.sqlite", folder / log, n_jobs]
    return subprocess.Popen(
        [sys.executable, *map(str, words)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def lines(path):
    return path.read_text().splitlines() if path.exists() else []


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_killed_and_resumed(tmp_path):
    """Thirty cells; the whole process group is killed after some, and the rest is computed."""
    process = start(tmp_path, "first")
    while len(lines(tmp_path / "first")) < 8:
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    n_kept = len(Store(tmp_path / "results.sqlite"))
    # A cell is written right after its line: at most what was in flight is lost.
    assert len(lines(tmp_path / "first")) - 1 <= n_kept < 30
    output, _ = start(tmp_path, "second").communicate(timeout=100)
    assert output.startswith("30 0 ")
    assert len(lines(tmp_path / "second")) == 30 - n_kept
    (tmp_path / "other").mkdir()
    whole, _ = start(tmp_path / "other", "log").communicate(timeout=100)
    assert output == whole, "not the same as a run that nobody killed"


def test_two_processes_share_a_store(tmp_path):
    """Both get all results, and no cell is computed twice."""
    both = [start(tmp_path, name) for name in ("one", "two")]
    outputs = [process.communicate(timeout=100)[0] for process in both]
    assert outputs[0] == outputs[1]
    assert outputs[0].startswith("30 0 ")
    computed = lines(tmp_path / "one") + lines(tmp_path / "two")
    assert len(computed) == len(set(computed)) == 30
