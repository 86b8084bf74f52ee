"""Sampling wrapper with four trees: effect of chosen sampling levels on the AUC.

``python benchmarks/sampling_wrapper.py run --data FOLDER`` fits; an interrupted run resumes;
``... report`` writes the page. FOLDER (or RAREWOOD_DATA) holds the data sets.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import wilcoxon

from common import BUILD, machine, write_report
from rarewood import presets
from rarewood.evaluate import Metric, Outcome, Protocol, Results, compare
from rarewood.sampling import SamplingWrapperClassifier
from tables import load_folder

STORE = BUILD / "sampling_wrapper.sqlite"
# Available tables of HDDT, table 1, with two classes.
TABLES = [
    "boundary", "covtype", "fourclass", "german_numer", "ism", "letter", "oil", "page", "phoneme",
    "pima", "satimage", "segment", "svmguide1", "wdbc",
]  # fmt: skip
TREES = {"C4.5": presets.c45, "CART": presets.cart, "HDDT": presets.hddt, "DKM": presets.dkm}
WRAPPED = " + wrapper"


def _undersample(outcome: Outcome) -> float:
    return float(getattr(outcome.model, "undersample_level_", "nan"))


def _smote(outcome: Outcome) -> float:
    return float(getattr(outcome.model, "smote_level_", "nan"))


def _helped(outcome: Outcome) -> float:
    return float(getattr(outcome.model, "helped_", "nan"))


METRICS = [
    "auc",
    Metric("undersample", _undersample),
    Metric("smote", _smote),
    Metric("helped", _helped),
]


def results_of(options: argparse.Namespace, compute: bool) -> Results:
    tables = {}
    for name in options.tables.split(","):
        X, y = load_folder(options.data, name)
        tables[name] = X, y == pd.Series(y).value_counts().index[-1]
    models = {name: make() for name, make in TREES.items()}
    models |= {
        name + WRAPPED: SamplingWrapperClassifier(tree) for name, tree in list(models.items())
    }
    options.store.parent.mkdir(exist_ok=True)
    return compare(
        models,
        tables,
        protocol=Protocol(2, options.repeats),
        metrics=METRICS,
        store=options.store,
        n_jobs=options.jobs,
        compute=compute,
    )


def report(results: Results, repeats: int) -> None:
    cells = results.to_frame()
    means = cells.groupby(["dataset", "model"])[["auc", "undersample", "smote"]].mean()
    by_table, levels = [], []
    for table in results.datasets:
        found = {
            tree: (means.loc[(table, tree)], means.loc[(table, tree + WRAPPED)]) for tree in TREES
        }
        aucs = {tree: f"{plain.auc:.3f} / {own.auc:.3f}" for tree, (plain, own) in found.items()}
        both = {
            tree: f"{own.undersample:.0f} / {own.smote:.0f}" for tree, (_, own) in found.items()
        }
        by_table.append({"table": table, **aucs})
        levels.append({"table": table, **both})
    notes = [
        f"{repeats} x 2 stratified cross-validation; the levels are chosen by 5-fold "
        "cross-validation inside each training half. Fully grown trees with Laplace leaves.",
        machine(["numpy", "scikit-learn", "imbalanced-learn"]),
    ]
    sections = {
        "AUC: tree / tree with wrapper": by_table,
        "Mean levels: undersampling % / SMOTE %": levels,
        "Summary": [_summary(cells, means, tree) for tree in TREES],
    }
    write_report("sampling_wrapper", "Sampling wrapper", notes, sections)


def _summary(cells: pd.DataFrame, means: pd.DataFrame, tree: str) -> dict[str, str]:
    plain, own = (means["auc"].xs(name, level="model") for name in (tree, tree + WRAPPED))
    change = own - plain
    helped = cells.loc[cells["model"] == tree + WRAPPED, "helped"].mean()
    return {
        "tree": tree,
        "mean AUC of the tree": f"{plain.mean():.4f}",
        "with wrapper": f"{own.mean():.4f}",
        "tables improved": f"{int((change > 0).sum())} of {len(change)}",
        "Wilcoxon p": f"{wilcoxon(change).pvalue:.2g}" if np.any(change != 0) else "1",
        "improved in inner folds": f"{helped:.0%} of the fits",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["run", "report"])
    parser.add_argument("--data", type=Path, default=os.environ.get("RAREWOOD_DATA"))
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--store", type=Path, default=STORE)
    options = parser.parse_args()
    results = results_of(options, compute=options.command == "run")
    if options.command == "report":
        report(results, options.repeats)


if __name__ == "__main__":
    main()
