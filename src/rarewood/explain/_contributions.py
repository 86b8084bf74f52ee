"""Contributions of features to the probability of a sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from rarewood.model._base import check_fitted_model
from rarewood.model._fitted_tree import FittedTree
from rarewood.rules._extraction import fitted_trees
from rarewood.table._labels import class_number

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Contributions:
    """Contributions of features to probabilities.

    Attributes
    ----------
    prior : float
        Probability at the root, the mean over the trees.
    values : ndarray of shape (n_samples, n_features)
        Contribution of each feature to the probability of each sample.
    pos_label : label
        The class of the probability.
    """

    prior: float
    values: Floats
    pos_label: Any

    @property
    def probability(self) -> Floats:
        """Prior plus contributions: the probability that the model predicts."""
        total: Floats = self.prior + self.values.sum(axis=1)
        return total


def contributions(estimator: Any, X: Any, *, pos_label: Any = None) -> Contributions:
    """Divide the probability of each sample over the features.

    The probability changes from node to node on the path of a sample through a tree. Each change is
    attributed to the feature of the split, in equal parts to the features of a hyperplane. A forest
    takes the mean over its trees [1]_.

    Parameters
    ----------
    estimator : RareTreeClassifier or RareForestClassifier
        A fitted estimator.
    X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)
        Samples with the features of the training data.
    pos_label : label, default=None
        The class of the probability; by default the class with the lowest probability at the root,
        which is the rarest in training unless weights have changed that.

    Returns
    -------
    contributions : Contributions
        The prior and the values, which add up to the probability of ``predict_proba`` up to
        rounding.

    Notes
    -----
    Contributions describe the path of a sample, not the effect of changing a value. A feature near
    the root tends to get less than an equally useful one further down. They are not Shapley values.

    References
    ----------
    .. [1] A. Saabas, "Interpreting random forests", 2014.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood import RareForestClassifier
    >>> from rarewood.explain import contributions
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> forest = RareForestClassifier(random_state=0).fit(X, y)
    >>> found = contributions(forest, X[:5], pos_label=0)
    >>> bool(abs(found.probability - forest.predict_proba(X[:5])[:, 0]).max() < 1e-12)
    True
    """
    check_fitted_model(estimator)
    views = fitted_trees(estimator)
    number = class_or_rarest(estimator, pos_label)
    changes = [_changes(view, number) for view in views]
    parts = []
    for matrix in estimator._parts(X):
        total = np.zeros((len(matrix), estimator.n_features_in_))
        for view, change in zip(views, changes, strict=True):
            total += (view.decision_path(matrix) @ change).toarray()
        parts.append(total)
    prior = float(np.mean([view.probabilities[0, number] for view in views]))
    return Contributions(prior, np.concatenate(parts) / len(views), estimator.classes_[number])


def class_or_rarest(estimator: Any, pos_label: Any) -> int:
    """Return the index of a class in ``classes_``; by default of the rarest at the root."""
    if pos_label is not None:
        return class_number(estimator.classes_, pos_label)
    roots = [view.probabilities[0] for view in fitted_trees(estimator)]
    return int(np.mean(roots, axis=0).argmin())


def _changes(view: FittedTree, number: int) -> scipy.sparse.csr_matrix:
    """Return the change of probability in each node, by feature (nodes x features)."""
    probability, parent = view.probabilities[:, number], view.parent
    nodes = np.arange(1, view.n_nodes)
    change = probability[1:] - probability[parent[1:]]
    n_terms = np.diff(view.plane_offset) if view.plane_offset.size else np.zeros(view.n_nodes, int)
    n_parts = np.maximum(n_terms, 1)[parent[1:]]
    rows = np.repeat(nodes, n_parts)
    values = np.repeat(change / n_parts, n_parts)
    columns = view.feature[parent[rows]]
    is_plane = n_terms[parent[rows]] > 0
    if is_plane.any():
        ends = np.cumsum(n_parts)
        place = np.arange(len(rows)) - np.repeat(ends - n_parts, n_parts)
        begin = view.plane_offset[parent[rows]]
        columns = columns.copy()
        columns[is_plane] = view.plane_feature[(begin + place)[is_plane]]
    return scipy.sparse.csr_matrix((values, (rows, columns)), shape=(view.n_nodes, view.n_features))
