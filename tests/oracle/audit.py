"""Walk a finished tree and check every node against the rows that reach it.

The tree may be any object with the flat arrays of `rarewood._core.Tree`.  Two
things are proven for each node: its counts are those of the rows that reach
it, and no split would have been better.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from oracle import bulk, criteria, cuts
from oracle.cases import Case
from oracle.problem import Limits, Problem

RELATIVE, ABSOLUTE = 1e-9, 1e-12


def is_close(a: float, b: float) -> bool:
    a, b = float(a), float(b)
    if math.isinf(a) or math.isinf(b):
        return a == b
    return abs(a - b) <= RELATIVE * max(abs(a), abs(b)) + ABSOLUTE


def values_at(tree, node: int, X: np.ndarray) -> np.ndarray:
    """What a node looks at: the values of its feature, or the sums of its hyperplane."""
    if not len(tree.plane_offset) or tree.plane_offset[node] == tree.plane_offset[node + 1]:
        return np.asarray(X[:, tree.feature[node]], dtype=np.float64)
    total = None
    for i in range(tree.plane_offset[node], tree.plane_offset[node + 1]):
        term = tree.plane_weight[i] * X[:, tree.plane_feature[i]].astype(np.float64)
        total = term if total is None else total + term
    return total


def route(tree, node: int, x: np.ndarray) -> np.ndarray:
    """The child (0, 1, ...) that each of the values that a node looks at goes to."""
    missing = int(tree.missing_child[node])
    if not math.isnan(tree.threshold[node]):
        side = np.where(x <= tree.threshold[node], 0, 1)
    else:
        low, high = tree.category_offset[node], tree.category_offset[node + 1]
        known = dict(zip(tree.category[low:high], tree.category_child[low:high], strict=True))
        side = np.array([known.get(v, missing) for v in x])
    return np.where(np.isnan(x), missing, side)


def rows_of_nodes(tree, X: np.ndarray) -> list[np.ndarray]:
    """The rows that reach each node."""
    rows: list[np.ndarray] = [np.array([], dtype=int)] * tree.n_nodes
    rows[0] = np.arange(len(X))
    for node in range(tree.n_nodes):
        if tree.feature[node] < 0:
            continue
        side = route(tree, node, values_at(tree, node, X[rows[node]]))
        for child in range(tree.n_children[node]):
            rows[tree.first_child[node] + child] = rows[node][side == child]
    return rows


def depths(tree) -> np.ndarray:
    depth = np.zeros(tree.n_nodes, dtype=int)
    for node in range(tree.n_nodes):
        first = tree.first_child[node]
        depth[first : first + tree.n_children[node]] = depth[node] + 1
    return depth


def check_counts(tree, problem: Problem, rows: list[np.ndarray]) -> None:
    for node, here in enumerate(rows):
        assert tree.counts[node].tolist() == problem.counts(here), f"node {node}"
        weighted = [float(w) for w in problem.weighted_counts(here)]
        # The core rounds weights to a grid: small ones beside large ones lose their last bits.
        np.testing.assert_allclose(tree.weighted_counts[node], weighted, rtol=1e-8)


def check_tree(
    tree,
    problem: Problem,
    case: Case,
    limits: Limits | None = None,
    best: Callable[..., float | None] | None = None,
    is_complete: bool = True,
) -> None:
    """Every split is the best there is, every leaf has a reason to be one.

    `best` finds the best value of a node; `is_complete` is False for a tree
    whose number of leaves was limited.
    """
    limits = limits or Limits()
    best = best or best_value
    rows, depth = rows_of_nodes(tree, problem.X), depths(tree)
    check_counts(tree, problem, rows)
    for node, here in enumerate(rows):
        parent = [float(w) for w in problem.weighted_counts(here)]
        unsplit = float(criteria.value_of_not_splitting(case, parent))
        found = f"{case} node {node}, {len(here)} rows"
        if tree.feature[node] >= 0:
            value = float(tree.gain[node]) + unsplit
            first, n = tree.first_child[node], tree.n_children[node]
            children = [problem.weighted_counts(rows[c]) for c in range(first, first + n)]
            assert min(len(rows[c]) for c in range(first, first + n)) >= limits.min_samples_leaf
            own = float(criteria.value(case, children))
            assert is_close(value, own), f"{found}: gain says {value}, the children {own}"
            top = best(problem, here, case, limits)
            assert top is not None, f"{found}: there is no split, yet it was split"
            assert is_close(value, top), f"{found}: value {value}, best {top}"
            assert tree.gain[node] >= limits.min_gain - 1e-11
            continue
        assert tree.gain[node] == 0
        if not is_complete or len(here) < limits.min_samples_split:
            continue
        if np.count_nonzero(tree.counts[node]) <= 1 or depth[node] == (limits.max_depth or -1):
            continue
        top = best(problem, here, case, limits)
        assert top is None or top - unsplit < limits.min_gain + 1e-11, f"{found}: leaf, yet {top}"


def best_value(problem: Problem, here: np.ndarray, case: Case, limits: Limits) -> float | None:
    """The best value of a node: numeric features in bulk, categorical ones split by split."""
    found = []
    for feature in range(problem.n_features):
        if problem.n_categories[feature]:
            tables = _categorical_tables(problem, here, feature, limits)
        else:
            tables = numeric_tables(problem, here, feature, limits)
        if len(tables):
            found.append(bulk.values(case, tables).max())
    return float(max(found)) if found else None


def numeric_tables(problem: Problem, here: np.ndarray, feature: int, limits: Limits) -> np.ndarray:
    """Class tables of all allowed cuts of a numeric feature, (cuts, 2, classes)."""
    x = np.asarray(problem.X[here, feature], dtype=np.float64)
    is_missing = np.isnan(x)
    order = np.argsort(x, kind="stable")[: len(x) - is_missing.sum()]
    if not len(order):
        return np.empty((0, 2, problem.n_classes))
    steps = x[order][1:] > x[order][:-1]
    ends = np.flatnonzero(np.append(steps, is_missing.any()))
    one = np.zeros((len(here), problem.n_classes), dtype=np.longdouble)
    one[np.arange(len(here)), problem.y[here]] = 1
    weight = one if problem.weights is None else one * problem.weights[here][:, None]

    def tables(amount: np.ndarray) -> np.ndarray:
        left = np.cumsum(amount[order], axis=0)[ends]
        missing, total = amount[is_missing].sum(axis=0), amount.sum(axis=0)
        sides = [left] if not is_missing.any() else [left, left[:-1] + missing]
        return np.concatenate([np.stack([side, total - side], axis=1) for side in sides])

    if len(ends) == 0:
        return np.empty((0, 2, problem.n_classes))
    n_rows, weights = tables(one).sum(axis=2), tables(weight)
    allowed = (n_rows >= max(1, limits.min_samples_leaf)).all(axis=1)
    if limits.min_weight_leaf > 0:
        allowed &= (weights.sum(axis=2) >= limits.min_weight_leaf).all(axis=1)
    weights = np.where(np.abs(weights) < 1e-15 * weight.sum(), 0, weights)  # a - a in floats
    return weights[allowed]


def _categorical_tables(problem: Problem, here, feature: int, limits: Limits) -> list:
    splits = cuts.NOMINAL[limits.categorical_split](problem, here.tolist(), feature)
    allowed = (s for s in splits if cuts.is_allowed(problem, s, limits))
    tables = ([problem.weighted_counts(child) for child in s.children] for s in allowed)
    return [[[float(w) for w in row] for row in table] for table in tables]
