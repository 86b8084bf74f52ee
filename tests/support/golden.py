"""Golden model files: small models of every kind, with rows and what they predict.

``python tests/support/golden.py FOLDER NAME ...`` writes the files of this version, by default all,
to a folder in ``tests/modelfile/golden``, by default that of the version. A file is never changed
afterwards: it shows that later versions read the files of earlier ones. After a change of the
format, write a folder with a new name.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import TunedThresholdClassifierCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

import rarewood
from rarewood import C45Classifier, RareForestClassifier, RareTreeClassifier
from rarewood.criteria import Criterion
from rarewood.foreign import ForeignClassifier
from rarewood.operating import PriorCorrectedClassifier, ThresholdedClassifier
from rarewood.pruning import Fisher

FOLDER = Path(__file__).parents[1] / "modelfile" / "golden"
N_ROWS = 60


def table() -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers with missing values, whole numbers, texts and numbers as categories."""
    rng = np.random.default_rng(18)
    x, z = rng.normal(size=N_ROWS).round(3), rng.normal(size=N_ROWS).round(3)
    rare = x + (rng.random(N_ROWS) < 0.3) > 1
    z[rng.random(N_ROWS) < 0.2] = np.nan
    text = rng.choice(["red", "grün", "it's"], N_ROWS).astype(object)
    text[::13] = None
    frame = pd.DataFrame(
        {
            "x": x,
            "z": z,
            "n": rng.integers(0, 6, N_ROWS),
            "text": pd.Categorical(text),
            "code": pd.Categorical(rng.integers(1, 5, N_ROWS)),
        }
    )
    return frame, np.where(rare, "rare", "common")


def models() -> dict[str, Any]:
    """The fitted models, by the names of their files."""
    frame, y = table()
    array = frame[["x", "z", "n"]].to_numpy()
    three = np.where(frame["n"] > 3, 2, (y == "rare").astype(int))
    weights = np.arange(N_ROWS) % 3 + 0.5
    some = {"random_state": 0, "n_jobs": 1}
    small = {"n_estimators": 3, "max_depth": 4, **some}
    leaves = {"leaf_strength": 2.0, "collapse": 0.0}
    forest = RareForestClassifier(**small, **leaves)
    return {
        "tree": RareTreeClassifier(**some).fit(array, y == "rare"),
        "tree-weighted": RareTreeClassifier(
            Criterion("alpha", alpha=1.5, reference="prior"), leaf="shrunk", **some
        ).fit(frame, y, weights),
        "tree-multiway": RareTreeClassifier(
            "ccp_entropy", categorical_split="multiway", pruning=Fisher(0.4), **some
        ).fit(frame, y),
        "tree-three-classes": RareTreeClassifier(
            "gini", splitter="random", leaf="m_estimate", max_leaf_nodes=9, **some
        ).fit(frame, three),
        "forest": RareForestClassifier(class_weight="balanced", **small).fit(frame, y),
        "forest-drawn": RareForestClassifier(
            splitter="best",
            bootstrap=True,
            balance=True,
            oob_score=True,
            **{**small, "n_estimators": 12, "max_depth": 2},
            **leaves,
        ).fit(frame, y, weights),
        "forest-bins": RareForestClassifier(max_bins=9, **small, **leaves).fit(frame, y),
        "c45": C45Classifier().fit(frame, y),
        "threshold": ThresholdedClassifier(forest, cv=3, random_state=0).fit(frame, y),
        "prior": ThresholdedClassifier(
            PriorCorrectedClassifier(clone(forest).set_params(balance=True), true_prior=[0.9, 0.1]),
            cv=3,
            random_state=0,
        ).fit(frame, y),
        "monotonic": RareForestClassifier(monotonic_cst=[1, 0, -1], **small, **leaves).fit(
            array, y
        ),
        "pipeline": make_pipeline(_columns(), clone(forest)).fit(frame, y),
        "calibrated": CalibratedClassifierCV(clone(forest), cv=2).fit(array, y),
        "tuned": TunedThresholdClassifierCV(
            make_pipeline(_columns(), RareTreeClassifier(max_depth=3, **some)), cv=2
        ).fit(frame, y),
        "foreign": ForeignClassifier(make_pipeline(SimpleImputer(), LogisticRegression())).fit(
            frame[["x", "z", "n"]], y
        ),
    }


def _columns() -> ColumnTransformer:
    numbers = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
    return ColumnTransformer(
        [
            ("numbers", numbers, ["x", "z"]),
            ("codes", OneHotEncoder(handle_unknown="ignore", sparse_output=False), ["code"]),
            ("texts", OrdinalEncoder(), ["text"]),
        ]
    )


def predictions(model: Any, rows: Any) -> dict[str, Any]:
    return {
        "labels": np.asarray(model.predict(rows)).tolist(),
        "proba": model.predict_proba(rows).tolist(),
    }


def write(folder: Path, names: Collection[str] = ()) -> None:
    """Write the files of this version, or those with some names, and what they predict."""
    folder.mkdir(parents=True)
    frame, _ = table()
    columns = {name: [None if v != v else v for v in frame[name].tolist()] for name in frame}
    expected = {}
    for name, model in models().items():
        if names and name not in names:
            continue
        rarewood.save(model, folder / f"{name}.rarewood", keep_rows=True, notes={"golden": name})
        expected[name] = predictions(model, rows_of(model, columns))
    content = {"columns": columns, "expected": expected}
    (folder / "predictions.json").write_text(json.dumps(content), encoding="utf-8")


def rows_of(model: Any, columns: dict[str, list[Any]]) -> Any:
    """The rows in the form that a model was fitted on."""
    frame = pd.DataFrame(columns).astype({"text": "category", "code": "category"})
    if hasattr(model, "feature_names_in_"):
        return frame[list(model.feature_names_in_)]
    return frame[["x", "z", "n"]].to_numpy(dtype=float)


if __name__ == "__main__":
    write(FOLDER / (sys.argv[1] if len(sys.argv) > 1 else rarewood.__version__), sys.argv[2:])
