"""What can be saved, what is kept of it, and how the file comes to be."""

from __future__ import annotations

import os

import joblib
import numpy as np
import pytest
from imblearn.over_sampling import RandomOverSampler
from imblearn.pipeline import make_pipeline
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline as plain_pipeline

import rarewood
from rarewood import RareForestClassifier, RareTreeClassifier, presets
from rarewood.modelfile import describe
from rarewood.sampling import PatternOverSampler, SamplingWrapperClassifier

RANDOM = np.random.default_rng(2)
X = RANDOM.normal(size=(200, 4))
y = (X[:, 0] + X[:, 1] > 1.5).astype(int)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.rarewood"


def test_of_a_sampling_wrapper_the_fitted_model_is_kept(path):
    wrapper = SamplingWrapperClassifier(
        presets.c45(), undersample_steps=(50,), smote_steps=(100,), cv=2, random_state=0
    ).fit(X, y)
    rarewood.save(wrapper, path)
    other = rarewood.load(path)
    assert type(other) is RareTreeClassifier
    np.testing.assert_array_equal(other.predict_proba(X), wrapper.predict_proba(X))
    (line,) = describe(path)["left_out"]
    assert f"smote_level_={wrapper.smote_level_}" in line


def test_of_a_pipeline_of_samplers_the_classifier_is_kept(path):
    pipeline = make_pipeline(
        RandomOverSampler(random_state=0),
        PatternOverSampler(random_state=0),
        "passthrough",
        SamplingWrapperClassifier(RareForestClassifier(3, random_state=0), smote_steps=(), cv=2),
    ).fit(X, y)
    rarewood.save(pipeline, path)
    other = rarewood.load(path)
    assert type(other) is RareForestClassifier
    np.testing.assert_array_equal(other.predict_proba(X), pipeline.predict_proba(X))
    lines = describe(path)["left_out"]
    assert [line.split(":")[0] for line in lines] == [
        "randomoversampler", "patternoversampler", "SamplingWrapperClassifier",
    ]  # fmt: skip
    assert "RandomOverSampler(random_state=0)" in lines[0]


class Mine(RareTreeClassifier):
    """A class of the user's, with behaviour that a file would lose."""


class MyRecipe:
    def draw(self, seed, tree):
        return "gini"


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (RandomForestClassifier(2), "RandomForestClassifier by itself.*ForeignClassifier"),
        (plain_pipeline(PCA(1), RareTreeClassifier()), "does not support PCA as a part of a model"),
        (Mine(), "does not support Mine"),
        (RareForestClassifier(2, criterion=MyRecipe()), "parameter criterion is of the type MyRec"),
        (
            RareForestClassifier(2, bootstrap=True, oob_score=lambda a, b: 0.0),
            r"set_params\(oob_score=True\)",
        ),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else type(value).__name__,
)
@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB")
def test_what_cannot_be_saved_is_said(model, message, path):
    with pytest.raises(TypeError, match=message):
        rarewood.save(model.fit(X, y), path)
    assert not path.exists()


def test_wrong_arguments(path):
    model = RareTreeClassifier().fit(X, y)
    with pytest.raises(TypeError, match="does not support str"):
        rarewood.save("model", path)
    with pytest.raises(NotFittedError):
        rarewood.save(RareTreeClassifier(), path)
    with pytest.raises(NotFittedError):
        rarewood.save(SamplingWrapperClassifier(RareTreeClassifier()), path)
    with pytest.raises(TypeError, match="notes must be a JSON-serialisable dict"):
        rarewood.save(model, path, notes={"when": np.datetime64("2020-01-01")})
    with pytest.raises(TypeError, match="target must be a string"):
        rarewood.save(model, path, target=3)
    assert not path.exists()


def test_categories_that_json_cannot_hold_are_named(path):
    pd = pytest.importorskip("pandas")
    ranges = pd.cut(X[:, 0], [-9, 0, 9])
    table = pd.DataFrame({"x": X[:, 1], "range": ranges})
    try:
        model = RareTreeClassifier().fit(table, y)
    except ValueError:
        pytest.skip("trees do not take intervals")
    with pytest.raises(TypeError, match="A category of column 'range' is of the type Interval"):
        rarewood.save(model, path)


def test_the_file_appears_whole_or_not_at_all(tmp_path, path, monkeypatch):
    old = RareTreeClassifier(max_depth=1).fit(X, y)
    rarewood.save(old, path)
    before = path.read_bytes()

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("zipfile.ZipFile.writestr", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rarewood.save(RareTreeClassifier().fit(X, y), path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_new_file_has_the_usual_rights(path):
    rarewood.save(RareTreeClassifier().fit(X, y), path)
    other = path.with_name("other")
    other.touch()
    assert path.stat().st_mode == other.stat().st_mode


def test_places_that_cannot_be_written(tmp_path):
    model = RareTreeClassifier().fit(X, y)
    with pytest.raises(FileNotFoundError, match=r"folder .* does not exist"):
        rarewood.save(model, tmp_path / "nowhere" / "model")
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        rarewood.save(model, tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="Cannot write the model to"):
        rarewood.save(model, tmp_path / "file" / "model")
    if os.geteuid() != 0:  # nothing is forbidden to root
        tmp_path.chmod(0o500)
        with pytest.raises(PermissionError, match="Is the folder writable"):
            rarewood.save(model, tmp_path / "model")


def test_the_file_is_small(tmp_path, path):
    model = RareForestClassifier(50, random_state=0).fit(X, y)
    rarewood.save(model, path)
    joblib.dump(model, tmp_path / "joblib")
    assert path.stat().st_size < 0.5 * (tmp_path / "joblib").stat().st_size
