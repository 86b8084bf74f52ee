"""Pruning on nested descriptions (see ``handmade``), as slowly and literally as possible."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from scipy.stats import fisher_exact, norm

from oracle.handmade import counts_of

# --------------------------------------------------------------------------- Fisher (CCPDT)


def p_value(node: Any, root: Any) -> float:
    """Of the rule "reaches this node", for the class of which the largest share reaches it."""
    here, all_rows = counts_of(node), counts_of(root)
    shares = [n / total if total else -1.0 for n, total in zip(here, all_rows, strict=True)]
    y = shares.index(max(shares))
    a, c = here[y], here.sum() - here[y]
    b, d = all_rows[y] - a, all_rows.sum() - all_rows[y] - c
    return fisher_exact([[a, b], [c, d]], alternative="greater").pvalue


@dataclass
class _Node:
    """A node as the paper's algorithms see it."""

    description: Any
    parent: _Node | None = None
    pruneable: bool = True
    is_leaf: bool = True
    children: list[_Node] = field(default_factory=list)


def _plant(description: Any, parent: _Node | None = None) -> _Node:
    node = _Node(description, parent, is_leaf=isinstance(description, tuple))
    if not node.is_leaf:
        node.children = [_plant(child, node) for child in description]
    return node


def _leaves(node: _Node) -> list[_Node]:
    return [node] if node.is_leaf else [leaf for child in node.children for leaf in _leaves(child)]


def _describe(node: _Node) -> Any:
    if node.is_leaf:
        return tuple(counts_of(node.description).tolist())
    return [_describe(child) for child in node.children]


def fisher(root: Any, threshold: float) -> Any:
    """Algorithm 3 of CCPDT, line by line."""
    tree = _plant(root)
    for leaf in _leaves(tree):
        if leaf.parent is not None and leaf.parent is not tree:
            leaf.parent.pruneable = True
            _set_pruneable(leaf.parent, threshold, tree)
    for child in tree.children:
        if child.pruneable:
            child.is_leaf = True
        else:
            _prune_by_status(child)
    return _describe(tree)


def _set_pruneable(node: _Node, threshold: float, root: _Node) -> None:
    """Algorithm 4."""
    for child in node.children:
        if not child.pruneable:
            node.pruneable = False
    if node.pruneable and p_value(node.description, root.description) < threshold:
        node.pruneable = False
    if node.parent is not root:
        node.parent.pruneable = True
        _set_pruneable(node.parent, threshold, root)


def _prune_by_status(node: _Node) -> None:
    """Algorithm 5."""
    if node.pruneable:
        node.is_leaf = True
    else:
        for child in node.children:
            if not child.is_leaf:
                _prune_by_status(child)


# --------------------------------------------------------------------------- C4.5


def upper_errors(n: float, e: float, confidence: float) -> float:
    """Expected errors of n rows of which e are wrong; Quinlan's formula as Weka computes it."""
    if e < 1:
        base = n * (1 - confidence ** (1 / n))
        return e + base + e * (upper_errors(n, 1, confidence) - 1 - base) if e else base
    if e + 0.5 >= n:
        return max(n, e)
    z = norm.ppf(1 - confidence)
    f = (e + 0.5) / n
    rate = f + z**2 / (2 * n) + z * math.sqrt(f / n - f**2 / n + z**2 / (4 * n**2))
    return n * rate / (1 + z**2 / n)


def error(root: Any, confidence: float) -> Any:
    """C4.5's subtree replacement."""

    def visit(node: Any) -> tuple[Any, float]:
        counts = counts_of(node)
        as_leaf = upper_errors(counts.sum(), counts.sum() - counts.max(), confidence)
        if isinstance(node, tuple):
            return node, as_leaf
        children, errors = zip(*map(visit, node), strict=True)
        if as_leaf <= sum(errors) + 0.1:
            return tuple(counts.tolist()), as_leaf
        return list(children), sum(errors)

    return visit(root)[0]


# --------------------------------------------------------------------------- CART


def impurity(node: Any, total: int, kind: str) -> float:
    """Weighted by the share of the rows."""
    counts = counts_of(node)
    p = counts[counts > 0] / counts.sum()
    value = 1 - (p**2).sum() if kind == "gini" else -(p * np.log(p)).sum()
    return counts.sum() / total * value


def all_prunings(node: Any) -> list[Any]:
    """Every tree that can be made by turning branches into leaves."""
    if isinstance(node, tuple):
        return [node]
    kept = [list(children) for children in product(*map(all_prunings, node))]
    return [tuple(counts_of(node).tolist()), *kept]


def leaves(node: Any) -> list[Any]:
    return [node] if isinstance(node, tuple) else [leaf for child in node for leaf in leaves(child)]


def cost_complexity(root: Any, alpha: float, kind: str = "gini") -> Any:
    """The tree of lowest cost; of several within rounding, the one with the fewest leaves."""
    total = int(counts_of(root).sum())

    def cost(tree: Any) -> float:
        found = leaves(tree)
        return sum(impurity(leaf, total, kind) for leaf in found) + alpha * len(found)

    priced = [(cost(tree), tree) for tree in all_prunings(root)]
    lowest = min(price for price, _ in priced)
    return min((t for price, t in priced if price <= lowest + 1e-10), key=lambda t: len(leaves(t)))
