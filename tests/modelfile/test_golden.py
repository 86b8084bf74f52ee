"""Files written by earlier versions load, and predict to the last bit what they did then."""

from __future__ import annotations

import json
import shutil
import zipfile

import numpy as np
import pytest
import sklearn

import rarewood
from rarewood.modelfile import describe
from support.golden import FOLDER, models, predictions, rows_of, write

FILES = sorted(FOLDER.glob("*/*.rarewood"))


# Parts of scikit-learn may be of another version than that which runs the tests.
pytestmark = pytest.mark.filterwarnings("ignore:.*has parts of scikit-learn")


def test_there_is_a_file_of_every_kind_and_format():
    assert {path.stem for path in FILES} >= set(models())
    formats = {json.loads(zipfile.ZipFile(path).read("model.json"))["format_version"]
               for path in FILES}  # fmt: skip
    assert formats >= {1, 2, 3, 4, 5}


def opened(path):
    """A model; one of another package only with the version of it that wrote it."""
    if path.stem == "foreign":
        pytest.importorskip("skops")
        written = describe(path)["versions"]["scikit-learn"].split(".")[:2]
        if written != sklearn.__version__.split(".")[:2]:
            pytest.skip(f"written with scikit-learn {written}")
    return rarewood.load(path, trust_foreign=path.stem == "foreign")


def assert_predictions(path, found, expected):
    # Another package may compute with another BLAS.
    tolerance = 1e-12 if path.stem == "foreign" else 0
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=0)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_predicts_what_it_predicted(path):
    content = json.loads((path.parent / "predictions.json").read_text(encoding="utf-8"))
    model = opened(path)
    expected = content["expected"][path.stem]
    found = predictions(model, rows_of(model, content["columns"]))
    assert found["labels"] == expected["labels"]
    assert_predictions(path, found["proba"], expected["proba"])
    assert describe(path)["notes"] == {"golden": path.stem}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_saved_again_it_is_the_same_model(path, tmp_path):
    content = json.loads((path.parent / "predictions.json").read_text(encoding="utf-8"))
    rarewood.save(opened(path), tmp_path / "again", keep_rows=True)
    model = rarewood.load(tmp_path / "again", trust_foreign=path.stem == "foreign")
    found = predictions(model, rows_of(model, content["columns"]))
    assert_predictions(path, found["proba"], content["expected"][path.stem]["proba"])


def test_the_script_writes_such_files(tmp_path):
    write(tmp_path / "now")
    assert len(list((tmp_path / "now").glob("*.rarewood"))) == len(models())
    shutil.rmtree(tmp_path / "now")
