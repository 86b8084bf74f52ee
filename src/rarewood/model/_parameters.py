"""What the parameters may be, and what they mean for a table of a given size."""

from __future__ import annotations

from math import ceil, log2, sqrt
from numbers import Integral, Real
from typing import Any

import numpy as np

from rarewood import _core
from rarewood._validation import Interval, RealNotInt, StrOptions

__all__ = [
    "CONSTRAINTS",
    "FOREST_CONSTRAINTS",
    "check_codes_suffice",
    "grow_options",
    "hyperplane_dim",
    "impurity",
    "leaf_strength",
    "pruning",
    "pruning_options",
]

_LARGEST = 2**31 - 1  # a larger limit limits nothing
_THRESHOLDS = {"fisher": 0.01, "error": 0.25, "cost_complexity": 0.0}
_LEAVES = {entry["name"] for entry in _core.leaf_entries()}

# In scikit-learn's notation, so that its messages say what is allowed.
CONSTRAINTS: dict[str, list[Any]] = {
    "max_depth": [Interval(Integral, 1, None, closed="left"), None],
    "min_samples_split": [
        Interval(Integral, 2, None, closed="left"),
        Interval(RealNotInt, 0.0, 1.0, closed="right"),
    ],
    "min_samples_leaf": [
        Interval(Integral, 1, None, closed="left"),
        Interval(RealNotInt, 0.0, 1.0, closed="neither"),
    ],
    "min_weight_fraction_leaf": [Interval(Real, 0.0, 0.5, closed="both")],
    "max_features": [
        Interval(Integral, 1, None, closed="left"),
        Interval(RealNotInt, 0.0, 1.0, closed="right"),
        StrOptions({"sqrt", "round_sqrt", "log2"}),
        None,
    ],
    "max_leaf_nodes": [Interval(Integral, 2, None, closed="left"), None],
    "min_gain": [Interval(Real, None, None, closed="neither")],
    "pruning": [StrOptions({"fisher", "error", "cost_complexity"}), None],
    "pruning_threshold": [Interval(Real, 0.0, None, closed="left"), None],
    "n_cuts": [Interval(Integral, 1, None, closed="left"), None],
    "hyperplane_dim": [Interval(Integral, 1, _LARGEST, closed="both")],
    "hyperplane": [StrOptions({"points", "direction"})],
    "max_bins": [Interval(Integral, 2, 255, closed="both"), None],
    "leaf": [StrOptions(_LEAVES)],
    "leaf_strength": [Interval(Real, 0.0, None, closed="left"), None],
    "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
    "categorical_split": [StrOptions({"subset", "multiway", "onehot"})],
    "class_weight": [dict, StrOptions({"balanced"}), None],
    # scikit-learn allows 32 bits; the trees of a forest have seeds of 64.
    "random_state": [Interval(Integral, 0, 2**64 - 1, closed="both"), np.random.RandomState, None],
    "n_jobs": [Integral, None],
}
FOREST_CONSTRAINTS: dict[str, list[Any]] = {
    **CONSTRAINTS,
    "n_estimators": [Interval(Integral, 1, None, closed="left")],
    "bootstrap": ["boolean"],
    "balance": ["boolean"],
    "max_samples": [
        Interval(Integral, 1, None, closed="left"),
        Interval(RealNotInt, 0.0, None, closed="neither"),
        None,
    ],
    "hyperplane_dim": [*CONSTRAINTS["hyperplane_dim"], StrOptions({"auto"})],
    "class_weight": [dict, StrOptions({"balanced", "balanced_subsample"}), None],
    "oob_score": ["boolean", callable],
    "warm_start": ["boolean"],
    "verbose": ["verbose"],
}


def grow_options(
    estimator: Any, shape: tuple[int, ...], total_weight: float, seed: int
) -> dict[str, Any]:
    """Return the options of the core for a tree that is grown on a table of a given shape."""
    n_rows, n_features = shape
    min_samples_leaf = _rows(estimator.min_samples_leaf, n_rows)
    min_samples_split = max(2, _rows(estimator.min_samples_split, n_rows))
    return {
        "max_depth": _limit(estimator.max_depth),
        "min_samples_split": max(min_samples_split, 2 * min_samples_leaf),
        "min_samples_leaf": min_samples_leaf,
        "min_weight_leaf": float(estimator.min_weight_fraction_leaf * total_weight),
        "max_features": _columns(estimator.max_features, n_features),
        "max_leaf_nodes": _limit(estimator.max_leaf_nodes),
        "min_gain": float(estimator.min_gain),
        "n_cuts": _limit(estimator.n_cuts),
        "hyperplane_dim": hyperplane_dim(estimator),
        "hyperplane": estimator.hyperplane,
        "categorical_split": estimator.categorical_split,
        "seed": seed,
    }


