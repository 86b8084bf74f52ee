"""Growing a forest, or what is still to be grown of it."""

from __future__ import annotations

import inspect
import warnings
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood._progress import Progress
from rarewood._validation import number_of_threads, seed_from
from rarewood.criteria import for_trees
from rarewood.model._fitted_forest import FittedForest
from rarewood.model._growth import Growth
from rarewood.model._parameters import grow_options, hyperplane_dim, leaf_strength, pruning_options
from rarewood.model._row_sampling import RowSample, expected_size, row_sample
from rarewood.model._training_data import TrainingData
from rarewood.tree import RareTreeClassifier

__all__ = ["grow_forest", "score_out_of_bag"]


def grow_forest(forest: Any, data: TrainingData, before: FittedForest | None) -> FittedForest:
    """Grow a forest, or add to one that was grown before.

    Parameters
    ----------
    forest : RareForestClassifier
        Its parameters say how.
    data : TrainingData
        The training table.
    before : FittedForest or None
        What there is of the forest.

    Returns
    -------
    view : FittedForest
        The forest; ``before`` itself if nothing was to be grown.
    """
    sample = row_sample(forest, data)
    if before is not None:
        _check_same_table(before, data, sample)
        if not _is_larger(forest, before):
            return before
    n_before = 0 if before is None else len(before)
    seed = seed_from(forest.random_state) if before is None else before.seed
    criteria = for_trees(forest.criterion, seed, range(n_before, forest.n_estimators))
    n_rows, weight = expected_size(sample, data)
    options = grow_options(forest, (n_rows, data.schema.n_features), weight, seed)
    growth = Growth(
        criteria,
        options,
        pruning_options(forest),
        sample.settings,
        n_before,
        forest.class_weight == "balanced_subsample",
        forest.max_bins,
    )
    with Progress(len(criteria)) if forest.verbose else nullcontext() as progress:
        trees, has_missing = data.grow(growth, number_of_threads(forest.n_jobs), progress)
    grown = FittedForest(
        compiled_trees=trees,
        schema=replace(data.schema, has_missing=has_missing),
        classes=data.classes,
        leaf=forest.leaf,
        leaf_strength=leaf_strength(forest, len(data.classes)),
        seed=seed,
        sample=sample,
        criteria=criteria,
        parameters=[_tree_parameters(forest)] * len(criteria),
        max_features=[options["max_features"]] * len(criteria),
    )
    return grown if before is None else grown.after(before)


def _is_larger(forest: Any, before: FittedForest) -> bool:
    """Whether there are trees to be grown; an error if there are too many already."""
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
    """Return the parameters of the trees, but for those in which they differ."""
    own = inspect.signature(RareTreeClassifier).parameters.keys() - {"criterion", "random_state"}
    parameters = {name: getattr(forest, name) for name in sorted(own)}
    parameters["hyperplane_dim"] = hyperplane_dim(forest)
    if forest.class_weight == "balanced_subsample":
        parameters["class_weight"] = "balanced"  # what it means for the rows of a tree
    return parameters


def _check_same_table(before: FittedForest, data: TrainingData, sample: RowSample) -> None:
    remedy = "Set warm_start=False to grow a new forest."
    if not np.array_equal(before.classes, data.classes):
        raise ValueError(
            f"warm_start=True adds trees to a forest for the classes {before.classes.tolist()}, "
            f"but y has the classes {data.classes.tolist()}. {remedy}"
        )
    if not sample.agrees_with(before.sample):
        raise ValueError(
            "warm_start=True adds trees that draw their rows as the trees before did, but the "
            f"rows, bootstrap, balance or max_samples have changed. {remedy}"
        )


def score_out_of_bag(
    forest: Any, view: FittedForest, data: TrainingData
) -> tuple[NDArray[np.float64], float]:
    """Return the probabilities of each row by the trees that did not draw it, and their score."""
    proba = data.out_of_bag(view, number_of_threads(forest.n_jobs))
    is_scored = ~np.isnan(proba[:, 0])
    if not is_scored.all():
        warnings.warn(
            f"Some inputs do not have OOB scores: every tree has drawn them. {_remedy(view.sample)}"
            " Their probabilities are NaN.",
            stacklevel=4,
        )
    if data.rows is not None:
        is_kept = np.zeros_like(is_scored)
        is_kept[data.rows] = True
        is_scored &= is_kept
    if not is_scored.any():
        return proba, float("nan")
    truth = data.classes[data.y_given[is_scored]]
    predicted = data.classes[proba[is_scored].argmax(axis=1)]
    if callable(forest.oob_score):
        return proba, float(forest.oob_score(truth, predicted))
    return proba, float(np.mean(truth == predicted))


def _remedy(sample: RowSample) -> str:
    if sample.per_class and not sample.with_replacement:
        return (
            "Without replacement a balanced tree may take the whole smallest class: set "
            "bootstrap=True, or max_samples to a share below 1."
        )
    return "Grow more trees."
