"""Fitted tree that divides samples with missing values, as C4.5 does."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from rarewood import _core
from rarewood.model._fitted_tree import FittedTree, Floats
from rarewood.model._tree_arrays import read_only
from rarewood.table._checks import check_finite
from rarewood.table._values import Matrix


class FractionalTree(FittedTree):
    """Fitted tree that divides samples with missing values among the children of a node.

    It is the ``tree_`` attribute of a fitted :class:`rarewood.C45Classifier`. A sample with a
    missing value goes to every child, in proportion to the training weights of the children, so
    ``weighted_counts`` are sums of parts of samples. ``counts`` are the samples that reach a node
    at least in part. A category without training samples in a node ends there. The other attributes
    are those of :class:`FittedTree`.

    Examples
    --------
    >>> from rarewood import C45Classifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [float("nan")]]
    >>> tree = C45Classifier(confidence=None).fit(X, ["no", "no", "no", "yes", "yes", "yes"]).tree_
    >>> tree.counts.tolist()
    [[3, 3], [3, 1], [0, 3]]
    >>> tree.weighted_counts.round(1).tolist()
    [[3.0, 3.0], [3.0, 0.6], [0.0, 2.4]]
    """

    divides_missing: ClassVar[bool] = True

    @cached_property
    def missing_child(self) -> NDArray[np.int32]:  # type: ignore[override]
        """Always -1: no child receives all missing values."""
        return read_only(np.full(self.n_nodes, -1, dtype=np.int32))

    def apply(self, X: Matrix, n_threads: int = 1) -> NDArray[np.int64]:
        """Return the node in which the largest part of each sample of an encoded matrix ends."""
        return self._paths(X)[3]

    def predict_proba(self, X: Matrix, n_threads: int = 1) -> Floats:
        """Return the class probabilities of each sample of an encoded matrix."""
        check_finite(X, self.schema.names)
        return _core.predict_fractional(self.compiled, X, self.probabilities)

    def decision_path(self, X: Matrix) -> scipy.sparse.csr_matrix:
        """Return the part of each sample of an encoded matrix in each node (samples x nodes)."""
        offsets, nodes, parts, _ = self._paths(X)
        return scipy.sparse.csr_matrix((parts, nodes, offsets), shape=(len(X), self.n_nodes))

    def _paths(self, X: Matrix) -> tuple[Any, Any, Any, NDArray[np.int64]]:
        check_finite(X, self.schema.names)
        return _core.fractional_path(self.compiled, X)
