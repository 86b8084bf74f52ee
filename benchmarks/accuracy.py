"""Accuracy of the forests on real imbalanced tables: 5 x 2 stratified cross-validation, no tuning.

    python benchmarks/accuracy.py run --models peers,rarewood --jobs 2   (hours; can be interrupted)
    python benchmarks/accuracy.py report

Results are kept in a store of `rarewood.evaluate`: an interrupted run resumes where it stopped, and
after a change of rarewood `run --models rarewood --refresh` repeats its own models only. With fewer
`--repeats` the first ones are computed and reported.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from accuracy_models import MEMBERS, PEERS, chosen_models
from common import BUILD
from rarewood.evaluate import Protocol, Results, compare
from tables import load_all

STORE = BUILD / "accuracy.sqlite"
METRICS = ["auc", "average_precision", "brier", "log_loss", "fit_time", MEMBERS]


def run(options: argparse.Namespace) -> None:
    """Compute the missing cells of the store, some models at a time."""
    models = chosen_models(options.models, options.variants, options.trees)
    names = list(models)
    for start in range(0, len(names), options.together):
        some = names[start : start + options.together]
        print(f"--- {', '.join(some)}", flush=True)
        results = _compare({name: models[name] for name in some}, options)
        for cell in results.failures():
            print(f"{cell.model} on {cell.dataset}: {cell.error_type}: {cell.error}", flush=True)


def _compare(models: dict, options: argparse.Namespace, compute: bool = True) -> Results:
    tables = load_all(options.half)
    if options.tables:
        tables = {name: tables[name] for name in options.tables.split(",")}
    options.store.parent.mkdir(exist_ok=True)
    return compare(
        models,
        tables,
        protocol=Protocol(2, options.repeats),
        metrics=METRICS,
        store=options.store,
        n_jobs=options.jobs,
        refresh=options.refresh or ("failed" if options.retry else False),
        compute=compute,
    )


def report(options: argparse.Namespace) -> None:
    """Write the page from the finished cells of the store."""
    from accuracy_report import write

    peers = options.models.split(",") if options.models else list(PEERS)
    names = [*(name for name in peers if name != options.ours), options.ours]
    models = chosen_models(",".join([*names, "steps"]), options.variants, options.trees)
    write(_compare(models, options, compute=False), names, options)


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
        command.add_argument("--repeats", type=int, default=5)
        command.add_argument("--half", choices=["choose", "confirm", "all"], default="all")
        command.add_argument("--trees", type=int, default=100)
        command.add_argument("--store", type=Path, default=STORE)
    return parser.parse_args(words)


def main() -> None:
    """Run, report, or both by default."""
    for words in [sys.argv[1:]] if len(sys.argv) > 1 else [["run"], ["report"]]:
        options = parse(words)
        {"run": run, "report": report}[options.command](options)


if __name__ == "__main__":
    main()
