"""Constants of C: numbers, texts and arrays."""

from __future__ import annotations

import math
import string
import textwrap
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_PLAIN = set(string.printable) - set('"\\?\t\n\r\x0b\x0c')  # "?" may begin a trigraph
_INTEGERS = {8: "int8_t", 16: "int16_t", 32: "int32_t", 64: "int64_t"}


def c_double(value: float) -> str:
    """Return a constant that is the same number, to the last bit."""
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(float(value))


def c_string(text: str) -> str:
    """Return a text in UTF-8 as a constant of printable ASCII."""
    encoded = text.encode("utf-8")
    if 0 in encoded:
        raise ValueError(
            f"C texts end at a zero character, so {text[:40]!r} cannot be exported. Rename it."
        )
    return '"' + "".join(chr(b) if chr(b) in _PLAIN else f"\\{b:03o}" for b in encoded) + '"'


def integer_type(values: NDArray[Any]) -> str:
    """Return the smallest signed type for some integers."""
    low, high = (int(values.min()), int(values.max())) if values.size else (0, 0)
    bits = next(bits for bits in _INTEGERS if -(2 ** (bits - 1)) <= low and high < 2 ** (bits - 1))
    return _INTEGERS[bits]


def integers(name: str, values: Iterable[int]) -> str:
    """Return an array of integers, with one element more: C has no empty arrays."""
    array = np.array([*values, 0], dtype=np.int64)
    return _array(integer_type(array), name, map(str, array.tolist()))


def doubles(name: str, values: Iterable[float]) -> str:
    """Return an array of floats, with one element more."""
    return _array("double", name, map(c_double, [*values, 0.0]))


def strings(name: str, values: Iterable[str], storage: str = "static ") -> str:
    """Return an array of texts; they may be longer than a line."""
    items = ",\n    ".join([*map(c_string, values), "0"])
    return f"{storage}const char *const {name}[] = {{\n    {items}\n}};\n"


def _array(kind: str, name: str, items: Iterable[str]) -> str:
    return f"static const {kind} {name}[] = {{\n{wrapped(items)}\n}};\n"


def wrapped(items: Iterable[str]) -> str:
    """Return items on indented lines, each item whole; quicker than textwrap for many."""
    lines: list[str] = []
    line: list[str] = []
    length = 0
    for item in items:
        if length + len(item) > 92 and line:
            lines.append("    " + " ".join(line))
            line, length = [], 0
        line.append(item + ",")
        length += len(item) + 2
    lines.append("    " + " ".join(line))
    return "\n".join(lines).rstrip(",")


def comment(text: str) -> str:
    """Return a text as a comment."""
    body = textwrap.fill(
        text.replace("*/", "* /"), 96, initial_indent="/* ", subsequent_indent="   ",
        break_long_words=False,
    )  # fmt: skip
    return f"{body} */\n"
