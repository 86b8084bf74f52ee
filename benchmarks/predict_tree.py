"""Predicting with one tree: rarewood against scikit-learn's DecisionTreeClassifier.

Run `python benchmarks/predict_tree.py`. The trees are grown on 100k rows, fully and to depth 6, and
predict 1M other rows.
"""

from __future__ import annotations

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from common import Table, arguments, machine, milliseconds, race, write_report
from rarewood import RareTreeClassifier


def compare(n_rows: int, repeats: int, max_depth: int | None, dtype: type, n_jobs: int) -> list:
    """Compare the prediction of the same rows by trees with the same criterion."""
    X, y = Table("", 100_000).make()
    X_new = Table("", n_rows).make(seed=1)[0].astype(dtype)
    ours = RareTreeClassifier("entropy", max_depth=max_depth, n_jobs=n_jobs).fit(X, y)
    theirs = DecisionTreeClassifier(criterion="entropy", max_depth=max_depth, random_state=0)
    theirs.fit(X, y)
    rows = []
    for method in ("predict_proba", "predict", "apply"):
        times = race(
            {
                "ours": lambda m=method: getattr(ours, m)(X_new),
                "theirs": lambda m=method: getattr(theirs, m)(X_new),
            },
            repeats,
        )
        rows.append(
            {
                "rows": f"{n_rows:,}",
                "type": np.dtype(dtype).name,
                "depth": max_depth or f"full ({ours.get_depth()} / {theirs.get_depth()})",
                "threads": "all" if n_jobs < 0 else n_jobs,
                "method": method,
                "rarewood, ms": milliseconds(times["ours"].wall),
                "scikit-learn, ms": milliseconds(times["theirs"].wall),
                "CPU ratio": f"{times['theirs'].cpu / times['ours'].cpu:.1f}",
                "wall ratio": f"{times['theirs'].wall / times['ours'].wall:.1f}",
            }
        )
    return rows


def main() -> None:
    """Run every comparison and write the page."""
    options = arguments(__doc__)
    n_rows = 100_000 if options.quick else 1_000_000
    settings = [
        (None, np.float32, 1),
        (6, np.float32, 1),
        (None, np.float64, 1),
        (None, np.float32, -1),
    ]
    rows = [row for s in settings for row in compare(n_rows, options.repeats, *s)]
    notes = [
        machine(["rarewood", "scikit-learn", "numpy"]),
        "Wall times, the best of several interleaved runs, including validation; a ratio above 1 "
        "means that rarewood is faster. 30 features, 2% rare; trees grown on 100,000 other rows. "
        "scikit-learn predicts with one thread.",
    ]
    write_report("predict_tree", "Predicting with a tree", notes, {"Prediction": rows})


if __name__ == "__main__":
    main()
