"""Fitted tree as read-only arrays, with the names of its features and classes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from rarewood import _core
from rarewood.export._text import export_text
from rarewood.model._tree_arrays import BinaryNames, core_array, read_only
from rarewood.table._checks import check_finite, naming_infinite
from rarewood.table._schema import Schema
from rarewood.table._values import Matrix

Floats = NDArray[np.float64]


@dataclass(frozen=True, repr=False, eq=False)
class FittedTree(BinaryNames):
    """Fitted tree as flat read-only arrays, one entry per node.

    It is the ``tree_`` attribute of a fitted :class:`rarewood.RareTreeClassifier`. The root is node
    0. The children of a node are ``first_child``, ``first_child + 1`` and so on, ``n_children`` in
    all; they have larger numbers than their parent. Trees without multiway splits also have the
    names of scikit-learn: ``node_count``, ``children_left``, ``children_right``,
    ``n_node_samples``, ``weighted_n_node_samples`` and ``value``.

    A node splits on one feature, numeric or categorical, or on a hyperplane: a weighted sum of
    several numeric features that is compared with ``threshold``; see :meth:`plane_terms`.

    Parameters
    ----------
    compiled : _core.Tree
        Tree of the compiled core.
    schema : Schema
        Features of the training table.
    classes : ndarray of shape (n_classes,)
        Class labels.
    leaf : {"raw", "laplace", "m_estimate", "shrunk"}, default="raw"
        Leaf estimator, which turns class counts into probabilities.
    leaf_strength : float, default=0.0
        Strength of the smoothing.

    Examples
    --------
    >>> from rarewood import RareTreeClassifier
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], ["no", "no", "no", "yes"]
    >>> tree = RareTreeClassifier().fit(X, y).tree_
    >>> tree.n_nodes, tree.feature.tolist(), float(tree.threshold[0])
    (3, [0, -1, -1], 3.5)
    >>> tree.counts.tolist()
    [[3, 1], [3, 0], [0, 1]]
    """

    compiled: _core.Tree
    schema: Schema
    classes: NDArray[Any]
    leaf: str = "raw"
    leaf_strength: float = 0.0

    divides_missing: ClassVar[bool] = False
    """Whether samples with missing values are divided among the children, as C4.5 does."""

    def __getstate__(self) -> dict[str, Any]:
        state = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {**state, "compiled": self.compiled.state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, compiled=tree_from_state(state["compiled"]))

    def __repr__(self) -> str:
        return (
            f"FittedTree(n_nodes={self.n_nodes}, n_leaves={self.n_leaves}, "
            f"max_depth={self.max_depth}, n_features={self.n_features}, "
            f"n_classes={self.n_classes})"
        )

    def __str__(self) -> str:
        return self.export_text()

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return self.compiled.n_nodes

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.compiled.n_features

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return self.compiled.n_classes

    @cached_property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.n_children == 0))

    @cached_property
    def max_depth(self) -> int:
        """Largest distance of a leaf from the root; 0 when the root is a leaf."""
        return int(self.depth.max())

    feature = core_array(
        np.int32, "Feature of the split, the first one of a hyperplane; -1 for a leaf."
    )
    threshold = core_array(
        np.float64,
        """Threshold of the split: values up to it go to the first child, others to the second.

        NaN for leaves and categorical splits; infinite where all values go to the first child and
        missing values to the second.
        """,
    )
    first_child = core_array(np.int32, "First child of the node; -1 for a leaf.")
    n_children = core_array(np.int32, "Number of children; 0 for a leaf.")
    missing_child = core_array(
        np.int32,
        """Index, among the children, of the child for missing values; -1 for a leaf.

        It also receives the categories that were not present in the node during training.
        """,
    )
    counts = core_array(np.int64, "Number of training samples of each class (nodes x classes).")
    weighted_counts = core_array(
        np.float64, "Total weight of the training samples of each class (nodes x classes)."
    )
    gain = core_array(
        np.float64, "Criterion value of the split minus that of no split; 0 for a leaf."
    )
    category_offset = core_array(
        np.int64,
        "Start of the categories of each node in ``category``, and the end as last entry.",
    )
    category = core_array(
        np.int32, "Category numbers present in the categorical nodes, node by node."
    )
    category_child = core_array(
        np.int32, "Index, among the children, of the child for each entry of ``category``."
    )
    plane_offset = core_array(
        np.int64,
        """Start of the hyperplane terms of each node, with the end as last entry.

        Empty for a tree without hyperplanes.
        """,
    )
    plane_feature = core_array(np.int32, "Features of the hyperplane terms, node by node.")
    plane_weight = core_array(
        np.float64,
        "Weights of the hyperplane terms; sum of weight * value is compared with ``threshold``.",
    )

    @cached_property
    def probabilities(self) -> Floats:
        """Class probabilities (nodes x classes), smoothed by the leaf estimator."""
        return read_only(self.compiled.leaf_values(self.leaf, self.leaf_strength))

    @cached_property
    def prediction(self) -> NDArray[np.intp]:
        """Index of the most probable class of each node; the first one in case of ties."""
        return read_only(self.probabilities.argmax(axis=1))

    @cached_property
    def p_values(self) -> Floats:
        """One-sided p-value of Fisher's exact test for the rule "reaches this node".

        The rule predicts the class of which the largest fraction reaches the node. The node was
        chosen on the same training samples, so the p-value is optimistic.
        """
        return read_only(_core.node_p_values(self.compiled))

    @cached_property
    def parent(self) -> NDArray[np.int64]:
        """Parent of each node; -1 for the root."""
        parent = np.full(self.n_nodes, -1, dtype=np.int64)
        inner = np.flatnonzero(self.n_children)
        inner = inner[np.argsort(self.first_child[inner])]
        parent[1:] = np.repeat(inner, self.n_children[inner])
        return read_only(parent)

    @cached_property
    def depth(self) -> NDArray[np.int64]:
        """Distance of each node from the root."""
        depth = np.zeros(self.n_nodes, dtype=np.int64)
        level = np.flatnonzero(self.parent == 0)
        while level.size:
            depth[level] = depth[self.parent[level]] + 1
            level = self.children_of(level)
        return read_only(depth)

    def children_of(self, nodes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the children of several nodes, in the order of their parents."""
        sizes = self.n_children[nodes]
        starts = np.repeat(self.first_child[nodes] - np.cumsum(sizes) + sizes, sizes)
        return starts + np.arange(sizes.sum())

    def plane_terms(self, node: int) -> list[tuple[int, float]]:
        """Return the features and weights of the hyperplane of a node.

        Parameters
        ----------
        node : int
            Number of the node.

        Returns
        -------
        terms : list of (int, float)
            Features and weights. Samples whose sum of weight * value is at most ``threshold`` go
            to the first child, others to the second, and samples with a missing value to
            ``missing_child``. Empty for a node without a hyperplane.
        """
        if not self.plane_offset.size:
            return []
        terms = slice(*self.plane_offset[node : node + 2])
        return list(
            zip(self.plane_feature[terms].tolist(), self.plane_weight[terms].tolist(), strict=True)
        )

    def category_sets(self, node: int) -> list[list[Any]]:
        """Return the categories of each child of a categorical node.

        Parameters
        ----------
        node : int
            A node that splits on a categorical feature.

        Returns
        -------
        sets : list of list
            One list for each child. A child without categories receives only missing values.
            Values in none of the lists go to ``missing_child``.
        """
        begin, end = self.category_offset[node : node + 2]
        sets: list[list[Any]] = [[] for _ in range(self.n_children[node])]
        known = self.schema.categories.get(int(self.feature[node]))
        for number, child in zip(
            self.category[begin:end].tolist(), self.category_child[begin:end].tolist(), strict=True
        ):
            sets[child].append(number if known is None else known.values[number])
        return sets

    def compute_feature_importances(
        self, normalize: bool = True, *, kind: Literal["gain", "splits"] = "gain"
    ) -> Floats:
        """Compute the fraction of the total gain, or of the splits, that is due to each feature.

        A split counts with its gain, the value of the criterion minus that of no split, times the
        fraction of the total weight that reaches it. Negative gains (dcsm) count as zero. The gain
        of a hyperplane is divided equally among its features. If a gain is infinite (``Alpha`` with
        a child of one class), only infinite gains are counted, with the value 1.

        Parameters
        ----------
        normalize : bool, default=True
            Divide by the sum, unless it is zero.
        kind : {"gain", "splits"}, default="gain"
            "splits" counts each split as 1, whatever it gains.

        Returns
        -------
        importances : ndarray of shape (n_features,)
            All zero for a tree without a split.
        """
        is_inner = self.n_children > 0
        gain = np.where(is_inner, self.gain, 0.0)
        gain = np.isinf(gain).astype(float) if np.isinf(gain).any() else np.maximum(gain, 0.0)
        gain *= self.weighted_counts.sum(axis=1) / self.weighted_counts[0].sum()
        if kind not in ("gain", "splits"):
            raise ValueError(f"kind={kind!r} is not 'gain' or 'splits'.")
        if kind == "splits":
            gain = is_inner.astype(float)
        n_terms = np.diff(self.plane_offset) if self.plane_offset.size else np.zeros_like(is_inner)
        is_plane = n_terms > 0
        plain, n_terms = is_inner & ~is_plane, n_terms[is_plane]
        features = np.concatenate([self.feature[plain], self.plane_feature])
        gains = np.concatenate([gain[plain], np.repeat(gain[is_plane] / n_terms, n_terms)])
        importances = np.bincount(features, gains, minlength=self.n_features).astype(float)
        total = importances.sum()
        return importances / total if normalize and total > 0 else importances

    def apply(self, X: Matrix, n_threads: int = 1) -> NDArray[np.int64]:
        """Return the leaf of each sample of an encoded matrix."""
        with naming_infinite(X, self.schema.names):
            return self.compiled.apply(X, n_threads)

    def predict_proba(self, X: Matrix, n_threads: int = 1) -> Floats:
        """Return the class probabilities of each sample of an encoded matrix."""
        with naming_infinite(X, self.schema.names):
            return self.compiled.predict_proba(X, self.probabilities, n_threads)

    def decision_path(self, X: Matrix) -> scipy.sparse.csr_matrix:
        """Return the path of each sample of an encoded matrix as indicator (samples x nodes)."""
        check_finite(X, self.schema.names)
        indptr, indices = self.compiled.decision_path(X)
        ones = np.ones(len(indices), dtype=np.int64)
        return scipy.sparse.csr_matrix((ones, indices, indptr), shape=(len(X), self.n_nodes))

    def export_text(self, **options: Any) -> str:
        """Return the tree as text; see :func:`rarewood.export_text` for the options."""
        return export_text(self, **options)


def tree_from_state(state: dict[str, Any]) -> _core.Tree:
    """Return the core tree with a given ``state()``, possibly from another machine."""
    native = dict(state)
    for name, value in state.items():
        if isinstance(value, np.ndarray):  # possibly in another byte order
            native[name] = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("="))
    return _core.Tree.from_state(native)
