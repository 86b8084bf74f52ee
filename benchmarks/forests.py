"""Forests of rarewood and other libraries with matching settings.

If a library allows it, all forests use 5 of 30 features per node, leaves of one sample, unlimited
depth, two threads and no out-of-bag estimate. NOTES lists the differences that remain. Libraries
are imported on demand, so that one can be missing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rarewood import RareForestClassifier, presets
from rarewood.workflow import make_model

THREADS = 2
N_COLUMNS = 5  # int(sqrt(30)), as "sqrt" in scikit-learn and rarewood
N_LEAVES = 255  # of forests with limited leaves
PACKAGES = ("rarewood", "scikit-learn", "imbalanced-learn", "lightgbm", "ydf", "numpy")

NOTES = (
    "scikit-learn and imbalanced-learn run with `n_jobs=2` (threads). "
    "`BalancedRandomForestClassifier` samples like rarewood: with replacement, all classes, "
    "without an additional bootstrap.",
    "YDF supports only information gain and is compared with the entropy forest and the Gini "
    "forest. Its defaults (depth 16, at least 5 samples per node, majority vote of the trees, "
    "out-of-bag estimate) are changed to match the others. Discretized features have 255 bins.",
    "LightGBM runs in mode `rf`, with leaves of one sample and without regularisation. It draws "
    "63.2% of the samples without replacement, about as many distinct samples as a bootstrap. Its "
    "gain is then equivalent to Gini impurity. `feature_fraction_bynode` limits the candidate "
    "features, but histograms of all features are built. Its threads spin while waiting, which "
    "counts as CPU time, so the target refers to the row with one thread. Without `rf`, LightGBM "
    "is gradient boosting with its defaults.",
)


@dataclass(frozen=True)
class Contender:
    """How to fit a forest, predict with it, and count its leaves."""

    fit: Callable[[np.ndarray, np.ndarray, int], Any]
    predict: Callable[[Any, np.ndarray], np.ndarray]  # probabilities
    n_leaves: Callable[[Any], float]  # of a tree, on average


def _estimator(make: Callable[..., Any], n_jobs: int = THREADS, **parameters: Any) -> Contender:
    """Return a contender with the scikit-learn API."""
    return Contender(
        fit=lambda X, y, n_trees: make(
            n_estimators=n_trees, n_jobs=n_jobs, random_state=0, **parameters
        ).fit(X, y),
        predict=lambda model, X: model.predict_proba(X),
        n_leaves=lambda model: float(np.mean([t.get_n_leaves() for t in model.estimators_])),
    )


def _registered(name: str, **parameters: Any) -> Contender:
    """Return a model of the registry."""
    return _estimator(partial(make_model, name), max_features="sqrt", **parameters)


def _lightgbm(n_threads: int) -> Contender:
    import lightgbm

    parameters = {
        "boosting": "rf",
        "objective": "binary",
        "bagging_freq": 1,
        "bagging_fraction": 0.632,
        "feature_fraction_bynode": N_COLUMNS / 30,
        "max_bin": 255,
        "num_leaves": N_LEAVES,
        "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0.0,
        "num_threads": n_threads,
        "seed": 0,
        "verbose": -1,
    }
    return Contender(
        fit=lambda X, y, n_trees: lightgbm.train(
            parameters, lightgbm.Dataset(X, y), num_boost_round=n_trees
        ),
        predict=lambda model, X: model.predict(X, num_threads=n_threads),
        n_leaves=_lightgbm_leaves,
    )


def _boosting() -> Contender:
    """Return gradient boosting of LightGBM with its defaults, apart from the number of trees."""
    return Contender(
        fit=lambda X, y, n_trees: make_model(
            "lightgbm", n_estimators=n_trees, n_jobs=THREADS, random_state=0
        ).fit(X, y),
        predict=lambda model, X: model.predict_proba(X),
        n_leaves=lambda model: _lightgbm_leaves(model[-1].booster_),
    )


def _lightgbm_leaves(model: Any) -> float:
    return float(np.mean([tree["num_leaves"] for tree in model.dump_model()["tree_info"]]))


def _ydf(**parameters: Any) -> Contender:
    import ydf

    def fit(X: np.ndarray, y: np.ndarray, n_trees: int) -> Any:
        learner = ydf.RandomForestLearner(
            label="y",
            num_trees=n_trees,
            max_depth=-1,
            min_examples=1,
            num_candidate_attributes=N_COLUMNS,
            winner_take_all=False,
            compute_oob_performances=False,
            num_threads=THREADS,
            **parameters,
        )
        return learner.train({"x": X, "y": y}, verbose=0)

    return Contender(
        fit=fit,
        predict=lambda model, X: model.predict({"x": X}, num_threads=THREADS),
        n_leaves=lambda model: (model.num_nodes() / model.num_trees() + 1) / 2,
    )


_LIMITED: dict[str, Any] = {"max_bins": 255, "max_leaf_nodes": N_LEAVES}
_DISCRETIZED: dict[str, Any] = {
    "discretize_numerical_columns": True,
    "num_discretized_numerical_bins": 255,
}

CONTENDERS: dict[str, Callable[[], Contender]] = {
    "random_forest": lambda: _estimator(presets.random_forest),
    "random_forest, entropy": lambda: _estimator(presets.random_forest, criterion="entropy"),
    "balanced_random_forest": lambda: _estimator(presets.balanced_random_forest),
    "extra_trees": lambda: _estimator(presets.extra_trees),
    "hedex": lambda: _estimator(presets.hedex),
    "hedexh": lambda: _estimator(presets.hedexh),
    "RareForestClassifier()": lambda: _estimator(RareForestClassifier),
    "255 bins, entropy": lambda: _estimator(
        presets.random_forest, max_bins=255, criterion="entropy"
    ),
    "255 bins, entropy, 255 leaves": lambda: _estimator(
        presets.random_forest, criterion="entropy", **_LIMITED
    ),
    "255 bins, 255 leaves": lambda: _estimator(presets.random_forest, **_LIMITED),
    "255 bins, 255 leaves, one thread": lambda: _estimator(
        presets.random_forest, n_jobs=1, **_LIMITED
    ),
    "scikit-learn RandomForest": lambda: _registered("sklearn-random-forest"),
    "scikit-learn ExtraTrees": lambda: _registered("sklearn-extra-trees"),
    "imbalanced-learn BalancedRandomForest": lambda: _registered(
        "imblearn-balanced-random-forest",
        replacement=True,
        sampling_strategy="all",
        bootstrap=False,
    ),
    "LightGBM": _boosting,
    "LightGBM rf": lambda: _lightgbm(THREADS),
    "LightGBM rf, one thread": lambda: _lightgbm(1),
    "YDF RandomForest": _ydf,
    "YDF, discretized": lambda: _ydf(**_DISCRETIZED),
    "YDF, discretized, 255 leaves": lambda: _ydf(
        growing_strategy="BEST_FIRST_GLOBAL", max_num_nodes=N_LEAVES, **_DISCRETIZED
    ),
}
