"""Valid values of the parameters, and their meaning for a table of a given size."""

from __future__ import annotations

from math import ceil, log2, sqrt
from numbers import Integral, Real
from typing import Any, get_args

import numpy as np

from rarewood import _core
from rarewood._validation import HasMethods, Interval, RealNotInt, StrOptions
from rarewood.model._pruning import METHODS
from rarewood.model._types import (
    CategoricalSplit,
    MaxFeatures,
    ObliqueDraw,
    PruningName,
    Splitter,
)

# Larger tables are encoded for oblique splits, with max_bins="auto".
CODED_SAMPLES = 20_000
# Samples of a class from which the hyperplane of a node is chosen, over values and coordinates.
SPLIT_SAMPLES, CODED_SPLIT_SAMPLES = 2_048, 256
_LARGEST = 2**31 - 1  # a larger limit limits nothing
_MOST_TREES = 1_000_000
# A node evaluates all of its random cuts: beyond this number the exact search is faster.
_MOST_CUTS = 2**16
_MOST_CUT_COUNTS = 2**26  # cuts of a node times classes, each of which takes 20 bytes


def _one_of(choices: Any) -> Any:
    """Return the constraint of a Literal type."""
    return StrOptions(set(get_args(choices)))


# Parameters of a tree except the criterion, with constraints of scikit-learn, whose messages name
# the valid values.
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
        _one_of(MaxFeatures),
        None,
    ],
    "max_leaf_nodes": [Interval(Integral, 2, None, closed="left"), None],
    "min_gain": [Interval(Real, 0.0, None, closed="left")],
    "pruning": [_one_of(PruningName), *METHODS.values(), None],
    "splitter": [_one_of(Splitter)],
    "n_cuts": [Interval(Integral, 1, _MOST_CUTS, closed="both")],
    "oblique_dim": [Interval(Integral, 2, _LARGEST, closed="both")],
    "oblique_draw": [_one_of(ObliqueDraw)],
    "split_samples": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"}), None],
    "max_bins": [Interval(Integral, 2, 255, closed="both"), StrOptions({"auto"}), None],
    "leaf": [StrOptions({entry["name"] for entry in _core.leaf_entries()})],
    "leaf_strength": [Interval(Real, 0.0, None, closed="left"), StrOptions({"auto"}), None],
    "collapse": [Interval(Real, 0.0, None, closed="left"), StrOptions({"auto"})],
    "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
    "categorical_split": [_one_of(CategoricalSplit)],
    "monotonic_cst": ["array-like", dict, None],
    "class_weight": [dict, StrOptions({"balanced"}), None],
    # scikit-learn allows 32 bits; the seeds of the trees of a forest have 64.
    "random_state": [Interval(Integral, 0, 2**64 - 1, closed="both"), np.random.RandomState, None],
    "n_jobs": [
        Interval(Integral, 1, _LARGEST, closed="both"),
        Interval(Integral, -_LARGEST, -1, closed="both"),
        None,
    ],
}
FOREST_CONSTRAINTS: dict[str, list[Any]] = {
    **CONSTRAINTS,
    "n_estimators": [Interval(Integral, 1, _MOST_TREES, closed="both"), StrOptions({"auto"})],
    "bootstrap": ["boolean"],
    "balance": ["boolean", Real, str, HasMethods("class_sizes")],
    "max_samples": [
        Interval(Integral, 1, None, closed="left"),
        Interval(RealNotInt, 0.0, None, closed="neither"),
        None,
    ],
    "class_weight": [dict, StrOptions({"balanced", "balanced_subsample"}), None],
    "oob_score": ["boolean", str, callable],
    "warm_start": ["boolean"],
    "verbose": ["verbose"],
}


def grow_options(
    estimator: Any, shape: tuple[int, ...], total_weight: float, seed: int, is_coded: bool
) -> dict[str, Any]:
    """Return the options of the core for a tree that is grown on a table of a given shape.

    ``is_coded`` says whether hyperplanes compare coordinates of bins.
    """
    n_rows, n_features = shape
    is_oblique = estimator.splitter == "oblique"
    # The default of 2 is valid for a single feature, of which random cuts are drawn.
    if is_oblique and estimator.oblique_dim > max(n_features, 2):
        raise ValueError(
            f"oblique_dim={estimator.oblique_dim} exceeds the number of features, {n_features}. "
            f"Set oblique_dim to at most {max(n_features, 2)}."
        )
    min_samples_leaf = _n_samples(estimator.min_samples_leaf, n_rows)
    min_samples_split = max(2, _n_samples(estimator.min_samples_split, n_rows))
    fraction = estimator.min_weight_fraction_leaf
    return {
        "max_depth": _limit(estimator.max_depth),
        "min_samples_split": max(min_samples_split, 2 * min_samples_leaf),
        "min_samples_leaf": min_samples_leaf,
        "min_weight_leaf": float(fraction * total_weight) if fraction else 0.0,
        "max_features": _n_considered(estimator.max_features, n_features),
        "max_leaf_nodes": _limit(estimator.max_leaf_nodes),
        "min_gain": float(estimator.min_gain),
        "n_cuts": 0 if estimator.splitter == "best" else int(estimator.n_cuts),
        "oblique_dim": int(estimator.oblique_dim) if is_oblique else 1,
        "oblique_draw": estimator.oblique_draw,
        "split_samples": _split_samples(estimator, is_coded),
        "categorical_split": estimator.categorical_split,
        "seed": seed,
    }


