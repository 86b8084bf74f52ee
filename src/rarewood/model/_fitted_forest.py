"""The fitted forest: its trees, what they were grown with, and what they say together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from rarewood import _core
from rarewood.criteria import Criterion
from rarewood.model._fitted_tree import TreeView, tree_from_state
from rarewood.model._row_sampling import RowSample
from rarewood.table._checks import naming_infinite
from rarewood.table._encode import Matrix
from rarewood.table._schema import Schema

__all__ = ["ForestView"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, repr=False, eq=False)
class ForestView:
    """A fitted forest.

    Parameters
    ----------
    trees : list of _core.Tree
        The trees of the core.
    schema : Schema
        The columns of the training table.
    classes : ndarray of shape (n_classes,)
        The labels of the classes.
    leaf : {"raw", "laplace", "m_estimate", "shrunk"}
        How counts become probabilities.
    leaf_strength : float
        How strongly they are smoothed.
    seed : int
        What all random numbers are made of, together with the number of the tree.
    sample : RowSample
        How the trees drew their rows.
    criteria : list of str or Alpha
        The criterion of each tree.
    settings : list of dict
        The other parameters that each tree was grown with.
    n_columns : list of int
        How many columns the nodes of each tree looked at.
    """

    trees: list[_core.Tree]
    schema: Schema
    classes: NDArray[Any]
    leaf: str
    leaf_strength: float
    seed: int
    sample: RowSample
    criteria: list[Criterion]
    settings: list[dict[str, Any]]
    n_columns: list[int]

    def __len__(self) -> int:
        return len(self.trees)

    def __getstate__(self) -> dict[str, Any]:
        state = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {**state, "trees": [tree.state() for tree in self.trees]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, trees=[tree_from_state(tree) for tree in state["trees"]])

    def after(self, before: ForestView) -> ForestView:
        """Return a forest of the trees of another one and these."""
        has_missing = self.schema.has_missing or before.schema.has_missing
        return replace(
            self,
            trees=[*before.trees, *self.trees],
            criteria=[*before.criteria, *self.criteria],
            settings=[*before.settings, *self.settings],
            n_columns=[*before.n_columns, *self.n_columns],
            schema=replace(self.schema, has_missing=has_missing),
        )

    @cached_property
    def compiled(self) -> _core.Forest:
        """The forest of the core, which shares the trees."""
        return _core.Forest(self.trees, self.leaf, self.leaf_strength)

    @cached_property
    def views(self) -> list[TreeView]:
        """The trees with their names."""
        shared = (self.schema, self.classes, self.leaf, self.leaf_strength)
        return [TreeView(tree, *shared) for tree in self.trees]

    def predict_proba(self, X: Matrix, n_threads: int = 1) -> Floats:
        """Mean of the trees' class probabilities for each row of an encoded matrix."""
        with naming_infinite(X, self.schema.names):
            return self.compiled.predict_proba(X, n_threads)

    def apply(self, X: Matrix, n_threads: int = 1) -> NDArray[np.int64]:
        """Leaf of each row of an encoded matrix in each tree (rows x trees)."""
        with naming_infinite(X, self.schema.names):
            return self.compiled.apply(X, n_threads)

    def decision_path(self, X: Matrix) -> tuple[scipy.sparse.csr_matrix, NDArray[np.int64]]:
        """Nodes that each row passes, the trees side by side, and where each tree begins."""
        paths = [view.decision_path(X) for view in self.views]
        begin = np.cumsum([0, *(view.n_nodes for view in self.views)])
        return scipy.sparse.csr_matrix(scipy.sparse.hstack(paths, format="csr")), begin

    def compute_feature_importances(self) -> Floats:
        """Mean of the trees' importances, which add up to 1 unless no tree has a split."""
        importances = [
            view.compute_feature_importances() for view in self.views if view.n_nodes > 1
        ]
        total = np.sum(importances, axis=0) if importances else np.zeros(self.schema.n_features)
        return np.asarray(total / total.sum() if total.sum() > 0 else total, dtype=np.float64)
