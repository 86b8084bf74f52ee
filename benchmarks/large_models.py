"""Models of the comparison on large tables: every library with its defaults, two threads."""

from __future__ import annotations

import pickle
import time
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.preprocessing import TargetEncoder

from common import Timing
from forests import THREADS
from rarewood.evaluate import Metric, Outcome, prepared
from rarewood.workflow import make_model

MOST_LEVELS = 255  # of a feature of HistGradientBoosting, or of one that is one-hot encoded


class Timed(ClassifierMixin, BaseEstimator):
    """Measures the time of a classifier.

    ``preparation`` is a transformer that the classifier needs on some tables; its time is not
    counted, so that the encoding of categories in Python is not held against a peer.
    """

    def __init__(self, estimator: Any, preparation: Any = None) -> None:
        self.estimator = estimator
        self.preparation = preparation

    def fit(self, X: Any, y: Any) -> Self:
        self.model_, table = clone(self.estimator), X
        if self.preparation is not None:
            self.preparation_ = clone(self.preparation)
            table = self.preparation_.fit_transform(X, y)
        self.fit_timing_, _ = timed(lambda: self.model_.fit(table, y))
        self.classes_ = np.asarray(self.model_.classes_)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        if getattr(self, "_last", (None, None))[0] is not X:  # predict comes first in a cell
            table = X if self.preparation is None else self.preparation_.transform(X)
            self.predict_timing_, proba = timed(lambda: self.model_.predict_proba(table))
            self._last = X, proba
        return self._last[1]

    def predict(self, X: Any) -> np.ndarray:
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def timed(work: Any) -> tuple[Timing, Any]:
    """Return the time of a call, and its result.

    The pause lets the threads of an earlier call go idle; spinning threads would be counted.
    """
    time.sleep(0.1)
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    return Timing(time.process_time() - cpu, time.perf_counter() - wall), result


def with_many_levels(X: Any, n_levels: int) -> list[str]:
    """Return the categorical features with more levels."""
    return [name for name in X.select_dtypes("category") if X[name].nunique() > n_levels]


class FewLevels(TransformerMixin, BaseEstimator):
    """Makes all but the most frequent levels of a categorical feature missing."""

    def __init__(self, n_levels: int = MOST_LEVELS) -> None:
        self.n_levels = n_levels

    def fit(self, X: Any, y: Any = None) -> Self:
        self.kept_ = {
            name: list(X[name].value_counts().index[: self.n_levels])
            for name in with_many_levels(X, self.n_levels)
        }
        return self

    def transform(self, X: Any) -> Any:
        kept = {name: X[name].cat.set_categories(levels) for name, levels in self.kept_.items()}
        return X.assign(**kept)


class Encoded(TransformerMixin, BaseEstimator):
    """One-hot encoding and imputation; features of many levels become cross-fitted class rates.

    Forests of scikit-learn take too long on the thousands of columns of such features.
    """

    def __init__(self, n_levels: int = MOST_LEVELS) -> None:
        self.n_levels = n_levels

    def fit_transform(self, X: Any, y: Any) -> np.ndarray:
        self.many_ = with_many_levels(X, self.n_levels)
        self.one_hot_ = prepared(None)[0]
        if self.many_:
            self.rates_ = TargetEncoder(random_state=0)
            X = X.assign(**self._columns(self.rates_.fit_transform(X[self.many_], y)))
        return self.one_hot_.fit_transform(X)

    def transform(self, X: Any) -> np.ndarray:
        if self.many_:
            X = X.assign(**self._columns(self.rates_.transform(X[self.many_])))
        return self.one_hot_.transform(X)

    def _columns(self, rates: np.ndarray) -> dict[str, np.ndarray]:
        return dict(zip(self.many_, rates.T, strict=True))


@dataclass(frozen=True)
class Peer:
    """A model of the registry, and whether it needs one-hot encoded features."""

    name: str
    params: dict[str, Any] = field(default_factory=dict)
    one_hot: bool = False
    is_forest: bool = False

    def make(self) -> Timed:
        """Return the unfitted classifier."""
        model = make_model(self.name, n_jobs=THREADS, **self.params)
        if self.one_hot:
            return Timed(model, Encoded())
        if self.name == "sklearn-hist-gradient-boosting":
            return Timed(model, FewLevels())
        if self.name == "sklearn-logistic-regression":  # without its own encoding
            return Timed(model[1:], Encoded())
        return Timed(model)


# In the order in which they run.
PEERS = {
    "LightGBM": Peer("lightgbm"),
    "LightGBM-500": Peer("lightgbm", {"n_estimators": 500, "learning_rate": 0.05}),
    "HistGradientBoosting": Peer("sklearn-hist-gradient-boosting"),
    "XGBoost": Peer("xgboost", {"enable_categorical": True}),
    "CatBoost": Peer("catboost"),
    "ExtraTrees": Peer("sklearn-extra-trees", one_hot=True, is_forest=True),
    "RandomForest": Peer("sklearn-random-forest", one_hot=True, is_forest=True),
    "BalancedRandomForest": Peer("imblearn-balanced-random-forest", one_hot=True, is_forest=True),
    "YdfRandomForest": Peer("ydf-random-forest", is_forest=True),
    "YdfObliqueForest": Peer("ydf-oblique-forest", is_forest=True),
    "YdfBoosting": Peer("ydf-gradient-boosting"),
    "LogisticRegression": Peer("sklearn-logistic-regression"),
}
OURS = {
    "RareForest": Peer("rare-forest"),
}
MODELS = PEERS | OURS
FORESTS = [name for name, peer in PEERS.items() if peer.is_forest]


def _pickled(outcome: Outcome) -> float:
    """Return the bytes of the pickled classifier."""
    return float(len(pickle.dumps(outcome.model.model_, protocol=5)))


MEASURED = [
    Metric("fit_cpu", lambda outcome: outcome.model.fit_timing_.cpu, False),
    Metric("predict_cpu", lambda outcome: outcome.model.predict_timing_.cpu, False),
    Metric("bytes", _pickled, False),
]
