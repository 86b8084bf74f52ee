"""A ThresholdedClassifier goes through a file with its threshold, its curve and its rule."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest
from imblearn.over_sampling import RandomOverSampler
from imblearn.pipeline import make_pipeline
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

import rarewood
from rarewood import RareForestClassifier, RareTreeClassifier, presets
from rarewood.modelfile import ModelFileError, describe
from rarewood.operating import LowestCost, PriorCorrectedClassifier, ThresholdedClassifier

RANDOM = np.random.default_rng(5)
X = RANDOM.normal(size=(300, 4))
Y = np.where(X[:, 0] + 0.7 * RANDOM.normal(size=300) > 1.3, "rare", "common")
FOREST = RareForestClassifier(8, random_state=0)


def through_file(model, folder):
    rarewood.save(model, folder / "model")
    return rarewood.load(folder / "model")


@pytest.mark.parametrize(
    "options",
    [
        {"by": "f"},
        {"by": "recall>=0.8", "n_bootstrap": 0},
        {"by": "precision>=0.6", "unreachable": "closest", "pos_label": "rare"},
        {"by": "alerts<=20/1000"},
        {"by": LowestCost(fp=1, fn=20)},
        {"by": 0.3},
    ],
    ids=lambda options: str(options["by"]),
)
def test_the_same_model_comes_back(options, tmp_path):
    model = ThresholdedClassifier(FOREST, cv=3, random_state=1, **options).fit(X, Y)
    other = through_file(model, tmp_path)
    assert type(other) is ThresholdedClassifier
    np.testing.assert_array_equal(other.predict(X), model.predict(X))
    np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))
    assert (other.threshold_, other.pos_label_) == (model.threshold_, model.pos_label_)
    assert str(other.operating_point_) == str(model.operating_point_)
    assert other.operating_point_.to_dict() == model.operating_point_.to_dict()
    assert other.curve_.to_dict() == model.curve_.to_dict()
    assert other.curve_.tp.dtype == model.curve_.tp.dtype
    np.testing.assert_array_equal(
        other.set_threshold("f2").predict(X), model.set_threshold("f2").predict(X)
    )
    assert other.get_params()["by"] == model.get_params()["by"]
    again = clone(other).fit(X, Y)
    assert again.threshold_ == clone(model).fit(X, Y).threshold_


def test_with_weights_out_of_bag_scores_and_a_fitted_estimator(tmp_path):
    weights = RANDOM.random(300)
    model = ThresholdedClassifier(FOREST, cv=3, random_state=0)
    other = through_file(model.fit(X, Y, sample_weight=weights), tmp_path)
    np.testing.assert_array_equal(other.curve_.tp, model.curve_.tp)
    forest = presets.balanced_random_forest(n_estimators=30, random_state=0)
    model = ThresholdedClassifier(forest, cv="oob", random_state=0).fit(X, Y)
    other = through_file(model, tmp_path)
    np.testing.assert_array_equal(other.predict(X), model.predict(X))
    tree = RareTreeClassifier(max_depth=3).fit(X[:150], Y[:150])
    model = ThresholdedClassifier(tree, cv="prefit", random_state=0).fit(X[150:], Y[150:])
    other = through_file(model, tmp_path)
    np.testing.assert_array_equal(other.fit(X[150:], Y[150:]).predict(X), model.predict(X))


def test_around_a_pipeline_of_samplers(tmp_path):
    pipeline = make_pipeline(RandomOverSampler(random_state=0), FOREST)
    model = ThresholdedClassifier(pipeline, cv=2, random_state=0).fit(X, Y)
    other = through_file(model, tmp_path)
    assert type(other.estimator_) is RareForestClassifier
    np.testing.assert_array_equal(other.predict(X), model.predict(X))
    facts = describe(tmp_path / "model")
    assert facts["class"] == "ThresholdedClassifier"
    assert facts["left_out"] == ["randomoversampler: RandomOverSampler(random_state=0)"]
    assert (facts["threshold"], facts["pos_label"]) == (model.threshold_, "rare")


@pytest.mark.parametrize("true_prior", [None, [0.9, 0.1]])
def test_corrected_probabilities(true_prior, tmp_path):
    forest = presets.balanced_random_forest(n_estimators=20, random_state=0)
    model = PriorCorrectedClassifier(forest, true_prior=true_prior).fit(X, Y)
    other = through_file(model, tmp_path)
    assert type(other) is PriorCorrectedClassifier
    np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(
        clone(other).fit(X, Y).predict_proba(X), clone(model).fit(X, Y).predict_proba(X)
    )
    pipeline = make_pipeline(RandomOverSampler(random_state=0), model)
    outer = ThresholdedClassifier(pipeline, cv=2, random_state=0).fit(X, Y)
    other = through_file(outer, tmp_path)
    np.testing.assert_array_equal(other.predict(X), outer.predict(X))
    np.testing.assert_array_equal(other.predict_proba(X), outer.predict_proba(X))
    twice = PriorCorrectedClassifier(model).fit(X, Y)
    with pytest.raises(TypeError, match="in another one"):
        rarewood.save(twice, tmp_path / "twice")


def test_folds_that_cannot_be_kept_are_said(tmp_path):
    model = ThresholdedClassifier(FOREST, cv=StratifiedKFold(2)).fit(X, Y)
    with pytest.raises(TypeError, match="parameter cv is of the type StratifiedKFold"):
        rarewood.save(model, tmp_path / "model")


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content["operating_point"].update(pos_label="other"),
        lambda content: content["operating_point"].update(threshold="0.5"),
        lambda content: content["operating_point"].update(secret=1),
        lambda content: content["operating_point"]["rule"].update({"class": "Popen"}),
        lambda content: content["parameters"].update(by={"type": "record", "class": "Costs"}),
        lambda content: content["parameters"].update(estimator="x"),
        lambda content: content.update(n_effective=[1.0]),
        lambda content: content["estimator"].update({"class": "ThresholdedClassifier"}),
    ],
)
def test_damaged_content_is_refused(change, tmp_path):
    path = tmp_path / "model"
    rarewood.save(ThresholdedClassifier(FOREST, cv=2, random_state=0).fit(X, Y), path)
    parts = parts_of(path)
    header = json.loads(parts["model.json"])
    change(header["model"])
    put_together(path, parts | {"model.json": json.dumps(header).encode()})
    with pytest.raises(ModelFileError):
        rarewood.load(path)


def parts_of(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def put_together(path, parts):
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


@pytest.mark.parametrize("name", ["threshold", "tp", "fp", "fn", "tn"])
@pytest.mark.parametrize("place", [0, 5, -1])
@pytest.mark.parametrize("value", [np.nan, -1, 1e300])
def test_a_curve_that_cannot_be_is_refused(name, place, value, tmp_path):
    path = tmp_path / "model"
    tree = RareTreeClassifier(max_depth=4)
    rarewood.save(ThresholdedClassifier(tree, cv=2, n_bootstrap=0, random_state=0).fit(X, Y), path)
    parts = parts_of(path)
    array = np.load(io.BytesIO(parts[f"curve_{name}.npy"])).astype(float)
    array[place] = value
    buffer = io.BytesIO()
    np.save(buffer, array)
    put_together(path, parts | {f"curve_{name}.npy": buffer.getvalue()})
    if name == "threshold" and value == value and (np.diff(array) < 0).all():
        assert rarewood.load(path).predict(X).shape == (300,)  # falling still: another curve
    else:
        with pytest.raises(ModelFileError, match="curve"):
            rarewood.load(path)
