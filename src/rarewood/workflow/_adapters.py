"""Adapters that let classifiers of other packages take any table and any labels."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone


def standardized(classifier: Any) -> Any:
    """Put one-hot encoding, imputation and standardization before a classifier."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from rarewood.evaluate._prepare import Preparation

    return make_pipeline(Preparation(), StandardScaler(), classifier)


def plain_names(classifier: Any) -> Any:
    """Rename columns to c0, c1, ... before a classifier: LightGBM refuses brackets and colons."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer

    return make_pipeline(FunctionTransformer(_renamed), classifier)


def _renamed(X: Any) -> Any:
    names = [f"c{place}" for place in range(X.shape[1])]
    return X.set_axis(names, axis="columns") if hasattr(X, "set_axis") else X


class EncodedLabels(ClassifierMixin, BaseEstimator):
    """Gives a classifier the labels 0, 1, ..., the only ones that XGBoost and YDF take."""

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the classifier on the positions of the labels among the sorted classes."""
        self.classes_, encoded = np.unique(y, return_inverse=True)
        self.estimator_ = clone(self.estimator).fit(X, encoded)
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of the classes."""
        return self.estimator_.predict_proba(X)

    def predict(self, X: Any) -> Any:
        """Return the most probable classes."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class YdfClassifier(ClassifierMixin, BaseEstimator):
    """A random forest of YDF for :class:`EncodedLabels`; None is the default of YDF."""

    def __init__(
        self,
        n_estimators: int = 300,
        max_depth: int | None = None,
        n_jobs: int = 1,
        random_state: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Train the forest."""
        from rarewood._imports import require

        options = {"max_depth": self.max_depth, "random_seed": self.random_state}
        ydf = require("ydf", "YdfClassifier", "ydf")
        learner = ydf.RandomForestLearner(
            label="label",
            num_trees=self.n_estimators,
            num_threads=self.n_jobs if self.n_jobs > 0 else None,
            compute_oob_performances=False,
            **{name: value for name, value in options.items() if value is not None},
        )
        self.model_ = learner.train({**_columns(X), "label": y}, verbose=0)
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of the classes."""
        proba = np.asarray(self.model_.predict(_columns(X)), dtype=float)
        if proba.ndim == 1:  # of the second of two classes
            proba = np.column_stack([1 - proba, proba])
        order = np.argsort([int(label) for label in self.model_.label_classes()])
        return proba[:, order]


def _columns(X: Any) -> dict[str, Any]:
    """Return the features by name, as YDF takes them: missing categories are empty texts."""
    if not hasattr(X, "items"):
        return {f"c{place}": column for place, column in enumerate(np.asarray(X).T)}
    columns = {}
    for place, (_, series) in enumerate(X.items()):
        if str(series.dtype) in ("category", "object", "str", "string", "bool", "boolean"):
            text = series.astype(object).where(series.notna(), "")
            columns[f"c{place}"] = text.astype(str).to_numpy(dtype=object)
        else:
            columns[f"c{place}"] = series.to_numpy(dtype=float)
    return columns
