"""Mutations of the arrays of a model file: numbers, lengths, types and headers."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from fuzz.draw import Draw

Members = list[tuple[str, bytes]]

INTEGERS = [-(2**63), -(2**31), -5, -2, -1, 0, 1, 2, 3, 7, 60, 255, 2**15, 2**31 - 1, 2**31, 2**62]
FLOATS = [np.nan, np.inf, -np.inf, -1.0, -0.0, 0.0, 0.5, 1.0, 1e308, -1e308, 1e-320, 2.0**53]
TYPES = ["<i8", "|i1", "|u1", "<i2", "<u8", "<f8", "<f4", "<f2", ">i4", "|b1", "<c16", "<U3", "|O"]
SHAPES = ["shorter", "longer", "empty", "deeper", "wider", "flat", "transposed", "reversed", "huge"]


def _names(parts: dict[str, bytes]) -> list[str]:
    return sorted(name for name in parts if name.endswith(".npy"))


def draw_set(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    """Up to three numbers of an array, by position as a fraction of its length."""
    name = d.pick(_names(parts))
    is_float = b"'<f8'" in parts[name][:80]
    changes = [
        [d.random(), float(d.pick(FLOATS)) if is_float else d.pick(INTEGERS)]
        for _ in range(d.integer(1, 3))
    ]
    return [name, changes]


def draw_swap(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    return [d.pick(_names(parts)), d.random(), d.random()]


def draw_nudge(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    """Up to three numbers of an array are changed a little: the file may stay valid."""
    steps = [[d.random(), d.pick([-1, 1, 2, 0.5, 1e-9])] for _ in range(d.integer(1, 3))]
    return [d.pick(_names(parts)), steps]


def draw_type(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    return [d.pick(_names(parts)), d.pick(TYPES)]


def draw_shape(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    return [d.pick(_names(parts)), d.pick(SHAPES)]


def draw_header(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    """Some bytes of the header of an array."""
    pieces = [
        "(",
        ")",
        ",",
        "'",
        "9",
        "99999999999",
        "-1",
        "True",
        "(1,)",
        "<f4",
        "\n",
        " ",
        "\x93",
    ]
    return [d.pick(_names(parts)), d.integer(0, 100), d.pick(pieces), d.integer(0, 4)]


def _load(data: bytes) -> np.ndarray | None:
    try:
        return np.load(io.BytesIO(data), allow_pickle=False)
    except Exception:
        return None  # its header has been changed before


def _dump(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


def _changing(change: Any) -> Any:
    def apply(members: Members, documents: dict[str, Any], name: str, *arguments: Any) -> Members:
        found = []
        for own, data in members:
            array = _load(data) if own == name else None
            changed = None if array is None else change(array, *arguments)
            found.append((own, data if changed is None else _dump(changed)))
        return found

    return apply


def _set(array: np.ndarray, changes: list[list[float]]) -> np.ndarray | None:
    if not array.size or array.dtype.kind not in "iuf":
        return None
    wide = array.astype(np.float64 if array.dtype.kind == "f" else np.int64)
    for place, value in changes:
        if array.dtype.kind == "f" or abs(value) < 2**63:  # its type may have been changed before
            wide.reshape(-1)[int(place * wide.size)] = value
    return wide


def _nudge(array: np.ndarray, steps: list[list[float]]) -> np.ndarray | None:
    if not array.size or array.dtype.kind not in "iuf":
        return None
    flat = array.copy().reshape(-1)
    for place, step in steps:
        at = int(place * flat.size)
        with np.errstate(all="ignore"):
            flat[at] = (flat[at] + np.array([step])).astype(array.dtype)[0]
    return flat.reshape(array.shape)


def _swap(array: np.ndarray, first: float, second: float) -> np.ndarray | None:
    if not array.size:
        return None
    flat = array.copy().reshape(-1)
    a, b = int(first * flat.size), int(second * flat.size)
    flat[[a, b]] = flat[[b, a]]
    return flat.reshape(array.shape)


def _retype(array: np.ndarray, dtype: str) -> np.ndarray:
    with np.errstate(all="ignore"):
        return array.astype(dtype)


def _reshape(array: np.ndarray, shape: str) -> np.ndarray | None:
    if shape == "huge":  # it compresses well: memory must be bounded by the size of the file
        return np.zeros(2**18, dtype=array.dtype)
    if not array.ndim:
        return None
    return {
        "shorter": lambda: array[:-1],
        "longer": lambda: np.concatenate([array, array[-1:]]),
        "empty": lambda: array[:0],
        "deeper": lambda: array[np.newaxis],
        "wider": lambda: array[..., np.newaxis].repeat(2, axis=-1),
        "flat": lambda: array.reshape(-1),
        "transposed": lambda: array.T,
        "reversed": lambda: array[::-1],
    }[shape]()


def apply_header(
    members: Members, documents: dict[str, Any], name: str, place: int, piece: str, n: int
) -> Members:
    return [
        (own, data[:place] + piece.encode("latin-1") + data[place + n :] if own == name else data)
        for own, data in members
    ]


KINDS = {
    "array set": (draw_set, _changing(_set), 7),
    "array nudge": (draw_nudge, _changing(_nudge), 9),
    "array swap": (draw_swap, _changing(_swap), 6),
    "array type": (draw_type, _changing(_retype), 1),
    "array shape": (draw_shape, _changing(_reshape), 2),
    "array header": (draw_header, apply_header, 1),
}