def hyperplane_dim(estimator: Any) -> int:
    """Return how many columns a split combines; "auto": two where cuts are drawn at random."""
    if estimator.hyperplane_dim == "auto":
        return 1 if estimator.n_cuts is None else 2
    if estimator.hyperplane_dim > 1 and estimator.n_cuts is None:
        raise ValueError(
            f"hyperplane_dim={estimator.hyperplane_dim} needs n_cuts: hyperplanes are drawn at "
            "random, and n_cuts says how many for each column. Set n_cuts, for example to 10, or "
            "hyperplane_dim=1."
        )
    return int(estimator.hyperplane_dim)


def check_codes_suffice(estimator: Any, where: str = "a table that is read in batches") -> None:
    """Raise unless trees can be grown from the codes of a table, without its values.

    Parameters
    ----------
    estimator : RareTreeClassifier or RareForestClassifier
        Its parameters say how trees are grown.
    where : str
        What has no values at hand, for the message.
    """
    if estimator.max_bins is None:
        raise ValueError(
            f"Fitting on {where} needs max_bins: columns are cut into bins, and only the numbers "
            "of the bins are kept. Set max_bins=255, the finest."
        )
    if hyperplane_dim(estimator) > 1:
        raise ValueError(
            f"Hyperplanes (hyperplane_dim={estimator.hyperplane_dim!r}) are drawn on the values of "
            f"the columns, and a fit on {where} keeps only the numbers of the bins. Set "
            "hyperplane_dim=1, or n_cuts=None for the best cuts."
        )


def leaf_strength(estimator: Any, n_classes: int) -> float:
    """Return the strength of smoothing, by default one that suits the kind of leaf."""
    if estimator.leaf_strength is not None:
        return float(estimator.leaf_strength)
    return _core.default_leaf_strength(estimator.leaf, n_classes)


def pruning(estimator: Any, *, tests_leaves: bool = False) -> _core.Pruning:
    """Return how trees are pruned."""
    return _core.Pruning(**pruning_options(estimator), tests_leaves=tests_leaves)


def pruning_options(estimator: Any) -> dict[str, Any]:
    """Return what the core's pruning is made with, and a threshold that suits its kind."""
    kind, threshold = estimator.pruning, estimator.pruning_threshold
    if kind is None:
        return {}
    if threshold is None:
        threshold = _THRESHOLDS[kind]
    if kind == "fisher" and not threshold <= 1:
        raise ValueError(
            f"pruning_threshold={threshold!r} must be a p-value, from 0 to 1, when pruning is "
            "'fisher'. CCPDT uses 0.01."
        )
    if kind == "error" and not 0 < threshold <= 0.5:
        raise ValueError(
            f"pruning_threshold={threshold!r} must be a confidence factor, above 0 and at most "
            "0.5, when pruning is 'error'. C4.5 uses 0.25."
        )
    return {
        "kind": kind,
        "threshold": float(threshold),
        "impurity": impurity(estimator.criterion),
    }


def impurity(criterion: Any) -> str:
    """Return the impurity that cost-complexity pruning counts, for the criterion of a tree."""
    return "entropy" if criterion in ("entropy", "gain_ratio") else "gini"


def _limit(limit: int | None) -> int:
    """Return a limit as the core takes it: 0 for none."""
    return 0 if limit is None else min(int(limit), _LARGEST)


def _rows(rows: float, n_rows: int) -> int:
    """Return a number of rows, given as such or as a share."""
    return min(int(rows), _LARGEST) if isinstance(rows, Integral) else ceil(rows * n_rows)


def _columns(max_features: float | str | None, n_features: int) -> int:
    """Return how many columns each node looks at."""
    if max_features is None:
        return n_features
    if max_features == "round_sqrt":
        return round(sqrt(n_features))
    if isinstance(max_features, str):
        return max(1, int((sqrt if max_features == "sqrt" else log2)(n_features)))
    if isinstance(max_features, Integral):
        return min(int(max_features), n_features)
    return max(1, int(max_features * n_features))
