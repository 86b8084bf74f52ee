"""Mean probability of a tree when only some features are known."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.model._fitted_tree import FittedTree
from rarewood.model._fractional_tree import FractionalTree

Floats = NDArray[np.float64]


Part = slice | NDArray[np.intp]


def dependence_of_tree(tree: FittedTree, grid: dict[int, Floats]) -> Floats:
    """Return the probabilities for all combinations of the values of some features.

    At a node of another feature a sample goes to all children, in proportion to their training
    weights. The result has an axis per feature of the grid, and one of classes.
    """
    shape = [len(values) for values in grid.values()]
    if isinstance(tree, FractionalTree):  # what such a tree does with missing values
        rows = np.full((int(np.prod(shape)), tree.n_features), np.nan)
        rows[:, list(grid)] = list(product(*grid.values()))
        return tree.predict_proba(rows).reshape(*shape, -1)
    axis_of = {feature: axis for axis, feature in enumerate(grid)}
    tests_known = np.greater(tree.n_children, 0) & np.isin(tree.feature, list(grid))
    share, mean, depends = _bottom_up(tree, tests_known)
    total = np.zeros((*shape, tree.n_classes))
    # The combinations that reach a node are those of a part of the values of each feature. They
    # have one weight there, since all of them come along the same path.
    stack: list[tuple[int, tuple[Part, ...], float]] = [(0, (slice(None),) * len(shape), 1.0)]
    while stack:
        node, parts, weight = stack.pop()
        if not depends[node]:
            total[_index(parts, shape)] += weight * mean[node]
            continue
        first, n_children = int(tree.first_child[node]), int(tree.n_children[node])
        if tests_known[node]:
            axis = axis_of[int(tree.feature[node])]
            numbers = np.arange(shape[axis])[parts[axis]]
            child = _followed(tree, node, grid[int(tree.feature[node])][numbers])
            for v in range(n_children):
                if len(kept := numbers[child == v]):
                    to_child = (*parts[:axis], _as_slice(kept), *parts[axis + 1 :])
                    stack.append((first + v, to_child, weight))
            continue
        children = np.arange(first, first + n_children)
        fixed = children[~depends[children]]
        if len(fixed):
            total[_index(parts, shape)] += weight * (share[fixed] @ mean[fixed])
        stack += [(v, parts, weight * share[v]) for v in children[depends[children]].tolist()]
    return total


def _as_slice(numbers: NDArray[np.intp]) -> Part:
    """Return ascending numbers as a slice, if they are consecutive."""
    first, last = int(numbers[0]), int(numbers[-1])
    return slice(first, last + 1) if last - first == len(numbers) - 1 else numbers


def _index(parts: tuple[Part, ...], shape: list[int]) -> tuple[Any, ...]:
    """Return the index of the combinations of parts: a view, if all are slices."""
    if all(isinstance(part, slice) for part in parts):
        return parts
    return np.ix_(*(np.arange(size)[part] for size, part in zip(shape, parts, strict=True)))


def _bottom_up(
    tree: FittedTree, tests_known: NDArray[np.bool_]
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return by node its share of its parent, its mean, and if a known feature is tested below."""
    weight = tree.weighted_counts.sum(axis=1)
    share, mean, depends = np.ones(tree.n_nodes), tree.probabilities.copy(), tests_known.copy()
    inner = np.flatnonzero(tree.n_children)
    depth = tree.depth[inner]
    for level in range(tree.max_depth - 1, -1, -1):
        nodes = inner[depth == level]
        children, sizes = tree.children_of(nodes), tree.n_children[nodes]
        starts = np.cumsum(sizes) - sizes
        total = np.add.reduceat(weight[children], starts)
        share[children] = weight[children] / np.repeat(total, sizes)
        mean[nodes] = np.add.reduceat(share[children, np.newaxis] * mean[children], starts)
        depends[nodes] |= np.logical_or.reduceat(depends[children], starts)
    return share, mean, depends


def _followed(tree: FittedTree, node: int, values: NDArray[np.floating]) -> NDArray[np.intp]:
    """Return which child of a node each value belongs to."""
    missing, threshold = int(tree.missing_child[node]), tree.threshold[node]
    if not np.isnan(threshold):
        return np.where(np.isnan(values), missing, values > threshold)
    here = slice(*tree.category_offset[node : node + 2])
    categories, children = tree.category[here].tolist(), tree.category_child[here].tolist()
    of_category = dict(zip(categories, children, strict=True))
    return np.array([of_category.get(value, missing) for value in values.tolist()])
