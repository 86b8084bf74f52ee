"""The forests that are raced: ours and those of other libraries, with settings that agree.

Wherever a library lets us choose, both sides grow the same: 5 of 30 columns in each node, leaves of
one row, no limit of depth, two threads, no out-of-bag estimate. What cannot be made equal is said
in NOTES. Libraries are imported when they are needed, so that one can be missing.
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
N_COLUMNS = 5  # the square root of 30, cut off: what "sqrt" is for scikit-learn and for us
N_LEAVES = 255  # where the number of leaves is limited
PACKAGES = ("rarewood", "scikit-learn", "imbalanced-learn", "lightgbm", "ydf", "numpy")

NOTES = (
    "scikit-learn's and imbalanced-learn's forests run with `n_jobs=2`, which are threads of the "
    "same process. `BalancedRandomForestClassifier` draws as ours does: with replacement, all "
    "classes, no further bootstrap.",
    "YDF splits by information gain only, so it meets our entropy forest as well as the Gini "
    "forest. Its defaults would stop at depth 16 and at 5 rows, let each tree vote for one class, "
    "and compute the out-of-bag estimate; all that is set to what the others do. Discretized "
    "columns have 255 bins.",
    "LightGBM runs in its mode `rf`, with leaves of one row and without regularisation. It draws "
    "63.2% of the rows without replacement, about as many different rows as a bootstrap sample has "
    "(ours also counts how often each was drawn). Its gain is then that of Gini. "
    "`feature_fraction_bynode` limits where it looks for splits, but it counts all columns all the "
    "same. Its threads spin while they wait for each other, which counts as CPU time, so its "
    "target is that of the row with one thread.",
)


@dataclass(frozen=True)
class Contender:
    """How to fit a forest, predict with it, and count its leaves."""

    fit: Callable[[np.ndarray, np.ndarray, int], Any]
    predict: Callable[[Any, np.ndarray], np.ndarray]  # probabilities
    n_leaves: Callable[[Any], float]  # of a tree, on average


def _estimator(make: Callable[..., Any], n_jobs: int = THREADS, **parameters: Any) -> Contender:
    """Return a contender with scikit-learn's interface, be it ours or not."""
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
        n_leaves=lambda model: float(
            np.mean([tree["num_leaves"] for tree in model.dump_model()["tree_info"]])
        ),
    )


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
    "LightGBM rf": lambda: _lightgbm(THREADS),
    "LightGBM rf, one thread": lambda: _lightgbm(1),
    "YDF RandomForest": _ydf,
    "YDF, discretized": lambda: _ydf(**_DISCRETIZED),
    "YDF, discretized, 255 leaves": lambda: _ydf(
        growing_strategy="BEST_FIRST_GLOBAL", max_num_nodes=N_LEAVES, **_DISCRETIZED
    ),
}
