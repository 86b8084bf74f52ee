"""What holds for a fit on a file: it is the fit of the estimator, and predictions are its own."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

import rarewood
from fuzz.tables import table as tables
from fuzz.tables.compare import assert_equal, assert_probabilities, assert_same
from fuzz.tables.parameters import make
from fuzz.target import Case, Refused
from fuzz.workflow.draw import FOREIGN
from rarewood import workflow
from rarewood.foreign import ForeignClassifier
from rarewood.intake import TableError, prepare
from rarewood.modelfile._archive import UntrustedModelError

TARGET = "the target"


def check(case: Case) -> None:
    with tempfile.TemporaryDirectory(prefix="rarewood-fuzz-") as name:
        folder = Path(name)
        path = write(case, folder)
        fitted = fit(case, path, folder / "model")
        proba = assert_predictions(case, fitted, path)
        if case["options"]["explain"]:
            assert_explained(case, fitted, path, proba)
        if case["kind"] == "foreign":
            assert_distrust(fitted.path, path)
        elif not is_streamed(case):
            assert_own_fit(fitted, path, proba)


def write(case: Case, folder: Path) -> Path:
    """The table of the case as a file."""
    frame = tables.as_frame(case["table"])
    frame[TARGET] = tables.labels(case["table"])
    if case["options"]["format"] == "parquet":
        frame.to_parquet(folder / "table.parquet", index=False)
        return folder / "table.parquet"
    frame.to_csv(folder / "table.csv", index=False)
    return folder / "table.csv"


def is_streamed(case: Case) -> bool:
    options = case["options"]
    return options["by_stream"] and options["format"] == "parquet" and case["kind"] != "foreign"


def fit(case: Case, path: Path, out: Path) -> Any:
    options, parameters = case["options"], dict(case["parameters"])
    name = parameters.pop("model", None)
    try:
        return workflow.fit(
            path, TARGET, out=out, model=name or make(case["kind"], parameters, n_jobs=1),
            params=FOREIGN.get(name), threshold=options["threshold"], folds=options["folds"],
            random_state=case["seed"], n_jobs=1, stream=is_streamed(case),
        )  # fmt: skip
    except ValueError as error:
        assert not isinstance(error, UnicodeError) and len(str(error)) > 20, f"unclear: {error!r}"
        assert not out.exists(), "a fit that failed has left a model file"
        raise Refused(str(error)) from error


def features(case: Case, fitted: Any, path: Path) -> pd.DataFrame:
    """The features of the file; they must be those that the model has."""
    try:
        X = prepare(path, TARGET).X
    except TableError:
        if not is_streamed(case):
            raise
        X = pd.DataFrame()
    if is_streamed(case) and list(X) != list(fitted.findings.used):
        raise Refused("a constant column, which a stream cannot know before it is read")
    assert list(X) == list(fitted.findings.used)
    return X


def assert_predictions(case: Case, fitted: Any, path: Path) -> np.ndarray:
    """Predictions of the file are those of the model in memory; returns its probabilities."""
    options, is_foreign = case["options"], case["kind"] == "foreign"
    again = rarewood.load(fitted.path, trust_foreign=is_foreign)
    X = features(case, fitted, path)
    proba, labels = again.predict_proba(X), again.predict(X)
    assert_probabilities(proba, len(X), len(again.classes_))
    assert_equal(proba, fitted.model.predict_proba(X), "probabilities of the loaded model")
    found = workflow.predict(
        fitted.path, path, all_classes=options["all_classes"], n_jobs=1,
        chunk_rows=options["chunk_rows"], trust_foreign=is_foreign,
    )  # fmt: skip
    assert found.n_rows == len(found.frame) == len(X), f"{found.n_rows} rows of {len(X)}"
    assert found.frame["prediction"].tolist() == labels.tolist(), "labels of the file"
    counts = {str(label): n for label, n in pd.Series(labels).value_counts().items()}
    assert found.counts == counts, f"{found.counts}, expected {counts}"
    for number, label in enumerate(again.classes_.tolist()):
        name = f"probability_{label}"
        if name not in found.frame:
            continue
        if is_foreign:  # sums of a linear model depend on the number of rows of a chunk
            np.testing.assert_allclose(found.frame[name], proba[:, number], rtol=1e-12)
        else:
            assert_equal(found.frame[name].to_numpy(), proba[:, number], name)
    assert f"probability_{found.pos_label}" in found.frame, list(found.frame)
    return proba


def assert_explained(case: Case, fitted: Any, path: Path, proba: np.ndarray) -> None:
    """The explanation of a row is of its prediction, and contributions add up to it."""
    is_foreign = case["kind"] == "foreign"
    row = case["seed"] % len(proba)
    found = workflow.explain(fitted.path, path, row + 1, trust_foreign=is_foreign)
    place = fitted.model.classes_.tolist().index(found["pos_label"])
    expected = proba[row, place]
    np.testing.assert_allclose(found["probability"], expected, rtol=1e-9, atol=1e-12)
    json.dumps(found, default=str)
    if found["unit"] == "probability" and not is_foreign:
        total = found["base_value"] + sum(one["shap_value"] for one in found["shap_values"])
        np.testing.assert_allclose(total, found["uncorrected"], rtol=1e-7, atol=1e-9)
    reasons = workflow.predict(
        fitted.path, path, top=1, why=True, n_jobs=1, trust_foreign=is_foreign
    ).frame
    name = f"probability_{found['pos_label']}"
    np.testing.assert_allclose(reasons[name], proba[:, place].max(), rtol=1e-9, atol=1e-12)
    try:
        rules = workflow.rules(fitted.path, trust_foreign=is_foreign)
    except ValueError as error:
        assert len(str(error)) > 20, f"unclear: {error!r}"
    else:
        assert len(rules) >= 0 and np.isfinite(np.asarray(rules["support"], dtype=float)).all()


def assert_own_fit(fitted: Any, path: Path, proba: np.ndarray) -> None:
    """The model is that of the estimator on the prepared table."""
    inner = getattr(fitted.model, "estimator_", fitted.model)
    prepared = prepare(path, TARGET)
    own = clone(inner).fit(prepared.X, prepared.y)
    assert_same(own, inner, "a fit of the estimator")
    assert_equal(own.predict_proba(prepared.X), proba, "its probabilities")


def assert_distrust(model: Path, path: Path) -> None:
    """A model of another package opens only if it is trusted."""
    trusted = rarewood.load(model, trust_foreign=True)
    parts = [trusted, getattr(trusted, "estimator_", None)]  # perhaps with a threshold
    assert any(isinstance(part, ForeignClassifier) for part in parts), type(trusted)
    for use in (lambda: rarewood.load(model), lambda: workflow.predict(model, path)):
        try:
            use()
        except UntrustedModelError:
            continue
        raise AssertionError("a model of another package was opened without trust")
