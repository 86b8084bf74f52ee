"""Types of the parameters of trees and forests, for signatures, presets and validation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypedDict

from rarewood.criteria import CriterionLike, Recipe
from rarewood.model._pruning import Method
from rarewood.model._sampling_schemes import SamplingScheme

Splitter = Literal["best", "random", "oblique"]
ObliqueDraw = Literal["between", "direction", "points"]
MaxFeatures = Literal["sqrt", "round_sqrt", "log2"]
Leaf = Literal["raw", "laplace", "m_estimate", "shrunk"]
CategoricalSplit = Literal["subset", "multiway", "onehot"]
PruningName = Literal["fisher", "error", "cost_complexity"]
Pruning = PruningName | Method


class _Shared(TypedDict, total=False):
    """Parameters that trees and forests have in common."""

    splitter: Splitter
    max_depth: int | None
    min_samples_split: float
    min_samples_leaf: float
    min_weight_fraction_leaf: float
    max_features: float | MaxFeatures | None
    max_leaf_nodes: int | None
    min_gain: float
    pruning: Pruning | None
    n_cuts: int
    oblique_dim: int
    oblique_draw: ObliqueDraw
    split_samples: int | Literal["auto"] | None
    max_bins: int | Literal["auto"] | None
    leaf: Leaf
    leaf_strength: float | Literal["auto"] | None
    collapse: float | Literal["auto"]
    categorical_features: Any
    categorical_split: CategoricalSplit
    monotonic_cst: Any
    random_state: Any
    n_jobs: int | None


class TreeParameters(_Shared, total=False):
    """Parameters of :class:`rarewood.RareTreeClassifier`, as keyword arguments."""

    criterion: CriterionLike
    class_weight: Mapping[Any, float] | Literal["balanced"] | None


class ForestParameters(_Shared, total=False):
    """Parameters of :class:`rarewood.RareForestClassifier`, as keyword arguments."""

    n_estimators: int | Literal["auto"]
    criterion: CriterionLike | Recipe
    bootstrap: bool
    balance: bool | float | str | SamplingScheme
    max_samples: float | None
    class_weight: Mapping[Any, float] | Literal["balanced", "balanced_subsample"] | None
    oob_score: bool | str | Callable[..., float]
    warm_start: bool
    verbose: int


class C45Parameters(TypedDict, total=False):
    """Parameters of :class:`rarewood.C45Classifier`, as keyword arguments."""

    min_samples_leaf: int
    confidence: float | None
    raising: bool
    collapse_subtrees: bool
    penalty: bool
    cut: Literal["value", "midpoint"]
    leaf: Leaf
    leaf_strength: float | None
    categorical_features: Any
    class_weight: Mapping[Any, float] | Literal["balanced"] | None
