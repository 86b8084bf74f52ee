"""Correction of probabilities for class frequencies other than those of training."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from rarewood._delegation import DelegatingClassifier
from rarewood._docstrings import documented
from rarewood._routing import FitParameters
from rarewood._validation import StrOptions, sample_weights
from rarewood.operating._scores import last_step

Floats = NDArray[np.float64]


def correct_prior(proba: Any, *, trained_prior: Any, true_prior: Any) -> Floats:
    """Convert probabilities learnt at one set of class frequencies to another.

    Parameters
    ----------
    proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        Probabilities of all classes, or of one class against the rest.
    trained_prior : "balanced" or array-like of shape (n_classes,), or float
        Class frequencies in training. "balanced" for equal ones, as of a forest with
        ``balance=True`` or a model with ``class_weight="balanced"``. For probabilities of one
        class, its frequency.
    true_prior : array-like of shape (n_classes,), or float
        Class frequencies where the probabilities are used.

    Returns
    -------
    proba : ndarray
        The corrected probabilities, in the shape of ``proba``.

    Notes
    -----
    The probability of each class is multiplied by its true and divided by its trained frequency,
    then each row is normalised (Saerens et al. 2002; for two classes Elkan 2001, theorem 2). This
    assumes that the distribution within each class is the same in training and in use. The order of
    samples by the probability of one class against another does not change, nor do ROC curve and
    AUC. Exchanging the two priors inverts the correction.

    Probabilities that are not calibrated for the trained frequencies are not calibrated for the
    true ones either.

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
            "proba must be probabilities between 0 and 1, without NaN. Calibrate the scores of a "
            "decision_function first, with CalibratedClassifierCV."
        )
    n_classes = table.shape[1]
    trained = _read_prior("trained_prior", trained_prior, n_classes, is_one)
    true = _read_prior("true_prior", true_prior, n_classes, is_one)
    corrected = table * (true / trained)
    sums = corrected.sum(axis=1, keepdims=True)
    # Probability 1 of a class with true frequency 0: the row gets the true frequencies.
    corrected = np.divide(corrected, sums, out=np.tile(true, (len(table), 1)), where=sums > 0)
    result: Floats = corrected[:, 1] if is_one else corrected
    return result


def _read_prior(name: str, prior: Any, n_classes: int, is_one: bool) -> Floats:
    """Return class frequencies as an array that sums to 1."""
    if isinstance(prior, str):
        if prior != "balanced":
            raise ValueError(f"{name}={prior!r} must be 'balanced' or class frequencies.")
        return np.full(n_classes, 1 / n_classes)
    values = np.asarray(prior, dtype=np.float64)
    if is_one and values.ndim == 0:
        values = np.array([1 - values, values])
    if values.shape != (n_classes,):
        expected = "a number" if is_one else f"{n_classes} numbers, one for each class"
        raise ValueError(f"{name} has the shape {values.shape}; expected {expected}.")
    lowest = values.min()
    if not np.isclose(values.sum(), 1, atol=1e-6) or not lowest >= 0:
        raise ValueError(f"{name}={values.tolist()} must be frequencies that sum to 1.")
    if lowest == 0 and name == "trained_prior":
        raise ValueError(
            f"{name}={values.tolist()} must be above 0: there is no correction for a class "
            "without training samples."
        )
    prior_: Floats = values / values.sum()
    return prior_


@documented
class PriorCorrectedClassifier(DelegatingClassifier):
    """Classifier trained on balanced classes, with probabilities for their true frequencies.

    A forest with ``balance=True`` grows every tree on equally many samples of each class, so its
    probabilities are those of equally frequent classes. The same holds for
    ``class_weight="balanced"``. This classifier corrects them with :func:`correct_prior`.

    Parameters
    ----------
    estimator : classifier
        Classifier with ``predict_proba``.
    trained_prior : "balanced" or array-like of shape (n_classes,), default="balanced"
        Class frequencies of the fitted estimator, in the order of the sorted labels.
    true_prior : array-like of shape (n_classes,), default=None
        Class frequencies in use; by default those of ``y`` in ``fit``, with ``sample_weight``.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    true_prior_ : ndarray of shape (n_classes,)
        Class frequencies that are corrected to.
    {estimator_attributes}

    Notes
    -----
    ``predict`` returns the most probable class at the true frequencies, which is seldom the rare
    class. Choose a threshold with :class:`ThresholdedClassifier`, which accepts this classifier as
    its estimator. The correction does not change the ranking of samples.

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

    def _fit(
        self, X: Any, classes: NDArray[Any], codes: NDArray[np.int32], given: FitParameters
    ) -> None:
        params = given.estimator
        prior, weights = self.true_prior, params.get("sample_weight")
        if prior is None:
            totals = np.bincount(
                codes, None if weights is None else sample_weights(weights, len(codes))
            )
            prior = totals / totals.sum()
        true_prior = _read_prior("true_prior", prior, len(classes), False)
        _read_prior("trained_prior", self.trained_prior, len(classes), False)
        self._check_balanced()
        self._keep_estimator(clone(self.estimator).fit(X, classes[codes], **params))
        self.true_prior_ = true_prior

    def _check_balanced(self) -> None:
        """Warn if the estimator is a forest of this package that is not balanced."""
        inner = last_step(self.estimator)
        if (
            isinstance(self.trained_prior, str)
            and getattr(inner, "balance", None) is False
            and getattr(inner, "class_weight", None) is None
        ):
            warnings.warn(
                f"trained_prior='balanced', but this {type(inner).__name__} does not balance the "
                "classes, so its probabilities need no correction. Set balance=True, or use it "
                "without PriorCorrectedClassifier.",
                stacklevel=4,
            )

    def _predict_proba(self, X: Any) -> Floats:
        proba = self.estimator_.predict_proba(X)
        return correct_prior(proba, trained_prior=self.trained_prior, true_prior=self.true_prior_)

    def _predict_log_proba(self, X: Any) -> Floats:
        with np.errstate(divide="ignore"):
            return np.log(self._predict_proba(X))

    def _predict(self, X: Any) -> NDArray[Any]:
        labels: NDArray[Any] = self.classes_[self._predict_proba(X).argmax(axis=1)]
        return labels
