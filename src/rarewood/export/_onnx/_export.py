"""Models as ONNX graphs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

import numpy as np

from rarewood._version import __version__
from rarewood.export._flat_trees import FlatTrees
from rarewood.export._onnx import _fractional, _tree_ensemble, _walk
from rarewood.export._onnx._graph import ML, Graph, element_type
from rarewood.export._onnx._inputs import InputMaker, Inputs, description
from rarewood.export._onnx._snap import snapped
from rarewood.export._onnx._sums import sum_in_order
from rarewood.export._scorer import Correction, Scorer, scorer_of

# The oldest versions with TreeEnsemble, and with the attributes of Shape.
_OPSETS = {"": 18, ML: 5}
_IR_VERSION = 10


def to_onnx(
    model: Any,
    out_file: Any = None,
    *,
    dtype: Literal["float64", "float32"] = "float64",
    inputs: Inputs = "auto",
) -> Any:
    """Export a fitted model to ONNX, with standard operators only.

    With inputs of float64, ONNX Runtime returns the same labels and the same probabilities as
    ``predict`` and ``predict_proba``, also for missing values and for categories that training did
    not have. Needs the package onnx: ``pip install 'rarewood[onnx]'``.

    Parameters
    ----------
    model : estimator
        A fitted tree, forest, C4.5 tree or Dask estimator, alone or in a
        ``ThresholdedClassifier``, ``PriorCorrectedClassifier`` or ``SamplingWrapperClassifier``.
        Of a pipeline of samplers and a model, the model.
    out_file : path or binary file object, default=None
        Where to write the graph. By default it is returned.
    dtype : {"float64", "float32"}, default="float64"
        Type of numeric inputs. The graph always computes in double precision: with "float32", only
        values that float32 cannot represent can change a prediction.
    inputs : {"auto", "matrix", "columns"}, default="auto"
        "columns": one input per feature, of shape (n_samples, 1), under its name. A categorical
        feature takes its raw values: texts, or float64 if the categories are numbers or booleans.
        "matrix": one input ``X`` of shape (n_samples, n_features), in which a category is its
        number. "auto" is "columns" if there is a categorical feature, else "matrix".

    Returns
    -------
    model : onnx.ModelProto or None
        The graph; None if ``out_file`` is given.

    See Also
    --------
    to_c : Exports to C.

    Notes
    -----
    The outputs are ``label``, in the type of the labels (text, booleans, integers of 64 bits or
    floats), and ``probabilities`` of shape (n_samples, n_classes) in float64.

    NaN is a missing number. A missing text is any text that is not a category, such as the empty
    one. Infinite values, which ``predict`` refuses, are not detected.

    Trees with axis-parallel nodes of two children become a ``TreeEnsemble`` of ai.onnx.ml 5, others
    a loop over the levels of all trees at once, with about 100 bytes of memory per sample and tree.
    Pass large tables in batches of some thousand samples.

    Examples
    --------
    >>> import rarewood
    >>> X = [[20.0], [30.0], [40.0], [50.0]]
    >>> tree = rarewood.RareTreeClassifier().fit(X, ["no", "no", "no", "yes"])
    >>> graph = rarewood.export.to_onnx(tree).graph
    >>> [value.name for value in (*graph.input, *graph.output)]
    ['X', 'label', 'probabilities']
    """
    if dtype not in ("float64", "float32"):
        raise ValueError(f"dtype must be 'float64' or 'float32', got {dtype!r}.")
    if inputs not in ("auto", "matrix", "columns"):
        raise ValueError(f"inputs must be 'auto', 'matrix' or 'columns', got {inputs!r}.")
    scorer = scorer_of(model, "to_onnx")
    graph = Graph()
    maker = InputMaker(graph, scorer, np.dtype(dtype))
    by_column = inputs == "columns" or (inputs == "auto" and bool(scorer.schema.categories))
    x = snapped(graph, maker.columns() if by_column else maker.matrix(), scorer.schema)
    proba = _probabilities(graph, x, scorer)
    for correction in scorer.corrections:
        proba = _corrected(graph, proba, correction)
    graph.add("Identity", proba, out="probabilities")
    classes = _plain(scorer.classes)
    label = graph.add("Gather", graph.constant(classes), _decision(graph, proba, scorer))
    graph.add("Identity", label, out="label")
    found = _model(graph, maker, scorer, element_type(classes.dtype))
    if out_file is None:
        return found
    if isinstance(out_file, (str, os.PathLike)):
        Path(out_file).write_bytes(found.SerializeToString())
    else:
        out_file.write(found.SerializeToString())
    return None


def _probabilities(graph: Graph, x: str, scorer: Scorer) -> str:
    """Return the mean probabilities of the trees, added in their order."""
    flat = FlatTrees.of(scorer.trees)
    if scorer.divides_missing:
        return _fractional.probabilities(graph, x, flat, scorer.trees[0])
    walk = _tree_ensemble if _tree_ensemble.fits(flat) else _walk
    leaves = graph.constant(flat.probabilities[flat.is_leaf])
    values = graph.add("Gather", leaves, walk.leaf_numbers(graph, x, flat), axis=0)
    n_trees = len(scorer.trees)
    total = sum_in_order(graph, values, n_trees)
    return graph.add("Div", total, graph.constant(float(n_trees)))


def _corrected(graph: Graph, proba: str, correction: Correction) -> str:
    products = graph.add("Mul", proba, graph.constant(correction.ratio))
    sums = graph.add("ReduceSum", products, graph.constant([1]), keepdims=1)
    is_positive = graph.add("Greater", sums, graph.constant(0.0))
    # A row without a product above zero gets the true frequencies.
    divisors = graph.add("Where", is_positive, sums, graph.constant(1.0))
    quotients = graph.add("Div", products, divisors)
    return graph.add("Where", is_positive, quotients, graph.constant(correction.true_prior))


def _decision(graph: Graph, proba: str, scorer: Scorer) -> str:
    """Return the number of the predicted class of each sample."""
    if scorer.threshold is None:
        return graph.add("ArgMax", proba, axis=1, keepdims=0)
    number, threshold = scorer.threshold
    score = graph.add("Gather", proba, graph.constant(number), axis=1)
    is_alert = graph.add("GreaterOrEqual", score, graph.constant(threshold))
    yes, no = graph.constant(np.int64(number)), graph.constant(np.int64(1 - number))
    return graph.add("Where", is_alert, yes, no)


def _plain(classes: Any) -> Any:
    """Return the labels in a type of ONNX."""
    kind = classes.dtype.kind
    if kind in "bUT" or (kind == "O" and all(isinstance(label, str) for label in classes)):
        return classes
    if kind in "iu" and classes.dtype != np.uint64:
        return classes.astype(np.int64)
    if kind == "f" or classes.dtype == np.uint64:
        return classes
    raise TypeError(
        f"ONNX has no type for labels of the type {classes.dtype}. Use labels that are text, "
        "booleans, integers or floats."
    )


def _model(graph: Graph, maker: InputMaker, scorer: Scorer, label_type: int) -> Any:
    helper = graph.helper
    n_classes = len(scorer.classes)
    outputs = [
        helper.make_tensor_value_info("label", label_type, ["n_samples"]),
        helper.make_tensor_value_info(
            "probabilities", element_type(np.dtype(np.float64)), ["n_samples", n_classes]
        ),
    ]
    made = helper.make_graph(graph.nodes, "rarewood", maker.infos, outputs, graph.constants)
    model = helper.make_model(
        made,
        opset_imports=[helper.make_opsetid(*pair) for pair in _OPSETS.items()],
        ir_version=_IR_VERSION,
        producer_name="rarewood",
        producer_version=__version__,
    )
    helper.set_model_props(
        model,
        {
            "columns": description(scorer),
            "classes": str(scorer.classes.tolist()),
        },
    )
    return model
