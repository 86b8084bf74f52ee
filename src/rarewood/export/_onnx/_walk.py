"""From the roots of all trees to their leaves, level by level, with operators on arrays."""

from __future__ import annotations

import numpy as np

from rarewood.export._flat_trees import FlatTrees, Floats, Ints
from rarewood.export._onnx._graph import Graph


def leaf_numbers(graph: Graph, x: str, flat: FlatTrees) -> str:
    """Return the number of the leaf of each sample in each tree (samples x trees).

    A walk is a sample in a tree. All walks are in one array; those that have reached a leaf leave
    the loop, since the mean depth of leaves is a fraction of the largest one.
    """
    n_trees = len(flat.roots)
    n_samples = graph.add("Shape", x, start=0, end=1)
    shape = graph.add("Concat", n_samples, graph.constant([n_trees]), axis=0)
    roots = graph.flatten(graph.add("Expand", graph.constant(flat.roots[np.newaxis]), shape))
    if flat.max_depth == 0:
        nodes = roots
    else:
        walks = _Walks(flat, graph.flatten(x))
        nodes = graph.repeat(flat.max_depth, walks.start(graph, x, roots), walks.step)[0]
    leaves = graph.take(flat.leaf_number, nodes)
    return graph.add("Reshape", leaves, graph.constant([-1, n_trees]))


class _Walks:
    """All walks, one level per step.

    The state are the nodes of all walks so far, and of the walks that are not at a leaf: their
    numbers, their nodes, and where the values of their samples begin.
    """

    def __init__(self, flat: FlatTrees, values: str) -> None:
        self.flat = flat
        self.values = values  # of all samples, one after another
        self.is_inner = ~flat.is_leaf
        self.terms = _terms(flat)
        self.search = CategorySearch(flat)

    def start(self, graph: Graph, x: str, roots: str) -> list[str]:
        """Return the state in which all walks are at the roots, which may be leaves."""
        n_walks = graph.add("Squeeze", graph.add("Shape", roots))
        zero, one = graph.constant(0), graph.constant(1)
        numbers = graph.add("Range", zero, n_walks, one)
        n_features = graph.add("Shape", x, start=1, end=2)
        samples = graph.add("Div", numbers, graph.constant([len(self.flat.roots)]))
        state = [numbers, roots, graph.add("Mul", samples, n_features)]
        if not self.is_inner[self.flat.roots].all():  # some trees are a single leaf
            goes_on = graph.take(self.is_inner, roots)
            state = [graph.add("Compress", value, goes_on) for value in state]
        return [roots, *state]

    def step(self, graph: Graph, state: list[str]) -> tuple[list[str], str]:
        """Return the state one level below, and whether any walk is not at a leaf."""
        found, numbers, nodes, offsets = state
        nodes = self._next(graph, nodes, offsets)
        found = graph.add("ScatterElements", found, numbers, nodes, axis=0)
        goes_on = graph.take(self.is_inner, nodes)
        kept = [graph.add("Compress", value, goes_on) for value in (numbers, nodes, offsets)]
        any_left = graph.add("Greater", graph.add("Size", kept[0]), graph.constant(0))
        return [found, *kept], any_left

    def _next(self, graph: Graph, nodes: str, offsets: str) -> str:
        """Return the children that samples go to. A comparison with a missing value is false."""
        flat = self.flat
        value = self._value(graph, nodes, offsets)
        missing = graph.take(flat.missing_child, nodes)
        child = graph.to(graph.add("Greater", value, graph.take(flat.threshold, nodes)), np.int64)
        if flat.has_categories:
            found = self.search.child(graph, value, nodes, missing)
            is_categorical = graph.take(self.search.is_categorical, nodes)
            child = graph.add("Where", is_categorical, found, child)
        child = graph.add("Where", graph.add("IsNaN", value), missing, child)
        return graph.add("Add", graph.take(flat.first_child, nodes), child)

    def _value(self, graph: Graph, nodes: str, offsets: str) -> str:
        """Return the values that nodes compare; sums are added in the order of their terms."""
        total = ""
        for features, weights in self.terms:
            places = graph.add("Add", offsets, graph.take(features, nodes))
            value = graph.add("GatherElements", self.values, places, axis=0)
            if self.flat.has_planes:
                value = graph.add("Mul", value, graph.take(weights, nodes))
            total = graph.add("Add", total, value) if total else value
        return total


def _terms(flat: FlatTrees) -> list[tuple[Ints, Floats]]:
    """Return the features and weights of the first terms of all nodes, of the second, and so on.

    A node without a hyperplane has one term of weight 1. Terms that a node does not have are its
    first one with weight 0, which changes no sum, as infinite values are not valid.
    """
    n_terms = flat.n_terms
    first = np.maximum(flat.feature, 0)  # of a leaf any
    terms = []
    for place in range(max(1, int(n_terms.max(initial=0)))):
        features, weights = first.copy(), np.full(flat.n_nodes, float(place == 0))
        has = n_terms > place
        at = flat.plane_offset[:-1][has] + place
        features[has], weights[has] = flat.plane_feature[at], flat.plane_weight[at]
        terms.append((features, weights))
    return terms


class CategorySearch:
    """Binary search in the sorted categories of nodes."""

    def __init__(self, flat: FlatTrees) -> None:
        sizes = flat.n_categories
        self.is_categorical = sizes > 0
        begin = np.where(self.is_categorical, flat.category_offset[:-1], 0)
        self.begin, self.last = begin, np.maximum(begin + sizes - 1, 0)
        self.category = flat.category.astype(np.float64)
        self.category_child = flat.category_child
        longest = int(sizes.max(initial=0))
        self.steps = [2**power for power in reversed(range(max(longest - 1, 0).bit_length()))]

    def child(self, graph: Graph, value: str, nodes: str, otherwise: str) -> str:
        """Return the child for a category at categorical nodes, where there is one."""
        place, found = self.find(graph, value, nodes)
        return graph.add("Where", found, graph.take(self.category_child, place), otherwise)

    def find(self, graph: Graph, value: str, nodes: str) -> tuple[str, str]:
        """Return the place of the last category up to the value, and whether it is the value."""
        place, last = graph.take(self.begin, nodes), graph.take(self.last, nodes)
        for step in self.steps:
            ahead = graph.add("Min", graph.add("Add", place, graph.constant(step)), last)
            is_low = graph.add("LessOrEqual", graph.take(self.category, ahead), value)
            place = graph.add("Where", is_low, ahead, place)
        return place, graph.add("Equal", graph.take(self.category, place), value)
