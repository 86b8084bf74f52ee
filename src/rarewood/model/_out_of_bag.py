"""Scores of the out-of-bag probabilities of a forest."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from rarewood._validation import number_of_threads
from rarewood.model._fitted_forest import FittedForest
from rarewood.model._training_data import TrainingData

Floats = NDArray[np.float64]
Classes = NDArray[np.int32]
# Second parameters of metrics that take probabilities; others take labels.
_PROBABILITIES = ("y_score", "y_prob", "y_proba", "y_scores")


def check_oob_score(oob_score: bool | str | Callable[..., float]) -> None:
    """Raise an error for a name that scikit-learn does not know."""
    if isinstance(oob_score, str):
        from sklearn.metrics import get_scorer_names

        if oob_score not in get_scorer_names():
            raise ValueError(
                f"oob_score={oob_score!r} is not a scorer of scikit-learn. "
                "sklearn.metrics.get_scorer_names() lists them."
            )


def score_out_of_bag(forest: Any, fitted: FittedForest, data: TrainingData) -> tuple[Floats, float]:
    """Return the probabilities of each sample by the trees that did not draw it, and a score."""
    proba = data.out_of_bag(fitted, number_of_threads(forest.n_jobs))
    is_scored = ~np.isnan(proba[:, 0])
    if not is_scored.all():
        warnings.warn(
            "Some inputs do not have OOB scores: every tree has drawn them. "
            f"{_remedy(fitted)} Their probabilities are NaN.",
            stacklevel=6,
        )
    if data.rows is not None:
        is_kept = np.zeros_like(is_scored)
        is_kept[data.rows] = True
        is_scored &= is_kept
    if not is_scored.any():
        return proba, float("nan")
    y, proba_scored = data.y_given[is_scored], proba[is_scored]
    return proba, _score(forest.oob_score, data.classes, y, proba_scored, data.class_counts)


def _score(
    oob_score: Any, classes: NDArray[Any], y: Classes, proba: Floats, counts: NDArray[np.int64]
) -> float:
    """Return the score of probabilities, given the class number of each sample."""
    is_binary = len(classes) == 2
    # Rarer class; the second one if both are equally frequent.
    positive = int(counts[0] >= counts[1]) if is_binary else -1
    if oob_score is True:
        if is_binary and not (y == positive).any():
            return float("nan")
        oob_score = "average_precision" if is_binary else "balanced_accuracy"
    if isinstance(oob_score, str):
        from sklearn.metrics import get_scorer

        oob_score = get_scorer(oob_score)
        if is_binary:  # class 1 is the rarer one
            is_positive = np.arange(2) == positive
            classes, order = is_positive.astype(int), np.argsort(is_positive)
            given = _Predicted(classes[order], proba[:, order], classes[proba.argmax(axis=1)])
            return float(oob_score(given, given.indices, classes[y]))
    truth, predicted = classes[y], classes[proba.argmax(axis=1)]
    names = list(inspect.signature(oob_score).parameters)
    if _is_scorer(oob_score, names):
        given = _Predicted(classes, proba, predicted)
        return float(oob_score(given, given.indices, truth))
    if len(names) > 1 and names[1] in _PROBABILITIES:
        return float(oob_score(truth, proba[:, positive] if is_binary else proba))
    return float(oob_score(truth, predicted))


def _is_scorer(function: Any, names: list[str]) -> bool:
    """Whether a callable is ``scorer(estimator, X, y)`` rather than ``metric(y_true, y_pred)``."""
    return hasattr(function, "_score_func") or names[:3] == ["estimator", "X", "y"]


class _Predicted(ClassifierMixin, BaseEstimator):
    """Classifier with given predictions; its samples are their indices."""

    def __init__(self, classes: NDArray[Any], proba: Floats, labels: NDArray[Any]) -> None:
        self.classes_ = classes
        self.proba_ = proba
        self.labels_ = labels
        self.indices = np.arange(len(proba))

    def predict_proba(self, X: NDArray[np.intp]) -> Floats:
        return self.proba_[X]

    def predict(self, X: NDArray[np.intp]) -> NDArray[Any]:
        return self.labels_[X]


def _remedy(fitted: FittedForest) -> str:
    if fitted.row_sampling.per_class and not fitted.row_sampling.with_replacement:
        return (
            "Without replacement a balanced tree may draw the whole rarest class: set "
            "bootstrap=True, or max_samples to a fraction below 1."
        )
    return "Grow more trees."
