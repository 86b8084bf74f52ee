"""Inputs of an ONNX graph, and the matrix of numbers that trees compare."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rarewood.export._onnx._graph import ML, Graph, element_type, tensor
from rarewood.export._scorer import Scorer

Inputs = Literal["auto", "matrix", "columns"]
_LARGEST_WHOLE = 2**53  # every smaller integer is a float
_OUTPUTS = ("label", "probabilities")


@dataclass
class InputMaker:
    """Makes the inputs of a graph; ``infos`` are their names and types."""

    graph: Graph
    scorer: Scorer
    dtype: np.dtype[Any]

    def __post_init__(self) -> None:
        self.infos: list[Any] = []

    def matrix(self) -> str:
        """Add one input for the encoded table."""
        given = self._input("X", self.dtype, self.scorer.schema.n_features)
        return self._as_double(given)

    def columns(self) -> str:
        """Add one input per feature, in which categories are raw values."""
        categories = self.scorer.schema.categories
        parts = []
        for index, name in enumerate(input_names(self.scorer)):
            if index in categories:
                parts.append(self._categorical(name, category_keys(categories[index], name)))
            else:
                parts.append(self._as_double(self._input(name, self.dtype, 1)))
        return self.graph.add("Concat", *parts, axis=1)

    def _input(self, name: str, dtype: np.dtype[Any], width: int) -> str:
        helper = self.graph.helper
        self.infos.append(
            helper.make_tensor_value_info(name, element_type(dtype), ["n_samples", width])
        )
        return name

    def _as_double(self, value: str) -> str:
        return value if self.dtype == np.float64 else self.graph.to(value, np.float64)

    def _categorical(self, name: str, keys: NDArray[Any]) -> str:
        """Add an input of raw categories; NaN for values that training did not have."""
        given = self._input(name, keys.dtype, 1)
        if not len(keys):  # no value in training: all are missing
            return self.graph.add("Mul", self._like(given), self.graph.constant(np.nan))
        return self.graph.add(
            "LabelEncoder",
            given,
            domain=ML,
            keys_tensor=tensor(keys),
            values_tensor=tensor(np.arange(len(keys), dtype=np.float64)),
            default_tensor=tensor(np.array([np.nan])),
        )

    def _like(self, given: str) -> str:
        """Return a matrix of ones in the shape of a value."""
        one = tensor(np.ones(1))
        return self.graph.add("ConstantOfShape", self.graph.add("Shape", given), value=one)


def input_names(scorer: Scorer) -> list[str]:
    """Return a distinct name for the input of each feature."""
    taken = set(_OUTPUTS)
    names = []
    for index, name in enumerate(scorer.feature_names):
        name = name or f"feature_{index}"
        while name in taken:
            name += "_"
        taken.add(name)
        names.append(name)
    return names


def category_keys(categories: Any, name: str) -> NDArray[Any]:
    """Return the categories as texts, or as floats if they are numbers or booleans."""
    values = categories.values.tolist()
    if categories.family in ("text", None):
        _check_texts(values, name)
        keys = np.empty(len(values), dtype=object)
        keys[:] = values
        return keys
    is_exact = categories.family in ("number", "bool") and all(
        float(value) == value and abs(value) <= _LARGEST_WHOLE for value in values
    )
    if not is_exact:
        raise TypeError(
            f"The categories of column {name!r} are neither text nor numbers that a float "
            'represents exactly. Use inputs="matrix", and encode the categories before.'
        )
    return np.array(values, dtype=np.float64)


def _check_texts(values: list[str], name: str) -> None:
    try:
        for value in values:
            value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"A category of column {name!r} is not valid Unicode ({error}), which ONNX cannot "
            'contain. Use inputs="matrix".'
        ) from error


def description(scorer: Scorer) -> str:
    """Return the features as JSON, with the categories in the order of their numbers."""
    columns = []
    names = zip(scorer.feature_names, input_names(scorer), strict=True)
    for index, (name, input_name) in enumerate(names):
        column: dict[str, Any] = {"name": name, "input": input_name, "kind": "numeric"}
        if index in scorer.schema.categories:
            values = scorer.schema.categories[index].values.tolist()
            column |= {"kind": "categorical", "categories": values}
        columns.append(column)
    return json.dumps(columns, default=str)
