"""What the tree and the forest have in common: checking a training table, and predicting."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rarewood import _core
from rarewood._lazy import also_lazily
from rarewood._schema import Schema
from rarewood._validation import check_feature_names, check_lengths, naming_infinite
from rarewood.encode import Matrix, encode, encode_like
from rarewood.targets import combine_weights, encode_labels

__all__ = ["Problem", "RareClassifier", "check_fitted_model"]


class Problem(NamedTuple):
    """A training table that has been checked and encoded."""

    matrix: Matrix
    """The rows that weigh anything."""
    schema: Schema
    classes: NDArray[Any]
    codes: NDArray[np.int32]
    """Class number of each row of the matrix."""
    weights: NDArray[np.float64] | None
    """Weight of each row of the matrix; None where all weigh one."""
    given: Matrix
    """All rows."""
    rows: NDArray[np.intp] | None
    """Which of the given rows weigh anything; None if all do."""
    given_codes: NDArray[np.int32]
    """Class number of each given row."""


class RareClassifier(ClassifierMixin, BaseEstimator, ABC):
    """Base of the classifiers; they say what ``_schema`` is and how to find a class number."""

    @property
    @abstractmethod
    def _schema(self) -> Schema:
        """The columns of the training table."""

    @abstractmethod
    def _predict_codes(self, X: Any) -> NDArray[np.intp]:
        """Return the number of the most probable class of each row."""

    def _prepare(
        self, X: Any, y: Any, sample_weight: Any, class_weight: Any, schema: Schema | None = None
    ) -> Problem:
        """Check and encode a training table, where a schema is given in the way it says."""
        if schema is None:
            given, schema = encode(X, self.categorical_features)
        else:
            given = self._encode(X)
        classes, given_codes = encode_labels(y)
        check_lengths(len(given), len(given_codes))
        weights, rows = combine_weights(sample_weight, class_weight, classes, given_codes)
        matrix, codes = given, given_codes
        if rows is not None:
            matrix, codes = given[rows], given_codes[rows]
        return Problem(matrix, schema, classes, codes, weights, given, rows, given_codes)

    def _make_columns(self, problem: Problem, n_threads: int) -> _core.Columns:
        schema = problem.schema
        with naming_infinite(problem.matrix, schema.names):
            return _core.Columns(problem.matrix, schema.n_categories, self.max_bins or 0, n_threads)

    def _keep_table(self, schema: Schema, classes: NDArray[Any]) -> None:
        """Set what a successful fit tells of the training table."""
        self.classes_ = classes
        self.n_classes_ = len(classes)
        self.n_outputs_ = 1
        self.n_features_in_ = schema.n_features
        if schema.names is not None:
            self.feature_names_in_ = schema.names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _encode(self, X: Any) -> Matrix:
        check_is_fitted(self)
        if hasattr(self, "feature_names_in_") or not isinstance(X, np.ndarray):
            check_feature_names(self, X, reset=False)
        return encode_like(X, self._schema, owner=type(self).__name__)

    @also_lazily
    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class with the largest probability; the first of several.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            A table with the columns of the training table.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            The predicted labels. A Dask DataFrame or array gives a Dask array, made lazily; so it
            is for probabilities and leaves.
        """
        codes = self._predict_codes(X)
        labels: NDArray[Any] = self.classes_.take(codes)
        return labels

    @also_lazily
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the logarithms of the class probabilities.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            A table with the columns of the training table.

        Returns
        -------
        log_proba : ndarray of shape (n_samples, n_classes)
            Minus infinity where a probability is zero, as raw leaves have it.
        """
        proba: NDArray[np.float64] = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(proba)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def check_fitted_model(estimator: Any) -> None:
    """Raise unless an estimator is a fitted tree or forest of ours."""
    if not isinstance(estimator, RareClassifier):
        raise TypeError(
            "Expected a fitted RareTreeClassifier or RareForestClassifier, got "
            f"{type(estimator).__name__}."
        )
    check_is_fitted(estimator)
