"""Growth of a forest, or of the trees that are added to one."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from rarewood._progress import progress_if
from rarewood._validation import number_of_threads, seed_from
from rarewood.criteria import for_trees
from rarewood.model._fitted_forest import FittedForest
from rarewood.model._growth import Growth
from rarewood.model._parameters import CONSTRAINTS, grow_options, leaf_strength
from rarewood.model._pruning import core_pruning
from rarewood.model._row_sampling import RowSampling, expected_size, row_sampling
from rarewood.model._training_data import TrainingData


def grow_forest(forest: Any, data: TrainingData, before: FittedForest | None) -> FittedForest:
    """Grow the forest of an estimator, or add trees to the one of its last fit.

    The result is ``before`` itself if there is nothing to add.
    """
    sampling = row_sampling(forest, data)
    if before is not None:
        _check_same_table(before, data, sampling)
        if not _is_larger(forest, before):
            return before
    n_before = 0 if before is None else len(before)
    seed = seed_from(forest.random_state) if before is None else before.seed
    criteria = for_trees(forest.criterion, seed, range(n_before, forest.n_estimators))
    n_rows, weight = expected_size(sampling, data)
    options = grow_options(forest, (n_rows, data.schema.n_features), weight, seed)
    growth = Growth(
        criteria,
        options,
        core_pruning(forest.pruning, forest.criterion),
        sampling.core_arguments,
        n_before,
        forest.class_weight == "balanced_subsample",
        forest.max_bins,
    )
    with progress_if(forest.verbose, len(criteria)) as progress:
        trees, has_missing = data.grow(growth, number_of_threads(forest.n_jobs), progress)
    grown = FittedForest(
        compiled_trees=trees,
        schema=replace(data.schema, has_missing=has_missing),
        classes=data.classes,
        leaf=forest.leaf,
        leaf_strength=leaf_strength(forest, len(data.classes)),
        seed=seed,
        row_sampling=sampling,
        criteria=criteria,
        parameters=[_tree_parameters(forest)] * len(criteria),
        max_features=[options["max_features"]] * len(criteria),
    )
    return grown if before is None else grown.after(before)


def _is_larger(forest: Any, before: FittedForest) -> bool:
    """Whether there are trees to add; an error if there are too many already."""
    if forest.n_estimators < len(before):
        raise ValueError(
            f"n_estimators={forest.n_estimators} must be larger or equal to "
            f"len(estimators_)={len(before)} when warm_start==True. Trees are only added: set "
            "warm_start=False to grow fewer."
        )
    if forest.n_estimators == len(before):
        warnings.warn(
            "Warm-start fitting without increasing n_estimators does not fit new trees.",
            stacklevel=5,
        )
    return bool(forest.n_estimators > len(before))


def _tree_parameters(forest: Any) -> dict[str, Any]:
    """Return the parameters of the trees that are the same for all of them."""
    names = sorted(CONSTRAINTS.keys() - {"random_state"})
    parameters = {name: getattr(forest, name) for name in names}
    if forest.class_weight == "balanced_subsample":
        parameters["class_weight"] = "balanced"  # the same for the samples of a tree
    return parameters


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
