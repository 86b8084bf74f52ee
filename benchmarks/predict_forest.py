"""Predicting with forests: rarewood against scikit-learn and LightGBM.

Run `python benchmarks/predict_forest.py` on an idle machine (`--quick`: a smoke test of seconds).
The forests are grown on 100k rows and predict 1M other rows. Each case is written to the page as
soon as it is measured, and stored in build/predict_forest.json.
"""

from __future__ import annotations

from dataclasses import replace

from sklearn.metrics import roc_auc_score

from common import Table
from duels import QUICK_ROWS, Case, Duel, Page, options, run_rounds
from forests import CONTENDERS, THREADS

TABLE = Table("100k x 30, 2% rare", 100_000)
N_NEW_ROWS = 1_000_000
RF, ET = "scikit-learn RandomForest", "scikit-learn ExtraTrees"
HEADING = "`predict_proba`"

CASES = (
    Case("rf", HEADING, TABLE, (Duel("random_forest", RF, goal=4, floor=2),)),
    Case(
        "lightgbm",
        HEADING,
        TABLE,
        (
            Duel("255 bins, 255 leaves, one thread", "LightGBM rf, one thread", goal=10, floor=4),
            Duel("255 bins, 255 leaves", "LightGBM rf"),
        ),
    ),
    Case(
        "extra-trees",
        HEADING,
        TABLE,
        (Duel("hedex", ET), Duel("hedexh", ET)),
    ),
    Case(
        "default",
        HEADING,
        TABLE,
        (
            Duel("RareForestClassifier()", ET, goal=8, floor=4),
            Duel("RareForestClassifier()", "LightGBM", goal=1, floor=0.7),
        ),
    ),
)


def measure(case: Case, repeats: int, n_new: int) -> tuple[dict[str, list], dict[str, dict]]:
    """Predict the same rows with the forests of a case in turn."""
    X, y = case.table.make()
    X_new, y_new = replace(case.table, n_rows=n_new).make(seed=1)
    forests = {name: CONTENDERS[name]() for name in case.contenders}
    fitted = {name: forest.fit(X, y, case.n_trees) for name, forest in forests.items()}
    about = {}
    for name, forest in forests.items():
        proba = forest.predict(fitted[name], X_new[:50_000])  # also warms up
        score = roc_auc_score(y_new[:50_000], proba if proba.ndim == 1 else proba[:, 1])
        about[name] = {
            "leaves of a tree": f"{forest.n_leaves(fitted[name]):.0f}",
            "AUC": f"{score:.3f}",
        }
    runners = {name: lambda n=name: forests[n].predict(fitted[n], X_new) for name in forests}
    return run_rounds(case, runners, repeats), about


def main() -> None:
    """Measure the requested cases, and write the page after each."""
    chosen = options(__doc__, [case.name for case in CASES])
    notes = [
        f"Forests grown on the given table, {THREADS} threads each unless stated otherwise, "
        f"predict {N_NEW_ROWS:,} other rows of float32. Times are CPU seconds, including "
        "validation. Ratios are the time of the peer divided by the time of rarewood (above 1: "
        "rarewood is faster), as the median over rounds in which all models run in turn. Targets "
        "refer to the CPU ratio. AUC is computed on 50,000 of the rows.",
        "`hedexh` and `RareForestClassifier()` split by hyperplanes over two features.",
        "The threads of LightGBM spin while waiting, which counts as CPU time, so the target of "
        "its mode `rf` refers to the row with one thread. Without `rf`, LightGBM is gradient "
        "boosting with its defaults.",
    ]
    page = Page("predict_forest", "Predicting with a forest", notes, chosen.quick)
    for case in CASES:
        if case.name not in chosen.cases:
            continue
        case = case.shrunk() if chosen.quick else case
        print(f"--- {case.name}", flush=True)
        n_new = QUICK_ROWS if chosen.quick else N_NEW_ROWS
        page.add(case, *measure(case, chosen.repeats, n_new))
        page.write(CASES)


if __name__ == "__main__":
    main()
