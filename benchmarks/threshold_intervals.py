"""Coverage and speed of the intervals of chosen thresholds.

``python benchmarks/threshold_intervals.py --data FOLDER`` simulates samples with normal scores, for
which the true recall, precision, F, alerts and cost of any threshold are known, measures on real
tables whether the intervals hold on later samples, and writes the page. It takes about fifteen
minutes; an interrupted run resumes. What the simulations found is kept in
docs/benchmarks/threshold_intervals.json: it depends on no forest. FOLDER (or RAREWOOD_DATA) has the
tables in "large".
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.stats import norm

from common import DOCS, Measured, machine, write_report
from rarewood.operating import (
    AlertBudget,
    BestF,
    Confusion,
    Costs,
    LowestCost,
    PrecisionFloor,
    RecallFloor,
    choose_threshold,
    operating_curve,
)
from tables import LARGE
from threshold_promises import NOTE, later_sizes, measured, tables_of

COSTS = Costs(fp=1, fn=15)
RULES = [
    BestF(),
    LowestCost(1, 15),
    AlertBudget(30, per=1000),
    RecallFloor(0.9),
    PrecisionFloor(0.5),
]
MEASURES = {
    "recall": lambda counts: counts.recall,
    "precision": lambda counts: counts.precision,
    "f": lambda counts: counts.f(),
    "alerts_per_1000": lambda counts: counts.alerts_per_1000,
    "cost_per_1000": lambda counts: counts.cost_per_1000(COSTS),
}
SIZES = [(250, 0.04), (500, 0.04), (3000, 0.03)]
ENDS = [0.025, 0.975]
N_RESAMPLES = 400


def simulate(rule, n: int, share: float, trials: int) -> dict[str, np.ndarray]:
    """Return the coverage of each measure by each kind of interval."""
    rng = np.random.default_rng(0)
    held: dict[str, list[list[bool]]] = {name: [] for name in MEASURES}
    for trial in range(trials):
        y = rng.random(n) < share
        if not y.any():
            continue
        scores = rng.normal(size=n) + 2 * y
        inside = resampled(rule, y, scores, trial)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # no alert
            point = choose_threshold(
                y,
                scores,
                rule,
                pos_label=True,
                costs=COSTS,
                unreachable="closest",
                n_bootstrap=N_RESAMPLES,
                random_state=trial,
            )
        truth = _truth(point.threshold, share)
        if point.counts.alerts == 0:
            continue
        for name, measure in MEASURES.items():
            value, ours = measure(truth), getattr(point, name)
            plain = np.nanquantile(measure(inside), ENDS)
            kinds = (ours.interval, plain, ours.fixed_interval)
            held[name].append([low <= value <= high for low, high in kinds])
    return {name: np.mean(found, axis=0) for name, found in held.items()}


def resampled(rule, y: np.ndarray, scores: np.ndarray, seed: int) -> Confusion:
    """Return the counts of resamples, each at the threshold that is chosen in it."""
    y = y[np.argsort(-scores)]
    drawn = np.random.default_rng(seed).multinomial(
        len(y), np.full(len(y), 1 / len(y)), N_RESAMPLES
    )
    drawn = drawn[(drawn[:, y] > 0).any(axis=1)]
    tp, fp = (
        np.pad(np.cumsum(np.where(which, drawn, 0), axis=1), [(0, 0), (1, 0)]) for which in (y, ~y)
    )
    counts = Confusion(tp, fp, tp[:, -1:] - tp, fp[:, -1:] - fp)
    return counts.take((np.arange(len(tp)), rule.choose(counts)))


def _truth(threshold: float, share: float) -> Confusion:
    recall, alarms = norm.sf(threshold - 2), norm.sf(threshold)
    return Confusion(
        share * recall, (1 - share) * alarms, share * (1 - recall), (1 - share) * (1 - alarms)
    )


def speed() -> list[dict[str, str]]:
    rows = []
    for n, share in ((10_000, 0.01), (100_000, 0.01), (1_000_000, 0.001), (100_000, 0.3)):
        rng = np.random.default_rng(0)
        y = rng.random(n) < share
        scores = rng.normal(size=n) + 2 * y
        row = {"samples": f"{n:,}", "positives": f"{y.sum():,}"}
        for by in ("f", "recall>=0.9", "alerts<=20/1000"):
            start = time.perf_counter()
            choose_threshold(y, scores, by, pos_label=True, random_state=0)
            row[by] = f"{time.perf_counter() - start:.2f}"
        start = time.perf_counter()
        for _ in range(3):
            _by_samples(y, scores, rng)
        row["f, by drawing samples"] = f"{(time.perf_counter() - start) / 3 * 1000:.0f}"
        rows.append(row)
    return rows


def _by_samples(y, scores, rng) -> None:
    """Draw the samples of a resample, as is usual."""
    drawn = rng.integers(len(y), size=len(y))
    curve = operating_curve(y[drawn], scores[drawn], pos_label=True)
    BestF().choose(curve)


def simulated(trials: int) -> dict[str, list[dict]]:
    """Return the tables of coverage, which are stored as they are computed."""
    store, tables = Measured("threshold_intervals", DOCS), {}
    for n, share in SIZES:
        rows = []
        for rule in RULES:
            key = f"{rule}|{n}|{share}|{trials}"
            if key not in store.entries:
                found = simulate(rule, n, share, trials)
                store.add(key, {name: values.tolist() for name, values in found.items()})
            held = store.entries[key]
            cells = {m: " / ".join(f"{100 * part:.0f}" for part in held[m]) for m in MEASURES}
            rows.append({"rule": str(rule), **cells})
        tables[f"{n} samples, {n * share:.0f} positives on average"] = rows
    return tables


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--data", type=Path, default=os.environ.get("RAREWOOD_DATA"))
    parser.add_argument("--tables", default=",".join(LARGE))
    options = parser.parse_args()
    if options.data is None:
        parser.error("Give the folder of the tables: --data FOLDER, or RAREWOOD_DATA.")
    names = options.tables.split(",")
    promises = tables_of(measured(options.data, names), later_sizes(options.data, names))
    tables = simulated(options.trials) | promises
    store = Measured("threshold_intervals", DOCS)
    if "speed" not in store.entries:
        store.add("speed", speed())
    tables["Seconds for 1,000 resamples"] = store.entries["speed"]
    notes = [
        "Simulated data: coverage in per cent of three 95% confidence intervals of the long-run "
        "performance of the chosen threshold: the interval of `choose_threshold` / percentile "
        "bootstrap with a threshold chosen in each resample / percentile bootstrap at the "
        f"threshold chosen on all samples (`fixed_interval`). {options.trials} simulated data "
        f"sets, {N_RESAMPLES} resamples each; normal scores, two standard deviations apart; a "
        "false alert costs 1, a miss 15. Data sets without an alert are excluded.",
        NOTE,
        machine(["rarewood", "numpy", "scipy", "scikit-learn"]),
    ]
    write_report("threshold_intervals", "Confidence intervals of thresholds", notes, tables)


if __name__ == "__main__":
    main()
