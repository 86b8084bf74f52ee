"""Conversion to JSON-safe values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Return a value made of dicts, lists, strings, numbers, booleans and None only.

    Numbers that are not finite become None; keys and other objects become strings.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return [plain(item) for item in value.tolist()]
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return str(value)


def text(label: Any) -> str:
    """Return a label or a name as a string, without the type of NumPy scalars."""
    return str(label.item() if isinstance(label, np.generic) else label)
