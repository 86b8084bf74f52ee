"""ColumnTransformer as JSON, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from rarewood.modelfile._archive import ModelFileError
from rarewood.modelfile._models import parameters_from_json
from rarewood.modelfile._transformers import table_to_json, whole, with_table
from rarewood.modelfile._values import to_json as value_to_json

_WORDS = ("drop", "passthrough")
_REST = "remainder"
_MOST_OUTPUTS = 2**31
# Without n_jobs: a file must not choose a number of processes.
_OPTIONS = (
    "sparse_threshold", "transformer_weights", "verbose", "verbose_feature_names_out",
)  # fmt: skip


def is_one(part: Any) -> bool:
    """Whether a part is a ColumnTransformer of scikit-learn."""
    kind = type(part)
    return kind.__name__ == "ColumnTransformer" and kind.__module__.startswith("sklearn.")


def to_json(part: Any, write: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """Return the JSON of a fitted ColumnTransformer; ``write`` is for its transformers.

    A function that selects columns is replaced by the columns that it has selected.
    """
    check_is_fitted(part)

    def written(name: str, transformer: Any) -> Any:
        if not part._transformer_to_input_indices[name]:
            return "drop"  # it is not fitted without columns, and not used
        return transformer if isinstance(transformer, str) else write(transformer)

    given = zip(part.transformers, part._columns, strict=True)
    outputs = part.output_indices_.items()
    return {
        "class": "ColumnTransformer",
        "parameters": {
            name: value_to_json(getattr(part, name), f"{name} of ColumnTransformer")
            for name in _OPTIONS
        },
        **table_to_json(part),
        "given": [
            [name, transformer if isinstance(transformer, str) else None, _columns_to_json(columns)]
            for (name, transformer, _), columns in given
        ],
        "rest": part.remainder if isinstance(part.remainder, str) else None,
        "rest_columns": _columns_to_json(part._remainder[2]),
        "fitted": [
            [name, written(name, transformer), _columns_to_json(columns)]
            for name, transformer, columns in part.transformers_
        ],
        "inputs": [
            [name, [int(index) for index in indices]]
            for name, indices in part._transformer_to_input_indices.items()
        ],
        "outputs": [[name, int(own.start), int(own.stop)] for name, own in outputs],
        "sparse": bool(part.sparse_output_),
    }


def from_json(content: Any, read: Callable[[Any], Any]) -> Any:
    """Invert :func:`to_json`."""
    from sklearn.compose import ColumnTransformer

    options = parameters_from_json(content["parameters"], ColumnTransformer)
    if set(options) - set(_OPTIONS):
        raise ModelFileError("A ColumnTransformer has unknown parameters.")
    fitted = [
        (_name(name), _word(part) if isinstance(part, str) else read(part), _columns(columns))
        for name, part, columns in content["fitted"]
    ]
    of_name = {name: part for name, part, _ in fitted}
    if len(of_name) < len(fitted):
        raise ModelFileError("Two transformers have the same name.")
    given = [
        (_name(name), _template(word, of_name.get(name)), _columns(columns))
        for name, word, columns in content["given"]
    ]
    rest = _template(content["rest"], of_name.get(_REST))
    part = ColumnTransformer(given, remainder=rest, **options)
    part.transformers_ = fitted
    part._columns = [columns for _, _, columns in given]
    part._remainder = (_REST, rest, _columns(content["rest_columns"]))
    part.output_indices_ = {
        _name(name): slice(whole(start, 0, _MOST_OUTPUTS), whole(stop, start, _MOST_OUTPUTS))
        for name, start, stop in content["outputs"]
    }
    part.sparse_output_ = content["sparse"] is True
    names = {_REST, *(name for name, _, _ in given)}
    if not of_name.keys() <= names == part.output_indices_.keys():
        raise ModelFileError("A ColumnTransformer lacks outputs of a transformer.")
    with_table(part, content)
    part._transformer_to_input_indices = _inputs(part, content["inputs"])
    return part


def _inputs(part: Any, content: Any) -> dict[str, list[int]]:
    """Return the positions of the columns of each transformer, which follow from its columns."""
    names = list(getattr(part, "feature_names_in_", ()))
    given = {_name(name): indices for name, indices in content}
    if given.keys() != {_REST, *(name for name, _, _ in part.transformers)}:
        raise ModelFileError("It does not have columns for every transformer.")
    for name, _, columns in [*part.transformers, *part.transformers_, part._remainder]:
        found = _positions(columns, names, part.n_features_in_)
        if len(found) != len(given[name]) or list(found) != given[name]:
            raise ModelFileError(f"The transformer {name[:40]!r} has different columns.")
    return {name: [int(index) for index in indices] for name, indices in given.items()}


def _positions(columns: Any, names: list[str], n_features: int) -> Sequence[int]:
    """Return the positions of chosen columns, as scikit-learn resolves them."""
    if isinstance(columns, slice):
        start, stop = columns.start, columns.stop
        start = names.index(start) if isinstance(start, str) else start
        stop = names.index(stop) + 1 if isinstance(stop, str) else stop
        return range(n_features)[start : stop : columns.step]  # of any length: not a list
    chosen = columns if isinstance(columns, list) else [columns]
    if chosen and all(isinstance(one, bool) for one in chosen):
        if len(chosen) != n_features:
            raise ModelFileError("A mask of columns does not have their number.")
        return [position for position, one in enumerate(chosen) if one]
    everything = range(n_features)
    return [everything[names.index(one) if isinstance(one, str) else one] for one in chosen]


def _name(name: Any) -> str:
    if not isinstance(name, str):
        raise ModelFileError("A transformer has no name.")
    return name


def _word(word: Any) -> Any:
    if word not in _WORDS:
        raise ModelFileError(f"A transformer is {str(word)[:40]!r}.")
    return word


def _template(word: Any, fitted: Any) -> Any:
    """Return what was given for a transformer: a word, or the fitted one without its state."""
    if word is not None:
        return _word(word)
    if fitted is None or isinstance(fitted, str):
        return "drop"  # of no columns
    return clone(fitted)


def _columns_to_json(columns: Any) -> dict[str, Any]:
    """Convert a choice of columns: one of them, several, or a slice."""
    if isinstance(columns, slice):
        ends = (columns.start, columns.stop, columns.step)
        return {"slice": [value_to_json(end, "A column") for end in ends]}
    if isinstance(columns, (str, int, np.integer)):
        return {"one": value_to_json(columns, "A column")}
    return {"list": [value_to_json(one, "A column") for one in list(columns)]}


def _columns(content: Any) -> Any:
    """Invert :func:`_columns_to_json`."""
    ((kind, value),) = content.items()
    found = [value] if kind == "one" else value
    if not isinstance(found, list) or kind not in ("one", "list", "slice"):
        raise ModelFileError("A transformer has no columns.")
    allowed = (str, int, type(None)) if kind == "slice" else (str, int, bool)
    if not all(type(one) in allowed for one in found):
        raise ModelFileError("A column is neither a name nor a number.")
    if kind == "slice":
        start, stop, step = found
        return slice(start, stop, step)
    return found[0] if kind == "one" else found
