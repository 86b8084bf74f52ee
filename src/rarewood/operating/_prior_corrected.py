"""PriorCorrectedClassifier: probabilities of a balanced model for the true frequency."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from rarewood._validation import StrOptions, check_parameters, routed_parameters
from rarewood.operating._prior import class_prior, correct_prior, read_prior
from rarewood.operating._scores import last_step
from rarewood.operating._wrapping import WrappingClassifier
from rarewood.table._labels import encode_labels

__all__ = ["PriorCorrectedClassifier"]

Floats = NDArray[np.float64]


class PriorCorrectedClassifier(WrappingClassifier):
    """A classifier trained on balanced classes, with probabilities for their true frequency.

    A forest with ``balance=True`` grows every tree on equally many rows of each class, so its
    probabilities say how likely a class would be if all were equally frequent: the effective prior
    of training is one over the number of classes, whatever the table has. The same holds for
    ``class_weight="balanced"``. This wrapper corrects the probabilities by :func:`correct_prior`.

    Parameters
    ----------
    estimator : classifier
        Any classifier with ``predict_proba``.
    trained_prior : "balanced" or array-like of shape (n_classes,), default="balanced"
        How frequent the classes are for the estimator, in the order of the sorted labels.
    true_prior : array-like of shape (n_classes,), default=None
        How frequent they are in use. By default as in the ``y`` of ``fit``.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    true_prior_ : ndarray of shape (n_classes,)
        The frequencies that are corrected to.
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of columns, if the estimator knows it.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if the estimator knows them.

    Notes
    -----
    ``predict`` takes the most probable class at the true frequency, so it seldom says rare, as any
    model with such probabilities. Choose a threshold: :class:`ThresholdedClassifier` takes this
    classifier as its estimator. The correction alone changes no ranking.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from rarewood import presets
    >>> from rarewood.operating import PriorCorrectedClassifier
    >>> X, y = make_classification(2000, weights=[0.95], flip_y=0, random_state=0)
    >>> forest = presets.balanced_random_forest(random_state=0)
    >>> round(float(forest.fit(X, y).predict_proba(X)[:, 1].mean()), 2)
    0.1
    >>> corrected = PriorCorrectedClassifier(forest).fit(X, y)
    >>> round(float(corrected.predict_proba(X)[:, 1].mean()), 2)
    0.04
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "trained_prior": ["array-like", StrOptions({"balanced"})],
        "true_prior": ["array-like", None],
    }

    def __init__(
        self, estimator: Any, *, trained_prior: Any = "balanced", true_prior: Any = None
    ) -> None:
        self.estimator = estimator
        self.trained_prior = trained_prior
        self.true_prior = true_prior

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Fit the classifier, and take the frequency of the classes from the labels.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            The training table.
        y : array-like of shape (n_rows,)
            Labels.
        **params : dict
            What ``fit`` of the estimator takes besides. ``sample_weight`` also weighs the rows when
            the frequency is estimated.

        Returns
        -------
        self : PriorCorrectedClassifier
            The fitted estimator.
        """
        check_parameters(self)
        params = routed_parameters(self, params)
        classes, _ = encode_labels(y)
        prior = self.true_prior
        if prior is None:
            prior = class_prior(y, sample_weight=params.get("sample_weight"))
        true_prior = read_prior("true_prior", prior, len(classes), False)
        read_prior("trained_prior", self.trained_prior, len(classes), False)
        self._check_balanced()
        self._keep_estimator(clone(self.estimator).fit(X, y, **params))
        self.true_prior_ = true_prior
        return self

    def _check_balanced(self) -> None:
        """Warn if one of our forests is taken as balanced and is not."""
        inner = last_step(self.estimator)
        if (
            isinstance(self.trained_prior, str)
            and getattr(inner, "balance", None) is False
            and getattr(inner, "class_weight", None) is None
        ):
            warnings.warn(
                f"trained_prior='balanced', but this {type(inner).__name__} does not balance the "
                "classes: its probabilities need no correction. Set balance=True, or do without "
                "the wrapper.",
                stacklevel=3,
            )

    def predict_proba(self, X: Any) -> Floats:
        """Return the probabilities of the estimator, corrected for the true frequency.

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
        proba = self.estimator_.predict_proba(X)
        return correct_prior(proba, trained_prior=self.trained_prior, true_prior=self.true_prior_)

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the corrected probabilities.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            A table with the columns of the training table.

        Returns
        -------
        log_proba : ndarray of shape (n_rows, n_classes)
            The classes are in the order of ``classes_``.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the most probable class at the true frequency.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            A table with the columns of the training table.

        Returns
        -------
        y : ndarray of shape (n_rows,)
            The labels.
        """
        proba = self.predict_proba(X)
        labels: NDArray[Any] = self.classes_[proba.argmax(axis=1)]
        return labels
