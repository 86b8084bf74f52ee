"""SHAP values of forests: rarewood against the C extension of the package shap.

Run `python benchmarks/explain_shap.py`. Forests of 100 trees are grown on 10,000 rows; 1,000 other
rows are explained. The package shap is given the same trees, as arrays, if they are axis-parallel.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import shap

from common import Table, arguments, machine, race, write_report
from rarewood import RareForestClassifier
from rarewood.explain import shap_interaction_values, shap_values

N_TRAINING, N_ROWS, N_INTERACTION_ROWS, N_TREES = 10_000, 1_000, 20, 100
FORESTS: dict[str, dict[str, Any]] = {
    "random forest, fully grown": {
        "splitter": "best", "bootstrap": True, "leaf": "laplace", "collapse": 0,
    },
    "axis-parallel, other defaults": {"splitter": "best", "bootstrap": True},
    "default (oblique)": {},
    "oblique, fully grown": {"collapse": 0},
}  # fmt: skip


def explainer(forest: RareForestClassifier) -> shap.TreeExplainer:
    """Return the explainer of the package shap for the same trees."""
    trees = [
        {
            "children_left": tree.children_left,
            "children_right": tree.children_right,
            "children_default": np.where(
                tree.n_children == 0, -1, tree.first_child + tree.missing_child
            ),
            "features": tree.feature,
            "thresholds": tree.threshold,
            "values": tree.probabilities / len(forest.forest_),
            "node_sample_weight": tree.weighted_n_node_samples,
        }
        for tree in forest.forest_.trees
    ]
    return shap.TreeExplainer({"trees": trees}, feature_perturbation="tree_path_dependent")


def compare(
    name: str, rare: float, repeats: int, n_trees: int
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return the rows of the two tables of the page: values and interactions."""
    X, y = Table("", N_TRAINING, rare=rare).make()
    X_new = Table("", N_ROWS).make(seed=1)[0].astype(np.float64)
    forest = RareForestClassifier(n_trees, random_state=0, **FORESTS[name]).fit(X, y)
    runners = {
        "one": lambda: shap_values(forest, X_new, n_jobs=1),
        "all": lambda: shap_values(forest, X_new, n_jobs=-1),
    }
    is_axis_parallel = "splitter" in FORESTS[name]
    if is_axis_parallel:
        theirs = explainer(forest)
        runners["shap"] = lambda: theirs.shap_values(X_new, check_additivity=False)
    times = race(runners, repeats)
    about = {
        "forest": name,
        "rare": f"{rare:.0%}",
        "leaves of a tree": round(np.mean([tree.n_leaves for tree in forest.forest_.trees])),
        "depth": max(tree.max_depth for tree in forest.forest_.trees),
    }
    explained = shap_values(forest, X_new)
    error = abs(explained.probabilities - forest.predict_proba(X_new)).max()
    values = about | {
        "rarewood, s": f"{times['one'].wall:.2f}",
        "rarewood, all threads, s": f"{times['all'].wall:.2f}",
        "shap, s": f"{times['shap'].wall:.2f}" if is_axis_parallel else "–",
        "CPU ratio": f"{times['shap'].cpu / times['one'].cpu:.0f}" if is_axis_parallel else "–",
        "error of the sum": f"{error:.0e}",
        "difference from shap": "–",
    }
    if not is_axis_parallel:
        return values, None
    found = theirs.shap_values(X_new[:100], check_additivity=False)
    values["difference from shap"] = f"{abs(found - explained.values[:100]).max():.0e}"
    few = X_new[:N_INTERACTION_ROWS]
    times = race(
        {
            "one": lambda: shap_interaction_values(forest, few, n_jobs=1),
            "shap": lambda: theirs.shap_interaction_values(few),
        },
        1,
    )
    pairs = about | {
        "rarewood, s": f"{times['one'].wall:.2f}",
        "shap, s": f"{times['shap'].wall:.2f}",
        "CPU ratio": f"{times['shap'].cpu / times['one'].cpu:.0f}",
    }
    return values, pairs


def main() -> None:
    """Run every comparison and write the page."""
    options = arguments(__doc__)
    n_trees = 10 if options.quick else N_TREES
    rows = [
        compare(name, rare, options.repeats, n_trees) for rare in (0.02, 0.5) for name in FORESTS
    ]
    notes = [
        machine(["rarewood", "shap", "numpy"]),
        f"{n_trees} trees grown on {N_TRAINING:,} rows of 30 features; {N_ROWS:,} other rows are "
        f"explained, for all classes (interactions: {N_INTERACTION_ROWS} rows). Wall times, the "
        "best of several interleaved runs. Both with one thread unless stated; the ratio of CPU "
        "times is above 1 if rarewood is faster. The package shap has no oblique trees.",
    ]
    write_report(
        "explain",
        "SHAP values of forests",
        notes,
        {
            "Values": [values for values, _ in rows],
            "Interactions": [pairs for _, pairs in rows if pairs],
        },
    )


if __name__ == "__main__":
    main()
