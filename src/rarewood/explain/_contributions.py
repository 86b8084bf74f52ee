"""The probability of a row, divided over the columns that its ways through the trees ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from rarewood.model._base import check_fitted_model
from rarewood.model._fitted_tree import FittedTree

__all__ = ["Contributions", "class_number", "contributions"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Contributions:
    """Probabilities, taken apart.

    Attributes
    ----------
    prior : float
        What the model says before it looks at anything: the mean of the trees' roots.
    values : ndarray of shape (n_rows, n_features)
        By how much each column moves the probability of each row.
    target : label
        The class whose probability it is.
    """

    prior: float
    values: Floats
    target: Any

    @property
    def probability(self) -> Floats:
        """The prior plus all that the columns contribute: what the model predicts."""
        total: Floats = self.prior + self.values.sum(axis=1)
        return total


def contributions(estimator: Any, X: Any, *, target: Any = None) -> Contributions:
    """Divide the probability of each row over the columns.

    On its way through a tree a row meets nodes with other probabilities; each change is put down to
    the column that the node before has asked for, in equal parts to the columns of a hyperplane.
    A forest takes the mean over its trees [1]_.

    Parameters
    ----------
    estimator : RareTreeClassifier or RareForestClassifier
        A fitted estimator.
    X : array-like or DataFrame of shape (n_rows, n_features)
        A table with the columns of the training table.
    target : label, default=None
        The class whose probability is divided; by default the one with the lowest probability at
        the roots, which is the rarest in training unless weights have changed that.

    Returns
    -------
    contributions : Contributions
        The prior and the values add up to the probability that ``predict_proba`` gives, but for
        rounding.

    Notes
    -----
    The contributions describe the way the model took, not what would happen if the value were
    another, and a column near the root tends to get less than an equally useful one further down.
    They are not Shapley values.

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
    >>> found = contributions(forest, X[:5], target=0)
    >>> bool(abs(found.probability - forest.predict_proba(X[:5])[:, 0]).max() < 1e-12)
    True
    """
    check_fitted_model(estimator)
    views = _views(estimator)
    number = class_number(estimator, target)
    matrix = estimator._encode(X)
    total = np.zeros((len(matrix), estimator.n_features_in_))
    for view in views:
        total += (view.decision_path(matrix) @ _changes(view, number)).toarray()
    prior = float(np.mean([view.probabilities[0, number] for view in views]))
    return Contributions(prior, total / len(views), estimator.classes_[number])


def class_number(estimator: Any, target: Any = None) -> int:
    """Return the place of a class among ``classes_``; by default that of the rarest."""
    classes: list[Any] = estimator.classes_.tolist()
    if target is None:
        roots = np.mean([view.probabilities[0] for view in _views(estimator)], axis=0)
        return int(roots.argmin())
    if target not in classes:
        raise ValueError(f"target={target!r} is not a class of the estimator, which are {classes}.")
    return classes.index(target)


def _views(estimator: Any) -> list[FittedTree]:
    if hasattr(estimator, "tree_"):
        return [estimator.tree_]
    views: list[FittedTree] = estimator.forest_.trees
    return views


def _changes(view: FittedTree, number: int) -> scipy.sparse.csr_matrix:
    """Return what arriving in a node changes, by column (nodes x columns)."""
    probability, parent = view.probabilities[:, number], view.parent
    nodes = np.arange(1, view.n_nodes)
    change = probability[1:] - probability[parent[1:]]
    n_terms = np.diff(view.plane_offset) if view.plane_offset.size else np.zeros(view.n_nodes, int)
    n_shares = np.maximum(n_terms, 1)[parent[1:]]
    rows = np.repeat(nodes, n_shares)
    values = np.repeat(change / n_shares, n_shares)
    columns = view.feature[parent[rows]]
    is_plane = n_terms[parent[rows]] > 0
    if is_plane.any():
        ends = np.cumsum(n_shares)
        place = np.arange(len(rows)) - np.repeat(ends - n_shares, n_shares)
        begin = view.plane_offset[parent[rows]]
        columns = columns.copy()
        columns[is_plane] = view.plane_feature[(begin + place)[is_plane]]
    return scipy.sparse.csr_matrix((values, (rows, columns)), shape=(view.n_nodes, view.n_features))
