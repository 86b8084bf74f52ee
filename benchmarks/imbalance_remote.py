"""Classifiers that are fitted by `imbalance_worker.py`, in another process and environment."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from common import BUILD

WORKER = Path(__file__).with_name("imbalance_worker.py")
HERE = "imbalanced-learn"  # the environment of rarewood
OTHER = "imbalanced-ensemble"  # needs an older scikit-learn
ENVIRONMENT = BUILD / "imbalanced-ensemble"
PINNED = "imbalanced-ensemble==0.2.3"


class TimeLimit(RuntimeError):
    """A fit that was ended at its limit."""


def create_environment() -> None:
    """Create the environment of imbalanced-ensemble under build/."""
    subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
    subprocess.run([ENVIRONMENT / "bin" / "pip", "install", "-q", PINNED], check=True)


class _Process:
    """A worker process; a new one is started after one has ended."""

    def __init__(self, environment: str) -> None:
        self._python = sys.executable if environment == HERE else ENVIRONMENT / "bin" / "python"
        self._running: subprocess.Popen[str] | None = None
        self.fitted: object = None  # the estimator whose model the process holds

    def ask(self, what: str, **request: Any) -> dict[str, Any]:
        """Send a request and return the answer."""
        if self._running is None:
            self._running = subprocess.Popen(
                [self._python, WORKER],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            )
            atexit.register(self.end)
        process = self._running
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(request | {"what": what}) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            code, self._running = process.wait(), None
            if code == -signal.SIGPROF:
                raise TimeLimit(f"ended after {request['limit']:g} CPU seconds")
            raise RuntimeError(f"the worker ended with code {code}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(f"{answer['error']}: {answer['text']}")
        return dict(answer)

    def end(self) -> None:
        if self._running is not None:
            self._running.kill()
            self._running.wait()
            self._running = None


@cache
def process(environment: str) -> _Process:
    return _Process(environment)


@cache
def folder() -> Path:
    """Folder of the arrays that are handed over."""
    made = tempfile.TemporaryDirectory()
    atexit.register(made.cleanup)
    return Path(made.name)


class Remote(ClassifierMixin, BaseEstimator):
    """A method of a package, fitted in the environment of this package; labels are 0 and 1.

    ``limit`` is the number of CPU seconds of a fit. ``package`` is part of the fingerprint of a
    cell, since `rarewood.evaluate` does not see the versions of another environment.
    """

    def __init__(
        self,
        path: str,
        environment: str = HERE,
        package: str = "",
        limit: float = 20.0,
        params: dict[str, Any] | None = None,
        n_categorical: tuple[int, int] | None = None,
        random_state: int | None = None,
    ) -> None:
        self.path = path
        self.environment = environment
        self.package = package
        self.limit = limit
        self.params = params
        self.n_categorical = n_categorical
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: np.ndarray) -> Self:
        self._token = process(self.environment).fitted = object()
        answer = process(self.environment).ask(
            "fit",
            path=self.path,
            params=self.params or {},
            seed=self.random_state,
            n_categorical=self.n_categorical,
            limit=self.limit,
            X=_write("X", X),
            y=_write("y", np.asarray(y, dtype=np.int64)),
        )
        self.classes_, self.fit_cpu_ = np.array([0, 1]), answer["cpu"]
        return self

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        if process(self.environment).fitted is not self._token:
            raise RuntimeError("the worker has fitted another model since")
        out = folder() / "out.npy"
        answer = process(self.environment).ask("predict", X=_write("X", X), out=str(out))
        rare = np.load(out)
        if not np.isfinite(rare).all():
            raise RuntimeError("the probabilities are not finite")
        self.predict_cpu_ = answer["cpu"]
        return np.column_stack([1 - rare, rare])


def _write(name: str, array: np.ndarray) -> str:
    path = folder() / f"{name}.npy"
    np.save(path, array)
    return str(path)
