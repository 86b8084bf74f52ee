"""Fitting forests: rarewood against scikit-learn, imbalanced-learn, LightGBM and YDF.

Run `python benchmarks/fit_forest.py` on an idle machine (`--quick`: a smoke test of seconds).
Each case is written to the page as soon as it is measured, and stored in build/fit_forest.json, so
runs can be interrupted; `--cases` repeats selected cases.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sklearn.metrics import roc_auc_score

from common import Table, extra_memory, in_new_process
from duels import QUICK_ROWS, QUICK_TREES, Case, Duel, Page, options, run_rounds
from forests import CONTENDERS, NOTES, THREADS

SMALL = Table("10k x 30, 2% rare", 10_000)
MIDDLE = Table("100k x 30, 2% rare", 100_000)
LARGE = Table("1M x 30, 2% rare", 1_000_000)
BALANCED = Table("100k x 30, balanced", 100_000, rare=0.5)

EXACT = "Exact random forest"
RANDOM = "Random cuts"
OURS = "RareForestClassifier()"
RF, ET = "scikit-learn RandomForest", "scikit-learn ExtraTrees"


def random_cuts(name: str, table: Table) -> Case:
    """Return the forests with random cuts, and extremely randomized trees with one cut."""
    duels = (
        Duel("hedex", ET, goal=8, floor=4),
        Duel("hedex", "hedexh", limit=3),
        Duel("extra_trees", ET),
    )
    return Case(name, RANDOM, table, duels)


def default(name: str, table: Table, goal: float, floor: float, **more: Any) -> Case:
    """Return the default forest, with all that it chooses from the data, and its peers."""
    duels = (Duel(OURS, ET, goal=goal, floor=floor), Duel(OURS, "LightGBM"))
    return Case(name, "The default forest", table, duels, **more)


CASES = (
    Case("rf-10k", EXACT, SMALL, (Duel("random_forest", RF, goal=50, floor=25),)),
    Case("rf-100k", EXACT, MIDDLE, (Duel("random_forest", RF, goal=50, floor=25),)),
    Case("rf-balanced", EXACT, BALANCED, (Duel("random_forest", RF, floor=10),)),
    Case(
        "rf-ydf",
        EXACT,
        MIDDLE,
        (
            Duel("random_forest", "YDF RandomForest", goal=12, floor=6),
            Duel("random_forest, entropy", "YDF RandomForest", goal=12, floor=6),
        ),
    ),
    default("default-10k", SMALL, goal=3, floor=1.5),
    default("default-100k", MIDDLE, goal=8, floor=4),
    default("default-1m", LARGE, goal=15, floor=8, repeats=1, fewest_trees=50),
    random_cuts("hedex-10k", SMALL),
    random_cuts("hedex-100k", MIDDLE),
    Case(
        "brf",
        "Balanced random forest",
        MIDDLE,
        (
            Duel(
                "balanced_random_forest", "imbalanced-learn BalancedRandomForest", goal=15, floor=8
            ),
        ),
    ),
    Case(
        "binned-lightgbm",
        "Binned random forest",
        MIDDLE,
        (
            Duel("255 bins, 255 leaves, one thread", "LightGBM rf, one thread", floor=5),
            Duel("255 bins, 255 leaves", "LightGBM rf"),
        ),
    ),
    Case(
        "binned-ydf",
        "Binned random forest",
        MIDDLE,
        (
            Duel("255 bins, entropy, 255 leaves", "YDF, discretized, 255 leaves", floor=5),
            Duel("255 bins, entropy", "YDF, discretized", floor=5),
        ),
    ),
    Case("rf-1m", EXACT, LARGE, (Duel("random_forest", RF, goal=30, floor=12),), repeats=1),
)
MEMORY = "memory"


def measure(case: Case, repeats: int) -> tuple[dict[str, list], dict[str, dict[str, str]]]:
    """Fit the forests of a case in turn; return times, sizes and scores."""
    X, y = case.table.make()
    X_new, y_new = replace(case.table, n_rows=50_000).make(seed=1)
    forests = {name: CONTENDERS[name]() for name in case.contenders}
    fitted: dict[str, Any] = {}

    def fit(name: str) -> None:
        fitted[name] = forests[name].fit(X, y, case.n_trees)

    for forest in forests.values():
        forest.fit(X[:1000], y[:1000], 2)  # exclude one-time initialization
    times = run_rounds(case, {name: lambda n=name: fit(n) for name in forests}, repeats)
    about = {}
    for name, forest in forests.items():
        proba = forest.predict(fitted[name], X_new)
        score = roc_auc_score(y_new, proba if proba.ndim == 1 else proba[:, 1])
        about[name] = {
            "leaves of a tree": f"{forest.n_leaves(fitted[name]):.0f}",
            "AUC": f"{score:.3f}",
        }
    return times, about


def peak_memory(name: str, n_rows: int, n_trees: int) -> tuple[int, int]:
    """Return the size of a float32 table and the additional peak memory of a fit."""
    X, y = Table("", n_rows).make()
    forest = CONTENDERS[name]()
    forest.fit(X[:1000], y[:1000], 2)
    kept: list[Any] = []
    return X.nbytes, extra_memory(lambda: kept.append(forest.fit(X, y, n_trees)))


def measure_memory(page: Page, n_rows: int, n_trees: int, few_trees: int) -> None:
    """Measure peak memory of rarewood and scikit-learn, each in a new process."""
    runs = [("random_forest", few_trees), (RF, few_trees), ("random_forest", n_trees)]
    for name, trees in dict.fromkeys(runs):
        size, extra = in_new_process(peak_memory, name, n_rows, trees)
        row = {
            "table": f"{n_rows:,} x 30 float32, {size / 2**20:.0f} MiB",
            "forest": name,
            "trees": trees,
            "peak beyond the table, MiB": f"{extra / 2**20:.0f}",
            "times the table": f"{extra / size:.2f}",
        }
        print(" | ".join(str(value) for value in row.values()), flush=True)
        which = "few" if trees == few_trees else "many"
        page.measured.add(f"{MEMORY}: {name}, {which}", {"row": row, "where": page.where})


def memory_table(entries: dict[str, Any]) -> dict[str, list[dict]]:
    """Return the table of stored peaks."""
    rows = [entry["row"] for key, entry in entries.items() if key.startswith(MEMORY)]
    return {f"Peak memory, {THREADS} threads": rows}


def main() -> None:
    """Measure the requested cases, and write the page after each."""
    chosen = options(__doc__, [*(case.name for case in CASES), MEMORY])
    notes = [
        f"{THREADS} threads each unless stated otherwise, fully grown trees unless a number of "
        "leaves is given, 5 of 30 features per node. Times are CPU seconds, including encoding and "
        "validation. Ratios are the time of the peer divided by the time of rarewood (above 1: "
        "rarewood is faster), as the median over rounds in which all models run in turn. Targets "
        "refer to the CPU ratio. The tables are generated by `benchmarks/common.py`, the settings "
        "are in `benchmarks/forests.py`; AUC is computed on 50,000 other rows. With 1M rows there "
        "are fewer trees and one round, because scikit-learn is slow; what rarewood does once for "
        "a forest, such as the encoding, is then shared by fewer trees.",
        *NOTES,
    ]
    page = Page("fit_forest", "Fitting a forest", notes, chosen.quick)
    for case in CASES:
        if case.name not in chosen.cases:
            continue
        if case.table is LARGE:
            case = replace(case, n_trees=max(chosen.trees_at_1m, case.fewest_trees))
        if chosen.quick:
            case = case.shrunk()
        print(f"--- {case.name}", flush=True)
        page.add(case, *measure(case, chosen.repeats))
        page.write(CASES, memory_table)
    if MEMORY in chosen.cases:
        print(f"--- {MEMORY}", flush=True)
        if chosen.quick:
            measure_memory(page, QUICK_ROWS, QUICK_TREES, 2)
        else:
            measure_memory(page, LARGE.n_rows, 100, chosen.trees_at_1m)
        page.write(CASES, memory_table)


if __name__ == "__main__":
    main()
