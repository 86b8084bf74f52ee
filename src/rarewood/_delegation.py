"""What classifiers that wrap another have in common."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

__all__ = ["WrappingClassifier"]


def _estimator_has(name: str) -> Any:
    """Whether the fitted estimator, or the one to be fitted, has a method."""

    def has(self: Any) -> bool:
        return hasattr(getattr(self, "estimator_", self.estimator), name)

    return has


class WrappingClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier with an ``estimator`` that becomes ``estimator_``, and answers for it."""

    estimator: Any

    def _keep_estimator(self, estimator: Any) -> None:
        """Set the attributes that come from the fitted estimator."""
        self.estimator_ = estimator
        self.classes_: NDArray[Any] = estimator.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
            if hasattr(estimator, name):
                setattr(self, name, getattr(estimator, name))

    @available_if(_estimator_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probabilities of the estimator.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            A table with the columns of the training table.

        Returns
        -------
        proba : ndarray of shape (n_rows, n_classes)
            The classes are in the order of ``classes_``.
        """
        check_is_fitted(self)
        proba: NDArray[np.float64] = self.estimator_.predict_proba(X)
        return proba

    @available_if(_estimator_has("predict_log_proba"))  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithms of the probabilities of the estimator.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            A table with the columns of the training table.

        Returns
        -------
        log_proba : ndarray of shape (n_rows, n_classes)
            The classes are in the order of ``classes_``.
        """
        check_is_fitted(self)
        proba: NDArray[np.float64] = self.estimator_.predict_log_proba(X)
        return proba

    @available_if(_estimator_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the decision values of the estimator.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            A table with the columns of the training table.

        Returns
        -------
        values : ndarray of shape (n_rows,)
            As the estimator returns them.
        """
        check_is_fitted(self)
        values: NDArray[np.float64] = self.estimator_.decision_function(X)
        return values

    def get_metadata_routing(self) -> MetadataRouter:
        """Say which metadata go to the estimator.

        Returns
        -------
        routing : MetadataRouter
            For scikit-learn.
        """
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=type(self).__name__).add(
            estimator=self.estimator, method_mapping=mapping
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.input_tags.sparse = inner.input_tags.sparse
        return tags
