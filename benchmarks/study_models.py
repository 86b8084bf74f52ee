"""Models of the study: trees and forests with tuned parameters and a tuned threshold."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, precision_recall_curve
from sklearn.model_selection import ParameterGrid, StratifiedKFold, cross_val_predict

from rarewood import RareTreeClassifier, presets

CRITERIA = [
    "gini", "entropy", "gain_ratio", "dkm", "hellinger", "ccp_entropy", "ccp_gini", "alpha", "ihd",
    "ihdw", "dcsm",
]  # fmt: skip
TREE_GRID = {"max_depth": [3, 6, None], "min_samples_leaf": [1, 5, 25]}
FOREST_GRID = {"min_samples_leaf": [1, 5, 25]}
N_TREES = 50


class Tuned(ClassifierMixin, BaseEstimator):
    """Classifier with parameters and threshold tuned by cross-validation on the training samples.

    Parameters are chosen by average precision, the threshold by the F-measure of the same
    out-of-fold probabilities. ``calibration`` ("sigmoid" or "isotonic") calibrates probabilities.
    """

    def __init__(self, estimator, grid=None, calibration=None, cv=3, random_state=None):
        self.estimator = estimator
        self.grid = grid
        self.calibration = calibration
        self.cv = cv
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.rare_ = int(np.bincount(codes).argmin())
        is_rare = codes == self.rare_
        folds = StratifiedKFold(
            min(self.cv, int(is_rare.sum())), shuffle=True, random_state=self.random_state
        )
        best = -1.0
        for params in ParameterGrid(self.grid or {}):
            model = self._model(params)
            proba = cross_val_predict(model, X, is_rare, cv=folds, method="predict_proba")[:, 1]
            score = average_precision_score(is_rare, proba)
            if score > best:
                best, self.params_, held_out = score, params, proba
        self.threshold_ = best_threshold(is_rare, held_out)
        self.calibrator_ = _calibrator(self.calibration, held_out, is_rare)
        self.model_ = self._model(self.params_).fit(X, is_rare)
        return self

    def _model(self, params: dict[str, Any]) -> Any:
        model = clone(self.estimator).set_params(**params)
        return model.set_params(random_state=self.random_state)

    def get_n_leaves(self) -> float:
        trees = getattr(self.model_, "estimators_", [self.model_])
        return float(np.mean([tree.get_n_leaves() for tree in trees]))

    def _raw(self, X: Any) -> np.ndarray:
        return self.model_.predict_proba(X)[:, 1]

    def predict_proba(self, X: Any) -> np.ndarray:
        rare = self._raw(X)
        if self.calibrator_ is not None:
            rare = self.calibrator_(rare)
        both = np.column_stack([rare, 1 - rare])
        return both if self.rare_ == 0 else both[:, ::-1]

    def predict(self, X: Any) -> np.ndarray:
        is_rare = self._raw(X) >= self.threshold_
        return self.classes_[np.where(is_rare, self.rare_, 1 - self.rare_)]


def best_threshold(is_rare: np.ndarray, proba: np.ndarray) -> float:
    """Return the threshold with the largest F-measure."""
    precision, recall, thresholds = precision_recall_curve(is_rare, proba)
    with np.errstate(invalid="ignore"):
        f = np.nan_to_num(2 * precision * recall / (precision + recall))
    return float(thresholds[f[:-1].argmax()])


def _calibrator(kind: str | None, proba: np.ndarray, is_rare: np.ndarray) -> Any:
    if kind is None:
        return None
    if kind == "isotonic":
        return (
            IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(proba, is_rare).predict
        )

    def logit(p):
        p = np.clip(p, 1e-6, 1 - 1e-6)
        return np.log(p / (1 - p)).reshape(-1, 1)

    model = LogisticRegression(C=1e6).fit(logit(proba), is_rare)
    return lambda p: model.predict_proba(logit(p))[:, 1]


def models() -> dict[str, Tuned]:
    made = {}
    for criterion in CRITERIA:
        tree = RareTreeClassifier(criterion)
        forest = presets.random_forest(criterion=criterion, n_estimators=N_TREES, leaf="laplace")
        made[f"tree, {criterion}"] = Tuned(tree)
        made[f"tree, {criterion}, tuned"] = Tuned(tree, TREE_GRID)
        made[f"forest, {criterion}"] = Tuned(forest)
        made[f"forest, {criterion}, tuned"] = Tuned(forest, FOREST_GRID)
    for kind in ("sigmoid", "isotonic"):
        made[f"tree, gini, tuned, {kind}"] = Tuned(RareTreeClassifier("gini"), TREE_GRID, kind)
        made[f"tree, hellinger, tuned, {kind}"] = Tuned(
            RareTreeClassifier("hellinger"), TREE_GRID, kind
        )
    weighted = RareTreeClassifier("gini", class_weight="balanced")
    made["tree, gini, balanced weights, tuned"] = Tuned(weighted, TREE_GRID)
    return made
