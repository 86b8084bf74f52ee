"""Models of the papers that are not presets, and labels of the columns."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from sklearn.base import BaseEstimator, ClassifierMixin, clone

from rarewood import presets
from rarewood.evaluate import Metric, Outcome, prepared

__all__ = [
    "COUNTS",
    "J48",
    "LABELS",
    "LEVELS",
    "HardLabels",
    "bagged_logistic_regression",
    "hyperplanes_over_categories",
    "label",
    "oversampled",
    "wrapped",
]

LABELS = {
    "c45": "C4.5",
    "dkm": "DKM",
    "cart": "CART",
    "hddt": "HDDT",
    "ccp_c45": "CCP-C4.5",
    "ccp_cart": "CCP-CART",
    "sparccc": "SPARCCC",
    "bagged_c45": "bagged C4.5",
    "brf": "BRF",
    "beat_1_1": "BEAT(1,1)",
    "beat_1_3": "BEAT(1,3)",
    "beat_3_1": "BEAT(3,1)",
    "entropy": "entropy",
    "gini": "Gini",
    "gain_ratio": "gain ratio",
    "dcsm": "DCSM",
    "ccpdt": "CCPDT",
    "ihd": "iHD",
    "ihdw": "iHDw",
    "lr": "LR",
    "et": "ET",
    "hedex": "HeDEx",
    "hedexh": "HeDExh",
    "ppv": "PPV",
    "npv": "NPV",
}
COUNTS = "children weighted by counts, as in Algorithm 2"  # interpretation of CCP
SCORES_OF_LEVELS = Path(__file__).resolve().parent.parent / "build" / "scores_of_levels"
_ENDINGS = {
    "_s": "{} + patterns",
    "_error": "{}, error pruning",
    "_fisher": "{}, Fisher pruning",
    "_undersample": "{}, undersampling %",
    "_smote": "{}, SMOTE %",
    " error": "{}, error %",
    " F": "{}, F-score",
}


def label(column: str) -> str:
    """Return the label of a column in print."""
    if column in LABELS:
        return LABELS[column]
    if column.startswith("wrapper_"):
        return f"{label(column.removeprefix('wrapper_'))} + wrapper"
    for ending, words in _ENDINGS.items():
        if column.endswith(ending):
            return words.format(label(column.removesuffix(ending)))
    return column


_unpruned: dict[str, Any] = {"confidence": None, "collapse_subtrees": False}
# C4.5 by the rules of Weka, as a paper may have run it.
J48 = {
    "J48 of Weka": presets.j48,
    "J48, Laplace": partial(presets.j48, leaf="laplace"),
    "J48, not pruned": partial(presets.j48, confidence=None),
    "J48, neither pruned nor collapsed": partial(presets.j48, **_unpruned),
    "J48, neither pruned nor collapsed, Laplace (C4.4)": partial(
        presets.j48, leaf="laplace", **_unpruned
    ),
}


def wrapped(make: Callable[[], Any], search: str = "greedy") -> Any:
    """Return a tree with the sampling wrapper, which maximises the AUC in 5 inner folds.

    All searches share the scores of levels.
    """
    from rarewood.sampling import SamplingWrapperClassifier

    return SamplingWrapperClassifier(make(), search=search, memory=str(SCORES_OF_LEVELS))


def _undersampling(outcome: Outcome) -> float:
    return float(getattr(outcome.model, "undersample_level_", "nan"))


def _smote(outcome: Outcome) -> float:
    return float(getattr(outcome.model, "smote_level_", "nan"))


LEVELS = (Metric("undersample_level", _undersampling), Metric("smote_level", _smote))


class HardLabels(ClassifierMixin, BaseEstimator):
    """A classifier whose probabilities are 0 and 1, by the predicted class."""

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any) -> HardLabels:
        """Fit the classifier."""
        self.estimator_ = clone(self.estimator).fit(X, y)
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X: Any) -> Any:
        """Predict classes."""
        return self.estimator_.predict(X)

    def predict_proba(self, X: Any) -> Any:
        """Return 1 for the predicted class and 0 for others."""
        return (self.predict(X)[:, None] == self.classes_).astype(float)


def bagged_logistic_regression(n_estimators: int = 10) -> Any:
    """Return logistic regressions on bootstrap samples, with one-hot categorical features.

    The paper specifies neither their number nor the penalty; both follow Weka: 10 models, almost no
    penalty. Features are scaled for faster convergence.
    """
    from sklearn.ensemble import BaggingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    regression = LogisticRegression(C=1e4, max_iter=300)
    scaled = make_pipeline(StandardScaler(), regression)
    return prepared(BaggingClassifier(scaled, n_estimators=n_estimators))


def oversampled(make: Callable[[], Any], min_samples_leaf: float = 2) -> Any:
    """Return a model with pattern-based oversampling, as in the HeDEx paper.

    Features without a condition in a pattern are drawn from all training samples, all classes are
    oversampled to the size of the largest, and rejected samples are never added. The leaves of the
    validation tree have at least two samples, the only minimum that the paper prints.
    """
    from imblearn.pipeline import Pipeline

    from rarewood.sampling import PatternOverSampler

    sampler = PatternOverSampler(
        unconstrained="all", strict=True, min_samples_leaf=min_samples_leaf
    )
    return Pipeline([("patterns", sampler), ("model", make())])


def hyperplanes_over_categories(coding: str) -> Any:
    """Return HeDExh on coded categories, so that hyperplanes can use them.

    ``coding`` is "indicators", a coordinate of 0 or 1 for each category, or "numbers", the place of
    a category in the order of the file.
    """
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

    from rarewood import presets

    encoder = {
        "indicators": OneHotEncoder(sparse_output=False, handle_unknown="ignore"),
        "numbers": OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=float("nan")),
    }[coding]
    categorical = make_column_selector(dtype_exclude="number")
    coded = make_column_transformer((encoder, categorical), remainder="passthrough")
    return make_pipeline(coded, presets.hedexh())
