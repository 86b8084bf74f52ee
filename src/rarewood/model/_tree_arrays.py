"""Names of scikit-learn for the arrays of a tree without multiway splits."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class _Arrays(Protocol):
    """Arrays behind the aliases."""

    @property
    def n_nodes(self) -> int: ...
    @property
    def first_child(self) -> NDArray[np.int32]: ...
    @property
    def n_children(self) -> NDArray[np.int32]: ...
    @property
    def counts(self) -> NDArray[np.int64]: ...
    @property
    def weighted_counts(self) -> NDArray[np.float64]: ...


class BinaryNames:
    """Aliases for tools that expect a tree of scikit-learn."""

    @property
    def node_count(self: _Arrays) -> int:
        """Number of nodes, leaves included."""
        return self.n_nodes

    @property
    def children_left(self: _Arrays) -> NDArray[np.int64]:
        """First child of each node; -1 for a leaf."""
        _require_binary(self, "children_left")
        return _frozen(self.first_child.astype(np.int64))

    @property
    def children_right(self: _Arrays) -> NDArray[np.int64]:
        """Second child of each node; -1 for a leaf."""
        _require_binary(self, "children_right")
        return _frozen(np.where(self.n_children == 0, -1, self.first_child + 1).astype(np.int64))

    @property
    def n_node_samples(self: _Arrays) -> NDArray[np.int64]:
        """Number of training samples of each node."""
        return _frozen(self.counts.sum(axis=1))

    @property
    def weighted_n_node_samples(self: _Arrays) -> NDArray[np.float64]:
        """Total weight of the training samples of each node."""
        return _frozen(self.weighted_counts.sum(axis=1))

    @property
    def value(self: _Arrays) -> NDArray[np.float64]:
        """Class fractions of each node, not smoothed (nodes x 1 x classes)."""
        totals = self.weighted_counts.sum(axis=1, keepdims=True)
        return _frozen((self.weighted_counts / totals)[:, np.newaxis, :])


def _require_binary(tree: _Arrays, name: str) -> None:
    widest = int(tree.n_children.max())
    if widest > 2:
        raise AttributeError(
            f"{name} exists for binary trees only, and this tree has a node with {widest} "
            'children. Use first_child and n_children, or fit with categorical_split="subset".'
        )


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array
