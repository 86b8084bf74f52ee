"""Parameters, labels and categories as JSON, and back.

Text, integers, booleans, null, finite floats and lists are written as such. Everything else is an
object with a ``"type"`` of ``_KINDS``. Records are dataclasses of ``_RECORDS``; no other class is
ever looked up by name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from decimal import Decimal
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.criteria import Criterion
from rarewood.model._sampling_schemes import SCHEMES
from rarewood.modelfile._archive import ModelFileError

_DTYPE = re.compile(r"[<>|=]?(b1|[iu][1248]|f[248]|[US]\d{1,7})")
_LARGEST_ARRAY = 2**26  # bytes of labels; a wide text type must not fill the memory
_MT_WORDS = 624

_RECORDS = {
    "rarewood.criteria": ("BetaAlpha",),
    "rarewood.model._pruning": ("CostComplexity", "Error", "Fisher"),
    "rarewood.operating._confusion": ("Confusion",),
    "rarewood.operating._limits": ("AlertBudget", "PrecisionFloor", "RecallFloor"),
    "rarewood.operating._point": ("Achieved",),
    "rarewood.operating._rules": ("BestF", "GivenThreshold", "LowestCost"),
}


def to_json(value: Any, what: str) -> Any:
    """Convert a value to JSON types; ``what`` names it in errors."""
    if isinstance(value, np.generic) and not isinstance(value, (str, bytes)):
        value = value.item()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    if isinstance(value, list):
        return [to_json(item, what) for item in value]
    if is_dataclass(value) and _record_class(type(value).__name__) is type(value):
        items = {one.name: to_json(getattr(value, one.name), one.name) for one in fields(value)}
        return {"type": "record", "class": type(value).__name__, "values": items}
    for kind, (known, write, _) in _KINDS.items():
        if isinstance(value, known):
            return {"type": kind, **write(value, what)}
    if hasattr(value, "__array__"):  # a Series or an Index
        return {"type": "array", **array_to_json(np.asarray(value), what)}
    raise TypeError(
        f"{what} is of the type {type(value).__name__}, which a model file cannot contain. Replace "
        "it by text, numbers or booleans, or use skops or joblib for this model."
    )


def from_json(value: Any) -> Any:
    """Invert :func:`to_json`."""
    if isinstance(value, list):
        return [from_json(item) for item in value]
    if not isinstance(value, dict):
        return value
    kind = value.get("type")
    if kind == "record":
        return _record(value)
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ModelFileError(f"It has a value of the unknown type {str(kind)[:40]!r}.")
    return _KINDS[kind][2](value)


def _record(value: dict[str, Any]) -> Any:
    record_class = _record_class(value["class"])
    if record_class is None:
        raise ModelFileError(f"It has a record of the unknown class {str(value['class'])[:40]!r}.")
    return record_class(**{key: from_json(item) for key, item in value["values"].items()})


def _record_class(name: Any) -> Any:
    """Return the class of a record, which may be a registered scheme of row sampling; else None."""
    for module, names in _RECORDS.items():
        if name in names:
            return getattr(import_module(module), name)
    return next((scheme for scheme in SCHEMES.values() if scheme.__name__ == name), None)


def _special_float(value: dict[str, Any]) -> float:
    if value.get("value") not in ("nan", "inf", "-inf"):
        raise ModelFileError("It has an invalid number.")
    return float(value["value"])


def array_to_json(array: NDArray[Any], what: str) -> dict[str, Any]:
    """Convert a one-dimensional array to JSON types."""
    if array.ndim != 1:
        raise TypeError(f"{what} must have one dimension to be saved in a model file.")
    kind = array.dtype.kind
    dtype = {"O": "object", "T": "string"}.get(kind, array.dtype.str)
    if kind not in "OT" and not _DTYPE.fullmatch(dtype):
        raise TypeError(f"{what} has the type {array.dtype}, which a model file cannot contain.")
    return {"dtype": dtype, "values": [to_json(item, what) for item in array.tolist()]}


def array_from_json(value: Any) -> NDArray[Any]:
    """Invert :func:`array_to_json`."""
    dtype, values = value["dtype"], from_json(value["values"])
    if not isinstance(values, list) or any(isinstance(v, (list, dict, tuple)) for v in values):
        raise ModelFileError("It has an array that is not a list of values.")
    if dtype == "object":
        array: NDArray[Any] = np.empty(len(values), dtype=object)
        array[:] = values
        return array
    if dtype == "string" and hasattr(np.dtypes, "StringDType"):
        return np.array(values, dtype=np.dtypes.StringDType())
    if not isinstance(dtype, str) or not _DTYPE.fullmatch(dtype):
        raise ModelFileError(f"It has an array of the unknown type {str(dtype)[:40]!r}.")
    resolved = np.dtype(dtype)
    if resolved.itemsize * len(values) > _LARGEST_ARRAY:
        raise ModelFileError("It has an array of labels that is too large.")
    array = np.array(values, dtype=resolved)
    if array.tolist() != values:  # truncated text, an overflow, or NaN
        raise ModelFileError(f"It has an array whose values do not have the type {dtype}.")
    return array


def _dict_to_json(value: dict[Any, Any], what: str) -> dict[str, Any]:
    return {"items": [[to_json(k, what), to_json(v, what)] for k, v in value.items()]}


def _state_to_json(value: np.random.RandomState, what: str) -> dict[str, Any]:
    state = value.get_state(legacy=False)
    if state["bit_generator"] != "MT19937":
        raise TypeError(
            f"{what} uses {state['bit_generator']}, which a model file cannot contain. "
            "Set it to an integer."
        )
    inner = state["state"]
    return {
        "key": inner["key"].tolist(),
        "pos": int(inner["pos"]),
        "has_gauss": int(state["has_gauss"]),
        "gauss": to_json(float(state["gauss"]), what),
    }


def _state_from_json(value: Any) -> np.random.RandomState:
    key = np.array(value["key"], dtype=np.uint32)
    if key.shape != (_MT_WORDS,) or not 0 <= value["pos"] <= _MT_WORDS:
        raise ModelFileError("It has an invalid state of a random number generator.")
    state = np.random.RandomState(0)
    gauss = (int(bool(value["has_gauss"])), float(from_json(value["gauss"])))
    state.set_state(("MT19937", key, int(value["pos"]), *gauss))
    return state


# name in the file -> (types, to JSON, from JSON)
_KINDS: dict[str, tuple[Any, Callable[[Any, str], dict[str, Any]], Callable[[Any], Any]]] = {
    "float": (float, lambda v, _: {"value": repr(float(v))}, _special_float),
    "bytes": (bytes, lambda v, _: {"hex": v.hex()}, lambda v: bytes.fromhex(v["hex"])),
    "decimal": (Decimal, lambda v, _: {"value": str(v)}, lambda v: Decimal(v["value"])),
    "tuple": (
        tuple,
        lambda v, what: {"items": [to_json(item, what) for item in v]},
        lambda v: tuple(from_json(item) for item in v["items"]),
    ),
    "dict": (
        dict,
        _dict_to_json,
        lambda v: {from_json(key): from_json(item) for key, item in v["items"]},
    ),
    "array": (np.ndarray, array_to_json, array_from_json),
    "criterion": (
        Criterion,
        lambda v, what: {"name": v.name, "parameters": _dict_to_json(v.parameters, what)},
        lambda v: Criterion(v["name"], **dict(map(from_json, v["parameters"]["items"]))),
    ),
    "RandomState": (np.random.RandomState, _state_to_json, _state_from_json),
}
