"""Methods for rare classes against our default: all of imbalanced-learn and imbalanced-ensemble.

    python benchmarks/imbalance_methods.py environment      (imbalanced-ensemble, under build/)
    python benchmarks/imbalance_methods.py run --data FOLDER --minutes 120
    python benchmarks/imbalance_methods.py tune --data FOLDER --minutes 60
    python benchmarks/imbalance_methods.py report --data FOLDER

``run`` computes the cells that docs/benchmarks/imbalance_methods.csv does not have, table by
table, until the CPU time is used up, one table of each source first, and adds them to the file.
``tune`` tunes the best methods of the finished tables. After a change of rarewood, ``--refresh``
repeats the cells of our forest alone. ``report`` writes the page and its figure. FOLDER (or
RAREWOOD_DATA) has the tables of the papers, and large ones in "large".
"""

from __future__ import annotations

import argparse
import os
import resource
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from cell_file import CellFile, frame_of, missing
from common import BUILD, DOCS
from imbalance_judged import METRICS
from imbalance_models import BASE, METHODS, N_TRIALS, OURS
from imbalance_remote import HERE, OTHER, create_environment, process
from imbalance_tables import Capped, in_order, source
from rarewood.evaluate import compare

STORE = BUILD / "imbalance_methods.sqlite"
CSV = DOCS / "imbalance_methods.csv"
SCORES = ["average_precision", "auc", "log_loss", "brier", *(metric.name for metric in METRICS)]
COLUMNS = ["n_train", "n_test", *SCORES, "error", "fitted"]
DIGITS = 4  # of numbers in the file of cells
TUNED = ", tuned"
N_BEST, N_TUNED_TABLES = 6, 30


def computed(options: argparse.Namespace, tables: dict, names: list[str]) -> pd.DataFrame:
    """Return the cells of methods on tables; names may end with ", tuned"."""
    options.store.parent.mkdir(exist_ok=True)
    trials = {name: N_TRIALS if name.endswith(TUNED) else 0 for name in names}
    models = {
        name: METHODS[name.removesuffix(TUNED)].make(options.limit, n) for name, n in trials.items()
    }
    results = compare(
        models,
        tables,
        protocol=Capped(2, n_folds=options.folds),
        metrics=[*SCORES[: -len(METRICS)], *METRICS],
        store=options.store,
        prepare=False,
        progress=False,
        refresh=options.refresh,
    )
    return frame_of(results)


def used() -> float:
    """Return the CPU seconds of this process and of the workers that have ended."""
    for environment in (HERE, OTHER):
        process(environment).end()
    return sum(
        getattr(resource.getrusage(who), name)
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        for name in ("ru_utime", "ru_stime")
    )


def compute(options: argparse.Namespace, tables: dict, names: Iterable[str]) -> None:
    """Compute the missing cells, table by table, until the time is used up."""
    file = CellFile(options.csv)
    before = file.read()
    if options.refresh:
        ours = before["model"].isin([OURS, f"{OURS}{TUNED}"]) & before["model"].isin(names)
        names = before["model"][ours].unique()
        tables = {n: data for n, data in tables.items() if n in set(before["dataset"][ours])}
        before = before[~ours]
    for number, (table, data) in enumerate(tables.items(), start=1):
        chosen = missing(before, table, names, options.folds)
        if not chosen:
            continue
        cells = computed(options, {table: data}, chosen)
        file.write(file.merged(cells), COLUMNS, DIGITS)
        failed = ", ".join(cells[cells["error"].notna()]["model"])
        minutes = used() / 60
        print(f"{number}/{len(tables)} {table}: {minutes:.1f} min; failed: {failed}", flush=True)
        if minutes > options.minutes:
            raise SystemExit(f"Out of time after {number} of {len(tables)} tables. Run again.")


def run(options: argparse.Namespace) -> None:
    """All methods at their defaults."""
    compute(options, chosen_tables(options), chosen_methods(options))


def tune(options: argparse.Namespace) -> None:
    """The best methods and our forest, tuned, on tables of different sources."""
    best = (
        options.methods.split(",")
        if options.methods
        else best_methods(CellFile(options.csv).read())
    )
    print("Best methods:", ", ".join(best), flush=True)
    tables = list(chosen_tables(options).items())
    compute(options, dict(tables[:N_TUNED_TABLES]), [f"{name}{TUNED}" for name in [OURS, *best]])


def best_methods(cells: pd.DataFrame) -> list[str]:
    """Return the peers with the best mean ranks in average precision, one vote per source."""
    defaults = cells[cells["model"].isin(METHODS)]
    table = finished(defaults, "average_precision", list(METHODS))
    ranks = ranks_by_source(table).drop([OURS, BASE])
    return list(ranks.nsmallest(N_BEST).index)


def finished(cells: pd.DataFrame, column: str, names: list[str]) -> pd.DataFrame:
    """Return means over folds, tables by methods, of the tables that all methods have run on.

    A method that failed on one of the folds has no score.
    """
    some = cells[cells["model"].isin(names)]
    n_run = some.groupby(["dataset", "model"]).size().unstack().reindex(columns=names)
    done = n_run.index[n_run.notna().all(axis=1)]
    some = some[some["dataset"].isin(done)]
    means = some.groupby(["dataset", "model"])[column].agg(lambda v: v.mean(skipna=False))
    return means.unstack().reindex(columns=names)


def ranks_by_source(scores: pd.DataFrame) -> pd.Series:
    """Return mean ranks with one vote per source; a method that failed is last on a table."""
    ranks = scores.fillna(-np.inf).round(12).rank(axis=1, ascending=False)
    return ranks.groupby([source(name) for name in scores.index]).mean().mean()


def chosen_methods(options: argparse.Namespace) -> list[str]:
    return options.methods.split(",") if options.methods else list(METHODS)


def chosen_tables(options: argparse.Namespace) -> dict[str, Any]:
    tables = in_order(options.data)
    return {n: tables[n] for n in options.tables.split(",")} if options.tables else tables


def report(options: argparse.Namespace) -> None:
    """Write the page and its figure."""
    from imbalance_report import write

    write(CellFile(options.csv).read(), options, list(chosen_tables(options)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("command", choices=["environment", "run", "tune", "report"])
    parser.add_argument("--data", type=Path, default=os.environ.get("RAREWOOD_DATA"))
    parser.add_argument("--store", type=Path, default=STORE)
    parser.add_argument("--csv", type=Path, default=CSV, help="file of finished cells")
    parser.add_argument("--methods", help="names of methods, by default all")
    parser.add_argument("--tables", help="names of tables, by default all")
    parser.add_argument("--folds", type=int, choices=[1, 2], default=1)
    parser.add_argument("--refresh", action="store_true", help="repeat our finished cells")
    parser.add_argument("--limit", type=float, default=20.0, help="CPU seconds of a fit")
    parser.add_argument("--minutes", type=float, default=120.0, help="CPU minutes of this run")
    options = parser.parse_args()
    if options.command == "environment":
        create_environment()
        return
    if options.data is None:
        parser.error("Give the folder of the tables: --data FOLDER, or RAREWOOD_DATA.")
    {"run": run, "tune": tune, "report": report}[options.command](options)


if __name__ == "__main__":
    main()
