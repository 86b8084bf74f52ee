"""Models of the accuracy comparison: peers and rarewood by their names in the registry.

All parameters except the number of trees are the defaults of each library; one thread each.
Models that take categorical features and missing values get them as they are; for the others
`rarewood.evaluate.compare` encodes and imputes them inside each training fold.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterable
from typing import Any

from rarewood import RareForestClassifier
from rarewood.evaluate import Metric, Outcome
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
    "CatBoost-500": "catboost",
    "CatBoost": "catboost",
    "YdfObliqueForest": "ydf-oblique-forest",
}
# Numbers of members that are not the option --trees. A member of EasyEnsemble is an AdaBoost of 50
# stumps; CatBoost has its default of 1,000 rounds, since its learning rate depends on the number.
SIZES = {"EasyEnsemble": 10, "CatBoost-500": 500, "CatBoost": 1000}
OURS = {"RareForest": "rare-forest"}
PLAIN: dict[str, Any] = {"leaf_strength": None, "collapse": 0.0}  # no pilot
TUNED: dict[str, Any] = {"leaf_strength": "auto", "collapse": "auto"}
AXIS = {**PLAIN, "splitter": "random", "n_cuts": 1}
ONE_CUT = {**AXIS, "criterion": "gini", "leaf": "raw"}
# Ablation: from Extra-Trees to the default, then changes of a single part of the default.
STEPS: dict[str, dict[str, Any]] = {
    "one random cut, Gini impurity, raw leaves (Extra-Trees)": ONE_CUT,
    "+ Hellinger distance": {**ONE_CUT, "criterion": "hellinger"},
    "+ Laplace leaves": {**AXIS, "leaf": "laplace"},
    "+ shrunk leaves instead of Laplace leaves": AXIS,
    "+ ten cuts": {**AXIS, "n_cuts": 10},
    "+ lines through two points instead of cuts": {**PLAIN, "oblique_draw": "points"},
    "+ lines in a random direction": PLAIN,
    "+ strength chosen by the pilot": {**TUNED, "collapse": 0.0},
    "+ collapse chosen by the pilot (the default)": TUNED,
    "default with raw leaves": {**PLAIN, "leaf": "raw"},
    "default with Laplace leaves": {**PLAIN, "leaf": "laplace"},
    "default with Gini impurity": {**TUNED, "criterion": "gini"},
    "default with entropy": {**TUNED, "criterion": "entropy"},
    "default with planes over three features": {**TUNED, "oblique_dim": 3},
    "default with bootstrap": {**TUNED, "bootstrap": True},
    "default with balanced bootstrap": {**TUNED, "bootstrap": True, "balance": True},
}


def _registered(label: str, name: str) -> Factory:
    return lambda trees: make_model(name, n_estimators=SIZES.get(label, trees), n_jobs=1)


def _step(params: dict[str, Any]) -> Factory:
    return lambda trees: RareForestClassifier(trees, n_jobs=1, **params)


def names_of(wanted: str, groups: dict[str, Iterable[str]], known: Iterable[str]) -> list[str]:
    """Return comma-separated names, with those of a group in place of its name."""
    names = [name for word in wanted.split(",") for name in groups.get(word, [word])]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"Unknown model: {', '.join(unknown)}. Models: {', '.join(known)}")
    return names


def installed(names: Iterable[str], make: Callable[[str], Any]) -> dict[str, Any]:
    """Return the models by name, without those whose library is not installed."""
    found = {}
    for name in names:
        try:
            found[name] = make(name)
        except ImportError as error:
            print(f"{name} skipped: {error}", flush=True)
    return found


def chosen_models(wanted: str, variants: str | None, trees: int) -> dict[str, Any]:
    """Models by comma-separated names ("peers", "rarewood", "steps", "all": groups), in order.

    `variants` is a Python file with a dict VARIANTS of name to function of the number of trees.
    """
    extra = runpy.run_path(variants, run_name="variants")["VARIANTS"] if variants else {}
    known = {label: _registered(label, name) for label, name in (PEERS | OURS).items()}
    known |= {name: _step(params) for name, params in STEPS.items()} | extra
    groups = {"peers": PEERS, "rarewood": OURS, "steps": STEPS}
    groups |= {"variants": extra, "all": [*PEERS, *OURS]}
    return installed(names_of(wanted, groups, known), lambda name: known[name](trees))


def _members(outcome: Outcome) -> float:
    """Return the number of members; boosting may stop before the requested number."""
    model = outcome.model
    model = model.steps[-1][1] if hasattr(model, "steps") else model
    return float(len(getattr(model, "estimators_", ())) or "nan")


MEMBERS = Metric("members", _members)
