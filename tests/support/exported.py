"""Models of every kind with a table of missing and unseen values, for the tests of exports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from rarewood import C45Classifier, RareForestClassifier, RareTreeClassifier, presets
from rarewood.operating import PriorCorrectedClassifier, ThresholdedClassifier

CATEGORICAL = {
    "colour": ["red", "green", "blue", 'é"\\?'],
    "code": [3, 5, 8, 13],
    "flag": [False, True],
}


def table(n: int = 300, seed: int = 0, *, unseen: bool = False) -> pd.DataFrame:
    """Numeric, text, integer and boolean columns with missing values; or also unseen ones."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({name: random.normal(size=n).round(2) for name in "xyz"})
    frame["z"] = frame["z"].where(random.random(n) > 0.2)
    colours = [*CATEGORICAL["colour"], None, *(["violet", ""] if unseen else [])]
    frame["colour"] = pd.Series(random.choice(np.array(colours, dtype=object), n), dtype=object)
    frame["code"] = random.choice([*CATEGORICAL["code"], np.nan, *([4.0] if unseen else [])], n)
    frame["flag"] = random.random(n) < 0.5
    if unseen:  # also rows without any value
        frame.loc[:4, ["x", "y", "z", "code"]] = np.nan
        frame.loc[:4, "colour"] = None
    return frame


def numeric(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[["x", "y", "z"]]


def labels(frame: pd.DataFrame, n_classes: int = 2) -> np.ndarray:
    random = np.random.default_rng(1)
    score = frame["x"] + frame["z"].fillna(0.7) + (frame["colour"] == "red")
    score += (frame["code"] == 5) * 1.0 + frame["flag"] + random.normal(size=len(frame)) * 0.4
    limits = np.quantile(score, [0.85, 0.95][: n_classes - 1])
    return np.array(["common", "rare", "very rare"])[np.searchsorted(limits, score)]


def _fitted(model: Any, n_classes: int = 2, is_numeric: bool = False) -> Any:
    frame = table()
    X = numeric(frame) if is_numeric else frame
    return model.fit(X, labels(frame, n_classes))


def _tree(**options: Any) -> RareTreeClassifier:
    return RareTreeClassifier(categorical_features=list(CATEGORICAL), random_state=0, **options)


def _forest(**options: Any) -> RareForestClassifier:
    options = {
        "n_estimators": 7,
        "leaf_strength": 2.0,
        "collapse": 0.0,
        "random_state": 0,
    } | options
    return RareForestClassifier(categorical_features=list(CATEGORICAL), **options)


def _numeric_forest(**options: Any) -> RareForestClassifier:
    return _forest(**options).set_params(categorical_features=None)


def _of_labels(values: list[Any], dtype: Any) -> RareTreeClassifier:
    frame = table()
    y = np.array(values, dtype=dtype)[(labels(frame) == "rare").astype(int)]
    return RareTreeClassifier(max_depth=3).fit(numeric(frame), y)


def _leaf() -> RareTreeClassifier:
    frame = table()
    return RareTreeClassifier(min_samples_leaf=200).fit(numeric(frame), labels(frame))


def _forest_with_leaves(**options: Any) -> RareForestClassifier:
    """A forest of trees of which some are a single leaf."""
    model = _fitted(_forest(bootstrap=True, max_samples=12, n_estimators=20, **options))
    depths = [tree.get_depth() for tree in model]
    assert min(depths) == 0 < max(depths)
    assert any(tree.tree_.plane_feature.size for tree in model) == (model.splitter == "oblique")
    return model


MODELS: dict[str, Callable[[], Any]] = {
    "numeric tree": lambda: _fitted(RareTreeClassifier(), is_numeric=True),
    "single leaf": _leaf,
    "subsets": lambda: _fitted(_tree()),
    "one category": lambda: _fitted(_tree(categorical_split="onehot")),
    "multiway": lambda: _fitted(_tree(categorical_split="multiway")),
    "three classes": lambda: _fitted(_tree(criterion="gini", leaf="raw"), 3),
    "pruned": lambda: _fitted(_tree(pruning="fisher")),
    "oblique tree": lambda: _fitted(_tree(splitter="oblique", oblique_dim=3), 3),
    "integers": lambda: _of_labels([-1, 7], np.int32),
    "booleans": lambda: _of_labels([False, True], bool),
    "floats": lambda: _of_labels([0.0, 1.0], np.float64),
    "objects": lambda: _of_labels(["no", "sí"], object),
    "axis forest": lambda: _fitted(_forest(splitter="random", n_estimators=20)),
    "numeric forest": lambda: _fitted(
        _numeric_forest(splitter="best", n_estimators=20), 3, is_numeric=True
    ),
    "oblique forest": lambda: _fitted(_forest()),
    "oblique numeric forest": lambda: _fitted(_numeric_forest(), 3, is_numeric=True),
    "oblique forest with leaves": lambda: _forest_with_leaves(),
    "axis forest with leaves": lambda: _forest_with_leaves(splitter="random"),
    "multiway forest": lambda: _fitted(_forest(splitter="best", categorical_split="multiway")),
    "coded forest": lambda: _fitted(_forest(max_bins=8)),
    "coded categories": lambda: _forest(max_bins=8).fit(
        table()[list(CATEGORICAL)], labels(table())
    ),
    "one tree": lambda: _fitted(_forest(n_estimators=1)),
    "hedex": lambda: _fitted(presets.hedex(n_estimators=5, random_state=0), is_numeric=True),
    "balanced": lambda: _fitted(
        presets.balanced_random_forest(n_estimators=5, random_state=0), is_numeric=True
    ),
    "monotonic": lambda: _fitted(
        _numeric_forest(monotonic_cst={"x": 1, "z": -1}), is_numeric=True
    ),
    "c4.5": lambda: _fitted(C45Classifier(categorical_features=list(CATEGORICAL))),
    "c4.5, grown": lambda: _fitted(
        C45Classifier(
            categorical_features=list(CATEGORICAL), confidence=None, leaf="laplace",
            min_samples_leaf=1,
        ),
        3,
    ),
    "c4.5 leaf": lambda: _fitted(C45Classifier(min_samples_leaf=200), is_numeric=True),
    "threshold": lambda: _fitted(ThresholdedClassifier(_forest(), by="recall>=0.7", n_bootstrap=0)),
    "prior": lambda: _fitted(PriorCorrectedClassifier(_forest(balance=True))),
    "prior, three classes": lambda: _fitted(
        PriorCorrectedClassifier(_tree(leaf="raw"), trained_prior=[0.5, 0.25, 0.25],
                                 true_prior=[0.5, 0.5, 0.0]), 3,
    ),
    "threshold of prior": lambda: _fitted(
        ThresholdedClassifier(
            PriorCorrectedClassifier(_forest(balance=True)), by=0.02, n_bootstrap=0, cv=2
        )
    ),
}  # fmt: skip


def tables_for(model: Any) -> list[pd.DataFrame]:
    """The training table, whose scores include the threshold, and one with unseen values."""
    frames = [table(), table(400, seed=5, unseen=True)]
    return [frame[list(model.feature_names_in_)] for frame in frames]
