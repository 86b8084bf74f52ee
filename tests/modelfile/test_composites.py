"""Pipelines, calibrated and thresholded models with parts of scikit-learn, in model files."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)

import rarewood
from rarewood import C45Classifier, RareForestClassifier, RareTreeClassifier
from rarewood.modelfile import ModelFileError, describe
from rarewood.operating import PriorCorrectedClassifier, ThresholdedClassifier
from support.exported import labels, numeric, table
from support.model_files import open_limited, parts_of, put_together, with_json

FRAME = table(200)
NEW = table(300, seed=8)
Y = labels(FRAME)
THREE = labels(FRAME, 3)
NUMBERS, TEXTS = ["x", "y", "z"], ["colour", "code"]


def forest(**options):
    return RareForestClassifier(
        3, random_state=0, leaf_strength=2.0, collapse=0.0, splitter="best", **options
    )


def columns(**options):
    return ColumnTransformer(
        [
            (
                "numbers",
                make_pipeline(SimpleImputer(add_indicator=True), StandardScaler()),
                NUMBERS,
            ),
            ("texts", OneHotEncoder(handle_unknown="ignore", sparse_output=False), TEXTS),
        ],
        **options,
    )


NUMERIC = {
    "standard": make_pipeline(StandardScaler(), forest()),
    "no mean": make_pipeline(StandardScaler(with_mean=False, with_std=False), forest()),
    "minmax": make_pipeline(MinMaxScaler((-1, 2), clip=True), forest()),
    "maxabs": make_pipeline(MaxAbsScaler(), RareTreeClassifier()),
    "robust": make_pipeline(RobustScaler(with_centering=False), C45Classifier()),
    "imputed": make_pipeline(SimpleImputer(strategy="median"), forest()),
    "constant": make_pipeline(SimpleImputer(strategy="constant", fill_value=-1), forest()),
    "passthrough": Pipeline([("a", "passthrough"), ("b", StandardScaler()), ("c", forest())]),
    "identity": make_pipeline(FunctionTransformer(), forest()),
    "sigmoid": CalibratedClassifierCV(forest(), cv=3),
    "isotonic": CalibratedClassifierCV(forest(), cv=3, method="isotonic"),
    "not ensemble": CalibratedClassifierCV(make_pipeline(StandardScaler(), forest()), cv=2,
                                           ensemble=False),
    "fixed": FixedThresholdClassifier(forest(), threshold=0.2, pos_label="rare"),
    "tuned": TunedThresholdClassifierCV(forest(), cv=2, scoring="balanced_accuracy"),
    "ours": ThresholdedClassifier(make_pipeline(StandardScaler(), forest()), by=0.2, cv=2,
                                  n_bootstrap=0),
    "prior": PriorCorrectedClassifier(make_pipeline(StandardScaler(), forest(balance=True))),
    "deep": ThresholdedClassifier(
        CalibratedClassifierCV(make_pipeline(RobustScaler(), forest()), cv=2), by=0.2, cv=2,
        n_bootstrap=0,
    ),
}  # fmt: skip
MIXED = {
    "columns": make_pipeline(columns(), forest()),
    "rest": make_pipeline(columns(remainder="passthrough", sparse_threshold=0), forest()),
    "scaled rest": make_pipeline(columns(remainder=StandardScaler()), forest()),
    "frame": make_pipeline(
        columns(verbose_feature_names_out=False).set_output(transform="pandas"), forest()
    ),
    "selected": make_pipeline(
        ColumnTransformer(
            [
                ("n", "passthrough", make_column_selector(dtype_include=float)),
                ("t", OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
                 ["colour"]),
                ("d", "drop", ["flag"]),
            ]
        ),
        forest(),
    ),
    "imputed texts": make_pipeline(
        ColumnTransformer(
            [("t", make_pipeline(SimpleImputer(strategy="most_frequent"),
                                 OneHotEncoder(drop="if_binary", sparse_output=False)),
              ["colour"])],
        ),
        RareTreeClassifier(),
    ),
}  # fmt: skip


SELECTED = {
    "numbers": [-1, 0],
    "slice": slice(0, 2),
    "slice of names": slice("x", "y"),
    "mask": np.array([True, False, True]),
    "none": [],
}


def saved(model, tmp_path):
    rarewood.save(model, tmp_path / "model")
    return rarewood.load(tmp_path / "model")


def assert_same(again, model, frame):
    np.testing.assert_array_equal(again.predict_proba(frame), model.predict_proba(frame))
    assert again.predict(frame).tolist() == model.predict(frame).tolist()
    assert again.classes_.tolist() == model.classes_.tolist()


@pytest.mark.parametrize("name", NUMERIC)
def test_models_of_numbers(name, tmp_path):
    model = NUMERIC[name].fit(numeric(FRAME), Y)
    again = saved(model, tmp_path)
    assert type(again) is type(model)
    assert_same(again, model, numeric(NEW))
    if name != "passthrough":  # of which a pipeline does not know it
        assert again.n_features_in_ == 3
    again.fit(numeric(FRAME), Y)
    assert_same(again, model, numeric(NEW))


@pytest.mark.parametrize("name", MIXED)
def test_models_of_mixed_columns(name, tmp_path):
    model = MIXED[name].fit(FRAME, Y)
    again = saved(model, tmp_path)
    assert_same(again, model, NEW)
    transformed = [one[:-1].get_feature_names_out().tolist() for one in (again, model)]
    assert transformed[0] == transformed[1]
    again.fit(FRAME, Y)
    assert_same(again, model, NEW)


@pytest.mark.parametrize("method", ["sigmoid", "isotonic", "temperature"])
def test_calibrations_of_three_classes(method, tmp_path):
    model = CalibratedClassifierCV(forest(), cv=2, method=method)
    try:
        model.fit(numeric(FRAME), THREE)
    except ValueError:
        pytest.skip("this scikit-learn has no such calibration")
    assert_same(saved(model, tmp_path), model, numeric(NEW))


def test_a_frozen_model(tmp_path):
    X = numeric(FRAME)
    model = CalibratedClassifierCV(FrozenEstimator(forest().fit(X, Y)), cv=2).fit(X, Y)
    again = saved(model, tmp_path)
    assert_same(again, model, numeric(NEW))
    assert isinstance(again.estimator, FrozenEstimator)


def test_samplers_are_left_out(tmp_path):
    pytest.importorskip("imblearn")
    from imblearn.pipeline import make_pipeline as sampling_pipeline
    from imblearn.under_sampling import RandomUnderSampler

    X = numeric(FRAME).fillna(0.0)
    model = sampling_pipeline(StandardScaler(), RandomUnderSampler(random_state=0), forest())
    model.fit(X, Y)
    again = saved(model, tmp_path)
    assert_same(again, model, X)
    assert describe(tmp_path / "model")["left_out"] == ["randomundersampler: RandomUnderSampler"]


def test_arrays_of_float32(tmp_path):
    X = numeric(FRAME).to_numpy(np.float32)
    model = make_pipeline(MinMaxScaler(), StandardScaler(), forest()).fit(X, Y)
    again = saved(model, tmp_path)
    assert_same(again, model, X)
    assert again[0].scale_.dtype == model[0].scale_.dtype == np.float32


def test_files_describe_themselves(tmp_path):
    rarewood.save(MIXED["columns"].fit(FRAME, Y), tmp_path / "model", notes={"a": 1})
    facts = describe(tmp_path / "model")
    assert facts["class"] == "Pipeline"
    assert facts["versions"]["scikit-learn"] == sklearn.__version__
    assert [column["name"] for column in facts["columns"]] == list(FRAME)
    assert facts["classes"] == ["common", "rare"]
    rarewood.save(NUMERIC["ours"].fit(numeric(FRAME), Y), tmp_path / "model")
    facts = describe(tmp_path / "model")
    assert (facts["threshold"], facts["pos_label"]) == (0.2, "rare")


def test_another_version_of_scikit_learn_is_told(tmp_path):
    path = tmp_path / "model"
    rarewood.save(NUMERIC["standard"].fit(numeric(FRAME), Y), path)
    parts = parts_of(path.read_bytes())
    put_together(path, with_json(parts, lambda h: h["versions"].update({"scikit-learn": "0.9.2"})))
    with pytest.warns(UserWarning, match=r"parts of scikit-learn 0\.9\.2, and this is"):
        rarewood.load(path)
    rarewood.save(forest().fit(numeric(FRAME), Y), path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rarewood.load(path)


class Scaler(StandardScaler):
    """A class of the user."""


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (make_pipeline(PCA(1), forest()), "does not support PCA as a part"),
        (make_pipeline(Scaler(), forest()), "does not support Scaler as a part"),
        (make_pipeline(StandardScaler(), LogisticRegression()), "LogisticRegression"),
        (CalibratedClassifierCV(LogisticRegression(), cv=2), "LogisticRegression"),
        (make_pipeline(FunctionTransformer(np.log1p), forest()), "with a function"),
        (make_pipeline(OneHotEncoder(min_frequency=2), forest()), "min_frequency"),
        (Pipeline([("a", StandardScaler()), ("b", forest())], memory="x"), "memory"),
    ],
    ids=["part", "subclass", "model", "calibrated", "function", "rare", "memory"],
)
def test_refusals(model, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X = numeric(FRAME).fillna(0.0).abs()
    if "min_frequency" in message:
        X = X.round().astype(int)
        model.set_params(onehotencoder__sparse_output=False)
    with pytest.raises(TypeError, match=message):
        rarewood.save(model.fit(X, Y), tmp_path / "model")
    assert not (tmp_path / "model").exists()
    with pytest.raises(NotFittedError):
        rarewood.save(make_pipeline(StandardScaler(), forest()), tmp_path / "model")


def part(header, *path):
    found = header["model"]["parts"]
    for key in path:
        found = found[key]
    return found


def change(*path, **new):
    return lambda header: part(header, *path).update(new)


SCALER, ENCODER = ("steps", 0, 1, "fitted", 0, 1, "steps", 1, 1), ("steps", 0, 1, "fitted", 1, 1)
IMPUTER, COLUMNS = ("steps", 0, 1, "fitted", 0, 1, "steps", 0, 1), ("steps", 0, 1)
NAN = {"type": "float", "value": "nan"}
DAMAGE = {
    "class": change(**{"class": "PCA"}),
    "class of a part": change(*SCALER, **{"class": "os.system"}),
    "list as class": change(*SCALER, **{"class": ["StandardScaler"]}),
    "parameter": change(*SCALER, parameters={"func": "print"}),
    "value of a parameter": change(*SCALER, parameters={"with_mean": "yes"}),
    "width": change(*SCALER, n_features=10**12),
    "another width": change(*SCALER, n_features=3),
    "short array": change(*SCALER, mean_={"dtype": "<f8", "values": [0.0]}),
    "no array": change(*SCALER, scale_=None),
    "text in an array": change(*SCALER, mean_={"dtype": "<f8", "values": ["0"] * 4}),
    "objects": change(*SCALER, mean_={"dtype": "object", "values": ["0"] * 4}),
    "negative count": change(*SCALER, n_samples_seen_=-1),
    "names": change(*COLUMNS, names=["a"]),
    "container": change(*COLUMNS, output="os"),
    "columns": change(*COLUMNS, inputs=[["numbers", [10**9]]]),
    "outputs": change(*COLUMNS, outputs=[["numbers", 5, 2]]),
    "word": change(*COLUMNS, rest="import"),
    "table type": change(*IMPUTER, table_type="|V8"),
    "indicated": change(*IMPUTER, indicated=[7]),
    "no indicator": change(*IMPUTER, indicated=None),
    "categories": change(*ENCODER, categories_=[]),
    "empty categories": change(*ENCODER, categories_=[{"dtype": "object", "values": []}] * 2),
    "dtype": lambda h: part(h, *ENCODER, "parameters").update(dtype="|V99"),
    "prefix": change("steps", 1, 1, prefix=""),
    "other arrays": change("steps", 1, 1, prefix="z_"),
    "classes": change("steps", 1, 1, classes={"dtype": "object", "values": ["a", "a"]}),
    "many parts": lambda h: part(h)["steps"].extend([["s", part(h, *SCALER)]] * 600),
    "equal names": lambda h: part(h)["steps"].append(part(h)["steps"][0]),
    "no steps": change(steps=[]),
}


def deep(header):
    """A pipeline in a pipeline, many times."""
    inner = part(header)
    for _ in range(50):
        inner = {"class": "Pipeline", "steps": [["s", inner]], "verbose": False}
    header["model"]["parts"] = inner


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    path = tmp_path_factory.mktemp("composite") / "model"
    rarewood.save(MIXED["columns"].fit(FRAME, Y), path)
    return parts_of(path.read_bytes())


@pytest.mark.parametrize("name", [*DAMAGE, "deep"])
def test_damaged_files_are_refused(original, name, tmp_path):
    damage = deep if name == "deep" else DAMAGE[name]
    put_together(tmp_path / "model", with_json(original, damage))
    with pytest.raises(ModelFileError):
        rarewood.load(tmp_path / "model")


def test_damaged_calibrations_are_refused(tmp_path):
    path = tmp_path / "model"
    rarewood.save(NUMERIC["isotonic"].fit(numeric(FRAME), Y), path)
    parts = parts_of(path.read_bytes())
    x = {"dtype": "<f8", "values": [0.0, 1.0]}
    for calibrator in (
        {"x": x, "y": {"dtype": "<f8", "values": [1.0, 0.0]}},
        {"x": x, "y": {"dtype": "<f8", "values": [0.0, NAN]}},
        {"x": {"dtype": "<f8", "values": [1.0, 0.0]}, "y": x},
        {"a_": 1.0, "b_": 1.0},
    ):
        damage = change("members", 0, calibrators=[calibrator])
        put_together(path, with_json(parts, damage))
        with pytest.raises(ModelFileError):
            rarewood.load(path)
    for damage in (
        change(members=[]),
        change(classes={"dtype": "object", "values": ["u", "v"]}),
        lambda h: part(h, "parameters").update(method="eval"),
    ):
        put_together(path, with_json(parts, damage))
        with pytest.raises(ModelFileError):
            rarewood.load(path)


def test_time_and_memory_are_bounded(original, tmp_path):
    wide = change(*SCALER, n_features=2**20, mean_={"dtype": "<f8", "values": []})
    thresholds = json.dumps(10**9)
    files = []
    for number, damage in enumerate([wide, deep, DAMAGE["many parts"]]):
        files.append(tmp_path / f"{number}")
        put_together(files[-1], with_json(original, damage))
    tuned = NUMERIC["tuned"].fit(numeric(FRAME), Y)
    rarewood.save(tuned, tmp_path / "tuned")
    parts = parts_of((tmp_path / "tuned").read_bytes())
    put_together(
        tmp_path / "tuned",
        with_json(parts, lambda h: part(h, "parameters").update(thresholds=json.loads(thresholds))),
    )
    found = open_limited([*files, tmp_path / "tuned"], megabytes=200, seconds=10)
    assert not any("signal" in line for line in found), found
    assert found[1::2][:3] == [line for line in found[1::2][:3] if "ModelFileError" in line]


def test_the_command_line_refuses_them_with_the_reason(tmp_path):
    from support.program import fails, run

    rarewood.save(NUMERIC["standard"].fit(numeric(FRAME), Y), tmp_path / "model")
    pd.DataFrame(numeric(FRAME)).to_csv(tmp_path / "t.csv", index=False)
    done = run("predict", tmp_path / "model", tmp_path / "t.csv", "-o", tmp_path / "p.csv")
    fails(done, "has a Pipeline")


@pytest.mark.parametrize("name", SELECTED)
def test_selections_of_columns(name, tmp_path):
    parts = [("own", StandardScaler(), SELECTED[name]), ("empty", "passthrough", [])]
    model = make_pipeline(ColumnTransformer(parts, remainder="passthrough"), forest())
    model.fit(FRAME[NUMBERS], Y)
    assert_same(saved(model, tmp_path), model, NEW[NUMBERS])
