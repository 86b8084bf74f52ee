"""Conditions of rules (an interval, a set of categories, or a side of a hyperplane), and paths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.model._fitted_tree import FittedTree

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Interval:
    """A numeric feature is above ``low`` and at most ``high``, or missing if ``missing``."""

    feature: int
    low: float = -inf
    high: float = inf
    missing: bool = True

    def __and__(self, other: Interval) -> Interval:
        return replace(
            self,
            low=max(self.low, other.low),
            high=min(self.high, other.high),
            missing=self.missing and other.missing,
        )

    def holds(self, matrix: NDArray[Any]) -> Mask:
        """Return which rows of an encoded matrix satisfy the condition."""
        values = matrix[:, self.feature].astype(np.float64)  # as in the tree
        inside: Mask = (values > self.low) & (values <= self.high)
        return inside | np.isnan(values) if self.missing else inside


@dataclass(frozen=True)
class Subset:
    """A categorical feature has one of some categories, given by their indices.

    If ``missing``, missing values and categories not seen in training satisfy it too.
    """

    feature: int
    numbers: frozenset[int]
    missing: bool

    def __and__(self, other: Subset) -> Subset:
        return replace(
            self, numbers=self.numbers & other.numbers, missing=self.missing and other.missing
        )

    def holds(self, matrix: NDArray[Any]) -> Mask:
        """Return which rows of an encoded matrix satisfy the condition."""
        values = matrix[:, self.feature]
        inside: Mask = np.isin(values, np.fromiter(self.numbers, dtype=values.dtype))
        return inside | np.isnan(values) if self.missing else inside


@dataclass(frozen=True)
class HalfSpace:
    """A weighted sum of numeric features is at most, or above, a threshold.

    ``terms`` are features and weights. If ``missing``, samples with a missing value in one of the
    features satisfy it too.
    """

    terms: tuple[tuple[int, float], ...]
    threshold: float
    above: bool
    missing: bool

    def holds(self, matrix: NDArray[Any]) -> Mask:
        """Return which rows of an encoded matrix satisfy the condition."""
        total = np.zeros(len(matrix))
        for feature, weight in self.terms:  # in the order of the tree, for equal rounding
            total += weight * matrix[:, feature].astype(np.float64)
        inside: Mask = total > self.threshold if self.above else total <= self.threshold
        return inside | np.isnan(total) if self.missing else inside


Condition = Interval | Subset | HalfSpace
Path = dict[Any, Condition]  # one condition per feature, and one per hyperplane


def leaf_paths(
    view: FittedTree, chosen: NDArray[np.bool_] | None = None, max_depth: int | None = None
) -> Iterator[tuple[int, Path]]:
    """Yield leaves with the conditions of their paths, first child first.

    Conditions on the same feature are intersected. ``chosen`` selects leaves (by default all);
    nodes at ``max_depth`` are treated as leaves.
    """
    leads = _leading(view, chosen)
    stack: list[tuple[int, Path]] = [(0, {})] if leads[0] else []
    while stack:
        node, path = stack.pop()
        if view.n_children[node] == 0 or view.depth[node] == max_depth:
            yield node, path
            continue
        first = int(view.first_child[node])
        children = [
            (first + child, _extend(path, condition))
            for child, condition in enumerate(step_conditions(view, node))
            if leads[first + child]
        ]
        stack.extend(reversed(children))


def _leading(view: FittedTree, chosen: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
    """Return for each node whether its subtree has a chosen leaf."""
    if chosen is None:
        return np.ones(view.n_nodes, dtype=bool)
    leads, nodes = chosen.copy(), np.flatnonzero(chosen)
    while len(nodes):
        nodes = np.unique(view.parent[nodes])
        nodes = nodes[nodes >= 0]
        leads[nodes] = True
    return leads


def _extend(path: Path, condition: Condition) -> Path:
    if isinstance(condition, HalfSpace):
        return {**path, condition: condition}
    known = path.get(condition.feature)
    return {**path, condition.feature: condition if known is None else known & condition}  # type: ignore[operator]


def step_conditions(view: FittedTree, node: int) -> list[Condition]:
    """Return the condition of each child of a node."""
    feature, threshold = int(view.feature[node]), float(view.threshold[node])
    n_children, missing = int(view.n_children[node]), int(view.missing_child[node])
    if terms := tuple(view.plane_terms(node)):
        return [HalfSpace(terms, threshold, above, missing == above) for above in (False, True)]
    if not np.isnan(threshold):
        return [
            Interval(feature, high=threshold, missing=missing == 0),
            Interval(feature, low=threshold, missing=missing == 1),
        ]
    # Categories that the node has not seen follow the missing values.
    known = view.schema.categories.get(feature)
    route = np.full(0 if known is None else len(known), missing)
    here = slice(*view.category_offset[node : node + 2])
    route[view.category[here]] = view.category_child[here]
    return [
        Subset(feature, frozenset(np.flatnonzero(route == child).tolist()), missing == child)
        for child in range(n_children)
    ]
