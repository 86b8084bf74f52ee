"""Settings of the growth of the trees of an estimator on a training table."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rarewood.criteria import for_trees
from rarewood.model._growth import Growth
from rarewood.model._monotonic import resolve_monotonic
from rarewood.model._parameters import check_n_cuts, cut_bins, grow_options
from rarewood.model._pruning import core_pruning
from rarewood.model._row_sampling import RowSampling, expected_size, row_sampling
from rarewood.model._training_data import TrainingData


class LeafSettings(NamedTuple):
    """Leaf estimator with its strength, and the collapse of subtrees."""

    leaf: str
    strength: float
    collapse: float


def make_growth(
    estimator: Any,
    data: TrainingData,
    sampling: RowSampling | None,
    seed: int,
    numbers: range,
    leaves: LeafSettings,
) -> Growth:
    """Return the growth of the trees with given numbers; a tree has no sampling."""
    pruning = core_pruning(estimator.pruning, estimator.criterion)
    if leaves.collapse > 0:
        pruning |= {
            "collapse": leaves.collapse, "leaf": leaves.leaf, "leaf_strength": leaves.strength,
        }  # fmt: skip
    check_n_cuts(estimator, len(data.classes))
    is_coded = data.schema.bins is not None
    monotonic = resolve_monotonic(estimator.monotonic_cst, data.schema, len(data.classes))
    constraints = {"monotonic": monotonic} if monotonic else {}
    if sampling is None:
        options = grow_options(estimator, data.shape, data.class_totals().total, seed, is_coded)
        options |= constraints
        criteria = [estimator.criterion] * len(numbers)
        return Growth(criteria, options, pruning, max_bins=cut_bins(estimator))
    n_rows, weight = expected_size(sampling, data)
    return Growth(
        for_trees(estimator.criterion, seed, numbers),
        grow_options(estimator, (n_rows, data.schema.n_features), weight, seed, is_coded)
        | constraints,
        pruning,
        sampling.core_arguments,
        numbers.start,
        estimator.class_weight == "balanced_subsample",
        cut_bins(estimator),
    )


def class_factors(
    estimator: Any, data: TrainingData, sampling: RowSampling | None
) -> NDArray[np.float64]:
    """Return the weight of each class in the samples of a tree, relative to the table."""
    counts = data.class_counts
    factors = np.ones(len(counts))
    if sampling is not None and sampling.per_class:
        factors = np.asarray(sampling.per_class) / np.maximum(counts, 1)
    if estimator.class_weight == "balanced_subsample":
        totals = factors * data.class_totals().values
        factors = np.divide(factors, totals, out=np.zeros_like(factors), where=totals > 0)
    return factors


def sampling_of(estimator: Any, data: TrainingData) -> RowSampling | None:
    """Return the row sampling of a forest; None for a tree."""
    return row_sampling(estimator, data) if hasattr(estimator, "bootstrap") else None
