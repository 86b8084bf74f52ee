"""Growth, leaf probabilities and prediction, as a nested structure."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from itertools import pairwise

from oracle import criteria
from oracle.cases import Case
from oracle.criteria import CONTEXT
from oracle.cuts import Rows, Split
from oracle.problem import Limits, Problem
from oracle.search import best_split

NOISE = Decimal("1e-12")


@dataclass
class Node:
    counts: list[int]
    weighted_counts: list[Decimal]
    depth: int
    split: Split | None = None
    gain: Decimal = Decimal(0)
    children: list[Node] = field(default_factory=list)


def grow(problem: Problem, case: Case, limits: Limits | None = None) -> Node:
    return _grow(problem, list(range(problem.n_rows)), case, limits or Limits(), depth=0)


def _grow(problem: Problem, rows: Rows, case: Case, limits: Limits, depth: int) -> Node:
    node = Node(problem.counts(rows), problem.weighted_counts(rows), depth)
    is_pure = sum(n > 0 for n in node.counts) <= 1
    is_deepest = limits.max_depth and depth >= limits.max_depth
    if is_pure or is_deepest or len(rows) < limits.min_samples_split:
        return node
    best = best_split(problem, rows, case, limits)
    if best is None:
        return node
    with localcontext(CONTEXT):
        gain = best.value - criteria.value_of_not_splitting(case, node.weighted_counts)
    if gain < Decimal(limits.min_gain) - NOISE:
        return node
    node.split, node.gain = best.split, gain
    node.children = [_grow(problem, c, case, limits, depth + 1) for c in best.split.children]
    return node


def leaf_of(node: Node, row) -> Node:
    """Follow one row of raw values to its leaf."""
    return path_of(node, row)[-1]


def path_of(node: Node, row) -> list[Node]:
    """The nodes that a row of raw values passes, from the root to its leaf."""
    path = [node]
    while (split := path[-1].split) is not None:
        terms = [weight * float(row[f]) for f, weight in split.plane] or [float(row[split.feature])]
        x = terms[0]
        for term in terms[1:]:
            x += term
        path.append(path[-1].children[child_of(path[-1], x)])
    return path


def child_of(node: Node, x: float) -> int:
    split = node.split
    if not math.isnan(x):
        if not split.sides:
            return 0 if x <= split.threshold else 1
        for child, categories in enumerate(split.sides):
            if x in categories:
                return child
    if split.missing_child is not None:
        return split.missing_child
    sizes = [sum(child.counts) for child in node.children]
    return sizes.index(max(sizes))


def probabilities(path: list[list[float]], kind: str, strength: float) -> list[float]:
    """Class probabilities of the last node of a path from the root, each node given by
    its class counts (weighted where there are weights)."""
    root, node = path[0], path[-1]
    n, k = sum(node), len(node)
    if kind == "raw":
        return [x / n for x in node]
    if kind == "laplace":
        return [(x + strength) / (n + k * strength) for x in node]
    if kind == "m_estimate":
        return [
            (x + strength * r / sum(root)) / (n + strength) for x, r in zip(node, root, strict=True)
        ]
    assert kind == "shrunk"
    p = [x / sum(root) for x in root]
    for above, below in pairwise(path):
        rate = 1 + strength / sum(above)
        p = [
            before + (b / sum(below) - a / sum(above)) / rate
            for before, a, b in zip(p, above, below, strict=True)
        ]
    return p
