"""Small comparisons for the tests of the report, made once for each process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_wine, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from rarewood import RareForestClassifier, presets
from rarewood.evaluate import Protocol, Results, compare
from rarewood.intake._findings import ColumnFinding, Findings
from rarewood.report import summarize
from rarewood.workflow import explain_cases

NASTY = "</script><b onmouseover=alert(1)>\"'&{{ 7 * 7 }}"


class OnlyLabels(ClassifierMixin, BaseEstimator):
    """Predicts by the median of the first column, without scores."""

    def fit(self, X: Any, y: Any) -> OnlyLabels:
        self.classes_ = np.unique(y)
        self.middle_ = float(np.median(np.asarray(X)[:, 0].astype(float)))
        return self

    def predict(self, X: Any) -> Any:
        is_high = np.asarray(X)[:, 0].astype(float) >= self.middle_
        return self.classes_[is_high.astype(int)]


class Fails(ClassifierMixin, BaseEstimator):
    """Never fits."""

    def fit(self, X: Any, y: Any) -> Fails:
        raise ValueError(f"cannot fit {NASTY}")

    def predict(self, X: Any) -> Any:
        raise NotImplementedError


@dataclass(frozen=True)
class Case:
    """A table, what was measured on it, and the summary."""

    X: Any
    y: Any
    models: dict[str, Any]
    results: Results
    summary: dict[str, Any]

    def model(self, name: str) -> dict[str, Any]:
        return next(m for m in self.summary["models"] if m["name"] == name)


def _case(name: str, X: Any, y: Any, models: dict[str, Any], n_repeats: int, **more: Any) -> Case:
    results = compare(
        models, {name: (X, y)}, protocol=Protocol(2, n_repeats), store=None, keep_predictions=True,
        annotate=explain_cases,
    )  # fmt: skip
    return Case(X, y, models, results, summarize(results, X, y, models=models, **more))


@cache
def binary() -> Case:
    """Two classes, one in twelve rare, 3 x 2 folds; models of every kind, one that fails."""
    X, y = make_classification(
        600, n_features=6, n_informative=4, weights=[0.92], flip_y=0.02, random_state=3
    )
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(6)])
    models = {
        "tree": presets.ccpdt(),
        "forest": RareForestClassifier(10),
        "logistic": LogisticRegression(),
        "svm": LinearSVC(),
        "labels": OnlyLabels(),
        "broken": Fails(),
    }
    return _case("small", frame, np.where(y == 1, "yes", "no"), models, 3)


def _nasty_findings() -> Findings:
    columns = [
        ColumnFinding(NASTY, "numeric", True, NASTY),
        ColumnFinding(f"skipped {NASTY}", "id", False, NASTY),
    ]
    classes = {f"common {NASTY}": 250, f"rare {NASTY}": 50}
    about = {"source": NASTY}
    return Findings(NASTY, 300, NASTY, classes, f"rare {NASTY}", columns, 1, [NASTY], about)


@cache
def nasty() -> Case:
    """Names that would be markup if anything forgot to escape them."""
    rng = np.random.default_rng(0)
    is_rare = rng.random(300) < 0.15
    frame = pd.DataFrame(
        {NASTY: rng.normal(size=300) + 2 * is_rare, "b\u2028c": rng.normal(size=300)}
    )
    frame[f"kind {NASTY}"] = pd.Categorical(np.where(rng.random(300) < 0.3, NASTY, "plain"))
    frame.iloc[:20, 1] = np.nan
    y = np.where(is_rare, f"rare {NASTY}", f"common {NASTY}")
    models = {f"tree {NASTY}": presets.hddt(), "broken": Fails()}
    return _case(
        NASTY, frame, y, models, 1,
        findings=_nasty_findings(),
        settings={"command": NASTY, NASTY: [NASTY]},
    )  # fmt: skip


@cache
def wine() -> Case:
    """Three classes."""
    X, y = load_wine(return_X_y=True, as_frame=True)
    models = {"forest": RareForestClassifier(10), "tree": presets.hddt()}
    return _case("wine", X, y, models, 2)
