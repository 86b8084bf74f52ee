"""Base class of the classifiers that wrap another classifier."""

from __future__ import annotations

from abc import ABC, abstractmethod
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from rarewood._docstrings import documented
from rarewood._routing import FitParameters, routed_parameters
from rarewood._validation import check_parameters, number_of_rows
from rarewood.table._checks import check_lengths
from rarewood.table._labels import encode_labels


def _estimator_has(name: str) -> Any:
    """Whether the fitted estimator, or the one to be fitted, has a method."""

    def has(self: Any) -> bool:
        return hasattr(getattr(self, "estimator_", self.estimator), name)

    return has


@documented
class DelegatingClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator, ABC):
    """A classifier that fits ``estimator`` to ``estimator_`` and delegates predictions to it.

    Subclasses override the private methods, so that the public ones are documented once.
    """

    estimator: Any
    _passes_groups_on = True

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Fit the classifier.

        Parameters
        ----------
        {X_training}
        {y}
        **params : dict
            Parameters of ``fit`` of the estimator; those with one value per sample are split like
            the samples. ``groups`` also goes to the folds, which keep each group together, and to
            an estimator only if its ``fit`` takes it. With metadata routing enabled, estimator and
            splitter get what they have requested.

        Returns
        -------
        {self}
        """
        check_parameters(self)
        classes, codes = encode_labels(y)
        check_lengths(number_of_rows(X), len(codes))
        self._fit(X, classes, codes, routed_parameters(self, params))
        return self

    @abstractmethod
    def _fit(
        self, X: Any, classes: NDArray[Any], codes: NDArray[np.int32], given: FitParameters
    ) -> None:
        """Fit with checked labels, given as sorted classes and the class number of each sample."""

    def _keep_estimator(self, estimator: Any) -> None:
        """Set the attributes that come from the fitted estimator."""
        self.estimator_ = estimator
        self.classes_: NDArray[Any] = estimator.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
            if hasattr(estimator, name):
                setattr(self, name, getattr(estimator, name))

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each sample.

        {X -> y_predicted}
        """
        check_is_fitted(self)
        return self._predict(X)

    def _predict(self, X: Any) -> NDArray[Any]:
        labels: NDArray[Any] = self.estimator_.predict(X)
        return labels

    @available_if(_estimator_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the class probabilities of each sample.

        {X -> proba}
        """
        check_is_fitted(self)
        return self._predict_proba(X)

    def _predict_proba(self, X: Any) -> NDArray[np.float64]:
        proba: NDArray[np.float64] = self.estimator_.predict_proba(X)
        return proba

    @available_if(_estimator_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the logarithms of the class probabilities of each sample.

        {X -> log_proba}
        """
        check_is_fitted(self)
        return self._predict_log_proba(X)

    def _predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        if not hasattr(self.estimator_, "predict_log_proba"):
            with np.errstate(divide="ignore"):
                return np.log(self._predict_proba(X))
        proba: NDArray[np.float64] = self.estimator_.predict_log_proba(X)
        return proba

    @available_if(_estimator_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Compute the decision function of the estimator.

        Parameters
        ----------
        {X}

        Returns
        -------
        values : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Decision values.
        """
        check_is_fitted(self)
        values: NDArray[np.float64] = self.estimator_.decision_function(X)
        return values

    def get_metadata_routing(self) -> MetadataRouter:
        """Return the metadata routing of this estimator.

        Returns
        -------
        routing : MetadataRouter
            Routes the metadata of ``fit`` to ``fit`` of the estimator, and to ``split`` of the
            splitter ``cv``; a number of folds takes ``groups``.
        """
        mapping = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=type(self).__name__).add(
            estimator=self.estimator, method_mapping=mapping
        )
        cv = getattr(self, "cv", None)
        splitter = StratifiedGroupKFold() if isinstance(cv, Integral) else cv
        if not isinstance(splitter, str) and hasattr(splitter, "split"):
            mapping = MethodMapping().add(caller="fit", callee="split")
            router.add(splitter=splitter, method_mapping=mapping)
        return router

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.input_tags.sparse = inner.input_tags.sparse
        return tags
