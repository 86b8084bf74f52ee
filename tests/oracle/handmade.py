"""Trees described by counts alone: a leaf is its class counts, a branch a list of its children.

``make([[(5, 0), (1, 2)], (0, 9)])`` is a tree whose root has a branch and a leaf. A branch of two
children compares ``x`` with the number of its rows, one of more asks for the category of ``c``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rarewood import _core
from support import handmade

CATEGORIES = list("abcdef")


def counts_of(node: Any) -> np.ndarray:
    """Class counts of a leaf, or the sum over the leaves of a branch."""
    if isinstance(node, tuple):
        return np.array(node, dtype=np.int64)
    return np.sum([counts_of(child) for child in node], axis=0)


def make(root: Any, weights: tuple[float, ...] | None = None) -> _core.Tree:
    """A tree of the core; ``weights`` weighs the classes."""
    classes = range(len(counts_of(root)))
    view = handmade.tree(_node(root), {"x": None, "c": CATEGORIES}, classes=classes)
    if weights is None:
        return view.compiled
    weighted = (view.counts * np.array(weights)).ravel()
    return _core.Tree.from_state({**view.compiled.state(), "weighted_counts": weighted})


def _node(description: Any) -> handmade.Node:
    if isinstance(description, tuple):
        return handmade.leaf(*description)
    children = [_node(child) for child in description]
    if len(children) == 2:
        return handmade.split("x", float(counts_of(description).sum()), *children)
    sets = [[category] for category in CATEGORIES[: len(children)]]
    return handmade.split("c", sets, *children)


def read(tree: _core.Tree, node: int = 0) -> Any:
    """The description of a tree: what ``make`` was given."""
    if tree.n_children[node] == 0:
        return tuple(tree.counts[node].tolist())
    first = int(tree.first_child[node])
    return [read(tree, child) for child in range(first, first + int(tree.n_children[node]))]
