"""Transformers of scikit-learn as JSON, and back: a closed list.

A transformer is restored by a fit on a table of one or two rows with the stored parameters, which
sets all that its version of scikit-learn needs. It then gets the stored values, which must have the
types and shapes of those that the fit has set. So a file can only choose among states of these
classes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rarewood.modelfile._archive import ModelFileError
from rarewood.modelfile._models import parameters_from_json
from rarewood.modelfile._values import array_from_json, array_to_json, from_json, to_json

_FLOATS = ("<f4", "<f8")
_TABLE_TYPES = ("<f4", "<f8", "<i4", "<i8", "|O")
_OUTPUTS = ("default", "pandas", "polars", None)
_OWN = ("n_features_in_", "feature_names_in_", "_sklearn_output_config")
MOST_FEATURES = 2**20
_LARGEST_COUNT = 2.0**53


class Entry(NamedTuple):
    """How one class is written, and how it is read given its parameters and width."""

    module: str
    write: Callable[[Any], dict[str, Any]]
    read: Callable[[Any, dict[str, Any], int], Any]
    private: tuple[str, ...] = ()
    """Attributes that the fit on a small table sets."""


def kind_of(part: Any) -> str | None:
    """Return the name of a transformer of the list; None for another object."""
    name = type(part).__name__
    if name not in TRANSFORMERS:
        return None
    return name if getattr(import_module(TRANSFORMERS[name].module), name) is type(part) else None


def transformer_to_json(part: Any) -> dict[str, Any]:
    """Return the JSON of a fitted transformer of the list."""
    name = type(part).__name__
    entry = TRANSFORMERS[name]
    content = entry.write(part)
    known = {*part.get_params(deep=False), *content, *entry.private, *_OWN}
    if unknown := sorted(set(vars(part)) - known):
        raise TypeError(f"rarewood.save does not support {name} with the attributes {unknown}.")
    return {
        "class": name,
        "parameters": _parameters_to_json(part),
        **table_to_json(part),
        **content,
    }


def transformer_from_json(content: Any) -> Any:
    """Invert :func:`transformer_to_json`."""
    entry = TRANSFORMERS[content["class"]]
    kind = getattr(import_module(entry.module), content["class"])
    parameters = _parameters_from_json(content["parameters"], kind)
    n_features = whole(content["n_features"], 1, MOST_FEATURES)
    part = entry.read(kind, {**content, "parameters": parameters}, n_features)
    return with_table(part, content)


def table_to_json(part: Any) -> dict[str, Any]:
    """Return the width, the names of the columns and the container of the output of a part."""
    names = getattr(part, "feature_names_in_", None)
    output = getattr(part, "_sklearn_output_config", {}).get("transform")
    return {
        "n_features": int(getattr(part, "n_features_in_", 0)),
        "names": None if names is None else [str.__str__(name) for name in names],
        "output": output,
    }


def with_table(part: Any, content: Any) -> Any:
    """Return a part with what :func:`table_to_json` describes."""
    n_features, names, output = content["n_features"], content["names"], content["output"]
    part.n_features_in_ = whole(n_features, 0, MOST_FEATURES)
    if names is not None:
        part.feature_names_in_ = names_from_json(names, n_features)
    if not isinstance(output, str | None) or output not in _OUTPUTS:
        raise ModelFileError(f"It has the unknown container {str(output)[:40]!r}.")
    return part if output is None else part.set_output(transform=output)


def names_from_json(names: Any, n_features: int) -> NDArray[np.object_]:
    """Return names of columns, one for each."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ModelFileError("The names of its columns are not texts.")
    if len(names) != n_features:
        raise ModelFileError("It does not have one name per column.")
    return np.array(names, dtype=object)


def whole(value: Any, low: int, high: int) -> int:
    """Return an integer within bounds."""
    if type(value) is not int or not low <= value <= high:
        raise ModelFileError(f"It has {str(value)[:40]!r}, not an integer of {low} to {high}.")
    return value


