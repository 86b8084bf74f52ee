"""Growth with chance, and a walk over a finished tree that was grown with it."""

from __future__ import annotations

import math

import numpy as np

from oracle import chance as draws
from oracle import criteria, random
from oracle.audit import is_close
from oracle.cases import Case
from oracle.chance import Chance
from oracle.cuts import Rows, Split
from oracle.problem import Limits, Problem
from oracle.tree import Node

NOTHING = 1e-9  # a smaller gain may be rounding, and then so is the choice


def may_split(problem: Problem, rows: Rows, limits: Limits, depth: int) -> bool:
    is_pure = np.count_nonzero(problem.counts(rows)) <= 1
    is_deepest = limits.max_depth and depth >= limits.max_depth
    return not (is_pure or is_deepest or len(rows) < limits.min_samples_split)


def best(problem, rows, key, case, limits, chance) -> tuple[list[Split], Split | None, float]:
    """All that a node considers, the best of it, and what that gains."""
    found = draws.candidates(problem, rows, key, limits, chance)
    if not found:
        return [], None, 0.0
    split, value = draws.choose(problem, found, case)
    unsplit = criteria.value_of_not_splitting(case, problem.weighted_counts(rows))
    gain = value - float(unsplit)
    return found, (split if gain >= limits.min_gain - 1e-12 else None), gain


def grow(
    problem: Problem,
    case: Case,
    limits: Limits,
    chance: Chance,
    seed: int,
    tree: int = 0,
    rows: Rows | None = None,
) -> Node:
    """A tree on the given rows, which may be there several times."""
    start = list(range(problem.n_rows)) if rows is None else rows
    return _grow(problem, start, random.root_key(seed, tree), case, limits, chance, 0)


def _grow(problem, rows, key, case, limits, chance, depth) -> Node:
    node = Node(problem.counts(rows), problem.weighted_counts(rows), depth)
    if not may_split(problem, rows, limits, depth):
        return node
    _, node.split, node.gain = best(problem, rows, key, case, limits, chance)
    if node.split is not None:
        for i, child in enumerate(node.split.children):
            own = random.child_key(key, i)
            node.children.append(_grow(problem, child, own, case, limits, chance, depth + 1))
    return node


# --------------------------------------------------------------------------- the walk


def check_tree(
    tree,
    problem: Problem,
    case: Case,
    limits: Limits | None = None,
    chance: Chance | None = None,
    seed: int = 0,
    number: int = 0,
    rows: Rows | None = None,
) -> None:
    """Every split is one that its node drew, and the best of those; every leaf has a reason."""
    limits, chance = limits or Limits(), chance or Chance()
    start = list(range(problem.n_rows)) if rows is None else rows
    waiting = [(0, start, random.root_key(seed, number), 0)]
    while waiting:
        node, here, key, depth = waiting.pop()
        assert tree.counts[node].tolist() == problem.counts(here), f"node {node}"
        weights = [float(w) for w in problem.weighted_counts(here)]
        # As in oracle.audit: the core rounds weights to a grid.
        np.testing.assert_allclose(tree.weighted_counts[node], weights, rtol=1e-8)
        if not may_split(problem, here, limits, depth):
            assert tree.feature[node] < 0
            continue
        found, want, gain = best(problem, here, key, case, limits, chance)
        if tree.feature[node] < 0:
            assert want is None or gain < limits.min_gain + 1e-11, f"node {node}: leaf, yet {want}"
            continue
        own = [split for split in found if is_same(tree, node, split)]
        assert len(own) >= 1, f"node {node}: its split is none of those drawn"
        assert is_close(tree.gain[node], gain), f"node {node}: {tree.gain[node]}, best {gain}"
        value = draws.values(problem, own[:1], case)[0]
        assert is_close(value, draws.values(problem, found, case).max())
        if gain > NOTHING:
            assert is_same(tree, node, want), f"node {node}: a tie is settled otherwise"
        for i, child in enumerate(own[0].children):
            waiting.append((tree.first_child[node] + i, child, random.child_key(key, i), depth + 1))


def is_same(tree, node: int, split: Split) -> bool:
    """Does a node test what a split says, to the last bit?"""
    threshold = float(tree.threshold[node])
    low, high = tree.category_offset[node], tree.category_offset[node + 1]
    sides: list[set[int]] = [set() for _ in range(tree.n_children[node])]
    for category, child in zip(tree.category[low:high], tree.category_child[low:high], strict=True):
        sides[child].add(int(category))
    if split.missing_child is None:
        sizes = [len(child) for child in split.children]
        missing = sizes.index(max(sizes))
    else:
        missing = split.missing_child
    if math.isnan(split.threshold):
        is_same_test = math.isnan(threshold) and sides[: len(split.sides)] == list(split.sides)
    else:
        is_same_test = threshold == split.threshold and plane_of(tree, node) == split.plane
    return (
        is_same_test
        and tree.feature[node] == split.feature
        and tree.n_children[node] == len(split.children)
        and tree.missing_child[node] == missing
    )


def plane_of(tree, node: int) -> tuple[tuple[int, float], ...]:
    if not len(tree.plane_offset):
        return ()
    low, high = tree.plane_offset[node], tree.plane_offset[node + 1]
    features, weights = tree.plane_feature[low:high].tolist(), tree.plane_weight[low:high].tolist()
    return tuple(zip(features, weights, strict=True))
