"""The program under test: run in this process, or in one of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from typer.testing import CliRunner

from rarewood import presets
from rarewood.cli._app import make_app
from rarewood.workflow._model_entry import ModelEntry
from rarewood.workflow._models import _registry

REGISTRY = _registry()
WAIT = "RAREWOOD_TEST_WAIT"
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup ignores it, and programs inherit that


class Deadly(ClassifierMixin, BaseEstimator):
    """Its process is killed while it is fitted, as the system does when memory is short."""

    def fit(self, X, y):
        os.kill(os.getpid(), signal.SIGKILL)

    def predict(self, X):
        raise NotImplementedError


class Waiting(ClassifierMixin, BaseEstimator):
    """Is not fitted while the environment says so: a run with it cannot end before it is ended."""

    def fit(self, X, y):
        while os.environ.get(WAIT):
            time.sleep(0.05)
        self.classes_, counts = np.unique(y, return_counts=True)
        self.shares_ = counts / len(y)
        return self

    def predict_proba(self, X):
        return np.tile(self.shares_, (len(X), 1))

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def make_broken() -> Any:
    """A model that cannot be fitted."""
    return presets.hddt(max_depth=-3)


def entry(name: str, factory: str) -> ModelEntry:
    """An entry of the registry for a class or function of this module."""
    path = f"support.program:{factory}"
    return replace(REGISTRY["hddt"], name=name, is_default=False, _path=path)


def run(*arguments: Any) -> Any:
    """Run a command in this process; has exit_code, stdout and stderr."""
    return CliRunner().invoke(make_app(), [str(a) for a in arguments], prog_name="rarewood")


def command(*arguments: Any) -> list[str]:
    return [sys.executable, "-m", "rarewood", *map(str, arguments)]


def start(*arguments: Any, **options: Any) -> subprocess.Popen[str]:
    """Start a command in a process and session of its own."""
    return subprocess.Popen(
        command(*arguments), text=True, start_new_session=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"COLUMNS": "160"},
        **options,
    )  # fmt: skip


def start_waiting(*arguments: Any, **streams: Any) -> subprocess.Popen[bytes]:
    """Start a command that knows the model "waiting", in a process and session of its own."""
    code = (
        "from support.program import REGISTRY, entry; from rarewood.cli import main; "
        "REGISTRY['waiting'] = entry('waiting', 'Waiting'); main()"
    )
    paths = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], start_new_session=True,
        env=os.environ | {WAIT: "yes", "PYTHONPATH": os.pathsep.join(paths)}, **streams,
    )  # fmt: skip


def fails(result: Any, *parts: str, code: int = 2) -> str:
    """Check that a command ended with one line on the standard error stream and an exit code."""
    assert result.exit_code == code, (result.stdout, result.stderr, result.exception)
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("rarewood: ")
    for part in parts:
        assert part in lines[0], lines[0]
    return lines[0]


def patients(path: Path, n: int = 240, seed: int = 0) -> Path:
    """A table with a rare class that can be told apart, more or less."""
    draw = np.random.RandomState(seed)
    ill = draw.rand(n) < 0.15
    table = pd.DataFrame(
        {
            "patient_id": np.arange(n) + 1000,
            "age": (draw.randint(20, 80, n) + 12 * ill).astype(float),
            "pressure": (draw.randn(n) + 1.5 * ill).round(3),
            "smoker": np.where(draw.rand(n) < 0.3 + 0.3 * ill, "yes", "no"),
            "seen": pd.date_range("2024-01-01", periods=n),
            "ill": np.where(ill, "ill", "well"),
        }
    )
    table.loc[::9, "pressure"] = np.nan
    table.to_csv(path, index=False)
    return path
