"""How C4.5 trees divide samples with missing values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.export._flat_trees import FlatTrees


def child_fractions(tree: Any) -> NDArray[np.float64]:
    """Return, for each node, its fraction of the training weight of its siblings; 1 for the root.

    Sums are those of the core, to the last bit: in the order of classes, then of children.
    """
    weights = np.cumsum(tree.weighted_counts, axis=1)[:, -1]
    fractions = np.ones(tree.n_nodes)
    for node in np.flatnonzero(tree.n_children).tolist():
        first = int(tree.first_child[node])
        children = slice(first, first + int(tree.n_children[node]))
        total = np.cumsum(weights[children])[-1]
        n_children = children.stop - children.start
        fractions[children] = weights[children] / total if total > 0 else 1.0 / n_children
    return fractions


def preorder(flat: FlatTrees) -> NDArray[np.int64]:
    """Return the nodes of one tree from the root, each followed by the subtrees of its children."""
    order, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        first = int(flat.first_child[node])
        waiting.extend(reversed(range(first, first + int(flat.n_children[node]))))
    return np.array(order, dtype=np.int64)
