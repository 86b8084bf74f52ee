"""An ONNX graph returns the labels and the probabilities of the model."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import rarewood
from rarewood import RareForestClassifier, RareTreeClassifier
from rarewood.export import to_onnx
from support import handmade
from support.exported import CATEGORICAL, MODELS, labels, numeric, table, tables_for

onnx = pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")


def session(graph):
    onnx.checker.check_model(graph, full_check=True)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    return ort.InferenceSession(graph.SerializeToString(), options)


def feeds(frame: pd.DataFrame, dtype=np.float64):
    """One column of raw values per input, as docs/export.md has it."""
    found = {}
    for name in frame:
        column = frame[[name]]
        if name == "colour":
            found[name] = column.astype(object).fillna("").to_numpy()
        else:
            is_number = name in CATEGORICAL
            found[name] = column.to_numpy(np.float64 if is_number else dtype)
    return found


def run(graph, frame, dtype=np.float64):
    one = session(graph)
    if [value.name for value in one.get_inputs()] == ["X"]:
        return one.run(None, {"X": np.ascontiguousarray(frame.to_numpy(dtype))})
    return one.run(None, feeds(frame, dtype))


@pytest.mark.parametrize("name", MODELS)
def test_labels_and_probabilities_are_those_of_the_model(name):
    model = MODELS[name]()
    graph = to_onnx(model)
    for frame in tables_for(model):
        label, proba = run(graph, frame)
        np.testing.assert_allclose(proba, model.predict_proba(frame), rtol=0, atol=1e-15)
        expected = model.predict(frame)
        assert label.tolist() == expected.tolist()
        kinds = {"U": "O", "O": "O", "i": "i", "b": "b", "f": "f"}
        assert label.dtype.kind == kinds[expected.dtype.kind]


@pytest.mark.parametrize("name", ["subsets", "oblique forest", "c4.5"])
def test_a_matrix_has_the_numbers_of_categories(name):
    model = MODELS[name]()
    frame = tables_for(model)[1]
    graph = to_onnx(model, inputs="matrix")
    encoded = np.ascontiguousarray(model._encode(frame), dtype=np.float64)
    label, proba = session(graph).run(None, {"X": encoded})
    np.testing.assert_array_equal(proba, model.predict_proba(frame))
    assert label.tolist() == model.predict(frame).tolist()


def test_columns_of_numbers():
    model = MODELS["numeric tree"]()
    graph = to_onnx(model, inputs="columns")
    frame = numeric(table())
    np.testing.assert_array_equal(run(graph, frame)[1], model.predict_proba(frame))
    assert [value.name for value in graph.graph.input] == ["x", "y", "z"]


@pytest.mark.parametrize("name", ["axis forest", "oblique forest", "coded forest", "numeric tree"])
def test_float32_inputs_change_the_values_and_nothing_else(name):
    model = MODELS[name]()
    frame = table(2000, seed=3)[list(model.feature_names_in_)]
    frame["x"] += np.random.default_rng(0).normal(size=len(frame)) * 1e-3
    rounded = frame.assign(**{c: frame[c].astype(np.float32).astype(float) for c in "xyz"})
    label, proba = run(to_onnx(model, dtype="float32"), frame, np.float32)
    np.testing.assert_array_equal(proba, model.predict_proba(rounded))
    assert label.tolist() == model.predict(rounded).tolist()
    assert np.mean(label != model.predict(frame)) < 0.01


def test_splits_by_missing_values_and_sets_without_categories():
    n = handmade.leaf
    root = handmade.split(
        "x", np.inf,
        handmade.split("c", [["a"], ["b"], []], n(5, 1), n(0, 3), n(2, 2), missing=2),
        handmade.split("y", 0.5, n(1, 7), n(9, 1), missing=1),
        missing=1,
    )  # fmt: skip
    binary = handmade.split("c", [["a", "b"], []], root.children[1], n(4, 4), missing=1)
    columns = {"x": None, "y": None, "c": ["a", "b"]}
    X = np.array([[x, y, c] for x in (0, 1, np.nan) for y in (0, 0.5, 1, np.nan)
                  for c in (0, 1, np.nan)])  # fmt: skip
    for node in (root, binary):
        tree = handmade.tree(node, columns)
        proba = session(to_onnx(tree, inputs="matrix")).run(None, {"X": X})[1]
        np.testing.assert_array_equal(proba, tree.predict_proba(X))


@pytest.mark.parametrize("splitter", ["best", "oblique"])
def test_many_categories(splitter):
    random = np.random.default_rng(0)
    X = np.column_stack([random.integers(0, 900, 3000), random.normal(size=3000)])
    y = (X[:, 0] % 7 == 0) & (X[:, 1] > 0)
    model = RareForestClassifier(
        3, splitter=splitter, categorical_features=[0], leaf_strength=1.0, collapse=0.0,
        random_state=0,
    ).fit(X, y)  # fmt: skip
    names = {value.name: X[:, [j]] for j, value in enumerate(to_onnx(model).graph.input)}
    label, proba = session(to_onnx(model)).run(None, names)
    np.testing.assert_array_equal(proba, model.predict_proba(X))
    assert label.tolist() == model.predict(X).tolist()


# Its GatherElements is limited to 64 entries, and its BRANCH_MEMBER to sets without 0.
@pytest.mark.parametrize("name", ["numeric forest", "single leaf", "integers"])
def test_the_reference_implementation_of_onnx_agrees(name):
    from onnx.reference import ReferenceEvaluator

    model = MODELS[name]()
    frame = tables_for(model)[1].iloc[:20]
    encoded = np.ascontiguousarray(model._encode(frame), dtype=np.float64)
    graph = to_onnx(model)
    with np.errstate(invalid="ignore"):
        label, proba = ReferenceEvaluator(graph).run(None, {"X": encoded})
    np.testing.assert_allclose(proba, model.predict_proba(frame), rtol=0, atol=1e-12)
    assert list(label) == model.predict(frame).tolist()


def test_names_of_inputs_are_distinct_and_described():
    X = pd.DataFrame({"label": [0.0, 1.0], "probabilities": [0.0, 1.0], "label_": [0.0, 1.0]})
    model = RareTreeClassifier().fit(X, ["a", "b"])
    graph = to_onnx(model, inputs="columns")
    inputs = [value.name for value in graph.graph.input]
    assert inputs == ["label_", "probabilities_", "label__"]
    columns = json.loads({p.key: p.value for p in graph.metadata_props}["columns"])
    assert [(c["name"], c["input"]) for c in columns] == list(zip(X, inputs, strict=True))


def test_files(tmp_path):
    model = MODELS["numeric tree"]()
    expected = to_onnx(model).SerializeToString(deterministic=True)
    assert to_onnx(model, tmp_path / "tree.onnx") is None
    buffer = io.BytesIO()
    to_onnx(model, buffer)
    for data in ((tmp_path / "tree.onnx").read_bytes(), buffer.getvalue()):
        assert onnx.load_from_string(data).SerializeToString(deterministic=True) == expected


def test_only_standard_operators():
    domains = {node.domain for name in MODELS for node in to_onnx(MODELS[name]()).graph.node}
    assert domains == {"", "ai.onnx.ml"}


def test_samplers_are_left_out():
    pytest.importorskip("imblearn")
    from imblearn.pipeline import make_pipeline as sampling_pipeline
    from imblearn.under_sampling import RandomUnderSampler

    frame = table()
    X, y = numeric(frame).fillna(0.0), labels(frame)
    model = sampling_pipeline(RandomUnderSampler(random_state=0), RareTreeClassifier()).fit(X, y)
    wrapper = rarewood.sampling.SamplingWrapperClassifier(RareTreeClassifier(), random_state=0).fit(
        X, y
    )
    for one in (model, wrapper):
        label, proba = run(to_onnx(one), X)
        np.testing.assert_array_equal(proba, one.predict_proba(X))
        assert label.tolist() == one.predict(X).tolist()


def test_what_cannot_be_exported_is_refused_with_the_reason():
    frame = table()
    X, y = numeric(frame), labels(frame)
    with pytest.raises(TypeError, match=r"'standardscaler' .* skl2onnx"):
        to_onnx(make_pipeline(StandardScaler(), RareTreeClassifier()).fit(X, y))
    with pytest.raises(TypeError, match=r"to_onnx needs .* got DecisionTreeClassifier"):
        to_onnx(DecisionTreeClassifier().fit(X, y))
    with pytest.raises(TypeError, match="got str"):
        to_onnx("tree")
    with pytest.raises(NotFittedError):
        to_onnx(RareForestClassifier())
    with pytest.raises(ValueError, match="dtype must be"):
        to_onnx(MODELS["numeric tree"](), dtype="float16")
    with pytest.raises(ValueError, match="inputs must be"):
        to_onnx(MODELS["numeric tree"](), inputs="table")
    codes = pd.DataFrame({"c": [2**60, 2**60 + 256] * 5})
    large = RareTreeClassifier(categorical_features=["c"]).fit(codes, [0, 1] * 5)
    with pytest.raises(TypeError, match="'c' are neither text nor numbers"):
        to_onnx(large)
    texts = np.array([["a"], ["\ud800"]] * 5, dtype=object)
    with pytest.raises(ValueError, match="not valid Unicode"):
        to_onnx(RareTreeClassifier(categorical_features=[0]).fit(texts, [0, 1] * 5))


def test_without_onnx_the_message_says_what_to_install():
    code = """
import sys
sys.modules["onnx"] = None
import rarewood
model = rarewood.RareTreeClassifier().fit([[0.0], [1.0]], [0, 1])
print(rarewood.export.to_c(model).count("predict_proba") > 0)
try:
    rarewood.export.to_onnx(model)
except ImportError as error:
    print("pip install 'rarewood[onnx]'" in str(error))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True"]
