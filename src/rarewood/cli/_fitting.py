"""Fitting a model for ``rarewood fit``, with an estimate of what it will do on new rows."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rarewood.cli._errors import CommandError

if TYPE_CHECKING:
    from rarewood.intake import PreparedStream
    from rarewood.operating import Confusion, OperatingPoint, ThresholdedClassifier
    from rarewood.stream import Stream
    from rarewood.table._table import Table

__all__ = ["Fitted", "fit_model", "fit_stream"]


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
    with _catching() as texts:
        is_forest = _draws_rows(estimator)
        origin = "out of bag" if is_forest else f"out of fold, {folds} folds"
        judge = _with_threshold if rule is not None else _most_probable
        found = judge(estimator, X, y, rare, rule, "oob" if is_forest else folds, seed)
    return Fitted(**found, origin=origin, warnings=texts)


def fit_stream(
    estimator: Any, prepared: PreparedStream, *, rule: Any, folds: int, seed: int
) -> Fitted:
    """Fit an estimator on a table that is read in batches, and judge it; see :func:`fit_model`.

    Where there are no out-of-bag scores, one fold stands for all: its rows are scored by a model of
    the others.

    Parameters
    ----------
    estimator : RareTreeClassifier or RareForestClassifier
        What to fit.
    prepared : PreparedStream
        The table.
    rule : rule, float or None
        How to choose the threshold; None for the most probable class.
    folds : int
        One row of so many is held out.
    seed : int
        Of the fold and of resamples.

    Returns
    -------
    fitted : Fitted
        The model and the estimates.
    """
    from sklearn.base import clone

    with _catching() as texts:
        if _draws_rows(estimator):
            origin = "out of bag"
            estimator = clone(estimator).set_params(oob_score=True)
            model = estimator.fit(_shown(prepared.rows()), prepared.findings.target)
            scores, codes = model.oob_decision_function_, prepared.y[prepared.y >= 0]
            is_scored = ~np.isnan(scores[:, 0])
            scores, codes = scores[is_scored], codes[is_scored]
        else:
            held = _held_out(prepared.y, folds, seed)
            codes = prepared.y[held]
            origin = f"{len(codes):,} rows held out"
            judge = clone(estimator).fit(_shown(prepared.rows(~held)), prepared.findings.target)
            scores = judge.predict_proba(prepared.rows(held))
            model = clone(estimator).fit(_shown(prepared.rows()), prepared.findings.target)
        labels = prepared.classes[codes]
        if rule is None:
            found = _counted(model, labels, scores, prepared.pos_label)
        else:
            found = _at_threshold(
                _thresholded(model, rule, labels, scores, prepared.pos_label, seed)
            )
    return Fitted(**found, origin=origin, warnings=texts)


def _shown(rows: Table) -> Stream:
    """Show how far each pass over some rows has come."""
    from rarewood.stream import Stream

    return Stream(rows, verbose=True)


def _held_out(codes: NDArray[np.int32], folds: int, seed: int) -> NDArray[np.bool_]:
    """Choose one row of every ``folds`` at random, of each class."""
    draw = np.random.RandomState(seed)
    is_held = np.zeros(len(codes), dtype=bool)
    for number in range(int(codes.max()) + 1):
        rows = np.flatnonzero(codes == number)
        is_held[draw.permutation(rows)[: -(-len(rows) // folds)]] = True
    return is_held


def _thresholded(
    model: Any, rule: Any, labels: Any, scores: Any, rare: Any, seed: int
) -> ThresholdedClassifier:
    from rarewood.operating import ThresholdedClassifier

    around = ThresholdedClassifier(
        model, by=rule, cv="prefit", rare=rare, unreachable="closest", random_state=seed
    )
    return around.fit_on_scores(labels, scores)


def _draws_rows(estimator: Any) -> bool:
    """Whether an estimator has out-of-bag scores."""
    return bool(getattr(estimator, "bootstrap", False) or getattr(estimator, "balance", False))


@contextmanager
def _catching() -> Iterator[list[str]]:
    """Collect the texts of warnings, each once."""
    texts: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield texts
    texts += dict.fromkeys(" ".join(str(one.message).split()) for one in caught)


def _with_threshold(
    estimator: Any, X: Any, y: Any, rare: Any, rule: Any, cv: Any, seed: int
) -> dict[str, Any]:
    from rarewood.operating import ThresholdedClassifier

    model = ThresholdedClassifier(
        estimator, by=rule, cv=cv, rare=rare, unreachable="closest", random_state=seed
    )
    return _at_threshold(model.fit(X, y))


def _most_probable(
    estimator: Any, X: Any, y: Any, rare: Any, rule: None, cv: Any, seed: int
) -> dict[str, Any]:
    from sklearn.base import clone

    from rarewood.operating import out_of_bag_scores, out_of_fold_scores

    model = clone(estimator)
    if cv == "oob":
        scored = out_of_bag_scores(model.set_params(oob_score=True).fit(X, y), y)
        labels, scores = scored.y, scored.scores
    else:
        labels = np.asarray(y)
        scores = out_of_fold_scores(estimator, X, y, cv=cv, random_state=seed)
        model.fit(X, y)
    return _counted(model, labels, scores, rare)


def _counted(model: Any, labels: Any, scores: Any, rare: Any) -> dict[str, Any]:
    """Judge a model that predicts the most probable class."""
    from rarewood.operating import Confusion, operating_curve

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


def _at_threshold(model: Any) -> dict[str, Any]:
    """Judge a ThresholdedClassifier."""
    auc, precision = _areas(model.curve_)
    point = model.operating_point_
    return {
        "model": model,
        "auc": auc,
        "average_precision": precision,
        "counts": point.counts,
        "point": point,
    }


def _areas(curve: Any) -> tuple[float, float]:
    """Return the area under the ROC curve, and the average precision."""
    if not curve.n_rare or curve.n_rare == curve.n_rows:
        raise CommandError("No row of one of the classes has a score: get more rows of it.")
    recall, alarms = curve.recall, curve.false_alarm_rate
    auc = float(np.sum(np.diff(alarms) * (recall[1:] + recall[:-1]) / 2))
    return auc, float(np.sum(np.diff(recall) * curve.precision[1:]))
