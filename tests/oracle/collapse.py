"""Collapse of subtrees, written as its definition: visit the leaves of each subtree anew."""

from __future__ import annotations

from typing import Any

Leaf = tuple[float, list[float]]  # weight and class probabilities


def collapsed(tree: Any, p: Any, limit: float) -> set[int]:
    """Return the inner nodes that become leaves; ``p`` has the probabilities of each node."""
    nodes: set[int] = set()

    def leaves_of(v: int) -> list[Leaf]:
        own = (float(tree.weighted_counts[v].sum()), [float(x) for x in p[v]])
        first = int(tree.first_child[v])
        if first < 0:
            return [own]
        below = [leaf for i in range(int(tree.n_children[v])) for leaf in leaves_of(first + i)]
        if limit > 0 and explained(own[1], below) <= allowed(own[1], len(below), limit):
            nodes.add(v)
            return [own]
        return below

    leaves_of(0)
    return nodes


def explained(p: list[float], leaves: list[Leaf]) -> float:
    """Return the class variance that leaves explain, in units of the variance of one sample."""
    total = 0.0
    for weight, q in leaves:
        for at_node, at_leaf in zip(p, q, strict=True):
            if at_leaf != at_node:
                total += weight * (at_leaf - at_node) ** 2 / at_node if at_node else float("inf")
    return total


def allowed(p: list[float], n_leaves: int, limit: float) -> float:
    """Return the largest explained variance at which a subtree is collapsed."""
    n_classes = sum(x > 0 for x in p)
    return limit * (n_leaves - 1) * (n_classes - 1)
