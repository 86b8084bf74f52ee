"""One procedure for all methods: preparation, tuning, thresholds and times."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.preprocessing import OrdinalEncoder

from imbalance_remote import TimeLimit
from large_models import Encoded
from rarewood.evaluate import Metric, Outcome
from rarewood.operating import Confusion, operating_curve

HELD = 1 / 3  # of the training samples, for the thresholds
N_FOLDS = 2  # of the search for parameters


class Scaled(Encoded):
    """One-hot encoding, imputation, and standardisation of features that are not 0 or 1.

    Methods with neighbours need one scale; trees do not care.
    """

    def fit_transform(self, X: Any, y: Any) -> np.ndarray:
        table = super().fit_transform(X, y)
        is_flag = ((table == 0) | (table == 1)).all(axis=0)
        self.centre_ = np.where(is_flag, 0.0, table.mean(axis=0))
        spread = table.std(axis=0)
        self.spread_ = np.where(is_flag | (spread == 0), 1.0, spread)
        return (table - self.centre_) / self.spread_

    def transform(self, X: Any) -> np.ndarray:
        return (super().transform(X) - self.centre_) / self.spread_


class Coded(TransformerMixin, BaseEstimator):
    """Codes of categorical features, then standardised numbers; for SMOTENC."""

    def fit_transform(self, X: Any, y: Any) -> np.ndarray:
        self.names_ = list(X.select_dtypes(exclude="number"))
        self.encoder_ = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
        self.numbers_ = Scaled()
        parts = []
        if self.names_:
            parts.append(self.encoder_.fit_transform(self._texts(X)))
        if len(self.names_) < X.shape[1]:
            parts.append(self.numbers_.fit_transform(X.drop(columns=self.names_), y))
        table = np.hstack(parts)
        self.n_categorical_ = len(self.names_), table.shape[1]
        return table

    def transform(self, X: Any) -> np.ndarray:
        parts = []
        if self.names_:
            parts.append(self.encoder_.transform(self._texts(X)))
        if len(self.names_) < X.shape[1]:
            parts.append(self.numbers_.transform(X.drop(columns=self.names_)))
        return np.hstack(parts)

    def _texts(self, X: Any) -> np.ndarray:
        return X[self.names_].astype(object).fillna("missing").astype(str).to_numpy(dtype=object)


class Judged(ClassifierMixin, BaseEstimator):
    """A method with thresholds from a held-out part of the training samples; labels are 0 and 1.

    The threshold of each measure is the best for a fit on two thirds of the training samples,
    measured on the rest; the model itself is fitted to all of them. With ``candidates``, a list of
    parameters, the best by the average precision of an inner cross-validation are used.
    """

    def __init__(
        self,
        estimator: Any,
        preparation: Any = None,
        candidates: list[dict[str, Any]] | None = None,
        random_state: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.preparation = preparation
        self.candidates = candidates
        self.random_state = random_state

    def fit(self, X: Any, y: np.ndarray) -> Self:
        self.classes_ = np.array([0, 1])
        start = time.process_time()
        self.params_ = self._search(X, y) if self.candidates else {}
        parts = train_test_split(X, y, test_size=HELD, stratify=y, random_state=self.random_state)
        self.thresholds_ = self._thresholds(*parts)
        self.search_cpu_ = time.process_time() - start  # of this process
        self._fit(X, y, self.params_)
        return self

    def _thresholds(self, X: Any, X_held: Any, y: Any, y_held: Any) -> dict[str, float]:
        try:
            self._fit(X, y, self.params_)
            return best_thresholds(y_held, self.predict_proba(X_held)[:, 1])
        except TimeLimit:
            raise
        except RuntimeError as error:
            warnings.warn(f"thresholds of 1/2: {error}", stacklevel=2)
            return dict.fromkeys(MEASURES, 0.5)

    def _search(self, X: Any, y: Any) -> dict[str, Any]:
        folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=self.random_state)
        self.searched_ = [
            self._score(params, list(folds.split(X, y)), X, y) for params in self.candidates or []
        ]
        if max(self.searched_) < 0:
            raise RuntimeError("all candidates failed")
        return (self.candidates or [])[int(np.argmax(self.searched_))]

    def _score(self, params: dict[str, Any], folds: list, X: Any, y: Any) -> float:
        found = []
        for train, test in folds:
            try:
                self._fit(X.iloc[train], y[train], params)
                scores = self.predict_proba(X.iloc[test])[:, 1]
            except (RuntimeError, ValueError):
                return -1.0
            found.append(average_precision_score(y[test], scores))
        return float(np.mean(found))

    def _fit(self, X: Any, y: Any, params: dict[str, Any]) -> None:
        table = X
        if self.preparation is not None:
            self.preparation_ = clone(self.preparation)
            table = self.preparation_.fit_transform(X, y)
        self.model_ = clone(self.estimator).set_params(**params)
        if isinstance(self.preparation, Coded):
            self.model_.set_params(n_categorical=self.preparation_.n_categorical_)
        self._last: tuple[Any, Any] = (None, None)
        start = time.process_time()
        self.model_.fit(table, y)
        self.fit_cpu_ = getattr(self.model_, "fit_cpu_", time.process_time() - start)

    def predict_proba(self, X: Any) -> np.ndarray:
        if self._last[0] is not X:  # a cell calls predict first, then this
            table = X if self.preparation is None else self.preparation_.transform(X)
            start = time.process_time()
            self._last = X, self.model_.predict_proba(table)
            self.predict_cpu_ = getattr(self.model_, "predict_cpu_", time.process_time() - start)
        return self._last[1]

    def predict(self, X: Any) -> np.ndarray:
        return self.predict_proba(X).argmax(axis=1)


def macro_f(counts: Confusion) -> Any:
    """Mean of the F-measures of both classes."""
    other = 2 * counts.tn / np.maximum(2 * counts.tn + counts.fp + counts.fn, 1)
    return (counts.f() + other) / 2


def balanced_accuracy(counts: Confusion) -> Any:
    return (counts.recall + 1 - counts.false_positive_rate) / 2


MEASURES: dict[str, Callable[[Confusion], Any]] = {
    "f_tuned": lambda counts: counts.f(),
    "macro_f_tuned": macro_f,
    "balanced_accuracy_tuned": balanced_accuracy,
}


def best_thresholds(y: np.ndarray, scores: np.ndarray) -> dict[str, float]:
    """Return the threshold with the largest value of each measure.

    It lies half-way between two scores.
    """
    curve = operating_curve(y, scores, pos_label=1)
    below = np.append(curve.threshold[1:], curve.threshold[-1])
    middle = (curve.threshold + below) / 2
    return {
        name: float(middle[np.nan_to_num(measure(curve)).argmax()])
        for name, measure in MEASURES.items()
    }


def _at_threshold(name: str) -> Metric:
    def measure(outcome: Outcome) -> float:
        is_rare = outcome.y == outcome.pos_index
        curve = operating_curve(is_rare, outcome.scores[:, outcome.pos_index], pos_label=True)
        return float(MEASURES[name](curve.at(outcome.model.thresholds_[name])))

    return Metric(name, measure)


METRICS = [
    *map(_at_threshold, MEASURES),
    Metric("fit_cpu", lambda outcome: outcome.model.fit_cpu_, False),
    Metric("predict_cpu", lambda outcome: outcome.model.predict_cpu_, False),
]
