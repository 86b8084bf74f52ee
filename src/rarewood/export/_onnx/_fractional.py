"""Trees that divide samples with missing values (C4.5), with all nodes at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.export._flat_trees import FlatTrees
from rarewood.export._fractions import child_fractions, preorder
from rarewood.export._onnx._graph import Graph
from rarewood.export._onnx._sums import sum_in_order
from rarewood.export._onnx._walk import CategorySearch


def probabilities(graph: Graph, x: str, flat: FlatTrees, tree: Any) -> str:
    """Return the class probabilities of one tree (samples x classes).

    The part of a sample that reaches a node is a product of factors, one per node of its path: 1 at
    the child that the sample follows, the fraction of the training weight if the value is missing,
    and 0 elsewhere. Nodes are added in the order in which the core visits them.
    """
    order = preorder(flat)
    nodes = _Nodes.of(flat, order, CategorySearch(flat))
    parts = _parts(graph, nodes.factors(graph, x, child_fractions(tree)), nodes.parent, flat)
    ends = graph.add("Mul", parts, nodes.ends(graph, x))
    ends = graph.add("Unsqueeze", ends, graph.constant([2]))
    values = graph.add("Mul", ends, graph.constant(flat.probabilities[order]))
    return sum_in_order(graph, values, flat.n_nodes)


def _parts(graph: Graph, factors: str, parent: NDArray[np.int64], flat: FlatTrees) -> str:
    """Return the products over the paths to all nodes."""
    parts, parents = factors, graph.constant(parent)
    for _ in range(flat.max_depth - 1):
        parts = graph.add("Mul", graph.add("Gather", parts, parents, axis=1), factors)
    return parts


@dataclass(frozen=True)
class _Nodes:
    """Nodes in preorder; ``parent`` is a place in this order, the other numbers are nodes."""

    flat: FlatTrees
    order: NDArray[np.int64]
    parent: NDArray[np.int64]
    parent_node: NDArray[np.int64]
    search: CategorySearch

    @classmethod
    def of(cls, flat: FlatTrees, order: NDArray[np.int64], search: CategorySearch) -> _Nodes:
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        parent_node = flat.parent[order]
        return cls(flat, order, place[parent_node], parent_node, search)

    def factors(self, graph: Graph, x: str, fractions: NDArray[np.float64]) -> str:
        """Return the part of the samples of the parent that goes to each node."""
        flat, parent = self.flat, self.parent_node
        value = self._values(graph, x, parent)
        is_above = graph.add("Greater", value, graph.constant(flat.threshold[parent]))
        child = graph.to(is_above, np.int64)
        if flat.has_categories:
            place, is_known = self._find(graph, value, parent)
            of_place = graph.take(self.search.category_child, graph.flatten(place))
            children = graph.add("Reshape", of_place, graph.constant([-1, flat.n_nodes]))
            found = graph.add("Where", is_known, children, graph.constant(-1))
            is_categorical = graph.constant(self.search.is_categorical[parent])
            child = graph.add("Where", is_categorical, found, child)
        position = self.order - flat.first_child[parent]
        follows = graph.to(graph.add("Equal", child, graph.constant(position)), np.float64)
        is_missing = graph.add("IsNaN", value)
        factors = graph.add("Where", is_missing, graph.constant(fractions[self.order]), follows)
        is_root = graph.constant(self.order == 0)
        return graph.add("Where", is_root, graph.constant(1.0), factors)

    def ends(self, graph: Graph, x: str) -> str:
        """Return 1 where samples end in a node that they reach, else 0.

        They end in leaves, and where a category has no child.
        """
        flat, order = self.flat, self.order
        is_leaf = graph.constant(flat.is_leaf[order].astype(np.float64))
        if not flat.has_categories:
            return is_leaf
        value = self._values(graph, x, order)
        _, found = self._find(graph, value, order)
        is_known = graph.add("Or", found, graph.add("IsNaN", value))
        is_inner = graph.constant(~self.search.is_categorical[order])
        stays = graph.add("Not", graph.add("Or", is_known, is_inner))
        return graph.add("Max", graph.to(stays, np.float64), is_leaf)

    def _values(self, graph: Graph, x: str, nodes: NDArray[np.int64]) -> str:
        """Return the values that nodes compare (samples x nodes); any for leaves."""
        features = np.maximum(self.flat.feature[nodes], 0)
        return graph.add("Gather", x, graph.constant(features), axis=1)

    def _find(self, graph: Graph, value: str, nodes: NDArray[np.int64]) -> tuple[str, str]:
        """Search the values (samples x nodes) in the categories of nodes."""
        numbers = graph.add("Expand", graph.constant(nodes), graph.add("Shape", value))
        found = self.search.find(graph, graph.flatten(value), graph.flatten(numbers))
        shape = graph.constant([-1, self.flat.n_nodes])
        place, is_known = (graph.add("Reshape", one, shape) for one in found)
        return place, is_known
