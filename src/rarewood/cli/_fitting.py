"""Fitting a model for ``rarewood fit``, with an estimate of what it will do on new rows."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rarewood.cli.errors import CommandError

if TYPE_CHECKING:
    from rarewood.operating import Confusion, OperatingPoint

__all__ = ["Fitted", "fit_model"]


@dataclass(frozen=True, eq=False)
class Fitted:
    """A fitted model and how good it seems.

    Attributes
    ----------
    model : estimator
        A ThresholdedClassifier, or the estimator itself where no threshold was wanted.
    origin : str
        Where the scores come from that the estimates are made of.
    auc, average_precision : float
        Of the rare class against the others.
    counts : Confusion
        At the threshold, or for the most probable class.
    point : OperatingPoint or None
        The threshold.
    warnings : list of str
        What was warned of meanwhile.
    """

    model: Any
    origin: str
    auc: float
    average_precision: float
    counts: Confusion
    point: OperatingPoint | None
    warnings: list[str]


def fit_model(
    estimator: Any, X: Any, y: Any, *, rare: Any, rule: Any, folds: int, seed: int
) -> Fitted:
    """Fit an estimator on all rows, and judge it by scores of rows it has not seen.

    Parameters
    ----------
    estimator : estimator
        Out-of-bag scores are used if it is a forest that draws rows, else folds.
    X, y : DataFrame and labels
        The table.
    rare : label
        The rare class.
    rule : rule, float or None
        How to choose the threshold; None for the most probable class.
    folds : int
        How many.
    seed : int
        Of folds and resamples.

    Returns
    -------
    fitted : Fitted
        The model and the estimates.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        is_forest = getattr(estimator, "bootstrap", False) or getattr(estimator, "balance", False)
        origin = "out of bag" if is_forest else f"out of fold, {folds} folds"
        judge = _with_threshold if rule is not None else _most_probable
        found = judge(estimator, X, y, rare, rule, "oob" if is_forest else folds, seed)
    texts = [" ".join(str(one.message).split()) for one in caught]
    return Fitted(**found, origin=origin, warnings=list(dict.fromkeys(texts)))


def _with_threshold(
    estimator: Any, X: Any, y: Any, rare: Any, rule: Any, cv: Any, seed: int
) -> dict[str, Any]:
    from rarewood.operating import ThresholdedClassifier

    model = ThresholdedClassifier(
        estimator, by=rule, cv=cv, rare=rare, unreachable="closest", random_state=seed
    )
    model.fit(X, y)
    auc, precision = _areas(model.curve_)
    point = model.operating_point_
    return {
        "model": model,
        "auc": auc,
        "average_precision": precision,
        "counts": point.counts,
        "point": point,
    }


def _most_probable(
    estimator: Any, X: Any, y: Any, rare: Any, rule: None, cv: Any, seed: int
) -> dict[str, Any]:
    import numpy as np
    from sklearn.base import clone

    from rarewood.operating import Confusion, operating_curve, out_of_bag_scores, out_of_fold_scores

    model = clone(estimator)
    if cv == "oob":
        scored = out_of_bag_scores(model.set_params(oob_score=True).fit(X, y), y)
        labels, scores = scored.y, scored.scores
    else:
        labels = np.asarray(y)
        scores = out_of_fold_scores(estimator, X, y, cv=cv, random_state=seed)
        model.fit(X, y)
    number = model.classes_.tolist().index(rare)
    is_rare, is_alert = labels == rare, scores.argmax(axis=1) == number
    auc, precision = _areas(operating_curve(is_rare, scores[:, number], rare=True))
    cells = (is_alert & is_rare, is_alert & ~is_rare, ~is_alert & is_rare, ~is_alert & ~is_rare)
    counts = Confusion(*(int(cell.sum()) for cell in cells))
    return {
        "model": model,
        "auc": auc,
        "average_precision": precision,
        "counts": counts,
        "point": None,
    }


def _areas(curve: Any) -> tuple[float, float]:
    """Return the area under the ROC curve, and the average precision."""
    import numpy as np

    if not curve.n_rare or curve.n_rare == curve.n_rows:
        raise CommandError("No row of one of the classes has a score: get more rows of it.")
    recall, alarms = curve.recall, curve.false_alarm_rate
    auc = float(np.sum(np.diff(alarms) * (recall[1:] + recall[:-1]) / 2))
    return auc, float(np.sum(np.diff(recall) * curve.precision[1:]))
