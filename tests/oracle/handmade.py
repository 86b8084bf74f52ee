"""Trees made by hand: a leaf is its class counts, a branch is a list of its children.

``make([[(5, 0), (1, 2)], (0, 9)])`` is a tree whose root has a branch and a leaf. Every branch
asks ``x0 <= number of the branch`` where it has two children, and for a category of ``x1``
otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rarewood import _core


def counts_of(node: Any) -> np.ndarray:
    """Class counts of a leaf, or the sum over the leaves of a branch."""
    if isinstance(node, tuple):
        return np.array(node, dtype=np.int64)
    return np.sum([counts_of(child) for child in node], axis=0)


def make(root: Any, weights: tuple[float, ...] | None = None) -> _core.Tree:
    """A tree of the core; ``weights`` weighs the classes."""
    order, first_child = [root], []
    for node in order:  # grows while it is walked: breadth first
        first_child.append(len(order) if isinstance(node, list) else -1)
        order.extend(node if isinstance(node, list) else [])
    n_children = np.array([len(n) if isinstance(n, list) else 0 for n in order], dtype=np.int32)
    is_inner, is_multiway = n_children > 0, n_children > 2
    counts = np.array([counts_of(node) for node in order])
    routes = [np.arange(n, dtype=np.int32) for n in n_children[is_multiway]]
    categories = np.concatenate([np.zeros(0, dtype=np.int32), *routes])
    return _core.Tree.from_state(
        {
            "n_classes": counts.shape[1],
            "n_features": 2,
            "feature": np.where(is_inner, is_multiway.astype(np.int32), np.int32(-1)),
            "threshold": np.where(is_inner & ~is_multiway, np.arange(len(order)) * 1.0, np.nan),
            "first_child": np.array(first_child, dtype=np.int32),
            "n_children": n_children,
            "missing_child": np.where(is_inner, np.int32(0), np.int32(-1)),
            "gain": np.where(is_inner, 0.1, 0.0),
            "counts": counts.ravel(),
            "weighted_counts": (counts * weights).ravel() if weights else np.zeros(0),
            "category_offset": np.append(0, np.cumsum(np.where(is_multiway, n_children, 0))),
            "category": categories,
            "category_child": categories,
            "plane_offset": np.zeros(0, dtype=np.int64),
            "plane_feature": np.zeros(0, dtype=np.int32),
            "plane_weight": np.zeros(0),
        }
    )


def read(tree: _core.Tree, node: int = 0) -> Any:
    """The description of a tree: what ``make`` was given."""
    if tree.n_children[node] == 0:
        return tuple(tree.counts[node].tolist())
    first = int(tree.first_child[node])
    return [read(tree, child) for child in range(first, first + int(tree.n_children[node]))]
