"""Calls of functions, of Python or compiled, from the core."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core

Floats = NDArray[np.float64]

SIGNATURE = "void (const double *, int64_t, int64_t, int64_t, double *)"
_FUNCTION_OF_C: Any = ctypes.CFUNCTYPE(None).__mro__[1]
# Names of the same types in the text of a signature, without spaces.
_SAME_TYPES = {
    "const": "", "longlong": "i8", "int64_t": "i8", "intptr_t": "i8", "npy_intp": "i8",
    "Py_ssize_t": "i8", "ssize_t": "i8", "long": "i8",
}  # fmt: skip


def compile_function(function: Any, name: str, convex: bool) -> _core.Criterion:
    """Return the criterion of the core that calls a function, of Python or compiled."""
    if function is None:
        raise ValueError(
            f"The criterion {name!r} was read from a model file, which has its name but not its "
            f"function. Call set_params(criterion=criteria.custom(f, name={name!r})) before fit."
        )
    found = _low_level(function)
    if found is not None:
        return _core.compiled_criterion(name, *_address(found), convex)
    if not callable(function):
        raise TypeError(f"A criterion must be callable, a function of counts; got {function!r}.")
    return _core.python_criterion(name, _checked(function, name), convex)


def _checked(function: Callable[[Floats], Any], name: str) -> Callable[[Floats], Floats]:
    """Return a function that checks the shape of the values of another one."""

    def call(children: Floats) -> Floats:
        values = np.ascontiguousarray(function(children), dtype=np.float64)
        if values.shape != (len(children),):
            raise ValueError(
                f"The criterion {name!r} must return one value per candidate, an array of shape "
                f"({len(children)},) for counts of shape {children.shape}; got shape "
                f"{values.shape}. Sum over the last two axes only."
            )
        return values

    return call


def _low_level(function: Any) -> Any:
    """Return a compiled function as ``scipy.LowLevelCallable``; None for one of Python."""
    from scipy import LowLevelCallable

    if isinstance(function, LowLevelCallable):
        return function
    is_numba = hasattr(function, "ctypes") and hasattr(function, "address")
    native = function.ctypes if is_numba else function
    if not isinstance(native, _FUNCTION_OF_C):
        return None
    if native.argtypes is None:
        raise TypeError(f"Set argtypes and restype of {function!r}: {SIGNATURE}.")
    wrap: Any = LowLevelCallable
    return wrap(native)


def _address(function: Any) -> tuple[int, int | None]:
    """Return the address of a compiled function and of its user data, if it takes any."""
    short = function.signature.replace(" ", "")
    for name, same in _SAME_TYPES.items():
        short = short.replace(name, same)
    expected = "void(double*,i8,i8,i8,double*"
    if short not in (expected + ")", expected + ",void*)"):
        raise TypeError(
            f"A compiled criterion must have the signature {SIGNATURE}, optionally with void * for "
            f"user data at the end; got {function.signature}."
        )
    capsule = tuple.__getitem__(function, 0)
    name = _capsule_call("PyCapsule_GetName", ctypes.c_char_p, capsule)
    address = _capsule_call("PyCapsule_GetPointer", ctypes.c_void_p, capsule, name)
    if not short.endswith("void*)"):
        return address, None
    return address, _capsule_call("PyCapsule_GetContext", ctypes.c_void_p, capsule) or 0


def _capsule_call(name: str, result: Any, capsule: Any, *names: Any) -> Any:
    kinds: Any = (ctypes.py_object, *[ctypes.c_char_p] * len(names))
    return ctypes.PYFUNCTYPE(result, *kinds)((name, ctypes.pythonapi))(capsule, *names)
