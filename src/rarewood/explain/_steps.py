"""The path of a sample through a tree, and the rules that hold for a sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rarewood.explain._contributions import class_or_rarest
from rarewood.export._wording import Wording, tree_view
from rarewood.model._base import check_fitted_model
from rarewood.rules._conditions import step_conditions
from rarewood.rules._extraction import fitted_trees, rules_of
from rarewood.rules._ruleset import RuleSet
from rarewood.rules._words import describe


@dataclass(frozen=True)
class Step:
    """A node on the path of a sample.

    Attributes
    ----------
    node : int
        Index of the node.
    condition : str
        Condition that leads to the node from its parent; empty for the root. It is on the
        coordinates of bins if the model replaces values by them (``max_bins`` of oblique trees).
    n_samples, n_positive : int
        Training samples in the node, in total and of the class; not weighted.
    probability : float
        Probability of the class, estimated as in leaves.
    """

    node: int
    condition: str
    n_samples: int
    n_positive: int
    probability: float


def path_steps(estimator: Any, X: Any, *, pos_label: Any = None, decimals: int = 3) -> list[Step]:
    """Return the path of one sample through a tree.

    Parameters
    ----------
    estimator : RareTreeClassifier
        A fitted tree.
    X : array-like or DataFrame of shape (1, n_features)
        The sample.
    pos_label : label, default=None
        The class that is counted; by default the class with the lowest probability at the root.
    decimals : int, default=3
        Digits after the decimal point.

    Returns
    -------
    steps : list of Step
        Nodes from the root to the leaf.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood import presets
    >>> from rarewood.explain import path_steps
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> tree = presets.hddt(max_depth=2).fit(X, y)
    >>> for step in path_steps(tree, X[:1], pos_label=0):
    ...     print(step.condition or "root", step.n_positive, "of", step.n_samples)
    root 212 of 569
    worst perimeter > 117.450 165 of 167
    fractal dimension error > 0.002 164 of 164
    """
    check_fitted_model(estimator)
    view = tree_view(estimator, "path_steps")
    number = class_or_rarest(estimator, pos_label)
    path = estimator.decision_path(X)
    if path.shape[0] != 1:
        raise ValueError(
            f"path_steps takes one sample, but X has {path.shape[0]}. Pass X[i : i + 1]."
        )
    if (path.data != 1).any():
        raise ValueError(
            "The sample has a missing value, for which this tree divides it among several "
            "branches. contributions and decision_path have the parts of divided samples."
        )
    nodes = np.sort(path.indices)
    wording = Wording.of(view, None, decimals)
    steps = []
    for before, node in zip([None, *nodes[:-1]], nodes, strict=True):
        text = ""
        if before is not None:
            condition = step_conditions(view, int(before))[node - view.first_child[before]]
            text = describe([condition], view.schema, wording, view.schema.has_missing)
        counts = view.counts[node]
        probability = float(view.probabilities[node, number])
        steps.append(Step(int(node), text, int(counts.sum()), int(counts[number]), probability))
    return steps


def rules_for(
    estimator: Any,
    X: Any,
    *,
    pos_label: Any = None,
    decimals: int = 3,
    max_depth: int | None = None,
) -> RuleSet:
    """Return the rules of a tree or a forest that hold for one sample, one per tree.

    Parameters
    ----------
    estimator : RareTreeClassifier or RareForestClassifier
        A fitted estimator.
    X : array-like or DataFrame of shape (1, n_features)
        The sample.
    pos_label : label, default=None
        The class that rules are measured for; by default the class with the lowest probability at
        the root.
    decimals : int, default=3
        Digits after the decimal point.
    max_depth : int, default=None
        Depth at which nodes are treated as leaves; see :func:`rarewood.rules.extract`.

    Returns
    -------
    rules : RuleSet
        The rules in ascending order of p-value. The p-values are adjusted for the number of these
        rules, not of all rules of the model.
    """
    check_fitted_model(estimator)
    label = estimator.classes_[class_or_rarest(estimator, pos_label)]
    leaves = np.atleast_2d(estimator.apply(X))
    if hasattr(estimator, "tree_"):
        leaves = leaves.reshape(-1, 1)
    if len(leaves) != 1:
        raise ValueError(f"rules_for takes one sample, but X has {len(leaves)}. Pass X[i : i + 1].")
    views = fitted_trees(estimator)
    leaf_of = {id(view): leaf for view, leaf in zip(views, leaves[0], strict=True)}
    rules = rules_of(
        estimator,
        label,
        decimals=decimals,
        max_depth=max_depth,
        chosen=lambda view: np.arange(view.n_nodes) == leaf_of[id(view)],
    )
    return rules.sort("p_value")
