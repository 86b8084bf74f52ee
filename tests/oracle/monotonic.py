"""Bounds of the values of nodes under monotonic constraints, and which splits are in order.

Everything is found from the definition, path by path, without sharing work between nodes.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def orders(tree: Any, node: int, constraints: Any) -> set[int]:
    """What the features of a split ask of its children: 1, the second not below the first."""
    is_leaf = tree.n_children[node] == 0
    has_threshold = np.isfinite(tree.threshold[node])  # else categories, or all present values left
    if is_leaf or not has_threshold:
        return set()
    terms = [(int(tree.feature[node]), 1.0)]
    if len(tree.plane_offset):
        begin, end = tree.plane_offset[node : node + 2]
        if end > begin:
            terms = list(
                zip(tree.plane_feature[begin:end], tree.plane_weight[begin:end], strict=True)
            )
    return {int(np.sign(w) * constraints[f]) for f, w in terms} - {0}


def bounded_values(tree: Any, smoothed: Any, constraints: Any) -> np.ndarray:
    """The probability of the second class of each node."""
    parent = np.full(tree.n_nodes, -1)
    for v in range(tree.n_nodes):
        for i in range(int(tree.n_children[v])):
            parent[tree.first_child[v] + i] = v

    def bounds(v: int) -> tuple[float, float]:
        if v == 0:
            return 0.0, 1.0
        above = int(parent[v])
        low, high = bounds(above)
        for order in orders(tree, above, constraints):
            first = int(tree.first_child[above])
            a, b = (min(max(smoothed[child][1], low), high) for child in (first, first + 1))
            middle = a + (b - a) / 2
            if (v == first) == (order > 0):
                return low, middle
            return middle, high
        return low, high

    clipped = [min(max(smoothed[v][1], bounds(v)[0]), bounds(v)[1]) for v in range(tree.n_nodes)]
    return np.array(clipped)


def is_in_order(tree: Any, node: int, constraints: Any) -> bool:
    """Whether the class fractions of the children have the order of the split, up to rounding."""
    for order in orders(tree, node, constraints):
        first = int(tree.first_child[node])
        a, b = (
            tree.weighted_counts[child][1] / tree.weighted_counts[child].sum()
            for child in (first, first + 1)
        )
        if order * (b - a) < -1e-12:
            return False
    return True
