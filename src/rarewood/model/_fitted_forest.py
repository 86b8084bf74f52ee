"""Fitted forest: its trees, the settings they were grown with, and their mean prediction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from rarewood import _core
from rarewood.criteria import CriterionLike
from rarewood.model._fitted_tree import FittedTree, tree_from_state
from rarewood.model._row_sampling import RowSampling
from rarewood.table._checks import naming_infinite
from rarewood.table._schema import Schema
from rarewood.table._values import Matrix

Floats = NDArray[np.float64]


@dataclass(frozen=True, repr=False, eq=False)
class FittedForest:
    """Fitted forest: its trees and the settings they were grown with.

    It is the ``forest_`` attribute of a fitted :class:`rarewood.RareForestClassifier`.

    Parameters
    ----------
    compiled_trees : list of _core.Tree
        Trees of the compiled core.
    schema : Schema
        Features of the training table.
    classes : ndarray of shape (n_classes,)
        Class labels.
    leaf : {"raw", "laplace", "m_estimate", "shrunk"}
        Leaf estimator, which turns class counts into probabilities.
    leaf_strength : float
        Strength of the smoothing.
    collapse : float
        Limit at which subtrees were collapsed; 0 if none were.
    seed : int
        Seed of the forest; the random numbers of a tree follow from it and the tree's number.
    row_sampling : RowSampling
        Row sampling of the trees.
    criteria : list of str or Criterion
        Criterion of each tree.
    parameters : list of dict
        Other parameters of each tree.
    max_features : list of int
        Number of features considered in each node, for each tree.

    Examples
    --------
    >>> from rarewood import RareForestClassifier
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], ["no", "no", "no", "yes"]
    >>> forest = RareForestClassifier(5, random_state=0).fit(X, y).forest_
    >>> len(forest), forest.trees[0].n_leaves
    (5, 2)
    """

    compiled_trees: list[_core.Tree]
    schema: Schema
    classes: NDArray[Any]
    leaf: str
    leaf_strength: float
    collapse: float
    seed: int
    row_sampling: RowSampling
    criteria: list[CriterionLike]
    parameters: list[dict[str, Any]]
    max_features: list[int]

    def __len__(self) -> int:
        return len(self.compiled_trees)

    def __getstate__(self) -> dict[str, Any]:
        state = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {**state, "compiled_trees": [tree.state() for tree in self.compiled_trees]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        trees = [tree_from_state(tree) for tree in state["compiled_trees"]]
        self.__dict__.update(state, compiled_trees=trees)

    def after(self, before: FittedForest) -> FittedForest:
        """Return a forest with the trees of another one followed by these."""
        has_missing = self.schema.has_missing or before.schema.has_missing
        return replace(
            self,
            compiled_trees=[*before.compiled_trees, *self.compiled_trees],
            criteria=[*before.criteria, *self.criteria],
            parameters=[*before.parameters, *self.parameters],
            max_features=[*before.max_features, *self.max_features],
            schema=replace(self.schema, has_missing=has_missing),
        )._with_leaf_parameters()

    def first(self, n_trees: int) -> FittedForest:
        """Return a forest of the first trees."""
        names = ("compiled_trees", "criteria", "parameters", "max_features")
        return replace(self, **{name: getattr(self, name)[:n_trees] for name in names})

    def with_leaves(self, leaf: str, strength: float) -> FittedForest:
        """Return the same trees with another leaf estimator."""
        return replace(self, leaf=leaf, leaf_strength=strength)._with_leaf_parameters()

    def _with_leaf_parameters(self) -> FittedForest:
        """Return the forest with its leaf estimator in the parameters of trees that had another."""
        own = {"leaf": self.leaf, "leaf_strength": self.leaf_strength}
        default = _core.default_leaf_strength(self.leaf, len(self.classes))

        def updated(given: dict[str, Any]) -> dict[str, Any]:
            strength = default if given["leaf_strength"] is None else given["leaf_strength"]
            is_own = (given["leaf"], strength) == (self.leaf, self.leaf_strength)
            return given if is_own else given | own

        return replace(self, parameters=[updated(given) for given in self.parameters])

    @cached_property
    def compiled(self) -> _core.Forest:
        """Forest of the compiled core, which shares the trees."""
        return _core.Forest(self.compiled_trees, self.leaf, self.leaf_strength)

    @cached_property
    def trees(self) -> list[FittedTree]:
        """Trees, with the names of their features and classes."""
        shared = (self.schema, self.classes, self.leaf, self.leaf_strength)
        return [FittedTree(tree, *shared) for tree in self.compiled_trees]

    def predict_proba(self, X: Matrix, n_threads: int = 1) -> Floats:
        """Return the mean class probabilities of each sample of an encoded matrix."""
        with naming_infinite(X, self.schema.names):
            return self.compiled.predict_proba(X, n_threads)

    def staged_predict_proba(self, X: Matrix, n_threads: int = 1) -> Iterator[Floats]:
        """Yield the mean probabilities of the first tree, of the first two, and so on."""
        total: Floats = np.zeros((len(X), len(self.classes)))
        for number, tree in enumerate(self.trees, start=1):
            total += tree.predict_proba(X, n_threads)
            yield total / number

    def apply(self, X: Matrix, n_threads: int = 1) -> NDArray[np.int64]:
        """Return the leaf of each sample of an encoded matrix in each tree (samples x trees)."""
        with naming_infinite(X, self.schema.names):
            return self.compiled.apply(X, n_threads)

    def decision_path(self, X: Matrix) -> tuple[scipy.sparse.csr_matrix, NDArray[np.int64]]:
        """Return the paths of samples, tree after tree, and the first column of each tree."""
        paths = [tree.decision_path(X) for tree in self.trees]
        begin = np.cumsum([0, *(tree.n_nodes for tree in self.trees)])
        return scipy.sparse.csr_matrix(scipy.sparse.hstack(paths, format="csr")), begin

    def compute_feature_importances(self, *, kind: Literal["gain", "splits"] = "gain") -> Floats:
        """Return the mean importances; they sum to 1 unless no tree has a split.

        ``kind`` is that of :meth:`FittedTree.compute_feature_importances`.
        """
        importances = [
            tree.compute_feature_importances(kind=kind) for tree in self.trees if tree.n_nodes > 1
        ]
        total = np.sum(importances, axis=0) if importances else np.zeros(self.schema.n_features)
        return np.asarray(total / total.sum() if total.sum() > 0 else total, dtype=np.float64)
