"""Accuracy of the forests on real imbalanced tables: 2 x 2 stratified cross-validation, no tuning.

    python benchmarks/accuracy.py run --models peers,rarewood --jobs 2   (hours; can be interrupted)
    python benchmarks/accuracy.py report

Means over the folds of a table are kept in docs/benchmarks/accuracy.csv. ``run`` computes those
that are missing; the cells of an interrupted run are in a store under build/. After a change of
rarewood ``run --models rarewood,steps --refresh`` repeats its own models only.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pandas as pd

from accuracy_models import MEMBERS, PEERS, STEPS, chosen_models
from cell_file import ABOUT, CellFile, frame_of, missing
from common import BUILD, DOCS
from rankings import METRICS
from rarewood.evaluate import Protocol, compare
from tables import family, half_of, load_all

STORE = BUILD / "accuracy.sqlite"
CSV = DOCS / "accuracy.csv"
KEYS = ("dataset", "model")
MEANS = [*METRICS, "fit_time", MEMBERS.name]
COLUMNS = ["source", "half", *MEANS, "cells", "failed", *ABOUT]
DIGITS = 5  # of numbers in the file


def run(options: argparse.Namespace) -> None:
    """Compute the missing means, some models at a time, and add them to the file."""
    file = CellFile(options.csv, KEYS)
    models = chosen_models(options.models, options.variants, options.trees)
    known = known_means(options)
    if options.refresh:
        known = known[~known["model"].isin(models)]
    if options.retry and len(known):
        known = known[known["failed"] == 0]
    tables = chosen_tables(options)
    names = list(models)
    for start in range(0, len(names), options.together):
        some = names[start : start + options.together]
        print(f"--- {', '.join(some)}", flush=True)
        wanted = {name: data for name, data in tables.items() if missing(known, name, some)}
        if wanted:
            found = computed({name: models[name] for name in some}, wanted, options)
            file.write(file.merged(found), COLUMNS, DIGITS)


def known_means(options: argparse.Namespace) -> pd.DataFrame:
    """Return the means of the file that are over as many folds as are wanted."""
    known = CellFile(options.csv, KEYS).read()
    return known[known["cells"] == 2 * options.repeats] if len(known) else known


def chosen_tables(options: argparse.Namespace) -> dict:
    """Load the tables."""
    tables = load_all(options.half)
    if options.tables:
        tables = {name: tables[name] for name in options.tables.split(",")}
    return tables


def computed(models: dict, tables: dict, options: argparse.Namespace) -> pd.DataFrame:
    """Return the means of the models on the tables."""
    options.store.parent.mkdir(exist_ok=True)
    results = compare(
        models,
        tables,
        protocol=Protocol(2, options.repeats),
        metrics=[*METRICS, "fit_time", MEMBERS],
        store=options.store,
        n_jobs=options.jobs,
        refresh=options.refresh or ("failed" if options.retry else False),
    )
    for cell in results.failures():
        print(f"{cell.model} on {cell.dataset}: {cell.error_type}: {cell.error}", flush=True)
    return means_of(frame_of(results))


def means_of(cells: pd.DataFrame) -> pd.DataFrame:
    """Return means over the folds by table and model; failed folds have no scores."""
    grouped = cells.groupby(list(KEYS))
    means = grouped[MEANS].mean()
    means["cells"], means["failed"] = grouped.size(), grouped["error"].count()
    means[list(ABOUT)] = grouped[list(ABOUT)].last()
    means = means.reset_index()
    return means.assign(source=means["dataset"].map(family), half=means["dataset"].map(half_of))


def report(options: argparse.Namespace) -> None:
    """Write the page from the means of the file."""
    from accuracy_report import write

    peers = options.models.split(",") if options.models else list(PEERS)
    known = known_means(options)
    wanted = [*(name for name in peers if name != options.ours), options.ours]
    names = [name for name in wanted if name in set(known["model"])]
    if options.ours not in names:
        raise SystemExit(f"There is no finished cell of {options.ours}: run it first.")
    known = known[known["model"].isin([*names, *STEPS])]
    if options.half != "all":
        known = known[known["half"] == options.half]
    if options.tables:
        known = known[known["dataset"].isin(options.tables.split(","))]
    write(known, names, options)


def parse(words: list[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    runner = commands.add_parser("run", help="compute the missing cells")
    runner.add_argument("--models", default="all", help="names, or all, peers, rarewood, steps")
    runner.add_argument(
        "--together", type=int, default=1, help="number of models computed together"
    )
    runner.add_argument("--retry", action="store_true", help="repeat failed cells")
    runner.add_argument("--refresh", action="store_true", help="repeat finished cells")
    reporter = commands.add_parser("report", help="write docs/benchmarks/accuracy.md")
    reporter.add_argument("--ours", default="RareForest", help="model compared with the peers")
    reporter.add_argument("--models", help="names of the peers")
    reporter.set_defaults(retry=False, refresh=False)
    for command in (runner, reporter):
        command.add_argument(
            "--variants", help="Python file with a dict VARIANTS of further models"
        )
        command.add_argument("--tables", help="names of tables; by default all of the half")
        command.add_argument("--jobs", type=int, default=1, help="number of processes")
        command.add_argument("--repeats", type=int, default=2)
        command.add_argument("--half", choices=["choose", "confirm", "all"], default="all")
        command.add_argument("--trees", type=int, default=100)
        command.add_argument("--csv", type=Path, default=CSV, help="file of finished means")
        command.add_argument("--store", type=Path, default=STORE)
    return parser.parse_args(words)


def main() -> None:
    """Run, report, or both by default."""
    for words in [sys.argv[1:]] if len(sys.argv) > 1 else [["run"], ["report"]]:
        options = parse(words)
        {"run": run, "report": report}[options.command](options)


if __name__ == "__main__":
    main()
