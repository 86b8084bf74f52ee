"""Values replaced by the coordinates of their bins, for models that compare coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.export._onnx._graph import Graph
from rarewood.export._onnx._tree_ensemble import Ensemble


def snapped(graph: Graph, x: str, schema: Any) -> str:
    """Return the matrix that trees compare.

    The bins of a feature are a balanced tree, whose leaves are the coordinates.
    """
    if schema.bins is None:
        return x
    ensemble = Ensemble(schema.n_features)
    is_kept = np.ones((1, schema.n_features), dtype=bool)
    for feature, coordinates in enumerate(schema.bins.coordinates):
        if feature not in schema.categories:
            is_kept[0, feature] = False
            edges = schema.bins.edges[feature]
            ensemble.roots.append(_add_bins(ensemble, feature, edges, coordinates))
    if not ensemble.roots:  # all features are categorical
        return x
    found = ensemble.add_to(graph, x)
    keeps = graph.add("Or", graph.constant(is_kept), graph.add("IsNaN", x))
    return graph.add("Where", keeps, x, found)


def _add_bins(
    ensemble: Ensemble, feature: int, edges: NDArray[Any], coordinates: NDArray[Any]
) -> int:
    """Add the tree over the bins of a feature, and return its root, which is an inner node."""
    if len(coordinates) == 1:  # a root must be a node: one with equal leaves
        edges, coordinates = np.array([np.inf]), np.repeat(coordinates, 2)

    def add(low: int, high: int) -> tuple[int, bool]:
        """Add bins from ``low`` up to but excluding ``high``; whether it is a leaf."""
        if high - low == 1:
            return ensemble.add_leaf(feature, float(coordinates[low])), True
        middle = (low + high) // 2
        node = ensemble.add_node(feature, float(edges[middle - 1]))
        ensemble.set_child(node, 0, *add(low, middle))
        ensemble.set_child(node, 1, *add(middle, high))
        return node, False

    return add(0, len(coordinates))[0]
