"""Accuracy of the forests on real imbalanced tables: 5x2 stratified cross-validation, no tuning.

    python benchmarks/accuracy.py run --models peers,ours --jobs 2   (hours; can be stopped)
    python benchmarks/accuracy.py report

A run appends one row for each (table, model, repeat, fold) to a store and never repeats a row that
is there, so it can be stopped at any time and started again.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from contenders import PACKAGES, Factory, contenders
from tables import RealTable, load_all

STORE = Path(__file__).resolve().parent.parent / "build" / "accuracy.csv"
REPEATS = 5
KEY = ["table", "model", "trees", "repeat", "fold"]
METRICS = ["auc", "ap", "brier", "log_loss"]
NUMBERS = [*METRICS, "fit_seconds", "predict_seconds", "members"]
COLUMNS = [*KEY, *NUMBERS, "package", "date", "error"]


@dataclass(frozen=True)
class Cell:
    """One fit: a model on one fold of one repeat."""

    table: RealTable
    model: str
    make: Factory
    trees: int
    repeat: int
    fold: int

    @property
    def key(self) -> tuple[str, ...]:
        """What the store knows it by."""
        values = (self.table.name, self.model, self.trees, self.repeat, self.fold)
        return tuple(str(value) for value in values)


def cells(
    tables: list[RealTable], models: dict[str, Factory], trees: int, together: int
) -> Iterator[Cell]:
    """All cells: small tables first, `together` models at a time, large tables last of all."""
    names = list(models)
    for start in range(0, len(names), together):
        for table in tables:
            for name in names[start : start + together]:
                for repeat in range(REPEATS):
                    for fold in range(2):
                        yield Cell(table, name, models[name], trees, repeat, fold)


def evaluate(cell: Cell) -> dict[str, Any]:
    """Fit, predict and measure; an error is a result too."""
    row: dict[str, Any] = dict(zip(KEY, cell.key, strict=True)) | {"date": date.today().isoformat()}
    try:
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            row |= _fit_and_measure(cell)
    except Exception as error:
        row["error"] = f"{type(error).__name__}: {error}".replace("\n", " ")[:300]
    return row


def _fit_and_measure(cell: Cell) -> dict[str, Any]:
    X, y = cell.table.X, cell.table.y
    split = StratifiedKFold(2, shuffle=True, random_state=cell.repeat).split(X, y)
    train, test = list(split)[cell.fold]
    model = cell.make(cell.trees, 2 * cell.repeat + cell.fold)
    start = time.process_time()  # CPU time: other work on the machine does not count
    model.fit(X[train], y[train])
    fitted = time.process_time()
    p = np.asarray(model.predict_proba(X[test]))[:, list(model.classes_).index(1)].astype(float)
    predicted = time.process_time()
    return {
        "auc": roc_auc_score(y[test], p),
        "ap": average_precision_score(y[test], p),
        "brier": brier_score_loss(y[test], np.clip(p, 0, 1)),
        "log_loss": log_loss(y[test], np.clip(p, 0, 1), labels=[0, 1]),
        "fit_seconds": round(fitted - start, 6),
        "predict_seconds": round(predicted - fitted, 6),
        # Boosting may stop long before the number of trees that it was asked for.
        "members": len(getattr(model, "estimators_", ())) or None,
        "package": _package(model),
    }


def _package(model: Any) -> str:
    module = type(model).__module__.split(".")[0]
    name = PACKAGES.get(module, module)
    return f"{name} {version(name)}"


def read_store(paths: Iterable[Path]) -> pd.DataFrame:
    """All rows of some stores; the last row of a cell counts, and broken lines do not."""
    frames = [
        pd.read_csv(path, names=COLUMNS, header=0, on_bad_lines="skip", dtype=str)
        for path in paths
        if path.exists()
    ]
    rows = pd.concat([pd.DataFrame(columns=COLUMNS), *frames], ignore_index=True)
    # A kill in the middle of a line leaves a row without its date or its error column.
    rows = rows[rows["date"].notna() & (rows["auc"].notna() | rows["error"].notna())]
    rows = rows.drop_duplicates(KEY, keep="last")
    return rows.assign(**{column: rows[column].astype(float) for column in NUMBERS})


def run(options: argparse.Namespace) -> None:
    """Fill the store with the cells that it does not have."""
    store: Path = options.store[0]
    store.parent.mkdir(parents=True, exist_ok=True)
    rows = read_store(options.store)
    if options.retry:
        rows = rows[rows["error"].isna()]
    done = set(rows[KEY].itertuples(index=False, name=None))
    tables = [
        table
        for table in load_all(options.half)
        if not options.tables or table.name in options.tables.split(",")
    ]
    models = _installed(contenders(options.models, options.variants))
    every = cells(tables, models, options.trees, options.together)
    todo = [cell for cell in every if cell.key not in done]
    print(f"{len(tables)} tables, {len(models)} models: {len(todo)} cells to do", flush=True)
    work = Parallel(n_jobs=options.jobs, return_as="generator_unordered")
    with store.open("a+", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if file.tell() == 0:
            writer.writeheader()
        elif not store.read_bytes().endswith(b"\n"):
            file.write("\n")  # a run was killed in the middle of a line
        _append(work(delayed(evaluate)(cell) for cell in todo), writer, file, len(todo))


def _installed(models: dict[str, Factory]) -> dict[str, Factory]:
    """Models whose library is here: a missing one is no result, and must not enter the store."""
    found = {}
    for name, make in models.items():
        try:
            make(1, 0)
        except ImportError as error:
            print(f"{name} left out: {error}", flush=True)
            continue
        except Exception as error:
            print(f"{name} cannot be made, as its cells will say: {error!r}", flush=True)
        found[name] = make
    return found


def _append(
    results: Iterable[dict[str, Any]], writer: csv.DictWriter[str], file: TextIO, total: int
) -> None:
    start = last = time.monotonic()
    for n, row in enumerate(results, 1):
        writer.writerow(row)
        file.flush()
        if row.get("error"):
            print(f"{row['model']} on {row['table']}: {row['error']}", flush=True)
        now = time.monotonic()
        if now - last > 60 or n == total:
            last = now
            print(
                f"{n} of {total} cells, {(now - start) / 60:.0f} min; at {row['model']} on "
                f"{row['table']}",
                flush=True,
            )


def parse(words: list[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    runner = commands.add_parser("run", help="fit what the store does not have")
    runner.add_argument("--models", default="all", help="names, or all, peers, ours, variants")
    runner.add_argument("--variants", help="a Python file with a dict VARIANTS of further models")
    runner.add_argument("--tables", help="names of tables; all of the half unless given")
    runner.add_argument("--jobs", type=int, default=1, help="processes")
    runner.add_argument("--together", type=int, default=1, help="models that go side by side")
    runner.add_argument("--retry", action="store_true", help="repeat the cells that failed")
    reporter = commands.add_parser("report", help="write the page of the documentation")
    reporter.add_argument("--ours", default="RareForest", help="the model that is compared")
    reporter.add_argument("--models", help="names of the peers; the usual ones unless given")
    for command in (runner, reporter):
        command.add_argument("--half", choices=["choose", "confirm", "all"], default="all")
        command.add_argument("--trees", type=int, default=100)
        command.add_argument(
            "--store",
            type=Path,
            nargs="+",
            default=[STORE],
            help="files; a run writes to the first",
        )
    return parser.parse_args(words)


def main() -> None:
    """Run, report what has run, or, when not told which, both."""
    for words in [sys.argv[1:]] if len(sys.argv) > 1 else [["run"], ["report"]]:
        options = parse(words)
        if options.command == "run":
            run(options)
        else:
            from accuracy_report import report

            report(read_store(options.store), options)


if __name__ == "__main__":
    main()
