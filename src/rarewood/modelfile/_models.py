"""Fitted trees and forests as JSON and arrays, and back.

``CLASSES`` are the only estimators that a file can contain.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood._validation import check_parameters
from rarewood.c45 import C45Classifier
from rarewood.criteria import check_known
from rarewood.forest import RareForestClassifier
from rarewood.model._fitted_forest import FittedForest
from rarewood.model._fitted_tree import FittedTree
from rarewood.model._fractional_tree import FractionalTree
from rarewood.model._pilot import Pilot
from rarewood.model._row_sampling import RowSampling
from rarewood.modelfile._archive import ModelFileError
from rarewood.modelfile._bins import pack_bins
from rarewood.modelfile._trees import Arrays, pack_trees, smallest, unpack_trees, whole_numbers
from rarewood.modelfile._values import from_json, number_from_json, to_json
from rarewood.table._schema import Schema
from rarewood.tree import RareTreeClassifier

CLASSES: dict[str, Any] = {
    "RareTreeClassifier": RareTreeClassifier,
    "RareForestClassifier": RareForestClassifier,
    "C45Classifier": C45Classifier,
}


def model_to_json(model: Any, *, keep_rows: bool) -> tuple[dict[str, Any], Arrays]:
    """Return the JSON and the arrays of a fitted tree or forest.

    ``keep_rows`` includes what a forest stores of single training samples.
    """
    more: dict[str, Any]
    if isinstance(model, RareTreeClassifier):
        view = model.tree_
        more, arrays = {"max_features": int(model.max_features_)}, pack_trees([view.compiled])
    elif isinstance(model, C45Classifier):
        view = model.tree_
        more, arrays = {}, pack_trees([view.compiled])
    else:
        view = model.forest_
        more, arrays = _forest_to_json(view, keep_rows)
    if hasattr(model, "oob_score_"):
        more["oob_score"] = to_json(float(model.oob_score_), "oob_score_")
        if keep_rows and hasattr(model, "oob_decision_function_"):
            arrays["oob_decision_function"] = model.oob_decision_function_
    content = {
        "class": type(model).__name__,
        "parameters": parameters_to_json(model),
        **more,
        "leaf": view.leaf,
        "leaf_strength": to_json(view.leaf_strength, "leaf_strength"),
        "collapse": to_json(float(getattr(model, "collapse_", 0.0)), "collapse_"),
    }
    pilot = getattr(model, "pilot_", None)
    if pilot is not None:
        content["pilot"] = _pilot_to_json(pilot)
    return content, arrays | pack_bins(view.schema)


def model_from_json(
    content: Any, arrays: Mapping[str, NDArray[Any]], schema: Schema, classes: NDArray[Any]
) -> Any:
    """Invert :func:`model_to_json`."""
    name = content["class"]
    if name not in CLASSES:
        raise ModelFileError(f"Its class {str(name)[:60]!r} is not one of {list(CLASSES)}.")
    model = CLASSES[name](**parameters_from_json(content["parameters"], CLASSES[name]))
    check_parameters(model)
    trees = unpack_trees(arrays, schema, len(classes))
    leaf, strength = content["leaf"], number_from_json(content["leaf_strength"])
    trees[0].leaf_values(leaf, strength)  # an error of the core for an unknown leaf estimator
    collapse = number_from_json(content.get("collapse", 0.0))
    pilot = _pilot_from_json(content["pilot"]) if "pilot" in content else None
    if name != "RareForestClassifier" and len(trees) != 1:
        raise ModelFileError(f"It should have one tree, but has {len(trees)}.")
    if name == "C45Classifier":
        model._keep(FractionalTree(trees[0], schema, classes, leaf, strength))
        return model
    if name == "RareTreeClassifier":
        check_known(model.criterion)
        view = FittedTree(trees[0], schema, classes, leaf, strength)
        max_features = _integer(content["max_features"], 0, schema.n_features)
        model._keep(view, max_features, collapse, pilot)
        return model
    model._keep(_forest_from_json(content, arrays, trees, schema, classes), pilot)
    if "oob_score" in content:
        model.oob_score_ = float(from_json(content["oob_score"]))
        if "oob_decision_function" in arrays:
            proba = arrays["oob_decision_function"]
            if proba.dtype != np.float64 or proba.ndim != 2 or proba.shape[1] != len(classes):
                raise ModelFileError("Its out-of-bag probabilities do not have its classes.")
            model.oob_decision_function_ = proba
    return model


def parameters_to_json(model: Any) -> dict[str, Any]:
    """Convert the parameters of an estimator to JSON types, except the estimator of a wrapper."""
    parameters = model.get_params(deep=False)
    parameters.pop("estimator", None)
    if callable(parameters.get("oob_score")):
        raise TypeError(
            "oob_score is a function, which a model file cannot contain. Call "
            "model.set_params(oob_score=True) before saving; oob_score_ does not change."
        )
    return {name: to_json(value, f"The parameter {name}") for name, value in parameters.items()}


def parameters_from_json(content: Any, kind: Any) -> dict[str, Any]:
    """Invert :func:`parameters_to_json` for a class."""
    unknown = sorted(set(content) - _parameter_names(kind))
    if unknown:
        raise ModelFileError(f"{kind.__name__} has no parameters {unknown[:5]}.")
    return {name: from_json(value) for name, value in content.items()}


@cache
def _parameter_names(kind: Any) -> set[str]:
    return set(inspect.signature(kind).parameters) - {"estimator"}


def _forest_to_json(view: FittedForest, keep_rows: bool) -> tuple[dict[str, Any], Arrays]:
    arrays = pack_trees(view.compiled_trees)
    sample = view.row_sampling
    for name, rows in (("sample_codes", sample.y), ("sample_kept", sample.kept)):
        if keep_rows and rows is not None and len(rows):  # empty if they are not known
            arrays[name] = smallest(rows)
    settings = [
        {key: to_json(value, f"The parameter {key}") for key, value in one.items()}
        for one in view.parameters
    ]
    different: list[dict[str, Any]] = []
    different.extend(one for one in settings if one not in different)  # very few
    content = {
        "seed": int(view.seed),
        "row_sampling": {
            "with_replacement": sample.with_replacement,
            "total": int(sample.total),
            "per_class": [int(n) for n in sample.per_class],
            "n_rows": int(sample.n_rows),
            "by_class": sample.y is not None,
            "leaves_out_rows": sample.kept is not None,
            "class_counts": list(sample.class_counts),
        },
        "criteria": [to_json(one, "The criterion of a tree") for one in view.criteria],
        "tree_parameters": different,
        "parameters_of_tree": [different.index(one) for one in settings],
        "max_features": [int(n) for n in view.max_features],
    }
    return content, arrays


def _forest_from_json(
    content: Any,
    arrays: Mapping[str, NDArray[Any]],
    trees: list[_core.Tree],
    schema: Schema,
    classes: NDArray[Any],
) -> FittedForest:
    settings = [parameters_from_json(one, RareTreeClassifier) for one in content["tree_parameters"]]
    of_tree = [settings[_integer(i, 0, len(settings) - 1)] for i in content["parameters_of_tree"]]
    criteria = [from_json(one) for one in content["criteria"]]
    for criterion in criteria:
        check_known(criterion)
    max_features = [_integer(n, 0, schema.n_features) for n in content["max_features"]]
    if not len(trees) == len(of_tree) == len(criteria) == len(max_features):
        raise ModelFileError("Its lists do not have one entry per tree.")
    return FittedForest(
        compiled_trees=trees,
        schema=schema,
        classes=classes,
        leaf=content["leaf"],
        leaf_strength=number_from_json(content["leaf_strength"]),
        collapse=number_from_json(content.get("collapse", 0.0)),
        seed=_integer(content["seed"], 0, 2**64 - 1),
        row_sampling=_sample(content["row_sampling"], arrays, trees, len(classes)),
        criteria=criteria,
        parameters=of_tree,
        max_features=max_features,
    )


def _pilot_to_json(pilot: Pilot) -> dict[str, Any]:
    values = {name: getattr(pilot, name) for name in pilot.__dataclass_fields__}
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in values.items()
    }


def _pilot_from_json(content: Any) -> Pilot:
    pilot = Pilot(
        leaf_strengths=np.array([number_from_json(x) for x in content["leaf_strengths"]]),
        collapses=np.array([number_from_json(x) for x in content["collapses"]]),
        log_loss=np.array([[number_from_json(x) for x in row] for row in content["log_loss"]]),
        leaf_strength=number_from_json(content["leaf_strength"]),
        collapse=number_from_json(content["collapse"]),
        n_samples=_integer(content["n_samples"], 1, _core.MAX_ROWS),
        n_folds=_integer(content["n_folds"], 1, _core.MAX_ROWS),
        n_trees=_integer(content["n_trees"], 1, _core.MAX_ROWS),
    )
    shape = (pilot.leaf_strengths.size, pilot.collapses.size)
    if not pilot.log_loss.size or pilot.log_loss.shape != shape:
        raise ModelFileError("Its pilot does not have a loss for each strength and collapse.")
    return pilot


def _sample(
    content: Any, arrays: Mapping[str, NDArray[Any]], trees: list[_core.Tree], n_classes: int
) -> RowSampling:
    n_rows = _integer(content["n_rows"], 1, _core.MAX_ROWS)
    # Samples of a tree are drawn on demand, so their number is limited.
    most = int(trees[0].counts[0].sum())
    per_class = tuple(_integer(n, 0, most) for n in content["per_class"])
    if len(per_class) not in (0, n_classes):
        raise ModelFileError("It does not have one number of drawn samples per class.")
    codes = _rows(arrays, "sample_codes", bool(content["by_class"]), n_rows)
    if codes is not None and codes.size and codes.max() >= n_classes:
        raise ModelFileError("It has drawn from unknown classes.")
    kept = _rows(arrays, "sample_kept", bool(content["leaves_out_rows"]), n_rows)
    counts = [_integer(n, 0, n_rows) for n in content["class_counts"]]
    if len(counts) not in (0, n_classes):
        raise ModelFileError("It does not have one number of training samples per class.")
    sample = RowSampling(
        with_replacement=bool(content["with_replacement"]),
        total=_integer(content["total"], 0, most),
        per_class=per_class,
        n_rows=n_rows,
        y=codes,
        kept=None if kept is None else kept.astype(np.intp),
        class_counts=tuple(counts),
    )
    _core.RowSampling(**sample.core_arguments)  # raises for settings that no forest has
    return sample


def _rows(
    arrays: Mapping[str, NDArray[Any]], name: str, is_needed: bool, n_rows: int
) -> NDArray[np.int32] | None:
    """Return a number per training row; empty if the file has none."""
    if not is_needed:
        return None
    if name not in arrays:
        return np.empty(0, dtype=np.int32)
    rows = whole_numbers(arrays[name], np.int32, name)
    if rows.shape != (n_rows,):
        raise ModelFileError(
            f"Its array {name!r} does not have one number for each of {n_rows} rows."
        )
    return rows


def _integer(value: Any, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ModelFileError(f"It has the number {str(value)[:40]} outside {low} to {high}.")
    return value
