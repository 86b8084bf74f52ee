"""skops and MLflow save models of every kind with the classes of trusted_types()."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rarewood
from rarewood import RareForestClassifier, RareTreeClassifier, criteria, presets, pruning
from rarewood.operating import AlertBudget, LowestCost, ThresholdedClassifier
from support.exported import MODELS, labels, numeric, table, tables_for

FRAME = table()
X, Y = numeric(FRAME), labels(FRAME)
FORESTS = {
    "default": RareForestClassifier(5, random_state=0),
    "out of bag": RareForestClassifier(
        5, bootstrap=True, oob_score=True, random_state=np.random.RandomState(0)
    ),
    "beat": presets.beat(n_estimators=3, random_state=0),
    "criterion": RareTreeClassifier(criteria.Alpha(0.5), pruning=pruning.Fisher()),
    "budget": ThresholdedClassifier(
        RareForestClassifier(5, random_state=0), by=AlertBudget(20, 1000), n_bootstrap=9
    ),
    "cost": ThresholdedClassifier(
        RareForestClassifier(5, random_state=0), by=LowestCost(fp=1, fn=5), n_bootstrap=9
    ),
}


def test_every_name_is_a_class():
    for name in rarewood.trusted_types():
        module, _, own = name.rpartition(".")
        assert isinstance(getattr(import_module(module), own), type)


@pytest.mark.parametrize("name", [*MODELS, *FORESTS])
def test_skops(name):
    sio = pytest.importorskip("skops.io")
    model = MODELS[name]() if name in MODELS else FORESTS[name].fit(X, Y)
    again = sio.loads(sio.dumps(model), trusted=rarewood.trusted_types())
    for frame in tables_for(model):
        np.testing.assert_array_equal(again.predict_proba(frame), model.predict_proba(frame))
        assert again.predict(frame).tolist() == model.predict(frame).tolist()


def test_mlflow_with_skops(tmp_path, monkeypatch):
    pytest.importorskip("mlflow.sklearn", reason="needs mlflow or mlflow-skinny")
    pytest.importorskip("skops.io")
    import mlflow

    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")  # a data base needs more packages
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    filled = X.fillna(0.0)
    model = make_pipeline(StandardScaler(), RareForestClassifier(5, random_state=0)).fit(filled, Y)
    with mlflow.start_run():
        logged = mlflow.sklearn.log_model(
            model, name="model", serialization_format="skops",
            skops_trusted_types=rarewood.trusted_types(), pip_requirements=["rarewood"],
        )  # fmt: skip
    again = mlflow.sklearn.load_model(logged.model_uri)
    np.testing.assert_array_equal(again.predict_proba(filled), model.predict_proba(filled))
    generic = mlflow.pyfunc.load_model(logged.model_uri)
    assert pd.Series(generic.predict(filled)).tolist() == model.predict(filled).tolist()