def number(value: Any) -> float:
    """Return a number, which may be infinite but not missing."""
    found = from_json(value)
    if type(found) not in (int, float) or math.isnan(found):
        raise ModelFileError(f"It has {str(found)[:40]!r}, not a number.")
    return float(found)


def floats_to_json(array: Any, what: str) -> dict[str, Any]:
    """Convert an array of one dimension, in which floats may be missing."""
    array = np.asarray(array)
    if array.ndim == 1 and array.dtype.str in _FLOATS:
        values = [to_json(float(value), what) for value in array]
        return {"dtype": array.dtype.str, "values": values}
    return array_to_json(array, what)


def floats_from_json(value: Any) -> NDArray[Any]:
    """Invert :func:`floats_to_json`."""
    if value["dtype"] not in _FLOATS:
        return array_from_json(value)
    values = from_json(value["values"])
    if not isinstance(values, list) or not all(type(one) in (int, float) for one in values):
        raise ModelFileError("It has an array that is not a list of numbers.")
    return np.array(values, dtype=value["dtype"])


def _parameters_to_json(part: Any) -> dict[str, Any]:
    given = part.get_params(deep=False)
    if "categories" in given and not isinstance(given["categories"], str):
        given["categories"] = None  # those that the transformer has
    if isinstance(given.get("dtype"), type):
        given["dtype"] = np.dtype(given["dtype"]).str
    what = type(part).__name__
    return {name: to_json(value, f"{name} of {what}") for name, value in given.items()}


def _parameters_from_json(content: Any, kind: Any) -> dict[str, Any]:
    parameters = parameters_from_json(content, kind)
    if "dtype" in parameters:
        if parameters["dtype"] not in _TABLE_TYPES[:-1]:
            raise ModelFileError("It has an unknown type of numbers.")
        parameters["dtype"] = np.dtype(parameters["dtype"]).type
    return parameters


# ---------------------------------------------------------------- scalers

_SCALERS: dict[str, tuple[str, ...]] = {
    "MaxAbsScaler": ("max_abs_", "scale_", "n_samples_seen_"),
    "MinMaxScaler": (
        "min_", "scale_", "data_min_", "data_max_", "data_range_", "n_samples_seen_",
    ),
    "RobustScaler": ("center_", "scale_"),
    "StandardScaler": ("mean_", "var_", "scale_", "n_samples_seen_"),
}  # fmt: skip


def _scaler_to_json(part: Any) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for name in _SCALERS[type(part).__name__]:
        value = getattr(part, name)
        is_array = isinstance(value, np.ndarray) and value.ndim == 1
        content[name] = floats_to_json(value, name) if is_array else to_json(value, name)
    return content


def _scaler_from_json(kind: Any, content: dict[str, Any], n_features: int) -> Any:
    part = kind(**content["parameters"]).fit(np.zeros((2, n_features)))
    for name in _SCALERS[kind.__name__]:
        value, has_value = content[name], getattr(part, name) is not None
        if (value is not None) != has_value:
            raise ModelFileError(f"Its {kind.__name__} does not have the {name} of its parameters.")
        if name == "n_samples_seen_" and type(value) in (int, float):  # also a sum of weights
            if not 0 < value <= _LARGEST_COUNT:
                raise ModelFileError("A scaler has seen an impossible number of samples.")
            setattr(part, name, value)
        elif has_value:
            setattr(part, name, _per_feature(value, n_features))
    # MinMaxScaler multiplies by it, the others divide.
    if kind.__name__ != "MinMaxScaler" and part.scale_ is not None and (part.scale_ == 0).any():
        raise ModelFileError(f"Its {kind.__name__} divides by zero.")
    return part


def _per_feature(value: Any, n_features: int) -> NDArray[Any]:
    array = floats_from_json(value)
    if array.dtype.kind not in "if" or array.shape != (n_features,):
        raise ModelFileError("A transformer does not have one number per column.")
    return array