def check_n_cuts(estimator: Any, n_classes: int) -> None:
    """Raise an error if the class counts of the random cuts of a node need much memory."""
    if estimator.splitter != "best" and estimator.n_cuts * n_classes > _MOST_CUT_COUNTS:
        raise ValueError(
            f"n_cuts={estimator.n_cuts} is too large for {n_classes} classes: a node counts the "
            f"samples of each class for every cut. Set n_cuts to at most "
            f"{_MOST_CUT_COUNTS // n_classes}."
        )


def _split_samples(estimator: Any, is_coded: bool) -> int:
    """Return the samples of a class on which a node chooses its hyperplane; 0 for all."""
    if estimator.split_samples == "auto":
        return CODED_SPLIT_SAMPLES if is_coded else SPLIT_SAMPLES
    return _limit(estimator.split_samples)


def is_piloted(estimator: Any) -> bool:
    """Whether a pilot chooses the leaf strength or the collapse."""
    return "auto" in (estimator.leaf_strength, estimator.collapse)


def coded_bins(estimator: Any, n_samples: int, fitted: Any = None) -> int | None:
    """Return the number of bins whose coordinates oblique splits compare; None for raw values.

    ``n_samples`` are those with nonzero weight, and ``fitted`` is the schema of a model to which
    trees are added.
    """
    if estimator.splitter != "oblique":
        return None
    if fitted is not None:
        return None if fitted.bins is None else int(fitted.bins.max_bins)
    if estimator.max_bins == "auto":
        return _core.MAX_BINS if n_samples > CODED_SAMPLES else None
    return None if estimator.max_bins is None else int(estimator.max_bins)


def cut_bins(estimator: Any) -> int | None:
    """Return the number of bins at whose edges other splits are; None for exact cuts."""
    is_binned = estimator.splitter != "oblique" and estimator.max_bins not in ("auto", None)
    return int(estimator.max_bins) if is_binned else None


def check_codes_suffice(estimator: Any) -> None:
    """Raise unless trees can be grown from the bin codes of a table that is read in batches."""
    if estimator.splitter != "oblique":
        _check_max_bins(estimator, "a table that is read in batches")
    elif estimator.max_bins is None:
        raise ValueError(
            "max_bins=None compares raw values, and a fit on a table that is read in batches keeps "
            "only bin codes. Set max_bins='auto', or read the table into memory."
        )


def check_shards_suffice(estimator: Any) -> None:
    """Raise unless trees can be grown from the bin codes of rows on a cluster."""
    if estimator.splitter != "oblique":
        return _check_max_bins(estimator, "a Dask cluster")
    remedy = "or fit a forest with strategy='trees'."
    if estimator.max_bins is None:
        raise ValueError(
            "max_bins=None compares raw values, and where rows are distributed over a Dask cluster "
            f"workers keep only bin codes. Set max_bins=255, {remedy}"
        )
    if estimator.split_samples is None:
        raise ValueError(
            "split_samples=None chooses a hyperplane on all samples of a node, which are on many "
            f"workers where rows are distributed. Set split_samples='auto', {remedy}"
        )
    if estimator.max_leaf_nodes is not None:
        raise ValueError(
            "Hyperplanes (splitter='oblique') with max_leaf_nodes need the rows of all open nodes, "
            "which are on many workers where rows are distributed. Set max_leaf_nodes=None, "
            f"{remedy}"
        )


def check_compares_values(fitted: Any) -> None:
    """Raise if trees with cuts at edges of bins are to be added to a forest over coordinates."""
    if fitted is not None and fitted.bins is not None:
        raise ValueError(
            "warm_start=True adds trees to a forest that compares coordinates of bins, and cuts "
            "from bin codes are at edges. Set splitter='oblique', or warm_start=False to grow a "
            "new forest."
        )


def _check_max_bins(estimator: Any, where: str) -> None:
    if estimator.max_bins in ("auto", None):
        raise ValueError(
            f"Fitting on {where} needs max_bins: features are divided into bins, and only the bin "
            "codes are kept. Set max_bins=255, the finest."
        )


def leaf_strength(estimator: Any, n_classes: int) -> float:
    """Return the strength of the smoothing, by default that of the leaf estimator."""
    if estimator.leaf_strength in (None, "auto"):
        return _core.default_leaf_strength(estimator.leaf, n_classes)
    return float(estimator.leaf_strength)


def too_weak(strength: float, fitted: float) -> str:
    """Return the reason why trees that were collapsed cannot have a weaker leaf strength."""
    return (
        f"leaf_strength={strength:g} is weaker than {fitted:g}, with which the existing trees were "
        "collapsed: the subtrees it needs are gone."
    )


def _limit(limit: int | None) -> int:
    """Return a limit in the convention of the core: 0 for none."""
    return 0 if limit is None else min(int(limit), _LARGEST)


def _n_samples(rows: float, n_rows: int) -> int:
    """Return a number of samples, given as such or as a fraction."""
    return min(int(rows), _LARGEST) if isinstance(rows, Integral) else ceil(rows * n_rows)


def _n_considered(max_features: float | str | None, n_features: int) -> int:
    """Return the number of features considered in each node."""
    if max_features is None:
        return n_features
    if max_features == "round_sqrt":
        return round(sqrt(n_features))
    if isinstance(max_features, str):
        return max(1, int((sqrt if max_features == "sqrt" else log2)(n_features)))
    if isinstance(max_features, Integral):
        return min(int(max_features), n_features)
    return max(1, int(max_features * n_features))
