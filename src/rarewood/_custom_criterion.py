"""Functions as split criteria: calls from the core, and the laws they are checked for."""

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
_TOLERANCE = 1e-9  # of the laws, relative to the largest value
# Names of the same types in the text of a signature, without spaces.
_SAME_TYPES = {
    "const": "", "longlong": "i8", "int64_t": "i8", "intptr_t": "i8", "npy_intp": "i8",
    "Py_ssize_t": "i8", "ssize_t": "i8", "long": "i8",
}  # fmt: skip


def compile_custom(function: Any, name: str, convex: bool) -> _core.Criterion:
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


def check_laws(compiled: _core.Criterion, name: str, convex: bool) -> None:
    """Raise unless a criterion satisfies simple laws on a few tables of counts.

    Empty children and absent classes are removed by the core, so they have no effect by
    construction.
    """
    rng = np.random.default_rng(0)
    for n_children, n_classes in ((2, 2), (2, 3), (3, 2)):
        tables = _tables(rng, n_children, n_classes)
        values = _core.evaluate_custom(compiled, tables)
        slack = _TOLERANCE * max(1e-3, float(np.abs(values).max()))

        def require(are_equal: Any, law: str, tables: Floats = tables) -> None:
            if not np.all(are_equal):
                table = tables[int(np.argmin(are_equal))].tolist()
                raise ValueError(f"The criterion {name!r} {law}, for example for {table}.")

        alone = np.concatenate([_core.evaluate_custom(compiled, one[None]) for one in tables])
        require(
            np.abs(alone - values) <= slack,
            "gives a candidate a value that depends on the other candidates of the call",
        )
        turned = _core.evaluate_custom(compiled, np.ascontiguousarray(tables[:, ::-1]))
        require(np.abs(turned - values) <= slack, "changes with the order of the children")
        perfect = _value(compiled, _perfect(n_classes, max(n_children, n_classes)))
        same = _perfect(n_classes, n_classes).sum(axis=1, keepdims=True)
        for n_parts in (1, n_children):
            if _value(compiled, np.repeat(same, n_parts, axis=1)) > perfect + slack:
                raise ValueError(
                    f"The criterion {name!r} prefers a split without information to one that "
                    "separates the classes. Higher must be better: change the sign."
                )
        if convex and n_children == 2:
            _check_convex(compiled, name, rng, n_classes, slack)


def _tables(rng: np.random.Generator, n_children: int, n_classes: int) -> Floats:
    """Return counts without empty children or absent classes, some with cells of zero."""
    counts = rng.integers(1, 50, (40, n_children, n_classes)).astype(float)
    counts[10:20, :, 0] *= 1000.0  # a rare class
    counts[20:30] *= 0.37  # weights
    for v in range(n_children):
        counts[30:, v, v % n_classes] = 0.0
    counts[30:, 0, 1:] += 1.0
    return counts


def _perfect(n_classes: int, n_children: int) -> Floats:
    """Return the counts of a split whose children have one class each."""
    table = np.zeros((1, n_children, n_classes))
    for v in range(n_children):
        table[0, v, v % n_classes] = 7.0
    return table


def _value(compiled: _core.Criterion, table: Floats) -> float:
    return float(_core.evaluate_custom(compiled, np.ascontiguousarray(table))[0])


def _check_convex(
    compiled: _core.Criterion, name: str, rng: np.random.Generator, n_classes: int, slack: float
) -> None:
    """Raise where a value between two cuts of a node exceeds that of both."""
    totals = rng.integers(40, 60, (400, 1, n_classes)).astype(float)
    ends = rng.integers(1, 39, (2, 400, 1, n_classes)).astype(float)
    between = ends[0] + rng.random((400, 1, 1)) * (ends[1] - ends[0])

    def at(left: Floats) -> Floats:
        tables = np.ascontiguousarray(np.concatenate([left, totals - left], axis=1))
        return _core.evaluate_custom(compiled, tables)

    excess = at(between) - np.maximum(at(ends[0]), at(ends[1]))
    worst = int(excess.argmax())
    if excess[worst] > slack:
        left, right = between[worst, 0], (totals - between)[worst, 0]
        raise ValueError(
            f"The criterion {name!r} is not convex in the counts of a child: [{left.tolist()}, "
            f"{right.tolist()}] is better than both cuts it lies between. Set convex=False, which "
            "scores every cut."
        )
