"""Predicted fit times on larger clusters: a model with four coefficients, fitted to benchmarks."""

from __future__ import annotations

import re
from math import ceil, log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import nnls

from scale_cases import DEFAULT, DEPTH, TREES

COLUMNS = 30
PASSES = ("reading labels", "bin statistics", "encoding")
BANDWIDTH = 1e9  # bytes in a second between machines, assumed: about 10 Gbit
HOP = 1e-3  # seconds of latency between machines, beyond that within a machine, assumed
FAN = 4  # responses that are summed in one step
CORES = 8  # of each machine of the predictions
BEGIN, END = "<!-- model: begin -->", "<!-- model: end -->"

Entries = dict[str, dict[str, Any]]


class Fit(NamedTuple):
    """A measured fit on a cluster."""

    model: str
    n_rows: int
    n_workers: int
    passes: float  # seconds
    growing: float
    rest: float
    rounds: int
    sent: int

    @property
    def row_levels(self) -> float:
        """Number of rows times levels over all trees."""
        return self.n_rows * DEPTH * (1 if self.model == "tree" else TREES)


class Model(NamedTuple):
    """Seconds per value, per row and level of a tree, per round, and per fit."""

    value: float
    row_level: float
    round: float
    start: float

    def seconds(
        self, like: Fit, n_rows: float, n_machines: int, cores: int, network: bool
    ) -> float:
        """Predict the time of a measured fit at another size."""
        n_workers = n_machines * cores
        compute = self.value * n_rows * COLUMNS + self.row_level * like.row_levels * (
            n_rows / like.n_rows
        )
        steps = max(1, ceil(log(n_machines, FAN))) if n_machines > 1 else 0
        response = like.sent / (like.n_workers * like.rounds)
        travel = steps * (HOP + FAN * response / BANDWIDTH) if network else 0.0
        return self.start + compute / n_workers + like.rounds * (self.round + travel)


def fits(entries: Entries) -> list[Fit]:
    """Return the measured fits on Dask collections."""
    found = []
    for key, entry in entries.items():
        n_rows, model, way, _ = key.split("/")
        workers = re.fullmatch(r"Dask, (\d+) workers?", way)
        if workers is None or "stages" not in entry or model == DEFAULT:  # no fixed depth
            continue
        stages = entry["stages"]
        passes = sum(stages[name] for name in PASSES)
        growing = stages["growing"]
        found.append(
            Fit(
                model,
                int(n_rows),
                int(workers[1]),
                passes,
                growing,
                entry["seconds"] - passes - growing,
                entry["rounds"],
                entry["sent"],
            )
        )
    return found


def fitted(measured: list[Fit]) -> Model:
    """Return the nonnegative coefficients with the smallest relative errors."""
    passes = [[f.n_rows * COLUMNS / f.n_workers, 1.0] for f in measured]
    value, of_passes = _least_squares(passes, [f.passes for f in measured])
    growth = [[f.row_levels / f.n_workers, f.rounds] for f in measured]
    row_level, of_round = _least_squares(growth, [f.growing for f in measured])
    return Model(
        value, row_level, of_round, of_passes + float(np.median([f.rest for f in measured]))
    )


def _least_squares(rows: list[list[float]], seconds: list[float]) -> tuple[float, float]:
    target = np.array(seconds)
    first, second = nnls(np.array(rows) / target[:, None], np.ones(len(target)))[0]
    return float(first), float(second)


def section(entries: Entries) -> str:
    """Return the generated section of the page; empty without measured fits."""
    measured = fits(entries)
    if not measured:
        return ""
    model = fitted(measured)
    errors = [model.seconds(f, f.n_rows, 1, f.n_workers, False) / _total(f) - 1 for f in measured]
    lines = [
        f"Coefficients of the model, estimated from {len(measured)} fits on 1 and 2 workers of one "
        "core each, on one machine:",
        "",
        "| term | seconds |",
        "| --- | --- |",
        f"| two passes over one value, on one core | {model.value:.2g} |",
        f"| one row at one level of one tree, on one core | {model.row_level:.2g} |",
        f"| one round | {model.round:.2g} |",
        f"| start and end of a fit | {model.start:.2g} |",
        "",
        f"The relative error of the model on these fits is {np.median(np.abs(errors)):.0%} in the "
        f"median and {np.max(np.abs(errors)):.0%} at most. Predicted seconds for machines of "
        f"{CORES} cores, with a network of {BANDWIDTH / 1e9:g} GB/s and a latency of "
        f"{HOP * 1e3:g} ms between machines (both assumed, not measured), and a table in the "
        "memory of the workers:",
        "",
        *_predictions(model, measured),
    ]
    return "\n".join(lines)


def _total(fit: Fit) -> float:
    return fit.passes + fit.growing + fit.rest


def _predictions(model: Model, measured: list[Fit]) -> list[str]:
    machines = (1, 4, 16, 64)
    lines = [
        "| model | rows | codes, GB | rounds | sent in a round, MB | "
        + " | ".join(f"{n} machine{'s' * (n > 1)}" for n in machines)
        + " |",
        "|" + " --- |" * (5 + len(machines)),
    ]
    names = {"tree": f"a tree, depth {DEPTH}", "forest": f"{TREES} trees, depth {DEPTH}"}
    for kind, name in names.items():
        same = [f for f in measured if f.model == kind and f.n_workers > 1]
        if not same:
            continue
        like = max(same, key=lambda f: f.n_rows)
        for n_rows in (1e7, 1e8, 1e9):
            times = [model.seconds(like, n_rows, n, CORES, True) for n in machines]
            lines.append(
                f"| {name} | {n_rows:,.0f} | {n_rows * COLUMNS / 1e9:g} | {like.rounds} | "
                f"{like.sent / like.rounds / 1e6:.2f} | "
                + " | ".join(f"{seconds:.3g}" for seconds in times)
                + " |"
            )
    return lines


def write(entries: Entries, page: Path) -> None:
    """Replace the marked section of a page."""
    made = section(entries)
    if not made:
        return
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    page.write_text(f"{before}{BEGIN}\n{made}\n{END}{after}", encoding="utf-8")
