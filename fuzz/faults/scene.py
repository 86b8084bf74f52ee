"""A folder with a table and a model, the commands that run in it, and what must hold afterwards."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import psutil

import rarewood
from rarewood import presets
from support.customers import customers

TIMES = ["fit_time", "predict_time"]
COMPARE = ("--models", "hddt,cart", "--protocol", "5x2", "--drop", "since")
COMMANDS: dict[str, tuple[str, ...]] = {
    "compare": ("compare", "t.csv", "-t", "cheats", "--out", "out", *COMPARE, "-j", "1"),
    "compare -j 2": ("compare", "t.csv", "-t", "cheats", "--out", "out", *COMPARE, "-j", "2"),
    "fit": ("fit", "t.csv", "-t", "cheats", "-o", "model", "--preset", "hddt"),
    "fit --stream": ("fit", "t.parquet", "-t", "cheats", "-o", "model", "--stream",
                     "--set", "n_estimators=10"),
    "predict": ("predict", "old", "t.csv", "-o", "out.csv", "--chunk-rows", "20"),
}  # fmt: skip


@dataclass
class Scene:
    """A folder for the commands; ``temporary`` is their folder for temporary files."""

    folder: Path
    cells: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def make(cls, parent: Path, name: str) -> Scene:
        scene = cls(parent / name)
        (scene.folder / "tmp").mkdir(parents=True)
        table = customers(400)
        table.to_csv(scene.folder / "t.csv", index=False)
        table.to_parquet(scene.folder / "t.parquet", index=False)
        X = table.drop(columns=["customer", "since", "cheats"])
        X["region"] = X["region"].astype("category")
        model = presets.hddt().fit(X, table["cheats"])
        del model
        return scene

    @property
    def temporary(self) -> Path:
        return self.folder / "tmp"

    def start(
        self, command: str, before: Callable[[], None] | None = None, **environment: str
    ) -> Any:
        """Start a command in a session of its own.

        A shell starts background jobs with SIGINT ignored, which commands would inherit.
        """
        signal.signal(signal.SIGINT, signal.default_int_handler)
        return subprocess.Popen(
            [sys.executable, "-m", "rarewood", *COMMANDS[command]], cwd=self.folder, text=True,
            start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, preexec_fn=before,
            env=os.environ | {"TMPDIR": str(self.temporary)} | environment,
        )  # fmt: skip

    def run(
        self, command: str, before: Callable[[], None] | None = None, **environment: str
    ) -> Any:
        """Run a command to its end; returns its exit code and its errors."""
        process = self.start(command, before, **environment)
        _, errors = process.communicate(timeout=600)
        self.check_nothing_runs(process.pid)
        return process.returncode, errors

    # ------------------------------------------------------------------ what must hold

    def check_nothing_runs(self, session: int) -> None:
        """No process of a session stays, though it may take a moment to end."""
        end = time.monotonic() + 30
        while left := _processes_of(session):
            if time.monotonic() > end:
                with suppress(ProcessLookupError):
                    os.killpg(session, signal.SIGKILL)
                raise AssertionError(f"processes stay: {left}")
            time.sleep(0.1)

    def check_files(self, is_killed: bool = False) -> None:
        """Every model and output is complete; temporary files stay only after SIGKILL."""
        hidden = [path.name for path in self.folder.glob(".*")]
        assert is_killed or not hidden, f"temporary files stay: {hidden}"
        left = [path.name for path in self.temporary.iterdir()]
        assert is_killed or not left, f"temporary files stay in TMPDIR: {left}"
        for name in ("model", "old"):
            if (self.folder / name).exists():
                rarewood.load(self.folder / name)
        if (self.folder / "out.csv").exists():
            assert len(pd.read_csv(self.folder / "out.csv")) == 400, "out.csv is not complete"

    def check_store(self) -> bool:
        """The store is sound and has all the cells it had; whether the comparison is complete."""
        path = self.folder / "out" / "results.sqlite"
        if not path.exists():
            return False
        with sqlite3.connect(path, timeout=60) as base:
            assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            with suppress(sqlite3.OperationalError):  # it was killed before it made the table
                cells = dict(base.execute("SELECT key, finished FROM cells").fetchall())
                lost = {key: t for key, t in self.cells.items() if cells.get(key) != t}
                assert not lost, f"finished cells are lost: {lost}"
                self.cells = cells
        base.close()
        return len(self.cells) == 20

    def scores(self) -> pd.DataFrame:
        return pd.read_csv(self.folder / "out" / "results.csv").drop(columns=TIMES)

    def is_finished(self) -> bool:
        return (self.folder / "out" / "results.csv").exists()


def _processes_of(session: int) -> list[str]:
    found = []
    for process in psutil.process_iter(["pid"]):
        with suppress(psutil.Error, ProcessLookupError, PermissionError):
            if os.getsid(process.pid) == session and process.status() != psutil.STATUS_ZOMBIE:
                found.append(f"{process.pid} {' '.join(process.cmdline())[:80]}")
    return found


def temporary_folder() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="rarewood-faults-")
