"""The regions of leaves as boxes: the intersection of all conditions on each feature."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rarewood.model._fitted_tree import FittedTree

__all__ = ["Boxes", "leaf_boxes"]

Leaves = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Boxes:
    """One box for each of some leaves.

    Parameters
    ----------
    low, high : ndarray of shape (n_leaves, n_features)
        A numeric value is above ``low`` and at most ``high``. Where ``low`` is not below ``high``,
        only missing values reach the leaf.
    allowed : dict of int to ndarray of bool of shape (n_leaves, n_categories)
        Categories that lead to the leaf, for each categorical feature; none where only missing
        values do.
    constrained : ndarray of bool of shape (n_leaves, n_features)
        Whether the path to the leaf has a condition on the feature.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    allowed: dict[int, NDArray[np.bool_]]
    constrained: NDArray[np.bool_]

    def take(self, places: Leaves) -> Boxes:
        """Return boxes by position, with repetitions."""
        allowed = {feature: sets[places] for feature, sets in self.allowed.items()}
        return Boxes(self.low[places], self.high[places], allowed, self.constrained[places])


def leaf_boxes(view: FittedTree, leaves: Leaves) -> Boxes:
    """Return the boxes of some leaves of a tree without hyperplanes."""
    shape = len(leaves), view.n_features
    categories = view.schema.categories
    boxes = Boxes(
        low=np.full(shape, -np.inf),
        high=np.full(shape, np.inf),
        allowed={j: np.ones((len(leaves), len(c)), dtype=bool) for j, c in categories.items()},
        constrained=np.zeros(shape, dtype=bool),
    )
    routes: dict[int, _Routes] = {}  # by feature, made on demand
    places, node = np.arange(len(leaves)), leaves
    while True:
        is_below = node > 0
        places, node = places[is_below], node[is_below]
        if not len(node):
            return boxes
        parent = view.parent[node]
        _narrow(boxes, view, routes, places, parent, node - view.first_child[parent])
        node = parent


def _narrow(
    boxes: Boxes,
    view: FittedTree,
    routes: dict[int, _Routes],
    places: Leaves,
    parent: Leaves,
    child: Leaves,
) -> None:
    """Intersect each box with the condition of one split."""
    feature, threshold = view.feature[parent], view.threshold[parent]
    boxes.constrained[places, feature] = True
    for is_second, ends, tighter in (
        (0, boxes.high, np.minimum),
        (1, boxes.low, np.maximum),
    ):
        is_here = ~np.isnan(threshold) & (child == is_second)
        at = places[is_here], feature[is_here]
        ends[at] = tighter(ends[at], threshold[is_here])
    is_categorical = np.isnan(threshold)
    for one in np.unique(feature[is_categorical]).tolist():
        if one not in routes:
            routes[one] = _Routes(view, one)
        is_here = is_categorical & (feature == one)
        leads = routes[one].leads_to(parent[is_here], child[is_here])
        boxes.allowed[one][places[is_here]] &= leads


class _Routes:
    """The child of each category, in the nodes that split on one categorical feature."""

    def __init__(self, view: FittedTree, feature: int) -> None:
        nodes = np.flatnonzero((view.feature == feature) & (view.n_children > 0))
        self._row = np.full(view.n_nodes, -1)
        self._row[nodes] = np.arange(len(nodes))
        # Categories that a node has not seen follow the missing values.
        n_categories = len(view.schema.categories[feature])
        self._child = np.tile(view.missing_child[nodes][:, np.newaxis], (1, n_categories))
        begin, end = view.category_offset[nodes], view.category_offset[nodes + 1]
        rows = np.repeat(np.arange(len(nodes)), end - begin)
        entries = np.arange(len(rows)) - np.repeat(np.cumsum(end - begin) - end, end - begin)
        self._child[rows, view.category[entries]] = view.category_child[entries]

    def leads_to(self, nodes: Leaves, child: Leaves) -> NDArray[np.bool_]:
        """Return for each node the categories that lead to a given child."""
        leads: NDArray[np.bool_] = self._child[self._row[nodes]] == child[:, np.newaxis]
        return leads
