"""Models of the accuracy comparison: peers and rarewood by their names in the registry.

All parameters except the number of trees are the defaults of each library; one thread each.
Categorical features are one-hot encoded and missing values imputed inside each training fold.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable
from typing import Any

from rarewood import RareForestClassifier
from rarewood.evaluate import Metric, Outcome, prepared
from rarewood.workflow import make_model

Factory = Callable[[int], Any]  # of the number of trees

# In the order in which they run: the strongest peers first.
PEERS = {
    "ExtraTrees": "sklearn-extra-trees",
    "RandomForest": "sklearn-random-forest",
    "BalancedRandomForest": "imblearn-balanced-random-forest",
    "LightGBM": "lightgbm",
    "HistGradientBoosting": "sklearn-hist-gradient-boosting",
    "XGBoost": "xgboost",
    "LogisticRegression": "sklearn-logistic-regression",
    "RUSBoost": "imblearn-rus-boost",
    "EasyEnsemble": "imblearn-easy-ensemble",
    "BalancedBagging": "imblearn-balanced-bagging",
}
OURS = {"RareForest": "rare-forest"}

AXIS = {"splitter": "random", "n_cuts": 1}
ONE_CUT = {**AXIS, "criterion": "gini", "leaf": "raw"}
# Ablation: from Extra-Trees to the default, then changes of a single part of the default.
STEPS: dict[str, dict[str, Any]] = {
    "one random cut, Gini impurity, raw leaves (Extra-Trees)": ONE_CUT,
    "+ Hellinger distance": {**ONE_CUT, "criterion": "hellinger"},
    "+ Laplace leaves": {**AXIS, "leaf": "laplace"},
    "+ shrunk leaves instead of Laplace leaves": AXIS,
    "+ ten cuts": {**AXIS, "n_cuts": 10},
    "+ lines through two points instead of cuts": {"oblique_draw": "points"},
    "+ lines in a random direction (the default)": {},
    "default with raw leaves": {"leaf": "raw"},
    "default with Laplace leaves": {"leaf": "laplace"},
    "default with shrinkage 10": {"leaf_strength": 10.0},
    "default with Gini impurity": {"criterion": "gini"},
    "default with entropy": {"criterion": "entropy"},
    "default with planes over three features": {"oblique_dim": 3},
    "default with bootstrap": {"bootstrap": True},
    "default with balanced bootstrap": {"bootstrap": True, "balance": True},
}


def _registered(label: str, name: str) -> Factory:
    def make(trees: int) -> Any:
        # A member of EasyEnsemble is an AdaBoost of 50 stumps; ten members have 500.
        n = max(10, -(-trees // 50)) if label == "EasyEnsemble" else trees
        return make_model(name, n_estimators=n, n_jobs=1)

    return make


def _step(params: dict[str, Any]) -> Factory:
    return lambda trees: RareForestClassifier(trees, n_jobs=1, **params)


def chosen_models(wanted: str, variants: str | None, trees: int) -> dict[str, Any]:
    """Models by comma-separated names ("peers", "rarewood", "steps", "all": groups), in order.

    `variants` is a Python file with a dict VARIANTS of name to function of the number of trees.
    Models whose library is not installed are skipped.
    """
    extra = runpy.run_path(variants, run_name="variants")["VARIANTS"] if variants else {}
    known = {label: _registered(label, name) for label, name in (PEERS | OURS).items()}
    known |= {name: _step(params) for name, params in STEPS.items()} | extra
    groups = {"peers": list(PEERS), "rarewood": list(OURS), "steps": list(STEPS)}
    groups |= {"variants": list(extra), "all": [*PEERS, *OURS]}
    names = [name for word in wanted.split(",") for name in groups.get(word, [word])]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"Unknown model: {', '.join(unknown)}. Models: {', '.join(known)}")
    found = {}
    for name in names:
        try:
            found[name] = prepared(known[name](trees))
        except ImportError as error:
            print(f"{name} skipped: {error}", flush=True)
    return found


def _members(outcome: Outcome) -> float:
    """Return the number of members; boosting may stop before the requested number."""
    model = outcome.model.steps[-1][1]
    return float(len(getattr(model, "estimators_", ())) or "nan")


MEMBERS = Metric("members", _members)
