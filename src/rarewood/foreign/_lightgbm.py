"""A model of LightGBM that was read from its text."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from rarewood._imports import require


class LoadedLightGBM(ClassifierMixin, BaseEstimator):
    """Predicts with a model of LightGBM, given as its text; LGBMClassifier cannot be restored."""

    def __init__(self, text: str, classes: list[Any]) -> None:
        self.text = text
        self.classes = classes
        lightgbm = require("lightgbm", "This model", "lightgbm")
        self.booster_ = lightgbm.Booster(model_str=text)
        self.classes_ = np.array(classes)

    def fit(self, X: Any, y: Any) -> NoReturn:
        """Raise: only the fitted model is in a file."""
        raise NotImplementedError(
            "This model of LightGBM was read from a file and cannot be fitted again. Make a new "
            "one with rarewood.workflow.make_model('lightgbm')."
        )

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probabilities of the classes."""
        proba: NDArray[np.float64] = np.asarray(self.booster_.predict(X))
        return np.column_stack([1.0 - proba, proba]) if proba.ndim == 1 else proba
