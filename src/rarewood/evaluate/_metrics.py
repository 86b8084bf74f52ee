"""Metrics of a model on the test samples of a fold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate._multiclass_auc import binary_auc, pairwise_auc

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Outcome:
    """Predictions of a model for the test samples of one fold: the argument of a metric.

    Attributes
    ----------
    y, predicted : ndarray of int of shape (n_samples,)
        Encoded labels: indices into the sorted labels.
    scores : ndarray of shape (n_samples, n_classes) or None
        Probabilities, or values of ``decision_function``. A class without training samples has
        probability 0.
    is_probability : bool
        Whether the scores are probabilities.
    pos_index : int
        Index of the class of interest among the sorted labels.
    n_classes : int
        Number of classes of the data set.
    n_leaves, fit_time, predict_time : float
        Number of leaves (NaN for models without trees), and seconds.
    model : classifier or None
        The fitted model; None if the metric is computed from stored predictions.
    """

    y: NDArray[np.int64]
    predicted: NDArray[np.int64]
    scores: Floats | None
    is_probability: bool
    pos_index: int
    n_classes: int
    n_leaves: float = float("nan")
    fit_time: float = float("nan")
    predict_time: float = float("nan")
    model: Any = None


@dataclass(frozen=True)
class Metric:
    """A metric of a model on a fold.

    Parameters
    ----------
    name : str
        Column of the results. The store identifies a metric by its name, so different functions
        need different names.
    function : callable
        Function of an :class:`Outcome` that returns a number, NaN where it is undefined.
    higher_is_better : bool, default=True
        Whether larger values are better.

    Examples
    --------
    >>> from rarewood.evaluate import Metric
    >>> Metric("errors", lambda outcome: float((outcome.y != outcome.predicted).sum()), False).name
    'errors'
    """

    name: str
    function: Callable[[Outcome], float]
    higher_is_better: bool = True


def auc(outcome: Outcome) -> float:
    """AUC of the class of interest, or of Hand and Till for more than two classes."""
    if outcome.scores is None:
        return float("nan")
    if outcome.n_classes == 2:
        return binary_auc(outcome.scores[:, outcome.pos_index], outcome.y == outcome.pos_index)
    return pairwise_auc(outcome.y, outcome.scores)


def average_precision(outcome: Outcome) -> float:
    """Average precision of the class of interest against the rest."""
    curve = _precision_recall(outcome)
    if curve is None:
        return float("nan")
    precision, recall = curve
    return float(np.sum(np.diff(recall, prepend=0.0) * precision))


def recall_at_precision(precision: float) -> Metric:
    """Largest recall of the class of interest at this precision or more; 0 if out of reach."""
    if not 0 < precision <= 1:
        raise ValueError(f"The precision must be above 0 and at most 1; got {precision!r}.")

    def measure(outcome: Outcome) -> float:
        curve = _precision_recall(outcome)
        if curve is None:
            return float("nan")
        return float(curve[1][curve[0] >= precision - 1e-12].max(initial=0.0))

    return Metric(f"recall_at_precision_{precision:g}", measure)


def _precision_recall(outcome: Outcome) -> tuple[Floats, Floats] | None:
    """Precision and recall of the class of interest at each distinct score, highest first."""
    is_rare = outcome.y == outcome.pos_index
    if outcome.scores is None or not is_rare.any():
        return None
    scores = outcome.scores[:, outcome.pos_index]
    order = np.argsort(-scores, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(scores[order])), len(order) - 1)
    hits = np.cumsum(is_rare[order])[ends]
    return hits / (ends + 1), hits / is_rare.sum()


def f_measure(outcome: Outcome) -> float:
    """F-measure of the class of interest by the predicted labels; 0 without a true positive."""
    is_rare, is_predicted = outcome.y == outcome.pos_index, outcome.predicted == outcome.pos_index
    if not is_rare.any():
        return float("nan")
    return float(2 * (is_rare & is_predicted).sum() / (is_rare.sum() + is_predicted.sum()))


def _recalls(outcome: Outcome) -> Floats:
    """Recall of every class among the test samples."""
    totals = np.bincount(outcome.y, minlength=outcome.n_classes)
    hits = np.bincount(outcome.y[outcome.y == outcome.predicted], minlength=outcome.n_classes)
    recalls: Floats = hits[totals > 0] / totals[totals > 0]
    return recalls


def g_mean(outcome: Outcome) -> float:
    """Geometric mean of the recalls of the classes."""
    recalls = _recalls(outcome)
    return float(np.prod(recalls) ** (1 / len(recalls)))


def balanced_accuracy(outcome: Outcome) -> float:
    """Mean of the recalls of the classes."""
    return float(_recalls(outcome).mean())


def mcc(outcome: Outcome) -> float:
    """Matthews correlation coefficient; 0 if all labels or all predictions are equal."""
    from sklearn.metrics import matthews_corrcoef

    return float(matthews_corrcoef(outcome.y, outcome.predicted))


def brier(outcome: Outcome) -> float:
    """Mean squared error of the class of interest; summed over more than two classes."""
    if outcome.scores is None or not outcome.is_probability:
        return float("nan")
    truth = np.eye(outcome.n_classes)[outcome.y]
    errors = np.square(outcome.scores - truth)
    if outcome.n_classes == 2:
        return float(errors[:, outcome.pos_index].mean())
    return float(errors.sum(axis=1).mean())


def log_loss(outcome: Outcome) -> float:
    """Mean negative logarithm of the probability of the true class, clipped to 2e-16."""
    if outcome.scores is None or not outcome.is_probability:
        return float("nan")
    tiny = np.finfo(np.float64).eps
    chosen = outcome.scores[np.arange(len(outcome.y)), outcome.y]
    return float(-np.log(np.clip(chosen, tiny, 1 - tiny)).mean())


def accuracy(outcome: Outcome) -> float:
    """Fraction of correctly labelled samples."""
    return float((outcome.y == outcome.predicted).mean())


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("auc", auc),
        Metric("average_precision", average_precision),
        Metric("f_measure", f_measure),
        Metric("g_mean", g_mean),
        Metric("balanced_accuracy", balanced_accuracy),
        Metric("mcc", mcc),
        Metric("brier", brier, False),
        Metric("log_loss", log_loss, False),
        recall_at_precision(0.5),
        recall_at_precision(0.9),
        Metric("accuracy", accuracy),
        Metric("n_leaves", lambda outcome: outcome.n_leaves, False),
        Metric("fit_time", lambda outcome: outcome.fit_time, False),
        Metric("predict_time", lambda outcome: outcome.predict_time, False),
    )
}


def metric_names() -> list[str]:
    """Return the names of the metrics that are always computed.

    Examples
    --------
    >>> from rarewood.evaluate import metric_names
    >>> metric_names()[:3]
    ['auc', 'average_precision', 'f_measure']
    """
    return list(METRICS)


def resolve(metrics: Iterable[str | Metric] | None) -> dict[str, Metric]:
    """Return the requested metrics by name; all of them for None."""
    if metrics is None:
        return dict(METRICS)
    given = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    found: dict[str, Metric] = {}
    for metric in given:
        chosen = metric if isinstance(metric, Metric) else _named(metric)
        found[chosen.name] = chosen
    return found


def _named(name: Any) -> Metric:
    start = "recall_at_precision_"
    if name in METRICS:
        return METRICS[name]
    if isinstance(name, str) and name.startswith(start):
        try:
            return recall_at_precision(float(name.removeprefix(start)))
        except ValueError as error:
            raise ValueError(f"The precision in {name!r} is not between 0 and 1.") from error
    raise ValueError(
        f"Unknown metric {name!r}. Metrics: {', '.join(METRICS)}, and "
        f"'{start}0.8' for any precision; or pass a Metric object."
    )
