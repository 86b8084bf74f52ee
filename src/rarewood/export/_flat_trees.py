"""The nodes of many trees in one set of arrays, for formats that walk over arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FlatTrees:
    """Trees one after another; numbers of nodes count through all of them.

    Children of a node are consecutive. Offsets are one longer than their nodes. A leaf has
    ``n_children`` 0 and, as all numbers of its own, -1.
    """

    roots: Ints
    feature: Ints
    threshold: Floats
    first_child: Ints
    n_children: Ints
    missing_child: Ints
    category_offset: Ints
    category: Ints
    category_child: Ints
    plane_offset: Ints
    plane_feature: Ints
    plane_weight: Floats
    probabilities: Floats
    """Class probabilities of all nodes (nodes x classes)."""
    max_depth: int

    @classmethod
    def of(cls, trees: list[Any]) -> Self:
        """Join the arrays of fitted trees."""
        n_nodes = np.array([tree.n_nodes for tree in trees], dtype=np.int64)
        roots = np.cumsum(n_nodes) - n_nodes

        def joined(name: str) -> NDArray[Any]:
            return np.concatenate([getattr(tree, name) for tree in trees])

        def offsets(name: str) -> Ints:
            sizes = [
                np.diff(found) if (found := getattr(tree, name)).size else np.zeros(tree.n_nodes)
                for tree in trees
            ]
            return np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.int64)

        first_child = joined("first_child").astype(np.int64)
        is_leaf = first_child < 0
        first_child = np.where(is_leaf, -1, first_child + np.repeat(roots, n_nodes))
        ints = (
            "feature", "n_children", "missing_child", "category", "category_child", "plane_feature",
        )  # fmt: skip
        arrays: dict[str, NDArray[Any]] = {name: joined(name).astype(np.int64) for name in ints}
        for name in ("threshold", "plane_weight", "probabilities"):
            arrays[name] = joined(name)
        return cls(
            roots=roots,
            first_child=first_child,
            **arrays,
            category_offset=offsets("category_offset"),
            plane_offset=offsets("plane_offset"),
            max_depth=max(tree.max_depth for tree in trees),
        )

    @property
    def n_nodes(self) -> int:
        """Number of nodes of all trees."""
        return len(self.feature)

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Whether each node is a leaf."""
        return np.equal(self.n_children, 0)

    @cached_property
    def leaf_number(self) -> Ints:
        """Number of each leaf among the leaves; -1 for other nodes."""
        return np.where(self.is_leaf, np.cumsum(self.is_leaf) - 1, -1)

    @cached_property
    def n_categories(self) -> Ints:
        """Number of categories of each categorical node; 0 for others."""
        return np.diff(self.category_offset)

    @cached_property
    def n_terms(self) -> Ints:
        """Number of terms of each hyperplane node; 0 for others."""
        return np.diff(self.plane_offset)

    @property
    def has_planes(self) -> bool:
        """Whether there is a hyperplane."""
        return self.plane_feature.size > 0

    @property
    def has_categories(self) -> bool:
        """Whether there is a categorical split."""
        return self.category.size > 0

    @cached_property
    def is_binary(self) -> bool:
        """Whether no node has more than two children."""
        return int(self.n_children.max()) <= 2

    @cached_property
    def parent(self) -> Ints:
        """Parent of each node; a root is its own."""
        parent = np.arange(self.n_nodes)
        inner = np.flatnonzero(~self.is_leaf)
        sizes = self.n_children[inner]
        starts = np.repeat(self.first_child[inner] - np.cumsum(sizes) + sizes, sizes)
        parent[starts + np.arange(sizes.sum())] = np.repeat(inner, sizes)
        return parent
