"""``rarewood export``."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rarewood
from rarewood.intake import apply_recipe
from support.customers import customers
from support.program import fails, run


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    customers().to_csv(folder / "train.csv", index=False)
    done = run("fit", folder / "train.csv", "-t", "cheats", "-o", folder / "model", "--preset",
               "ccpdt", "--folds", "2", "--keep", "since")  # fmt: skip
    assert done.exit_code == 0, done.stderr
    return folder / "model"


def test_onnx_predicts_like_the_command(fitted, tmp_path):
    ort = pytest.importorskip("onnxruntime")
    done = run("export", fitted, "-o", tmp_path / "model.onnx")
    assert done.exit_code == 0, done.stderr
    assert "'since' is given as days since 1970-01-01" in done.stderr
    assert f"wrote {tmp_path / 'model.onnx'}" in done.stderr
    customers(200, seed=1).to_csv(tmp_path / "new.csv", index=False)
    assert run("predict", fitted, tmp_path / "new.csv", "-o", tmp_path / "p.csv").exit_code == 0
    predicted = pd.read_csv(tmp_path / "p.csv", index_col=False)
    recipe = rarewood.modelfile.describe(fitted)["notes"]["fit"]["recipe"]
    X = apply_recipe(recipe, pd.read_csv(tmp_path / "new.csv"))
    session = ort.InferenceSession(tmp_path / "model.onnx")
    feeds = {
        one.name: X[[one.name]].astype(object).fillna("").to_numpy()
        if "string" in one.type
        else X[[one.name]].to_numpy(np.float64)
        for one in session.get_inputs()
    }
    label, proba = session.run(["label", "probabilities"], feeds)
    np.testing.assert_array_equal(proba, rarewood.load(fitted).predict_proba(X))
    assert label.tolist() == predicted["prediction"].tolist()


def test_c(fitted, tmp_path):
    done = run("export", fitted, "-o", tmp_path / "model.c", "--prefix", "cheats")
    assert done.exit_code == 0, done.stderr
    expected = rarewood.export.to_c(rarewood.load(fitted), prefix="cheats")
    assert (tmp_path / "model.c").read_text() == expected


def test_refusals(fitted, tmp_path):
    fails(run("export", fitted, "-o", tmp_path / "model.txt"), "ends in .onnx or .c")
    fails(run("export", fitted, "-o", tmp_path / "m.c", "--prefix", "1"), "prefix must be a name")
    fails(run("export", tmp_path / "none", "-o", tmp_path / "m.c"), "There is no model file")
    assert list(tmp_path.iterdir()) == []
