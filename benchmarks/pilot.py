"""Values that the pilot chooses on samples of large real tables, their loss, and the cost.

``python benchmarks/pilot.py --data FOLDER`` (or RAREWOOD_DATA) fits the first half of each table
with the values that a pilot chooses on a uniform sample of its rows, with those of the default, and
with all pairs of a grid, the best of which on the second half is the most that a choice can reach.
The cost is the CPU time of a default fit, less that of a fit with the values that it has chosen.
"""

from __future__ import annotations

import argparse
import os
import time
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import average_precision_score, log_loss

from common import Measured, machine, write_report
from large_tables import OneSplit
from rarewood import RareForestClassifier
from tables import LARGE, load_large

SAMPLES = (2_500, 5_000, 10_000)
GRID = list(product((2.0, 10.0, 50.0, 200.0), (0.0, 0.2, 1.0, 4.0, 8.0)))
PLAIN = (5.0, 0.0)
N_TREES, THREADS = 50, 2
ROUNDS = 3  # of the fits that are timed
MOST = 25  # per cent of a fit that the pilot may cost


class Halves(NamedTuple):
    """Training and test half of a table."""

    X: Any
    y: np.ndarray
    X_test: Any
    is_rare: np.ndarray
    rare: Any


def halves(data: Path, table: str) -> Halves:
    X, y = load_large(data, table)
    split = OneSplit(2).split(y, 0, 0)
    classes, counts = np.unique(y, return_counts=True)
    rare = classes[counts.argmin()]
    return Halves(
        X.iloc[split.train], y[split.train], X.iloc[split.test], y[split.test] == rare, rare
    )


def forest(**params: Any) -> RareForestClassifier:
    return RareForestClassifier(N_TREES, n_jobs=THREADS, random_state=0, **params)


def scores(table: Halves, pair: tuple[float, float]) -> dict[str, Any]:
    """Return the pair, and its scores on the test half."""
    model = forest(leaf_strength=pair[0], collapse=pair[1]).fit(table.X, table.y)
    p = model.predict_proba(table.X_test)[:, list(model.classes_).index(table.rare)]
    return {
        "pair": pair,
        "loss": log_loss(table.is_rare, p),
        "precision": average_precision_score(table.is_rare, p),
    }


def chosen(table: Halves, n_samples: int | None) -> tuple[float, float]:
    """Return the leaf strength and the collapse of a fit on a uniform sample; None for all rows."""
    rows = np.arange(len(table.y))
    if n_samples is not None:
        rows = np.sort(np.random.default_rng(0).permutation(rows)[:n_samples])
    model = forest().fit(table.X.iloc[rows], table.y[rows])
    return model.leaf_strength_, model.collapse_


def measure(data: Path, table: str) -> dict[str, Any]:
    """Return the scores of every choice."""
    found = halves(data, table)
    choices = {f"{n:,} samples": chosen(found, n) for n in SAMPLES if n < len(found.y)}
    choices["default"] = chosen(found, None)
    entry = {name: scores(found, pair) for name, pair in choices.items()}
    entry["plain"] = scores(found, PLAIN)
    entry["best of the grid"] = min(
        (scores(found, pair) for pair in GRID), key=lambda score: score["loss"]
    )
    return entry


def cpu_seconds(table: Halves, model: RareForestClassifier) -> float:
    start = time.process_time()
    model.fit(table.X, table.y)
    return time.process_time() - start


def cost(table: Halves) -> dict[str, float]:
    """Return median CPU seconds of fits of 100 trees, with a pilot and with the chosen values."""
    default = RareForestClassifier(n_jobs=THREADS, random_state=0).fit(table.X, table.y)
    values = {"leaf_strength": default.leaf_strength_, "collapse": default.collapse_}
    given = RareForestClassifier(n_jobs=THREADS, random_state=0, **values)
    pairs = [(cpu_seconds(table, default), cpu_seconds(table, given)) for _ in range(ROUNDS)]
    with_pilot, without = (median(seconds) for seconds in zip(*pairs, strict=True))
    return {"n_rows": len(table.y), "with_pilot": with_pilot, "without": without}


def cost_rows(entries: dict[str, Any]) -> list[dict[str, str]]:
    rows = []
    for table, entry in entries.items():
        with_pilot, without = entry["with_pilot"], entry["without"]
        percent = 100 * (with_pilot - without) / without
        rows.append(
            {
                "table": table,
                "rows": f"{entry['n_rows']:,}",
                "fit, CPU s": f"{without:.3g}",
                "pilot, CPU s": f"{with_pilot - without:.3g}",
                "pilot, % of the fit": f"{percent:.0f}",
                f"at most {MOST}%": "yes" if percent <= MOST else "no",
            }
        )
    return rows


def rows_of(entries: dict[str, Any], key: str, digits: str) -> list[dict[str, str]]:
    """Return a table: data sets by choices."""
    names = ["plain", *(f"{n:,} samples" for n in SAMPLES), "default", "best of the grid"]
    rows = []
    for table, entry in entries.items():
        row = {"table": table}
        for name in names:
            row[name] = "-" if name not in entry else digits.format(entry[name][key])
        rows.append(row)
    return rows


def write(entries: dict[str, Any], costs: dict[str, Any]) -> None:
    notes = [
        machine(["rarewood", "scikit-learn", "numpy"]),
        f"Each table is divided into two stratified halves. Forests of {N_TREES} trees are fitted "
        "to the first half with a leaf strength and a collapse that were chosen by the pilot of a "
        "fit on a uniform sample of this half, or on all of it (default: the pilot then uses about "
        "20,000 samples), and scored on the second half. Plain: leaf strength 5, collapse 0, "
        f"without a pilot. Best of the grid: of {len(GRID)} pairs, the one of least log loss on "
        "the second half itself, which no method can know.",
        f"Cost: median CPU time of {ROUNDS} fits of 100 trees to the first half, of the default "
        "and of the values that it has chosen in turn. The pilot is the difference, and the goal, "
        f"for large tables, is {MOST}% of the fit with given values.",
    ]
    for entry in entries.values():
        for found in entry.values():
            found["pair"] = "{:g}, {:g}".format(*found["pair"])
    tables = {
        "Log loss": rows_of(entries, "loss", "{:.4f}"),
        "Average precision": rows_of(entries, "precision", "{:.4f}"),
        "Leaf strength and collapse": rows_of(entries, "pair", "{}"),
        "Cost": cost_rows(costs),
    }
    write_report("pilot", "The pilot of the default forest", notes, tables)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("RAREWOOD_DATA"))
    parser.add_argument("--tables", default=",".join(LARGE))
    options = parser.parse_args()
    if options.data is None:
        parser.error("Give the folder of the tables: --data FOLDER, or RAREWOOD_DATA.")
    measured, costs = Measured("pilot"), Measured("pilot_cost")
    for table in options.tables.split(","):
        if table not in measured.entries:
            measured.add(table, measure(options.data, table))
            print(table, measured.entries[table], flush=True)
        if table not in costs.entries:
            costs.add(table, cost(halves(options.data, table)))
            print(table, costs.entries[table], flush=True)
    write(
        *(
            {name: one.entries[name] for name in LARGE if name in one.entries}
            for one in (measured, costs)
        )
    )


if __name__ == "__main__":
    main()