# ---------------------------------------------------------------- imputers and encoders


def _imputer_to_json(part: Any) -> dict[str, Any]:
    dtype = np.dtype(part._fit_dtype).str
    if dtype not in _TABLE_TYPES:
        raise TypeError(f"rarewood.save does not support SimpleImputer for the type {dtype}.")
    indicator = part.indicator_
    features = None if indicator is None else [int(feature) for feature in indicator.features_]
    return {
        "statistics_": floats_to_json(part.statistics_, "statistics_"),
        "table_type": dtype,
        "indicated": features,
    }


def _imputer_from_json(kind: Any, content: dict[str, Any], n_features: int) -> Any:
    if content["table_type"] not in _TABLE_TYPES:
        raise ModelFileError("An imputer is for an unknown type.")
    dtype = np.dtype(content["table_type"])
    row = np.full((1, n_features), "" if dtype.kind == "O" else 0, dtype=dtype)
    part = kind(**content["parameters"]).fit(row)
    statistics = floats_from_json(content["statistics_"])
    if statistics.shape != (n_features,) or statistics.dtype.kind not in "ifO":
        raise ModelFileError("An imputer does not have one value per column.")
    part.statistics_ = statistics
    features = content["indicated"]
    if (features is not None) != (part.indicator_ is not None):
        raise ModelFileError("An imputer does not have the indicator of its parameters.")
    if features is not None:
        found = [whole(feature, 0, n_features - 1) for feature in features]
        if found != sorted(set(found)):
            raise ModelFileError("The indicator of an imputer repeats columns.")
        part.indicator_.features_ = np.array(found, dtype=np.int64)
    return part


def _encoder_to_json(part: Any) -> dict[str, Any]:
    if part.min_frequency is not None or part.max_categories is not None:
        raise TypeError(
            f"rarewood.save does not support {type(part).__name__} with min_frequency or "
            "max_categories. Group rare categories before."
        )
    return {"categories_": [floats_to_json(own, "A category") for own in part.categories_]}


def _encoder_from_json(kind: Any, content: dict[str, Any], n_features: int) -> Any:
    given = content["parameters"]
    if given.get("min_frequency") is not None or given.get("max_categories") is not None:
        raise ModelFileError("An encoder groups rare categories, which files do not contain.")
    categories = [floats_from_json(own) for own in content["categories_"]]
    if len(categories) != n_features or not all(len(own) for own in categories):
        raise ModelFileError("An encoder does not have categories for each column.")
    row = np.empty((1, n_features), dtype=object)
    row[0] = [own[0] for own in categories]
    objects = [own.astype(object) for own in categories]
    part = kind(**{**given, "categories": objects}).fit(row)
    part.categories_ = categories
    return part.set_params(categories=given["categories"] or categories)


def _function_to_json(part: Any) -> dict[str, Any]:
    if part.func is not None or part.inverse_func is not None:
        raise TypeError(
            "rarewood.save does not support FunctionTransformer with a function, which a file "
            "cannot contain. Apply the function before."
        )
    return {}


_ENCODER = (
    "_infrequent_enabled", "_drop_idx_after_grouping", "drop_idx_", "_n_features_outs",
    "_missing_indices",
)  # fmt: skip
TRANSFORMERS: dict[str, Entry] = {
    **{
        name: Entry("sklearn.preprocessing", _scaler_to_json, _scaler_from_json)
        for name in _SCALERS
    },
    **{
        name: Entry("sklearn.preprocessing", _encoder_to_json, _encoder_from_json, _ENCODER)
        for name in ("OneHotEncoder", "OrdinalEncoder")
    },
    "FunctionTransformer": Entry(
        "sklearn.preprocessing",
        _function_to_json,
        lambda kind, content, _: kind(**content["parameters"]),
    ),
    "SimpleImputer": Entry(
        "sklearn.impute",
        _imputer_to_json,
        _imputer_from_json,
        ("_fit_dtype", "_fill_dtype", "indicator_"),
    ),
}
