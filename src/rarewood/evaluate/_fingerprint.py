"""Fingerprints of data and models, the parts of a cell's key."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from importlib import import_module
from types import BuiltinFunctionType, CodeType, FunctionType
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from rarewood.table._frames import all_series

_PLAIN = (str, bytes, bool, int, float, complex, type(None))
_IGNORED = frozenset({"n_jobs", "verbose", "memory"})  # they change the time, not the model
_ALWAYS = ("rarewood", "numpy", "scipy", "sklearn")


def digest(*parts: str | bytes) -> str:
    """Return a hash of the parts, each prefixed by its length."""
    state = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        state.update(len(data).to_bytes(8, "little"))
        state.update(data)
    return state.hexdigest()


def data_fingerprint(X: Any, y: Any, pos_label: Any) -> str:
    """Return a hash of a table, its labels and its class of interest."""
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        parts = [text for series in all_series(frame) for text in _column(series)]
    else:
        matrix = np.asarray(X)
        parts = [str(matrix.shape), *_values(matrix)]
    return digest(*parts, *_values(np.asarray(y)), repr(_plain(pos_label)))


def _column(series: nw.Series[Any]) -> Iterator[str | bytes]:
    yield str(series.name)
    dtype = series.dtype
    if dtype.is_numeric():
        yield "number"
        yield _number_bytes(series.to_numpy())
        return
    yield str(dtype)
    if dtype in (nw.Categorical, nw.Enum):  # models of other libraries may use their order
        yield from _values(np.array(series.cat.get_categories().to_list(), dtype=object))
    yield from _values(np.array(series.to_list(), dtype=object))


def _values(array: np.ndarray[Any, Any]) -> Iterator[str | bytes]:
    yield str(array.dtype.kind)
    if array.dtype.kind in "iufb":
        yield _number_bytes(array)
    else:
        yield "\x1f".join(repr(_plain(value)) for value in array.ravel().tolist())


def _number_bytes(array: np.ndarray[Any, Any]) -> bytes:
    """Bytes of the numbers, independent of their exact type and of the platform."""
    if array.dtype.kind in "iub":
        return np.ascontiguousarray(array, dtype="<i8").tobytes()
    return np.ascontiguousarray(array, dtype="<f8").tobytes()


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    is_missing = value is None or value != value
    return None if is_missing else value


def model_fingerprint(model: Any) -> str:
    """Return a hash of the class and the parameters of a model, including nested ones.

    Parameters at their defaults are left out, so a new parameter of a class does not change it.
    """
    return digest(_describe(model))


def _describe(value: Any) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, _PLAIN):
        return repr(value)
    if isinstance(value, type):
        return f"class {value.__module__}.{value.__qualname__}"
    if isinstance(value, dict):
        pairs = sorted((_describe(key), _describe(item)) for key, item in value.items())
        return "{" + ", ".join(f"{key}: {item}" for key, item in pairs) + "}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}({', '.join(map(_describe, value))})"
    if isinstance(value, set | frozenset):
        return f"set({', '.join(sorted(map(_describe, value)))})"
    if hasattr(value, "get_params"):
        return _object(value, _changed(value))
    if is_dataclass(value):
        return _object(value, {item.name: getattr(value, item.name) for item in fields(value)})
    if isinstance(value, FunctionType):
        return _function(value)
    if isinstance(value, BuiltinFunctionType):
        return f"function {value.__module__}.{value.__qualname__}"
    if isinstance(value, np.random.RandomState):
        return f"RandomState {_describe(value.get_state(legacy=False))}"
    if isinstance(value, np.ndarray) and value.dtype != object:
        return (
            f"array {value.dtype.str} {value.shape} {digest(np.ascontiguousarray(value).tobytes())}"
        )
    import joblib

    return f"{type(value).__module__}.{type(value).__qualname__} {joblib.hash(value)}"


def _changed(model: Any) -> dict[str, Any]:
    """Return the parameters of a model that differ from the defaults of its class."""
    signature = inspect.signature(type(model).__init__).parameters
    return {
        name: param
        for name, param in model.get_params(deep=False).items()
        if name not in signature or _describe(param) != _describe(signature[name].default)
    }


def _object(value: Any, params: dict[str, Any]) -> str:
    named = (f"{key}={_describe(params[key])}" for key in sorted(params) if key not in _IGNORED)
    return f"{type(value).__module__}.{type(value).__qualname__}({', '.join(named)})"


def _function(value: FunctionType) -> str:
    """Describe a function by its name, code, defaults and closure."""
    contents = (cell.cell_contents for cell in value.__closure__ or ())
    carried = [item for item in contents if item is not value]  # a recursive function
    parts = (value.__defaults__, value.__kwdefaults__, carried)
    name = f"{value.__module__}.{value.__qualname__}"
    return f"function {name} {_code(value.__code__)} {_describe(parts)}"


def _code(code: CodeType) -> str:
    inner = (_code(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts)
    return digest(code.co_code, repr(code.co_names), *inner)


def versions(model: Any) -> dict[str, str]:
    """Return the versions of the packages that compute a cell, those of the model included."""
    values = model.get_params(deep=True).values() if hasattr(model, "get_params") else ()
    inner = [v for v in values if hasattr(v, "get_params") and not isinstance(v, type)]
    packages = {type(value).__module__.partition(".")[0] for value in (model, *inner)}
    for value in (model, *inner):
        if package := getattr(value, "_package", ""):
            with suppress(ImportError):  # the fit will say so
                packages.add(import_module(package).__name__)
    modules = {name: import_module(name) for name in _ALWAYS}
    modules |= {name: sys.modules[name] for name in packages if name in sys.modules}
    return {
        name: str(module.__version__)
        for name, module in sorted(modules.items())
        if hasattr(module, "__version__") and name not in sys.stdlib_module_names
    }
