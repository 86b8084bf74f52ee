"""Helpers of the benchmarks: tables, interleaved timing, peak memory, and the page."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs" / "benchmarks"
BUILD = ROOT / "build"


@dataclass(frozen=True)
class Table:
    """Synthetic table: normal or integer features, of which a few are informative."""

    name: str
    n_rows: int
    n_features: int = 30
    rare: float = 0.02
    n_classes: int = 2
    whole_numbers: bool = False
    missing: float = 0.0

    def make(self, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """Return float32 samples in C order and their classes."""
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((self.n_rows, self.n_features), dtype=np.float32)
        if self.whole_numbers:
            np.round(X * 4, out=X)
        scale = 4.0 if self.whole_numbers else 1.0
        signal = (0.7 * X[:, 0] + 0.5 * X[:, 1]) / scale
        if self.rare == 0.5:
            y = signal + 0.3 * X[:, 2] * X[:, 3] / scale**2 + rng.standard_normal(self.n_rows) > 0
        else:
            # exp(signal) has the mean exp(0.37), so the fraction of rare samples is `rare`.
            y = rng.random(self.n_rows) < self.rare * np.exp(signal - 0.37)
        y = y.astype(np.int64)
        if self.n_classes == 3:
            y[(y == 0) & (X[:, 4] / scale + rng.standard_normal(self.n_rows) > 1)] = 2
        if self.missing:
            X[rng.random(X.shape) < self.missing] = np.nan
        return X, y


def comparison_parser(
    description: str, tables: Sequence[str], store: Path, *more: str
) -> argparse.ArgumentParser:
    """Return the parser of a comparison on real tables, which is run, then reported."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("command", choices=["run", *more, "report"])
    parser.add_argument("--data", type=Path, default=os.environ.get("RAREWOOD_DATA"))
    parser.add_argument("--tables", default=",".join(tables))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--store", type=Path, default=store)
    return parser


@dataclass(frozen=True)
class Timing:
    """Seconds of a run, or of the best of several."""

    cpu: float
    wall: float


def rounds(
    runners: dict[str, Callable[[], Any]], repeats: int, pause: float = 0.0
) -> dict[str, list[Timing]]:
    """Run all in turn, several times, so that load on the machine affects all of them.

    A pause before each run lets the threads of the previous run go idle; spinning threads would add
    to the CPU time.
    """
    times: dict[str, list[Timing]] = {name: [] for name in runners}
    for _ in range(repeats):
        for name, run in runners.items():
            time.sleep(pause)
            cpu, wall = time.process_time(), time.perf_counter()
            run()
            times[name].append(Timing(time.process_time() - cpu, time.perf_counter() - wall))
    return times


def race(runners: dict[str, Callable[[], Any]], repeats: int) -> dict[str, Timing]:
    """Return the best times of all after some rounds."""
    return {
        name: Timing(min(t.cpu for t in times), min(t.wall for t in times))
        for name, times in rounds(runners, repeats).items()
    }


def extra_memory(work: Callable[[], Any]) -> int:
    """Return the peak memory of a call in addition to the memory before it (Linux), in bytes."""
    Path("/proc/self/clear_refs").write_text("5")  # resets the peak
    before = _status("VmRSS")
    work()
    return _status("VmHWM") - before


def _status(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"the system does not report {field}")


def in_new_process(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a new process.

    Not in a multiprocessing pool: in its daemon processes joblib allows only one thread.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context) as pool:
        return pool.submit(function, *arguments).result()


def machine(packages: Sequence[str]) -> str:
    """Describe the machine, package versions and date of a benchmark."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].split(":", 1)[1].strip() if names else model
    versions = ", ".join(f"{package} {version(package)}" for package in packages)
    load = (
        f"load average {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    )
    return (
        f"{model}, {os.cpu_count()} cores; Python {platform.python_version()}, {versions}; "
        f"{date.today().isoformat()}; {load}."
    )


class Measured:
    """Measurements, stored in a file, by default under build/, so that runs can be interrupted."""

    def __init__(self, name: str, folder: Path = BUILD) -> None:
        self._path = folder / f"{name}.json"
        self.entries: dict[str, Any] = {}
        if self._path.exists():
            self.entries = json.loads(self._path.read_text())

    def add(self, key: str, entry: Any) -> None:
        """Store an entry, replacing an older one with the same key."""
        self.entries[key] = entry
        self._path.parent.mkdir(parents=True, exist_ok=True)
        new = self._path.with_suffix(".new")
        new.write_text(json.dumps(self.entries, indent=1))
        new.replace(self._path)


def render(title: str, notes: Sequence[str], tables: dict[str, list[dict]]) -> str:
    """Return a page with tables; tables without rows are omitted."""
    lines = [f"# {title}", ""]
    for note in notes:
        lines += [note, ""]
    for heading, rows in tables.items():
        if not rows:
            continue
        columns = list(rows[0])
        lines += [f"## {heading}", "", "| " + " | ".join(columns) + " |"]
        lines += ["|" + "|".join(" --- " for _ in columns) + "|"]
        lines += ["| " + " | ".join(str(row[c]) for c in columns) + " |" for row in rows]
        lines += [""]
    return "\n".join(lines).rstrip() + "\n"


def write_report(
    name: str, title: str, notes: Sequence[str], tables: dict[str, list[dict]]
) -> None:
    """Print the tables, and write them as a page of the documentation."""
    text = render(title, notes, tables)
    print(text)
    DOCS.mkdir(parents=True, exist_ok=True)
    (DOCS / f"{name}.md").write_text(text)


def arguments(description: str) -> argparse.Namespace:
    """Parse the options of every benchmark."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="omit the tables of 1M rows")
    parser.add_argument("--repeats", type=int, default=3, help="number of runs of each model")
    return parser.parse_args()


def milliseconds(seconds: float) -> str:
    """Format seconds as milliseconds with three digits."""
    return f"{seconds * 1e3:.3g}" if seconds < 1 else f"{seconds * 1e3:.0f}"
