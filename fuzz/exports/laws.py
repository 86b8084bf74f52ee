"""Laws of exports, each of which runs what was exported."""

from __future__ import annotations

import json
import re
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import rarewood
from fuzz.exports.models import Exported
from fuzz.tables.compare import assert_equal
from fuzz.tables.fits import Setting, require
from oracle.model_dict import probabilities
from rarewood import export
from support.compiled_c import CC, Compiled

HAS_ONNX = find_spec("onnx") is not None and find_spec("onnxruntime") is not None


def onnx(s: Setting) -> None:
    """An ONNX graph returns the labels and the probabilities of the model."""
    require(HAS_ONNX)
    import onnxruntime

    made = Exported(s)
    inputs = s.draw.pick(["auto", "matrix", "columns"])
    graph = export.to_onnx(made.model, inputs=inputs)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(graph.SerializeToString(), options)
    by_column = inputs == "columns" or (inputs == "auto" and bool(made.trees._schema.categories))
    names = [one.name for one in session.get_inputs()]
    label, proba = session.run(None, _columns(made, names) if by_column else _matrix(made))
    expected = made.model.predict_proba(made.rows)
    np.testing.assert_allclose(proba, expected, rtol=0, atol=1e-15)
    assert label.tolist() == made.model.predict(made.rows).tolist()


def _matrix(made: Exported) -> dict[str, Any]:
    """The rows as the input of a graph for encoded tables."""
    return {"X": np.ascontiguousarray(made.trees._encode(made.rows), dtype=np.float64)}


def _columns(made: Exported, names: list[str]) -> dict[str, Any]:
    """The rows as the inputs of a graph with one of raw values for each feature."""
    found = {}
    for j, name in enumerate(names):
        column = made.rows.iloc[:, [j]]
        is_text = "levels" in made.table["columns"][j]
        found[name] = (column.fillna("unknown") if is_text else column).to_numpy()
    return found


def c(s: Setting) -> None:
    """So do the functions of a file of C."""
    require(CC is not None)
    made = Exported(s)
    with tempfile.TemporaryDirectory(prefix="rarewood-fuzz-") as folder:
        compiled = Compiled(export.to_c(made.model), Path(folder), options=["-O0"])
        labels, proba = compiled.run(compiled.encode(made.rows, made.trees._schema.categories))
    assert_equal(proba, made.model.predict_proba(made.rows), "probabilities in C")
    assert made.model.classes_[labels].tolist() == made.model.predict(made.rows).tolist()


def data(s: Setting) -> None:
    """So does the model as plain data, read back from JSON."""
    made = Exported(s)
    found = json.loads(json.dumps(export.to_dict(made.trees), allow_nan=False))
    proba = [probabilities(found, row) for row in made.rows.to_numpy(dtype=object).tolist()]
    expected = made.trees.predict_proba(made.rows)
    np.testing.assert_allclose(proba, expected, rtol=0, atol=1e-12)


def scikit_learn(s: Setting) -> None:
    """A tree of scikit-learn returns the probabilities and the leaves of a tree on numbers."""
    single = s.X.astype(np.float32).astype(np.float64)  # scikit-learn compares such numbers
    require(bool(np.isfinite(single[~np.isnan(single)]).all()))
    model = s.make().fit(single, s.y, s.weights)
    require(not model.tree_.plane_feature.size and model.tree_.schema.bins is None)
    tree = model.to_sklearn()
    assert_equal(tree.predict_proba(single), model.predict_proba(single), "probabilities")
    assert_equal(tree.apply(single), model.apply(single), "leaves")
    assert tree.predict(single).tolist() == model.predict(single).tolist()


_LEAF, _EDGE = r"^(\|   )*\|--- class: ", r"^    n\d+ -{1,2}>"


def text(s: Setting) -> None:
    """Texts have a line for every leaf, diagrams an arrow for every node but the root."""
    made = Exported(s)
    tree = made.trees[0] if s.case["estimator"] == "forest" else made.trees
    lines = rarewood.export_text(tree, max_depth=1000)
    assert len(re.findall(_LEAF, lines, re.MULTILINE)) == tree.get_n_leaves(), lines
    for write in (rarewood.export_graphviz, rarewood.export_mermaid):
        diagram = write(tree)
        assert len(re.findall(_EDGE, diagram, re.MULTILINE)) == tree.tree_.n_nodes - 1, diagram
