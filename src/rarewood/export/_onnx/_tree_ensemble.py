"""The operator TreeEnsemble of ai.onnx.ml 5, for trees with two children per node."""

from __future__ import annotations

from typing import Any

import numpy as np

from rarewood.export._flat_trees import FlatTrees
from rarewood.export._onnx._graph import ML, Graph, tensor

_LEQ, _MEMBER = 0, 6  # modes of nodes
_SUM, _NO_TRANSFORM = 1, 0
Child = tuple[int, bool]  # its number, and whether it is a leaf
_NO_CHILD: Child = (-1, False)


class Ensemble:
    """Nodes and leaves of the operator; a leaf adds its value to one output.

    Outputs are numbered, and a leaf has one value. So the class probabilities of a leaf cannot be
    in it: trees have one output each, which is the number of the leaf.
    """

    def __init__(self, n_outputs: int) -> None:
        self.n_outputs = n_outputs
        self.roots: list[int] = []
        self._leaves: list[tuple[int, float]] = []
        self._nodes: list[tuple[int, float, int]] = []
        self._children: list[list[Child]] = []
        self._members: dict[int, list[float]] = {}

    @property
    def n_nodes(self) -> int:
        """Number of nodes so far, without leaves."""
        return len(self._nodes)

    def add_leaf(self, output: int, value: float) -> int:
        """Add a leaf, and return its number."""
        self._leaves.append((output, value))
        return len(self._leaves) - 1

    def add_node(self, feature: int, threshold: float, *, is_first: bool = False) -> int:
        """Add a node and return its number; ``is_first``: missing values go to the first child."""
        self._nodes.append((feature, threshold, int(is_first)))
        self._children.append([_NO_CHILD, _NO_CHILD])
        return len(self._nodes) - 1

    def add_member_node(self, feature: int, members: list[float]) -> int:
        """Add a node whose members go to the first child; others and missing values do not."""
        node = self.add_node(feature, 0.0)
        self._members[node] = members
        return node

    def set_child(self, node: int, place: int, child: int, is_leaf: bool) -> None:
        """Set the first (0) or second (1) child of a node."""
        self._children[node][place] = (child, is_leaf)

    def add_to(self, graph: Graph, x: str) -> str:
        """Add the operator to a graph, and return the name of its outputs (samples x outputs)."""
        features, thresholds, tracks = zip(*self._nodes, strict=True)
        outputs, values = zip(*self._leaves, strict=True)
        firsts, seconds = zip(*self._children, strict=True)
        modes = np.full(self.n_nodes, _LEQ, dtype=np.uint8)
        modes[list(self._members)] = _MEMBER
        more: dict[str, Any] = {}
        if self._members:  # the sets of nodes in their order, separated by NaN
            sets = [[*self._members[node], np.nan] for node in sorted(self._members)]
            more["membership_values"] = tensor(np.concatenate(sets))
        return graph.add(
            "TreeEnsemble",
            x,
            domain=ML,
            aggregate_function=_SUM,
            post_transform=_NO_TRANSFORM,
            n_targets=self.n_outputs,
            tree_roots=self.roots,
            leaf_targetids=outputs,
            leaf_weights=tensor(np.array(values, dtype=np.float64)),
            nodes_featureids=features,
            nodes_splits=tensor(np.array(thresholds, dtype=np.float64)),
            nodes_modes=tensor(modes),
            nodes_truenodeids=[child for child, _ in firsts],
            nodes_trueleafs=[int(is_leaf) for _, is_leaf in firsts],
            nodes_falsenodeids=[child for child, _ in seconds],
            nodes_falseleafs=[int(is_leaf) for _, is_leaf in seconds],
            nodes_missing_value_tracks_true=tracks,
            **more,
        )


def fits(flat: FlatTrees) -> bool:
    """Whether the operator can represent trees: axis-parallel ones with two children per node."""
    return flat.is_binary and not flat.has_planes


def leaf_numbers(graph: Graph, x: str, flat: FlatTrees) -> str:
    """Return the number of the leaf of each sample in each tree (samples x trees)."""
    ensemble = Ensemble(len(flat.roots))
    for tree, root in enumerate(flat.roots.tolist()):
        _add_tree(ensemble, flat, tree, root)
    return graph.to(ensemble.add_to(graph, x), np.int64)


def _add_tree(ensemble: Ensemble, flat: FlatTrees, tree: int, root: int) -> None:
    """Add the nodes of a tree in preorder, in which some readers expect the sets of categories."""
    leaf_number = flat.leaf_number
    if flat.is_leaf[root]:  # a root must be a node: one with equal leaves
        node = ensemble.add_node(0, 0.0)
        for place in range(2):
            leaf = ensemble.add_leaf(tree, float(leaf_number[root]))
            ensemble.set_child(node, place, leaf, is_leaf=True)
        ensemble.roots.append(node)
        return
    ensemble.roots.append(ensemble.n_nodes)
    waiting = [(root, -1, 0)]
    while waiting:
        node, parent, place = waiting.pop()
        if flat.is_leaf[node]:
            number = ensemble.add_leaf(tree, float(leaf_number[node])), True
        else:
            first, missing = int(flat.first_child[node]), int(flat.missing_child[node])
            feature = int(flat.feature[node])
            children = (first, first + 1)
            if flat.n_categories[node]:
                members = _categories_of(flat, node, 1 - missing)
                children = (first + 1 - missing, first + missing)
                number = ensemble.add_member_node(feature, members), False
            else:
                threshold = float(flat.threshold[node])
                number = ensemble.add_node(feature, threshold, is_first=missing == 0), False
            waiting += [(children[1], number[0], 1), (children[0], number[0], 0)]
        if parent >= 0:
            ensemble.set_child(parent, place, *number)


def _categories_of(flat: FlatTrees, node: int, position: int) -> list[float]:
    """Return the categories of one child, of which a node must have at least one."""
    entries = slice(*flat.category_offset[node : node + 2])
    found = flat.category[entries][flat.category_child[entries] == position]
    return found.astype(float).tolist() or [-1.0]
