"""Scores of a model on rows that were not used for training, and the fit itself."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from rarewood.intake._prepare import PreparedTable
    from rarewood.intake._prepare_stream import PreparedStream
    from rarewood.operating import Confusion, OperatingPoint

Fit = tuple["Estimates", Any, list[str]]  # with the model, and texts of warnings


@dataclass(frozen=True, eq=False)
class Decided:
    """The labels that the model predicts for some rows of the table, without having seen them."""

    rows: NDArray[np.intp]
    labels: NDArray[Any]


@dataclass(frozen=True, eq=False)
class Estimates:
    """Scores of a model on samples that were not used for training; see :func:`fit`."""

    origin: str
    auc: float
    average_precision: float
    counts: Confusion
    point: OperatingPoint | None
    decided: Decided | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the estimates as plain data."""
        return {
            "origin": self.origin,
            "auc": self.auc,
            "average_precision": self.average_precision,
            **{name: int(getattr(self.counts, name)) for name in ("tp", "fp", "fn", "tn")},
        }


def fit_prepared(
    estimator: Any, prepared: PreparedTable, *, rule: Any, folds: int, seed: int
) -> Fit:
    """Fit an estimator on all rows; its scores are out of bag if it draws rows, else of folds."""
    from sklearn.base import clone

    from rarewood.operating import ThresholdedClassifier, out_of_bag_scores, out_of_fold_scores

    X, y, rare = prepared.X, prepared.y, prepared.pos_label
    is_oob = _draws_rows(estimator)
    origin = "out of bag" if is_oob else f"out of fold, {folds} folds"
    with _caught_warnings() as texts:
        if rule is not None:
            model = ThresholdedClassifier(
                estimator, by=rule, cv="oob" if is_oob else folds, pos_label=rare,
                unreachable="closest", random_state=seed,
            ).fit(X, y)  # fmt: skip
            scored = model._scored_samples
            del model._scored_samples
            number = model.classes_.tolist().index(rare)
            is_alert = scored.scores[:, number] >= model.threshold_
            decided = Decided(
                scored.indices, model.classes_[np.where(is_alert, number, 1 - number)]
            )
            return replace(_at_threshold(model, origin), decided=decided), model, texts
        model = clone(estimator)
        rows = np.arange(len(y))
        if is_oob:
            scored = out_of_bag_scores(model.set_params(oob_score=True).fit(X, y), y)
            labels, scores, rows = scored.y, scored.scores, scored.indices
        else:
            labels = np.asarray(y)
            scores = out_of_fold_scores(estimator, X, y, cv=folds, random_state=seed)
            model.fit(X, y)
        found = _most_probable(model, labels, scores, rare, origin)
        decided = Decided(rows, model.classes_[scores.argmax(axis=1)])
        return replace(found, decided=decided), model, texts


def fit_stream(
    estimator: Any, prepared: Any, *, rule: Any, folds: int, seed: int, verbose: bool
) -> Fit:
    """Fit an estimator on a table that is read in batches.

    If it has no out-of-bag scores, one fold is held out, and scored by a model of the others.
    """
    from sklearn.base import clone

    from rarewood.operating import ThresholdedClassifier
    from rarewood.stream import Stream

    def fitted(estimator: Any, chosen: NDArray[np.bool_] | None = None) -> Any:
        rows = Stream(prepared.rows(chosen), verbose=verbose)
        return clone(estimator).fit(rows, prepared.findings.target)

    with _caught_warnings() as texts:
        if _draws_rows(estimator):
            origin = "out of bag"
            model = fitted(clone(estimator).set_params(oob_score=True))
            scores, y = model.oob_decision_function_, prepared.y[prepared.y >= 0]
            is_scored = ~np.isnan(scores[:, 0])
            scores, y = scores[is_scored], y[is_scored]
        else:
            held = _held_out(prepared, folds, seed)
            y = prepared.y[held]
            origin = f"{len(y):,} rows held out"
            scores = fitted(estimator, ~held).predict_proba(prepared.rows(held))
            model = fitted(estimator)
        labels = prepared.classes[y]
        if rule is None:
            return _most_probable(model, labels, scores, prepared.pos_label, origin), model, texts
        model = ThresholdedClassifier(
            model, by=rule, cv="prefit", pos_label=prepared.pos_label, unreachable="closest",
            random_state=seed,
        ).fit_on_scores(labels, scores)  # fmt: skip
        return _at_threshold(model, origin), model, texts


def _held_out(prepared: PreparedStream, folds: int, seed: int) -> NDArray[np.bool_]:
    """Choose one row of every ``folds`` at random, of each class."""
    y = prepared.y
    draw = np.random.RandomState(seed)
    is_held = np.zeros(len(y), dtype=bool)
    for number in range(int(y.max()) + 1):
        rows = np.flatnonzero(y == number)
        is_held[draw.permutation(rows)[: -(-len(rows) // folds)]] = True
    return is_held


def _draws_rows(estimator: Any) -> bool:
    """Whether an estimator has out-of-bag scores."""
    return bool(getattr(estimator, "bootstrap", False) or getattr(estimator, "balance", False))


@contextmanager
def _caught_warnings() -> Iterator[list[str]]:
    """Collect the texts of warnings, each once."""
    texts: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield texts
    texts += dict.fromkeys(" ".join(str(one.message).split()) for one in caught)


def _most_probable(model: Any, labels: Any, scores: Any, rare: Any, origin: str) -> Estimates:
    """Estimate the scores of a model that predicts the most probable class."""
    from rarewood.operating import Confusion, operating_curve

    number = model.classes_.tolist().index(rare)
    is_rare, is_alert = labels == rare, scores.argmax(axis=1) == number
    areas = _areas(operating_curve(is_rare, scores[:, number], pos_label=True))
    cells = (is_alert & is_rare, is_alert & ~is_rare, ~is_alert & is_rare, ~is_alert & ~is_rare)
    return Estimates(origin, *areas, Confusion(*(int(cell.sum()) for cell in cells)), None)


def _at_threshold(model: Any, origin: str) -> Estimates:
    """Return the estimates of a ThresholdedClassifier."""
    point = model.operating_point_
    return Estimates(origin, *_areas(model.curve_), point.counts, point)


def _areas(curve: Any) -> tuple[float, float]:
    """Return the area under the ROC curve, and the average precision."""
    if not curve.n_positive or curve.n_positive == curve.n_samples:
        raise ValueError("No row of one of the classes has a score: add rows of the class.")
    return curve.auc, curve.average_precision
