"""Trees made by hand, from a nested description: no training, every number known.

view = tree(
    split("age", 30.5, leaf(5, 1), split("colour", [["red"], ["blue"]], leaf(3, 0), leaf(0, 2))),
    columns={"age": None, "colour": ["blue", "red"]},
)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rarewood import _core
from rarewood.model._fitted_tree import FittedTree
from rarewood.table._schema import Categories, Schema


@dataclass
class Node:
    counts: np.ndarray
    children: list[Node] = field(default_factory=list)
    column: str = ""
    rule: Any = None  # a threshold, sets of categories, or weights of columns
    threshold: float = np.nan
    missing: int = 0


def leaf(*counts: int) -> Node:
    return Node(np.array(counts, dtype=np.int64))


def split(column: str, rule: Any, *children: Node, missing: int = 0) -> Node:
    """A split by a threshold, or by a list with the categories of each child."""
    threshold = np.nan if isinstance(rule, list) else float(rule)
    return Node(_total(children), list(children), column, rule, threshold, missing)


def plane(weights: dict[str, float], threshold: float, *children: Node, missing: int = 0) -> Node:
    """A split by a weighted sum of columns."""
    column = next(iter(weights))
    return Node(_total(children), list(children), column, weights, threshold, missing)


def _total(children: tuple[Node, ...]) -> np.ndarray:
    return np.sum([child.counts for child in children], axis=0)


def tree(root: Node, columns: dict[str, list[Any] | None], classes=("no", "yes"), **schema):
    """The view of a tree; a column is numeric (None) or has a list of categories."""
    names = list(columns)
    categories = {j: Categories(v) for j, v in enumerate(columns.values()) if v is not None}
    known = Schema(len(names), np.array(names, dtype=object), categories, **schema)
    nodes = [root]
    first_child = []
    for node in nodes:  # grows while it is walked
        first_child.append(len(nodes) if node.children else -1)
        nodes.extend(node.children)
    sets = [_categories(node, columns) for node in nodes]
    terms = [_terms(node, names) for node in nodes]
    counts = np.array([node.counts for node in nodes], dtype=np.int64).ravel()
    state = {
        "n_classes": len(classes),
        "n_features": len(names),
        "feature": _int32([names.index(n.column) if n.children else -1 for n in nodes]),
        "threshold": np.array([node.threshold for node in nodes]),
        "first_child": _int32(first_child),
        "n_children": _int32([len(node.children) for node in nodes]),
        "missing_child": _int32([node.missing if node.children else -1 for node in nodes]),
        "gain": np.zeros(len(nodes)),
        "counts": counts,
        "weighted_counts": counts.astype(np.float64),
        "category_offset": np.cumsum([0, *map(len, sets)], dtype=np.int64),
        "category": _int32([number for pairs in sets for number, _ in pairs]),
        "category_child": _int32([child for pairs in sets for _, child in pairs]),
        "plane_offset": np.cumsum([0, *map(len, terms)] if any(terms) else [], dtype=np.int64),
        "plane_feature": _int32([feature for pairs in terms for feature, _ in pairs]),
        "plane_weight": np.array([w for pairs in terms for _, w in pairs], dtype=np.float64),
    }
    return FittedTree(_core.Tree.from_state(state), known, np.array(classes), "laplace", 1.0)


def _int32(values: list[int]) -> np.ndarray:
    return np.array(values, dtype=np.int32)


def _categories(node: Node, columns: dict[str, list[Any] | None]) -> list[tuple[int, int]]:
    if not isinstance(node.rule, list):
        return []
    known = columns[node.column]
    return sorted((known.index(v), child) for child, vs in enumerate(node.rule) for v in vs)


def _terms(node: Node, names: list[str]) -> list[tuple[int, float]]:
    if not isinstance(node.rule, dict):
        return []
    return [(names.index(name), weight) for name, weight in node.rule.items()]


def complete(depth: int, counts: tuple[int, ...] = (7, 1), column: str = "x") -> Node:
    """A tree whose leaves are all equally deep."""
    if depth == 0:
        return leaf(*counts)
    below = [complete(depth - 1, counts, column) for _ in range(2)]
    return split(column, float(depth), *below)
