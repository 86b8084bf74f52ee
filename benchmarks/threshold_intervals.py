"""Coverage and speed of the intervals of chosen thresholds.

``python benchmarks/threshold_intervals.py`` simulates samples with normal scores, for which the
true recall, precision, F, alerts and cost of any threshold are known, and writes the page. It
takes about five minutes.
"""

from __future__ import annotations

import argparse
import time
import warnings

import numpy as np
from scipy.stats import norm

from common import machine, write_report
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
from rarewood.operating._choice import choose_on_curve
from rarewood.operating._resamples import draw_resamples

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


def simulate(rule, n: int, share: float, trials: int) -> dict[str, np.ndarray]:
    """Return the coverage of each measure by each kind of interval."""
    rng = np.random.default_rng(0)
    held: dict[str, list[list[bool]]] = {name: [] for name in MEASURES}
    for trial in range(trials):
        y = rng.random(n) < share
        if not y.any():
            continue
        curve = operating_curve(y, rng.normal(size=n) + 2 * y, pos_label=True)
        place = int(rule.choose(curve))
        drawn = draw_resamples(curve, rule, place, 400, False, trial)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # no alert
            point = choose_on_curve(
                curve, rule, costs=COSTS, unreachable="closest", n_bootstrap=400, random_state=trial
            )
        truth = _truth(point.threshold, share)
        if point.counts.alerts == 0:
            continue
        for name, measure in MEASURES.items():
            value, ours = measure(truth), getattr(point, name)
            plain = np.nanquantile(measure(drawn.inside), ENDS)
            kinds = (ours.interval, plain, ours.fixed_interval)
            held[name].append([low <= value <= high for low, high in kinds])
    return {name: np.mean(found, axis=0) for name, found in held.items()}


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=400)
    options = parser.parse_args()
    tables: dict[str, list[dict]] = {}
    for n, share in SIZES:
        rows = []
        for rule in RULES:
            found = simulate(rule, n, share, options.trials)
            cells = {
                name: " / ".join(f"{100 * share:.0f}" for share in found[name]) for name in MEASURES
            }
            rows.append({"rule": str(rule), **cells})
        tables[f"{n} samples, {n * share:.0f} positives on average"] = rows
    tables["Seconds for 1,000 resamples"] = speed()
    notes = [
        "Coverage in per cent of three 95% confidence intervals of the long-run performance of "
        "the chosen threshold: the interval of `choose_threshold` / percentile bootstrap with a "
        "threshold chosen in each resample / percentile bootstrap at the threshold chosen on all "
        f"samples (`fixed_interval`). {options.trials} simulated data sets, 400 resamples each; "
        "normal scores, two standard deviations apart; a false alert costs 1, a miss 15. Data "
        "sets without an alert are excluded.",
        machine(["numpy", "scipy"]),
    ]
    write_report("threshold_intervals", "Confidence intervals of thresholds", notes, tables)


if __name__ == "__main__":
    main()
