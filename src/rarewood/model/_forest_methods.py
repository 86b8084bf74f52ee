"""Prediction, inspection and pruning of a fitted forest."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from typing import Any, Self

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from rarewood import _core
from rarewood._validation import check_parameters, number_of_threads
from rarewood.model._base import RareClassifier
from rarewood.model._fitted_forest import FittedForest
from rarewood.model._parameters import pruning
from rarewood.model._seeds import tree_seed
from rarewood.table._dask_collections import also_lazily
from rarewood.table._encode import Matrix
from rarewood.table._schema import Schema
from rarewood.tree import RareTreeClassifier

__all__ = ["ForestMethods"]


class ForestMethods(RareClassifier):
    """Methods and attributes of a forest that need ``fit`` first."""

    def _keep(self, view: FittedForest) -> None:
        """Set the attributes of a fit that has succeeded."""
        self.forest_ = view
        self._estimators: list[RareTreeClassifier] | None = None  # made when asked for
        self._keep_table(view.schema, view.classes)

    def _prune(self, kind: str, threshold: float | None, tests_leaves: bool) -> Self:
        """Return a copy with pruned trees. Its out-of-bag scores are gone: they need the rows."""
        chosen = {"pruning": kind, "pruning_threshold": threshold}
        other: Self = copy(self).set_params(**chosen)
        check_parameters(other)
        for name in ("oob_score_", "oob_decision_function_"):
            other.__dict__.pop(name, None)
        view = self.forest_
        pruned = pruning(other, tests_leaves=tests_leaves)
        trees = [_core.prune(tree, pruned) for tree in view.compiled_trees]
        parameters = [{**given, **chosen} for given in view.parameters]
        other._keep(replace(view, compiled_trees=trees, parameters=parameters))
        return other

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {**state, "_estimators": None} if "_estimators" in state else state

    @property
    def _schema(self) -> Schema:
        return self.forest_.schema

    def _predict_class_numbers(self, X: Any) -> NDArray[np.intp]:
        numbers: NDArray[np.intp] = self.predict_proba(X).argmax(axis=1)
        return numbers

    @also_lazily
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict class probabilities: the mean of those of the trees.

        Parameters
        ----------
        X : array-like, DataFrame, or a table to be read in batches
            A table with the columns of the training table; or a path, a data set or an iterator, as
            for ``fit``, in which columns that the model does not know are ignored.

        Returns
        -------
        proba : ndarray of shape (n_samples, n_classes)
            The trees' are smoothed as ``leaf`` says. The classes are in the order of ``classes_``.
        """
        return self._on_matrix(X, self._proba)

    def _proba(self, matrix: Matrix) -> NDArray[np.float64]:
        return self.forest_.predict_proba(matrix, number_of_threads(self.n_jobs))

    @also_lazily
    def apply(self, X: Any) -> NDArray[np.int64]:
        """Find the leaf of each row in each tree.

        Parameters
        ----------
        X : array-like, DataFrame, or a table to be read in batches
            A table with the columns of the training table; or a path, a data set or an iterator, as
            for ``fit``, in which columns that the model does not know are ignored.

        Returns
        -------
        leaves : ndarray of shape (n_samples, n_estimators)
            Node numbers, for the arrays of ``estimators_[...].tree_``.
        """
        n_threads = number_of_threads(self.n_jobs)
        return self._on_matrix(X, lambda matrix: self.forest_.apply(matrix, n_threads))

    def decision_path(self, X: Any) -> tuple[scipy.sparse.csr_matrix, NDArray[np.int64]]:
        """Find the nodes that each row passes in each tree.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            A table with the columns of the training table.

        Returns
        -------
        indicator : csr_matrix of shape (n_samples, n_nodes)
            1 where the row passes the node; the nodes of all trees stand side by side.
        n_nodes_ptr : ndarray of shape (n_estimators + 1,)
            The columns of tree ``i`` are ``n_nodes_ptr[i]`` to ``n_nodes_ptr[i + 1] - 1``.
        """
        matrix = self._encode(X)
        return self.forest_.decision_path(matrix)

    @property
    def estimators_(self) -> list[RareTreeClassifier]:
        """The trees as fitted estimators, which share their nodes with the forest."""
        check_is_fitted(self)
        if self._estimators is None:
            self._estimators = [self._make_tree(number) for number in range(len(self.forest_))]
        return self._estimators

    def _make_tree(self, number: int) -> RareTreeClassifier:
        view = self.forest_
        tree = RareTreeClassifier(
            **view.parameters[number],
            criterion=view.criteria[number],
            random_state=tree_seed(view.seed, number),
        )
        tree._keep(view.trees[number], view.max_features[number])
        return tree

    def __len__(self) -> int:
        return len(self.estimators_)

    def __getitem__(self, index: Any) -> Any:
        return self.estimators_[index]

    def __iter__(self) -> Iterator[RareTreeClassifier]:
        return iter(self.estimators_)

    @property
    def estimators_samples_(self) -> list[NDArray[np.int32]]:
        """The rows of the training table that each tree has drawn, as often as it has.

        They are drawn again whenever they are asked for. A tree that takes all rows has each once.
        """
        check_is_fitted(self)
        view = self.forest_
        return [view.sample.indices(view.seed, number) for number in range(len(view))]

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Importance of each column: the mean of the importances of the trees that have a split.

        See :attr:`RareTreeClassifier.feature_importances_`. They add up to 1, unless no tree has a
        split.
        """
        check_is_fitted(self)
        return self.forest_.compute_feature_importances()
