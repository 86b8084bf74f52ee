"""Growth of a forest, or of the trees that are added to one."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood._callbacks import task_counter
from rarewood._progress import progress_if
from rarewood._validation import number_of_threads, seed_from
from rarewood.model._fitted_forest import FittedForest
from rarewood.model._forest_size import n_trees_of
from rarewood.model._growth import Growth
from rarewood.model._make_growth import LeafSettings, make_growth
from rarewood.model._parameters import CONSTRAINTS, leaf_strength, too_weak
from rarewood.model._pilot import Pilot, fit_leaves
from rarewood.model._row_sampling import RowSampling, row_sampling
from rarewood.model._training_data import TrainingData


def grow_forest(
    forest: Any, data: TrainingData, before: FittedForest | None, groups: NDArray[Any] | None = None
) -> tuple[FittedForest, Pilot | None]:
    """Grow the forest of an estimator, or add trees to the one of its last fit.

    The result is ``before`` itself if there is nothing to add. The pilot is that of this fit.
    """
    sampling = row_sampling(forest, data)
    if before is not None:
        _check_same_table(before, data, sampling)
        if not _is_larger(forest, before):
            return before, None
    n_before = 0 if before is None else len(before)
    seed = seed_from(forest.random_state) if before is None else before.seed
    leaves, pilot = _leaves(forest, data, before, seed, groups)
    n_trees = n_trees_of(forest, data, leaves, seed, groups)
    if before is not None and n_trees <= n_before:
        return before, None
    growth = make_growth(forest, data, sampling, seed, range(n_before, n_trees), leaves)
    if before is not None:
        _check_same_constraints(before, growth)
    with progress_if(forest.verbose, len(growth)) as progress:
        trees, has_missing = data.grow(
            growth,
            number_of_threads(forest.n_jobs),
            _both(progress, task_counter(forest, len(growth))),
        )
    grown = FittedForest(
        compiled_trees=trees,
        schema=replace(data.schema, has_missing=has_missing),
        classes=data.classes,
        leaf=leaves.leaf,
        leaf_strength=leaves.strength,
        collapse=leaves.collapse,
        seed=seed,
        row_sampling=sampling,
        criteria=growth.criteria,
        parameters=[_tree_parameters(forest, leaves)] * len(growth),
        max_features=[growth.options["max_features"]] * len(growth),
    )
    return (grown if before is None else grown.after(before)), pilot


def _both(
    one: Callable[[int], object] | None, other: Callable[[int], object] | None
) -> Callable[[int], object] | None:
    """Return a function that calls both, if there are two."""
    if one is None or other is None:
        return one or other
    return lambda n_done: (one(n_done), other(n_done))


def _leaves(
    forest: Any, data: TrainingData, before: FittedForest | None, seed: int,
    groups: NDArray[Any] | None,
) -> tuple[LeafSettings, Pilot | None]:  # fmt: skip
    """Return the leaf settings of a fit; values that are "auto" are those of the trees before."""
    if before is None:
        return fit_leaves(forest, data, seed, groups)
    strength, collapse = before.leaf_strength, before.collapse
    if forest.leaf_strength != "auto":
        strength = leaf_strength(forest, len(data.classes))
    if before.collapse > 0 and strength < before.leaf_strength:
        raise ValueError(
            f"{too_weak(strength, before.leaf_strength)} Set warm_start=False to grow a new "
            "forest, or keep the leaf_strength."
        )
    if forest.collapse != "auto":
        collapse = float(forest.collapse)
    return LeafSettings(forest.leaf, strength, collapse), None


def _is_larger(forest: Any, before: FittedForest) -> bool:
    """Whether there may be trees to add; an error if there are too many already."""
    if forest.n_estimators == "auto":
        return True
    if forest.n_estimators < len(before):
        raise ValueError(
            f"n_estimators={forest.n_estimators} must be larger or equal to "
            f"len(estimators_)={len(before)} when warm_start==True. Trees are only added: set "
            "warm_start=False to grow fewer."
        )
    if forest.n_estimators == len(before):
        warnings.warn(
            "Warm-start fitting without increasing n_estimators does not fit new trees.",
            stacklevel=7,
        )
    return bool(forest.n_estimators > len(before))


def _tree_parameters(forest: Any, leaves: LeafSettings) -> dict[str, Any]:
    """Return the parameters of the trees that are the same for all of them."""
    names = sorted(CONSTRAINTS.keys() - {"random_state"})
    parameters = {name: getattr(forest, name) for name in names}
    for name, value in (("leaf_strength", leaves.strength), ("collapse", leaves.collapse)):
        if parameters[name] == "auto":
            parameters[name] = value
    if forest.class_weight == "balanced_subsample":
        parameters["class_weight"] = "balanced"  # the same for the samples of a tree
    return parameters


def _check_same_constraints(before: FittedForest, growth: Growth) -> None:
    if before.compiled_trees[0].monotonic.tolist() != growth.options.get("monotonic", []):
        raise ValueError(
            "warm_start=True adds trees to a forest with other monotonic_cst. Set the same "
            "constraints, or warm_start=False to grow a new forest."
        )


def _check_same_table(before: FittedForest, data: TrainingData, sampling: RowSampling) -> None:
    remedy = "Set warm_start=False to grow a new forest."
    if not np.array_equal(before.classes, data.classes):
        raise ValueError(
            f"warm_start=True adds trees to a forest for the classes {before.classes.tolist()}, "
            f"but y has the classes {data.classes.tolist()}. {remedy}"
        )
    if not sampling.agrees_with(before.row_sampling):
        raise ValueError(
            "warm_start=True adds trees with the row sampling of the existing ones, but the "
            f"rows, bootstrap, balance or max_samples have changed. {remedy}"
        )
