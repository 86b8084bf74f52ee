"""Parameters, labels and categories as JSON, and back.

Text, integers, booleans, null, finite floats and lists are written as such. Everything else is an
object with a ``"type"`` of ``_KINDS``. Records are dataclasses of ``RECORDS``; no other class is
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

from rarewood.criteria import Criterion, Custom
from rarewood.model._sampling_schemes import SCHEMES
from rarewood.modelfile._archive import ModelFileError

_DTYPE = re.compile(r"[<>|=]?(b1|[iu][1248]|f[248]|[US]\d{1,7})", re.ASCII)
_LARGEST_ARRAY = 2**22  # bytes of labels; a wide text type must not fill the memory
# As str writes it, with few digits: the integer 1E+10000000 would have as many as it says.
_DECIMAL = re.compile(r"-?(\d{1,999}(\.\d{1,999})?(E[+-]\d{1,3})?|Infinity)", re.ASCII)
# Types of the values of an array, by the kind of its dtype: NumPy would convert others.
_TYPES: dict[str, tuple[type, ...]] = {
    "b": (bool,), "i": (int,), "u": (int,), "f": (float,), "U": (str,), "S": (bytes,),
}  # fmt: skip
SCALARS = (str, bool, int, float, bytes, Decimal, type(None))
"""Types of labels and categories."""
_MOST_EQUAL_HASHES = 64
_MT_WORDS = 624

RECORDS = {
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
    for module, names in RECORDS.items():
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
    if kind not in "OT" and array.nbytes > _LARGEST_ARRAY:
        raise TypeError(
            f"{what} is in an array of the type {array.dtype} of {array.nbytes:,} bytes; a model "
            f"file can contain at most {_LARGEST_ARRAY:,}. Use an array of the type object."
        )
    return {"dtype": dtype, "values": [to_json(item, what) for item in array.tolist()]}


def array_from_json(value: Any) -> NDArray[Any]:
    """Invert :func:`array_to_json`."""
    dtype, values = value["dtype"], from_json(value["values"])
    if not isinstance(values, list) or not all(isinstance(v, SCALARS) for v in values):
        raise ModelFileError("It has an array that is not a list of values.")
    if dtype == "object":
        array: NDArray[Any] = np.empty(len(values), dtype=object)
        array[:] = values
        return array
    if dtype == "string" and hasattr(np.dtypes, "StringDType"):
        _check_types(values, "U")
        return np.array(values, dtype=np.dtypes.StringDType())
    if not isinstance(dtype, str) or not _DTYPE.fullmatch(dtype):
        raise ModelFileError(f"It has an array of the unknown type {str(dtype)[:40]!r}.")
    resolved = np.dtype(dtype)
    _check_types(values, resolved.kind)
    if resolved.itemsize * len(values) > _LARGEST_ARRAY:
        raise ModelFileError("It has an array of labels that is too large.")
    array = np.array(values, dtype=resolved)
    if array.tolist() != values:  # truncated text, an overflow, or NaN
        raise ModelFileError(f"It has an array whose values do not have the type {dtype}.")
    return array


def _check_types(values: list[Any], kind: str) -> None:
    if not all(type(value) in _TYPES[kind] for value in values):
        raise ModelFileError("It has an array whose values do not have its type.")


def are_distinct(values: list[Any]) -> bool:
    """Whether no two values are equal, in linear time.

    A file may have numbers with equal hashes, on which a set would take quadratic time: it is
    refused.
    """
    hashes = np.fromiter(map(hash, values), dtype=np.int64, count=len(values))
    if len(values) and np.unique(hashes, return_counts=True)[1].max() > _MOST_EQUAL_HASHES:
        raise ModelFileError("It has many values with equal hashes, or duplicate values.")
    return len(set(values)) == len(values)


def number_from_json(value: Any) -> float:
    """Return a finite number, at least 0."""
    number = from_json(value)
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    if not is_number or not 0 <= number < math.inf:
        raise ModelFileError(f"It has {str(number)[:40]!r}, not a finite number of at least 0.")
    return float(number)


def _decimal_to_json(value: Decimal, what: str) -> dict[str, Any]:
    if not _DECIMAL.fullmatch(str(value)):
        raise TypeError(f"{what} is {str(value)[:40]}, a decimal that a model file cannot contain.")
    return {"value": str(value)}


def _decimal_from_json(value: dict[str, Any]) -> Decimal:
    text = value["value"]
    if not isinstance(text, str) or not _DECIMAL.fullmatch(text):
        raise ModelFileError(f"It has an invalid decimal {str(text)[:40]!r}.")
    return Decimal(text)


def _dict_from_json(value: dict[str, Any]) -> dict[Any, Any]:
    keys = [from_json(key) for key, _ in value["items"]]
    if not are_distinct(keys):
        raise ModelFileError("It has a key twice.")
    return dict(zip(keys, (from_json(item) for _, item in value["items"]), strict=True))


def _dict_to_json(value: dict[Any, Any], what: str) -> dict[str, Any]:
    return {"items": [[to_json(k, what), to_json(v, what)] for k, v in value.items()]}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ModelFileError("It has a name that is not text.")
    return value


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
    "decimal": (Decimal, _decimal_to_json, _decimal_from_json),
    "tuple": (
        tuple,
        lambda v, what: {"items": [to_json(item, what) for item in v]},
        lambda v: tuple(from_json(item) for item in v["items"]),
    ),
    "dict": (dict, _dict_to_json, _dict_from_json),
    "array": (np.ndarray, array_to_json, array_from_json),
    "custom criterion": (  # without its function, which prediction does not need
        Custom,
        lambda v, _: {"name": v.name, "convex": v.convex},
        lambda v: Custom(None, _text(v["name"]), v["convex"] is True),
    ),
    "criterion": (
        Criterion,
        lambda v, what: {"name": v.name, "parameters": _dict_to_json(v.parameters, what)},
        lambda v: Criterion(v["name"], **dict(map(from_json, v["parameters"]["items"]))),
    ),
    "RandomState": (np.random.RandomState, _state_to_json, _state_from_json),
}
