"""The models of the accuracy comparison: name -> a function of (number of trees, seed).

Everything but the number of trees is each library's default; one thread each. Data sets are not
tuned for. Libraries are imported when a model is made, so that one can be missing.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable
from typing import Any

from steps import VARIANTS as STEPS

Factory = Callable[[int, int], Any]

PACKAGES = {
    "sklearn": "scikit-learn",
    "imblearn": "imbalanced-learn",
    "lightgbm": "lightgbm",
    "xgboost": "xgboost",
    "rarewood": "rarewood",
}


def _extra_trees(trees: int, seed: int) -> Any:
    from sklearn.ensemble import ExtraTreesClassifier

    return ExtraTreesClassifier(n_estimators=trees, n_jobs=1, random_state=seed)


def _random_forest(trees: int, seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(n_estimators=trees, n_jobs=1, random_state=seed)


def _balanced_random_forest(trees: int, seed: int) -> Any:
    from imblearn.ensemble import BalancedRandomForestClassifier

    return BalancedRandomForestClassifier(n_estimators=trees, n_jobs=1, random_state=seed)


def _lightgbm(trees: int, seed: int) -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_estimators=trees, n_jobs=1, random_state=seed, verbose=-1)


def _hist_gradient_boosting(trees: int, seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(max_iter=trees, random_state=seed)


def _xgboost(trees: int, seed: int) -> Any:
    from xgboost import XGBClassifier

    return XGBClassifier(n_estimators=trees, n_jobs=1, random_state=seed)


def _logistic_regression(trees: int, seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=10_000, random_state=seed))


def _easy_ensemble(trees: int, seed: int) -> Any:
    from imblearn.ensemble import EasyEnsembleClassifier

    # Each member is an AdaBoost of 50 stumps. The usual ten have 500, more than the others' trees.
    members = max(10, -(-trees // 50))
    return EasyEnsembleClassifier(n_estimators=members, n_jobs=1, random_state=seed)


def _balanced_bagging(trees: int, seed: int) -> Any:
    from imblearn.ensemble import BalancedBaggingClassifier

    return BalancedBaggingClassifier(n_estimators=trees, n_jobs=1, random_state=seed)


def _rus_boost(trees: int, seed: int) -> Any:
    from imblearn.ensemble import RUSBoostClassifier

    return RUSBoostClassifier(n_estimators=trees, random_state=seed)


def _rare_forest(trees: int, seed: int) -> Any:
    from rarewood import RareForestClassifier

    return RareForestClassifier(n_estimators=trees, n_jobs=1, random_state=seed)


# In the order in which they run: the strongest peers' results are wanted first.
PEERS: dict[str, Factory] = {
    "ExtraTrees": _extra_trees,
    "RandomForest": _random_forest,
    "BalancedRandomForest": _balanced_random_forest,
    "LightGBM": _lightgbm,
    "HistGradientBoosting": _hist_gradient_boosting,
    "XGBoost": _xgboost,
    "LogisticRegression": _logistic_regression,
    "RUSBoost": _rus_boost,
    "EasyEnsemble": _easy_ensemble,
    "BalancedBagging": _balanced_bagging,
}
OURS: dict[str, Factory] = {
    "RareForest": _rare_forest,
}


def contenders(wanted: str, variants: str | None) -> dict[str, Factory]:
    """Models by comma-separated names ("peers", "ours", "steps", "all": groups), in order.

    `variants` is a Python file with a dict VARIANTS of further models.
    """
    extra = runpy.run_path(variants, run_name="variants")["VARIANTS"] if variants else {}
    known = PEERS | OURS | STEPS | extra
    groups = {"peers": list(PEERS), "ours": list(OURS), "steps": list(STEPS)}
    groups |= {"variants": list(extra), "all": [*PEERS, *OURS]}
    chosen = [name for word in wanted.split(",") for name in groups.get(word, [word])]
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise SystemExit(f"no such model: {', '.join(unknown)}; known: {', '.join(known)}")
    return {name: known[name] for name in chosen}
