"""Models of the papers that are not presets, and labels of the columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rarewood.evaluate import Metric, Outcome, prepared

__all__ = ["LABELS", "LEVELS", "bagged_logistic_regression", "label", "oversampled", "wrapped"]

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


def wrapped(make: Callable[[], Any]) -> Any:
    """Return a tree with the sampling wrapper, which maximises the AUC in 5 inner folds."""
    from rarewood.sampling import SamplingWrapperClassifier

    return SamplingWrapperClassifier(make())


def _undersampling(outcome: Outcome) -> float:
    return float(getattr(outcome.model, "undersample_level_", "nan"))


def _smote(outcome: Outcome) -> float:
    return float(getattr(outcome.model, "smote_level_", "nan"))


LEVELS = (Metric("undersample_level", _undersampling), Metric("smote_level", _smote))


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


def oversampled(make: Callable[[], Any]) -> Any:
    """Return a model with pattern-based oversampling, as in the HeDEx paper.

    Features without a condition in a pattern are drawn from all training samples, and all classes
    are oversampled to the size of the largest.
    """
    from imblearn.pipeline import Pipeline

    from rarewood.sampling import PatternOverSampler

    return Pipeline([("patterns", PatternOverSampler(unconstrained="all")), ("model", make())])
