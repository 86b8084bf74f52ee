"""Read-only arrays of a tree, and the names that scikit-learn has for some of them."""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", np.int32, np.int64, np.float64)


class _CoreArray(cached_property[NDArray[Any]]):
    """A read-only array of the compiled tree, which has the same name there."""

    def __init__(self, doc: str) -> None:
        super().__init__(lambda tree: read_only(getattr(tree.compiled, str(self.attrname))))
        self.__doc__ = doc


def core_array(dtype: type[Number], doc: str) -> cached_property[NDArray[Number]]:
    """Return the property for an array of the compiled tree of a type."""
    return cast("cached_property[NDArray[Number]]", _CoreArray(doc))


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a view that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


class BinaryNames:
    """Aliases for tools that expect a tree of scikit-learn."""

    @property
    def node_count(self: Any) -> int:
        """Number of nodes, leaves included."""
        return int(self.n_nodes)

    @property
    def children_left(self: Any) -> NDArray[np.int64]:
        """First child of each node; -1 for a leaf."""
        _require_binary(self, "children_left")
        return read_only(self.first_child.astype(np.int64))

    @property
    def children_right(self: Any) -> NDArray[np.int64]:
        """Second child of each node; -1 for a leaf."""
        _require_binary(self, "children_right")
        return read_only(np.where(self.n_children == 0, -1, self.first_child + 1).astype(np.int64))

    @property
    def n_node_samples(self: Any) -> NDArray[np.int64]:
        """Number of training samples of each node."""
        return read_only(self.counts.sum(axis=1))

    @property
    def weighted_n_node_samples(self: Any) -> NDArray[np.float64]:
        """Total weight of the training samples of each node."""
        return read_only(self.weighted_counts.sum(axis=1))

    @property
    def value(self: Any) -> NDArray[np.float64]:
        """Class fractions of each node, not smoothed (nodes x 1 x classes)."""
        totals = self.weighted_counts.sum(axis=1, keepdims=True)
        return read_only((self.weighted_counts / totals)[:, np.newaxis, :])


def _require_binary(tree: Any, name: str) -> None:
    widest = int(tree.n_children.max())
    if widest > 2:
        raise AttributeError(
            f"{name} exists for binary trees only, and this tree has a node with {widest} "
            'children. Use first_child and n_children, or fit with categorical_split="subset".'
        )
