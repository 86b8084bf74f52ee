"""Fits and predictions from Python: data in, data out, as the command line has them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rarewood
from rarewood import workflow
from support.customers import customers
from support.program import run

NEW = customers(200, seed=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fit")
    customers().to_csv(folder / "train.csv", index=False)
    NEW.to_csv(folder / "new.csv", index=False)
    return folder


@pytest.fixture(scope="module")
def fitted(folder):
    return workflow.fit(folder / "train.csv", "cheats", out=folder / "model", model="ccpdt")


def test_a_fit_is_data(fitted, capfd):
    assert capfd.readouterr() == ("", "")
    assert fitted.pos_label == "yes"
    assert fitted.estimates.origin == "out of fold, 5 folds"
    assert fitted.estimates.counts.n_samples == 600
    assert fitted.estimates.point.threshold == fitted.model.threshold_
    assert fitted.findings.target == "cheats"
    assert len(fitted.trees) == 1
    assert type(rarewood.load(fitted.path)) is type(fitted.model)


def test_the_model_and_predictions_are_those_of_the_command_line(fitted, folder):
    words = ("fit", folder / "train.csv", "-t", "cheats", "-o", folder / "other")
    assert run(*words, "--preset", "ccpdt").exit_code == 0
    one, other = rarewood.load(fitted.path), rarewood.load(folder / "other")
    assert one.threshold_ == other.threshold_
    found = workflow.predict(fitted, folder / "new.csv")
    out = folder / "out.csv"
    assert run("predict", folder / "other", folder / "new.csv", "-o", out).exit_code == 0
    written = pd.read_csv(out, dtype={"customer": str})
    pd.testing.assert_frame_equal(found.frame, written, check_dtype=False)
    assert found.n_rows == 200
    assert found.counts == written["prediction"].value_counts().to_dict()
    assert found.threshold == one.threshold_


def test_predictions_of_a_table_in_memory_and_to_a_file(fitted, folder):
    frame = workflow.predict(fitted.path, NEW, id=["age"], all_classes=True).frame
    assert list(frame) == ["age", "prediction", "probability_no", "probability_yes"]
    found = workflow.predict(fitted, NEW, out=folder / "a.parquet", chunk_rows=7)
    assert found.frame is None
    written = pd.read_parquet(folder / "a.parquet")
    np.testing.assert_array_equal(written["probability_yes"], frame["probability_yes"])
    alerts = workflow.predict(fitted, NEW, threshold=0.0).counts
    assert alerts == {"yes": 200}


def test_an_estimator_parameters_and_a_rule(folder):
    tree = rarewood.presets.cart(max_depth=3)
    fitted = workflow.fit(
        customers(), "cheats", out=folder / "own", model=tree, params={"min_samples_leaf": 4},
        threshold="recall>=0.8", folds=2, random_state=3,
    )  # fmt: skip
    assert fitted.model.estimator_.get_params()["min_samples_leaf"] == 4
    assert fitted.model.estimator_.max_depth == 3
    assert fitted.estimates.counts.recall >= 0.8
    assert tree.get_params()["min_samples_leaf"] == 1
    plain = workflow.fit(
        customers(), "cheats", out=folder / "own", model="hddt", threshold=None, folds=2
    )
    assert plain.estimates.point is None


def test_rules_and_explanations_are_data(fitted):
    rules = workflow.rules(fitted)
    assert (rules["lift"] > 1).all()
    assert len(workflow.rules(fitted, pos_label="no")) != 0
    found = workflow.explain(fitted, NEW, 7)
    predicted = workflow.predict(fitted, NEW).frame
    assert found["prediction"] == predicted["prediction"][6]
    assert found["probability"] == predicted["probability_yes"][6]
    assert found["path"][0]["n_samples"] == 600
    assert found["ids"] == {"customer": "000006"}


def test_errors_are_ordinary_exceptions(fitted, folder):
    with pytest.raises(ValueError, match="Unknown `sampling` 'smot'"):
        workflow.fit(customers(), "cheats", out=folder / "x", sampling="smot")
    with pytest.raises(ValueError, match="is an input and would be overwritten"):
        workflow.fit(folder / "train.csv", "cheats", out=folder / "train.csv")
    with pytest.raises(FileNotFoundError, match="There is no model file"):
        workflow.predict(folder / "nowhere", NEW)
    with pytest.raises(ValueError, match="does not match the model"):
        workflow.predict(fitted, NEW.drop(columns="age"))
    assert not (folder / "x").exists()
