"""The sampling wrapper around four trees: when choosing levels of sampling helps, and when not.

``python benchmarks/sampling_wrapper.py run --data FOLDER`` fits, and may be stopped and run again;
``... report`` writes the page. FOLDER (or RAREWOOD_DATA) holds Parquet files with a MANIFEST.json.
"""

from __future__ import annotations

import argparse
import csv
import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import wilcoxon
from sklearn.base import clone
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from common import BUILD, machine, write_report
from pattern_sampling import load
from rarewood import presets
from rarewood.sampling import SamplingWrapperClassifier

STORE = BUILD / "sampling_wrapper.csv"
# Tables of HDDT, table 1, with two classes that can be had.
TABLES = [
    "boundary", "covtype", "fourclass", "german_numer", "ism", "letter", "oil", "page", "phoneme",
    "pima", "satimage", "segment", "svmguide1", "wdbc",
]  # fmt: skip
TREES = {
    "C4.5": presets.c45(),
    "CART": presets.cart(),
    "HDDT": presets.hddt(),
    "DKM": presets.dkm(),
}
COLUMNS = ["table", "tree", "repeat", "fold", "plain", "wrapped", "undersample", "smote", "helped"]


def run(options: argparse.Namespace) -> None:
    options.store.parent.mkdir(exist_ok=True)
    done = set()
    if options.store.exists():
        kept = pd.read_csv(options.store, dtype=str)
        done = set(zip(*(kept[name] for name in COLUMNS[:4]), strict=True))
    for name in options.tables.split(","):
        X, y = load(options.data, name)
        y = y == pd.Series(y).value_counts().index[-1]
        for repeat in range(options.repeats):
            folds = StratifiedKFold(2, shuffle=True, random_state=repeat).split(X, y)
            for fold, (train, test) in enumerate(folds):
                for tree in TREES:
                    if (name, tree, str(repeat), str(fold)) not in done:
                        cells = cell(X, y, train, test, tree, repeat)
                        _append(options.store, [name, tree, repeat, fold, *cells])
        print(name, flush=True)


def cell(X: Any, y: Any, train: Any, test: Any, tree: str, seed: int) -> list[Any]:
    parts = X.iloc[train].reset_index(drop=True), y[train]
    plain = clone(TREES[tree]).fit(*parts)
    wrapper = SamplingWrapperClassifier(clone(TREES[tree]), random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrapper.fit(*parts)
    aucs = (roc_auc_score(y[test], m.predict_proba(X.iloc[test])[:, 1]) for m in (plain, wrapper))
    return [
        *(round(auc, 5) for auc in aucs),
        wrapper.undersample_level_,
        wrapper.smote_level_,
        int(wrapper.helped_),
    ]


def _append(store: Path, row: list[Any]) -> None:
    is_new = not store.exists()
    with store.open("a", newline="") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(COLUMNS)
        writer.writerow(row)


def report(options: argparse.Namespace) -> None:
    rows = pd.read_csv(options.store)
    means = rows.groupby(["table", "tree"])[["plain", "wrapped", "undersample", "smote"]].mean()
    by_table = [
        {
            "table": table,
            **{
                tree: "{plain:.3f} / {wrapped:.3f}".format(**means.loc[(table, tree)])
                for tree in TREES
            },
        }
        for table in TABLES
        if table in set(rows["table"])
    ]
    levels = [
        {
            "table": table,
            **{
                tree: "{undersample:.0f} / {smote:.0f}".format(**means.loc[(table, tree)])
                for tree in TREES
            },
        }
        for table in TABLES
        if table in set(rows["table"])
    ]
    notes = [
        f"{rows['repeat'].max() + 1} x 2 stratified cross-validation; the levels are chosen by "
        "five folds inside each training half. Fully grown trees with Laplace leaves.",
        machine(["numpy", "scikit-learn", "imbalanced-learn"]),
    ]
    sections = {
        "AUC of the plain tree / in the wrapper": by_table,
        "Mean levels: per cent removed / per cent added": levels,
        "Summary": [_summary(rows, means, tree) for tree in TREES],
    }
    write_report("sampling_wrapper", "The sampling wrapper", notes, sections)


def _summary(rows: pd.DataFrame, means: pd.DataFrame, tree: str) -> dict[str, str]:
    of_tree = means.xs(tree, level="tree")
    change = of_tree["wrapped"] - of_tree["plain"]
    inside = rows[rows["tree"] == tree]
    return {
        "tree": tree,
        "mean AUC plain": f"{of_tree['plain'].mean():.4f}",
        "in the wrapper": f"{of_tree['wrapped'].mean():.4f}",
        "tables raised": f"{int((change > 0).sum())} of {len(change)}",
        "Wilcoxon p": f"{wilcoxon(change).pvalue:.2g}" if np.any(change != 0) else "1",
        "inner search promised": f"{inside['helped'].mean():.0%} of the fits",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["run", "report"])
    parser.add_argument("--data", type=Path, default=os.environ.get("RAREWOOD_DATA"))
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--store", type=Path, default=STORE)
    options = parser.parse_args()
    if options.command == "run" and options.data is None:
        raise SystemExit("Say where the tables are: --data FOLDER, or RAREWOOD_DATA.")
    {"run": run, "report": report}[options.command](options)


if __name__ == "__main__":
    main()
