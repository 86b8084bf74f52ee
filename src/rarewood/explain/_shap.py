"""Shapley values of the features of single predictions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood._imports import require
from rarewood._validation import number_of_threads
from rarewood.export._wording import Wording
from rarewood.model._base import check_fitted_model
from rarewood.model._fractional_tree import FractionalTree
from rarewood.rules._extraction import fitted_trees
from rarewood.table._checks import naming_infinite
from rarewood.table._labels import class_number
from rarewood.table._sparse import is_sparse_matrix
from rarewood.table._values import Matrix

Floats = NDArray[np.float64]
_Kind = Literal["values", "interactions"]
_WORK_OF_CALL = 2e8  # edges x rows x points between two looks at Ctrl-C: a fraction of a second
_ROWS_OF_BLOCK = 32  # of the core, which takes them together


@dataclass(frozen=True, eq=False)
class ShapValues:
    """Shapley values of features, and what they refer to.

    Attributes
    ----------
    values : ndarray of shape (n_samples, n_features, n_classes)
        Value of each feature for the probability of each class; of interactions, an array of shape
        (n_samples, n_features, n_features, n_classes).
    base_values : ndarray of shape (n_classes,)
        Probabilities without any feature: the mean over the leaves of each tree by their training
        weight, and over trees.
    feature_names : list of str
        Names of the features; "feature_0" and so on if the model was fitted on an array.
    classes : ndarray of shape (n_classes,)
        Labels of the classes.
    data : array-like or DataFrame of shape (n_samples, n_features)
        The samples, as given.
    """

    values: Floats
    base_values: Floats
    feature_names: list[str]
    classes: NDArray[Any]
    data: Any = field(repr=False)

    @property
    def probabilities(self) -> Floats:
        """Base values plus values: the probabilities that the model predicts."""
        features = tuple(range(1, self.values.ndim - 1))
        total: Floats = self.base_values + self.values.sum(axis=features)
        return total

    def of_class(self, pos_label: Any) -> Floats:
        """Return the values for the probability of a class."""
        return self.values[..., class_number(self.classes, pos_label)]

    def to_shap(self, pos_label: Any = None) -> Any:
        """Return a ``shap.Explanation``, for the plots of the package shap.

        Parameters
        ----------
        pos_label : label, default=None
            The class whose probability is explained. By default the explanation has all classes as
            its last axis, of which most plots need one: ``explanation[..., 1]``.

        Returns
        -------
        explanation : shap.Explanation
            Values, base values, samples and the names of features and classes.
        """
        shap = require("shap", "ShapValues.to_shap", "rarewood[shap]")
        shown = {"data": _plain(self.data), "feature_names": self.feature_names}
        n_samples = len(self.values)
        if pos_label is not None:
            base = self.base_values[class_number(self.classes, pos_label)]
            return shap.Explanation(
                self.of_class(pos_label), base_values=np.full(n_samples, base), **shown
            )
        return shap.Explanation(
            self.values,
            base_values=np.tile(self.base_values, (n_samples, 1)),
            output_names=[str(label) for label in self.classes],
            **shown,
        )


def shap_values(model: Any, X: Any, *, n_jobs: int | None = None) -> ShapValues:
    """Compute the Shapley values of the features for predicted probabilities.

    The value of a feature is its average effect on the probability when features become known one
    after the other, over all orders (path-dependent TreeSHAP [1]_). While a feature is unknown, a
    sample goes to all children of the nodes that test it, in proportion to their training weights.

    Parameters
    ----------
    model : RareTreeClassifier, RareForestClassifier or C45Classifier
        A fitted estimator.
    X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)
        Samples with the features of the training data, in memory.
    n_jobs : int, default=None
        Number of threads; None: ``n_jobs`` of the model. The result does not depend on it.

    Returns
    -------
    explained : ShapValues
        Values for each sample, feature and class, which sum to the predicted probabilities less the
        base values, up to rounding.

    See Also
    --------
    shap_interaction_values : The part of pairs of features.
    contributions : A much cheaper division along the path of a sample, which depends on the order
        of the splits.

    Notes
    -----
    For axis-parallel splits, numeric, categorical, multiway, or by missing values, these are the
    Shapley values of the game above, computed exactly. A missing value is a value like any other;
    a ``C45Classifier`` divides samples with a missing value, which makes it a feature without
    influence.

    A hyperplane cannot be tested with a part of its features, so the players of the game are the
    *sets* of features of the nodes. Shapley values of these players are exact, and each is divided
    equally among the features of the set, whatever their weights in the planes. This is not the
    Shapley value of a game in which single features become known. If all nodes test one feature,
    it is TreeSHAP.

    Like all path-dependent values they follow the training distribution in the tree, not a causal
    model: features that are correlated with the target share the credit of each other.

    The values of a leaf are integrals of a polynomial, for which a quadrature with half as many
    points as there are players on a path is exact; the time is proportional to samples x nodes x
    points.

    References
    ----------
    .. [1] S. Lundberg et al., "From local explanations to global understanding with explainable AI
           for trees", Nature Machine Intelligence 2, 2020.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood import RareForestClassifier
    >>> from rarewood.explain import shap_values
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> forest = RareForestClassifier(random_state=0).fit(X, y)
    >>> explained = shap_values(forest, X[:5])
    >>> explained.values.shape
    (5, 30, 2)
    >>> bool(abs(explained.probabilities - forest.predict_proba(X[:5])).max() < 1e-12)
    True
    """
    return _explained(model, X, n_jobs, "values")


def shap_interaction_values(model: Any, X: Any, *, n_jobs: int | None = None) -> ShapValues:
    """Compute the interactions of pairs of features in their Shapley values.

    The value of two different features is half of their Shapley interaction index, on both sides of
    the diagonal. The diagonal is the rest, so that the sum over the second axis of features is the
    Shapley value of the first [1]_.

    Parameters
    ----------
    model : RareTreeClassifier, RareForestClassifier or C45Classifier
        A fitted estimator without hyperplanes. Features of a hyperplane have a value only together,
        so that interactions of single features are not defined.
    X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)
        Samples with the features of the training data, in memory.
    n_jobs : int, default=None
        Number of threads; None: ``n_jobs`` of the model. The result does not depend on it.

    Returns
    -------
    explained : ShapValues
        ``values`` has the shape (n_samples, n_features, n_features, n_classes).

    References
    ----------
    .. [1] S. Lundberg et al., "From local explanations to global understanding with explainable AI
           for trees", Nature Machine Intelligence 2, 2020.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood import presets
    >>> from rarewood.explain import shap_interaction_values
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> tree = presets.hddt(max_depth=4).fit(X, y)
    >>> shap_interaction_values(tree, X[:5]).values.shape
    (5, 30, 30, 2)
    """
    return _explained(model, X, n_jobs, "interactions")


def _explained(model: Any, X: Any, n_jobs: int | None, kind: _Kind) -> ShapValues:
    check_fitted_model(model)
    if kind == "interactions":
        _check_axis_parallel(model)
    n_threads = number_of_threads(model.n_jobs if n_jobs is None else n_jobs)
    parts = [_values(model, matrix, n_threads, kind) for matrix in model._parts(X)]
    values = parts[0][0] if len(parts) == 1 else np.concatenate([part for part, _ in parts])
    names = Wording.of_table(model._schema).feature_names
    return ShapValues(values, parts[0][1], names, model.classes_, X)


def _values(model: Any, matrix: Matrix, n_threads: int, kind: _Kind) -> tuple[Floats, Floats]:
    with naming_infinite(matrix, model._schema.names):
        values, base = sum_over_trees(model, matrix, n_threads, "values")
        if kind == "interactions":
            alone, diagonal = values, np.arange(matrix.shape[1])
            values, _ = sum_over_trees(model, matrix, n_threads, "interactions")
            values[:, diagonal, diagonal] = alone - values.sum(axis=2)
    return values, base


def _check_axis_parallel(model: Any) -> None:
    if any(tree.plane_offset.size for tree in fitted_trees(model)):
        raise ValueError(
            "Interactions of single features are not defined for hyperplanes, whose features have "
            'a value only together. Fit with splitter="best" or "random", or use shap_values.'
        )


def sum_over_trees(
    model: Any, matrix: Matrix, n_threads: int = 1, kind: _Kind = "values"
) -> tuple[Floats, Floats]:
    """Return the mean values over trees for the rows of an encoded matrix, and base values."""
    trees = fitted_trees(model)
    n_classes = len(model.classes_)
    shape = (len(matrix), *[matrix.shape[1]] * (1 if kind == "values" else 2))
    # The sum over classes is 0, and that of base values 1, so those of the first class follow.
    found, base = np.zeros((*shape, n_classes - 1)), np.zeros(n_classes - 1)
    for tree in trees if n_classes > 1 else []:
        game = _core.PathGame(tree.compiled, isinstance(tree, FractionalTree))
        probabilities = np.ascontiguousarray(tree.probabilities[:, 1:])
        base += game.base(probabilities)
        add = game.add_values if kind == "values" else game.add_interactions
        for rows in _parts(game, len(matrix), n_threads):
            add(matrix[rows], probabilities, found[rows], n_threads)
    found, base = found / len(trees), base / len(trees)
    first = 0 - found.sum(axis=-1, keepdims=True)  # not -0
    return np.concatenate([first, found], axis=-1), np.append(1 - base.sum(), base)


def _parts(game: _core.PathGame, n_rows: int, n_threads: int) -> Iterator[slice]:
    """Return ranges of rows for one call each, between which Python notices Ctrl-C."""
    work_of_row = game.n_edges * (1 + game.n_players_of_path // 2)
    n_blocks = max(1, int(_WORK_OF_CALL / work_of_row / _ROWS_OF_BLOCK))
    size = max(n_blocks, n_threads) * _ROWS_OF_BLOCK
    return (slice(begin, begin + size) for begin in range(0, n_rows, size))


def _plain(data: Any) -> NDArray[Any]:
    """Return the values of a table as one array."""
    if is_sparse_matrix(data):
        return np.asarray(data.toarray())
    frame = nw.from_native(data, eager_only=True, pass_through=True)
    return frame.to_numpy() if isinstance(frame, nw.DataFrame) else np.asarray(data)
