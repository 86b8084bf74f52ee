"""Probabilities for another frequency of the classes than the one that was trained on."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from rarewood._validation import (
    StrOptions,
    check_parameters,
    routed_parameters,
    sample_weights,
)
from rarewood.operating.scores import last_step
from rarewood.operating.wrapping import WrappingClassifier
from rarewood.targets import encode_labels

__all__ = ["PriorCorrectedClassifier", "class_prior", "correct_prior"]

Floats = NDArray[np.float64]


def class_prior(y: Any, *, sample_weight: Any = None) -> Floats:
    """Estimate how frequent each class is.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Labels of rows as they come, not of rows that were balanced.
    sample_weight : array-like of shape (n_rows,), default=None
        How many rows each row counts for.

    Returns
    -------
    prior : ndarray of shape (n_classes,)
        Shares of the rows, in the order of the sorted labels.

    Examples
    --------
    >>> from rarewood.operating import class_prior
    >>> class_prior(["no", "no", "no", "yes"])
    array([0.75, 0.25])
    """
    classes, codes = encode_labels(y)
    weights = None if sample_weight is None else sample_weights(sample_weight, len(codes))
    totals = np.bincount(codes, weights, minlength=len(classes))
    prior: Floats = totals / totals.sum()
    return prior


def correct_prior(proba: Any, *, trained_prior: Any, true_prior: Any) -> Floats:
    """Turn probabilities learnt at one frequency of the classes into those at another.

    Parameters
    ----------
    proba : array-like of shape (n_rows, n_classes) or (n_rows,)
        Probabilities of all classes, or of one class against the rest.
    trained_prior : "balanced" or array-like of shape (n_classes,), or float
        How frequent the classes were for the model. "balanced": all equally, as for a forest with
        ``balance=True`` or a model with ``class_weight="balanced"``. With probabilities of one
        class, its frequency.
    true_prior : array-like of shape (n_classes,), or float
        How frequent they are where the probabilities are used; :func:`class_prior` estimates it.

    Returns
    -------
    proba : ndarray
        The corrected probabilities, in the shape that was given.

    Notes
    -----
    The probability of a class is multiplied by its true over its trained frequency, then each row
    is divided by its sum (Saerens et al. 2002; for two classes Elkan 2001, theorem 2). It rests on
    one assumption: that within a class the rows are alike in training and in use, only in other
    numbers. The order of rows by the probability of one class against another never changes, so
    ranking, AUC and what a threshold can achieve stay the same. Swapping the two priors undoes it.

    It corrects the frequency, nothing else: probabilities that were not calibrated for the trained
    frequency will not be calibrated for the true one.

    References
    ----------
    .. [1] M. Saerens, P. Latinne and C. Decaestecker, "Adjusting the outputs of a classifier to new
           a priori probabilities", Neural Computation 14, 2002.
    .. [2] C. Elkan, "The foundations of cost-sensitive learning", IJCAI 2001.

    Examples
    --------
    >>> from rarewood.operating import correct_prior
    >>> correct_prior([0.5, 0.9], trained_prior=0.5, true_prior=0.01).round(4)
    array([0.01  , 0.0833])
    >>> correct_prior([[0.5, 0.5]], trained_prior="balanced", true_prior=[0.99, 0.01])
    array([[0.99, 0.01]])
    """
    values = np.asarray(proba, dtype=np.float64)
    if values.ndim not in (1, 2):
        raise ValueError(f"proba has {values.ndim} dimensions; expected one or two.")
    is_one = values.ndim == 1
    table = np.column_stack((1 - values, values)) if is_one else values
    low, high = table.min(initial=0.0), table.max(initial=0.0)
    if not (low >= 0 and high <= 1 + 1e-9):  # NaN included
        raise ValueError(
            "proba must be probabilities between 0 and 1, without NaN. Scores of a "
            "decision_function are none: calibrate them first, with CalibratedClassifierCV."
        )
    n_classes = table.shape[1]
    trained = _read_prior("trained_prior", trained_prior, n_classes, is_one)
    true = _read_prior("true_prior", true_prior, n_classes, is_one)
    corrected = table * (true / trained)
    sums = corrected.sum(axis=1, keepdims=True)
    # A row that is sure of a class that never occurs is left with the frequencies.
    corrected = np.divide(corrected, sums, out=np.tile(true, (len(table), 1)), where=sums > 0)
    result: Floats = corrected[:, 1] if is_one else corrected
    return result


def _read_prior(name: str, prior: Any, n_classes: int, is_one: bool) -> Floats:
    """Return frequencies that add up to one."""
    if isinstance(prior, str):
        if prior != "balanced":
            raise ValueError(f"{name}={prior!r} must be 'balanced' or frequencies.")
        return np.full(n_classes, 1 / n_classes)
    values = np.asarray(prior, dtype=np.float64)
    if is_one and values.ndim == 0:
        values = np.array([1 - values, values])
    if values.shape != (n_classes,):
        expected = "a number" if is_one else f"{n_classes} numbers, one for each class"
        raise ValueError(f"{name} has the shape {values.shape}; expected {expected}.")
    lowest = values.min()
    if not np.isclose(values.sum(), 1, atol=1e-6) or not lowest >= 0:
        raise ValueError(f"{name}={values.tolist()} must be frequencies that add up to 1.")
    if lowest == 0 and name == "trained_prior":
        raise ValueError(
            f"{name}={values.tolist()} must be above 0: a class that was never trained on cannot "
            "be corrected for."
        )
    prior_: Floats = values / values.sum()
    return prior_


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
        check_classification_targets(y)
        params = routed_parameters(self, params)
        classes, _ = encode_labels(y)
        prior = self.true_prior
        if prior is None:
            prior = class_prior(y, sample_weight=params.get("sample_weight"))
        true_prior = _read_prior("true_prior", prior, len(classes), False)
        _read_prior("trained_prior", self.trained_prior, len(classes), False)
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
