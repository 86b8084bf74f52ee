"""Collapse of subtrees, written as its definition: visit the leaves of each subtree anew."""

from __future__ import annotations

from typing import Any

Leaf = tuple[float, list[float]]  # weight and class probabilities
MOST_WEAK = 4  # splits in succession that each explain little: their children are leaves


def collapsed(tree: Any, p: Any, limit: float) -> set[int]:
    """Return the inner nodes that become leaves; ``p`` has the probabilities of each node."""
    nodes: set[int] = set()

    def as_leaf(v: int) -> Leaf:
        return float(tree.weighted_counts[v].sum()), [float(x) for x in p[v]]

    def leaves_of(v: int, n_weak: int) -> list[Leaf]:
        first, own = int(tree.first_child[v]), as_leaf(v)
        if first < 0:
            return [own]
        children = range(first, first + int(tree.n_children[v]))
        is_weak = explains_little(own[1], [as_leaf(child) for child in children])
        n_below = n_weak + 1 if is_weak else 0
        below = [leaf for child in children for leaf in leaves_of(child, n_below)]
        if limit > 0 and (n_weak == MOST_WEAK or explains_little(own[1], below)):
            nodes.add(v)
            return [own]
        return below

    def explains_little(own: list[float], leaves: list[Leaf]) -> bool:
        return explained(own, leaves) <= allowed(own, len(leaves), limit)

    leaves_of(0, 0)
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
