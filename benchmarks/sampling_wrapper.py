"""Sampling wrapper with four trees: effect of chosen sampling levels on the AUC.

``python benchmarks/sampling_wrapper.py run --data FOLDER`` fits; an interrupted run resumes;
``... report`` writes the page. FOLDER (or RAREWOOD_DATA) holds the data sets.
"""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np
import pandas as pd
from scipy.stats import wilcoxon

from common import BUILD, comparison_parser, machine, write_report
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


def _of_wrapper(attribute: str, outcome: Outcome) -> float:
    """Return an attribute of the fitted wrapper; NaN for a tree."""
    return float(getattr(outcome.model, attribute, "nan"))


METRICS = [
    "auc",
    Metric("undersample", partial(_of_wrapper, "undersample_level_")),
    Metric("smote", partial(_of_wrapper, "smote_level_")),
    Metric("helped", partial(_of_wrapper, "helped_")),
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
    options = comparison_parser(__doc__, TABLES, STORE).parse_args()
    results = results_of(options, compute=options.command == "run")
    if options.command == "report":
        report(results, options.repeats)


if __name__ == "__main__":
    main()
