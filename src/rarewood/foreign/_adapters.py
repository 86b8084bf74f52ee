"""Adapters that let classifiers of other packages take any table and any labels."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone


def standardized(classifier: Any) -> Any:
    """Put one-hot encoding, imputation and standardization before a classifier."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from rarewood.evaluate._prepare import Preparation

    return make_pipeline(Preparation(), StandardScaler(), classifier)


def plain_names(classifier: Any) -> Any:
    """Rename columns to c0, c1, ... before a classifier: LightGBM refuses brackets and colons."""
    from sklearn.pipeline import make_pipeline

    return make_pipeline(PlainNames(), classifier)


class PlainNames(TransformerMixin, BaseEstimator):
    """Renames columns to c0, c1, ..."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Do nothing."""
        return self

    def transform(self, X: Any) -> Any:
        """Return the table with other names."""
        return _renamed(X)

    def __sklearn_is_fitted__(self) -> bool:
        return True


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


class NativeCategories(ClassifierMixin, BaseEstimator):
    """Names the categorical features to a classifier of CatBoost.

    They are passed as texts, and missing ones as empty texts: CatBoost refuses missing categories.
    The parameter is not called ``estimator``, since :func:`rarewood.evaluate.compare` encodes the
    features for classifiers that are wrapped under that name.
    """

    def __init__(self, classifier: Any) -> None:
        self.classifier = classifier

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the classifier."""
        table, names = with_texts(X)
        self.classifier_ = clone(self.classifier).fit(table, y, cat_features=names)
        self.classes_ = np.asarray(self.classifier_.classes_)
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of the classes."""
        return self.classifier_.predict_proba(with_texts(X)[0])

    def predict(self, X: Any) -> Any:
        """Return the most probable classes."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class YdfClassifier(ClassifierMixin, BaseEstimator):
    """A learner of YDF for :class:`EncodedLabels`; None is the default of YDF.

    ``template`` is the name of one of the learner's sets of hyperparameters.
    """

    _package = "ydf"  # whose version belongs to that of the model

    def __init__(
        self,
        n_estimators: int = 300,
        max_depth: int | None = None,
        n_jobs: int = 1,
        random_state: int | None = None,
        learner: str = "RandomForestLearner",
        template: str | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.learner = learner
        self.template = template

    def fit(self, X: Any, y: Any) -> Self:
        """Train the model."""
        from rarewood._imports import require

        learners = require("ydf", "YdfClassifier", "ydf")
        kind = getattr(learners, self.learner)
        options: dict[str, Any] = {"max_depth": self.max_depth, "random_seed": self.random_state}
        if self.learner == "RandomForestLearner":
            options["compute_oob_performances"] = False
        if self.template is not None:
            options |= kind.hyperparameter_templates()[self.template].parameters
        learner = kind(
            label="label",
            num_trees=self.n_estimators,
            num_threads=self.n_jobs if self.n_jobs > 0 else None,
            **{name: value for name, value in options.items() if value is not None},
        )
        self.model_ = learner.train({**columns_of(X), "label": y}, verbose=0)
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of the classes."""
        proba = np.asarray(self.model_.predict(columns_of(X)), dtype=float)
        if proba.ndim == 1:  # of the second of two classes
            proba = np.column_stack([1 - proba, proba])
        return proba[:, self._order()]

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a pickle; YDF warns if its own models are pickled."""
        state = dict(super().__getstate__())
        if "model_" in state:
            state["model_"] = state["model_"].serialize()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "model_" in state:
            from rarewood._imports import require

            model = require("ydf", "YdfClassifier", "ydf").deserialize_model(state["model_"])
            state = {**state, "model_": model}
        super().__setstate__(state)

    def _order(self) -> Any:
        """Return the places of the classes 0, 1, ... among those of YDF."""
        return np.argsort([int(label) for label in self.model_.label_classes()])


_CATEGORICAL = ("category", "object", "str", "string", "bool", "boolean")


def with_texts(X: Any) -> tuple[Any, list[Any]]:
    """Return a pandas table with its categorical features as texts, and their names."""
    if not hasattr(X, "items"):
        return X, []
    table = _renamed(X)
    texts = {name: _text(series) for name, series in table.items() if _is_categorical(series)}
    return table.assign(**texts), list(texts)


def columns_of(X: Any) -> dict[str, Any]:
    """Return the features by name, as YDF takes them."""
    if not hasattr(X, "items"):
        return {f"c{place}": column for place, column in enumerate(np.asarray(X).T)}
    return {
        f"c{place}": _text(series).to_numpy(dtype=object)
        if _is_categorical(series)
        else series.to_numpy(dtype=float)
        for place, (_, series) in enumerate(X.items())
    }


def _is_categorical(series: Any) -> bool:
    return str(series.dtype) in _CATEGORICAL


def _text(series: Any) -> Any:
    """Return a categorical column as texts; missing values are empty."""
    return series.astype(object).where(series.notna(), "").astype(str)
