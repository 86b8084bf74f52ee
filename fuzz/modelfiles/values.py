"""Mutations of the JSON of a model file: a value anywhere in it is replaced, removed or copied."""

from __future__ import annotations

import copy
import json
from typing import Any

from fuzz.draw import Draw

Members = list[tuple[str, bytes]]

REPLACEMENTS: list[Any] = [
    None, True, False, -1, 0, 1, 2, 3, 255, 2**31, 2**63, -(2**63), 10**30, 0.5, -0.0, 1e308,
    1e-320, "", "a", "x" * 300, "os.system", "\0", "é", "\ud800", "1E+10000000", "nan", [], {},
    [[]], [0], [0] * 70, {"type": "float", "value": "nan"}, {"type": "float", "value": "inf"},
    {"type": "decimal", "value": "1E+999"}, {"type": "decimal", "value": "Infinity"},
    {"type": "bytes", "hex": "00ff"}, {"type": "bytes", "hex": "zz"},
    {"type": "tuple", "items": []},
    {"type": "dict", "items": [[1, 2], [1, 3]]}, {"type": "dict", "items": [[[1], 2]]},
    {"type": "array", "dtype": "<U9999999", "values": ["a"]},
    {"type": "array", "dtype": "<M8[s]", "values": [1]},
    {"type": "array", "dtype": "object", "values": [None, 1, "a"]},
    {"type": "criterion", "name": "alpha", "parameters": {"type": "dict", "items": [["alpha", 2]]}},
    {"type": "criterion", "name": "gini", "parameters": {"items": [["alpha", 9]]}},
    {"type": "RandomState", "key": [0] * 624, "pos": 624, "has_gauss": 0, "gauss": 0.0},
    {"type": "RandomState", "key": [1], "pos": -1, "has_gauss": 2, "gauss": "x"},
    {"type": "record", "class": "Fisher", "values": {"p_value": 2}},
    {"type": "record", "class": "Balanced", "values": {"ratio": 1.5}},
    {"type": "record", "class": "Path", "values": {}}, {"type": "eval", "value": "1"},
]  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[list[Any]]:
    """The path of every value."""
    found = [list(path)] if path else []
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            found += places(item, (*path, key))
    return found


_PLACES: dict[int, list[list[Any]]] = {}


def _place(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    key = id(parts)
    if key not in _PLACES:
        _PLACES[key] = places(json.loads(parts["model.json"]))
    return d.pick(_PLACES[key])


def draw_replace(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    return [_place(d, parts), d.pick(REPLACEMENTS)]


def draw_nudge(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    return [_place(d, parts), d.pick([-2, -1, 1, 2, 0.5, 1000])]


def draw_remove(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    return [_place(d, parts)]


def draw_copy(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    return [_place(d, parts), _place(d, parts)]


def draw_add(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    return [_place(d, parts), d.pick(["z", "type", "max_bins", "name"]), d.pick(REPLACEMENTS)]


def _at(document: Any, path: list[Any]) -> Any:
    for key in path:
        document = document[key]
    return document


def _changing(change: Any) -> Any:
    """Apply a change to the JSON; nothing happens where an earlier one removed the place."""

    def apply(members: Members, documents: dict[str, Any], *arguments: Any) -> Members:
        try:
            change(documents["json"], *arguments)
        except (LookupError, TypeError, AttributeError):
            return members
        text = json.dumps(documents["json"]).encode()
        return [(name, text if name == "model.json" else data) for name, data in members]

    return apply


def _replace(document: Any, path: list[Any], value: Any) -> None:
    _at(document, path[:-1])[path[-1]] = copy.deepcopy(value)


def _nudge(document: Any, path: list[Any], step: float) -> None:
    _at(document, path[:-1])[path[-1]] += step


def _remove(document: Any, path: list[Any]) -> None:
    del _at(document, path[:-1])[path[-1]]


def _copy(document: Any, path: list[Any], source: list[Any]) -> None:
    _replace(document, path, _at(document, source))


def _add(document: Any, path: list[Any], key: str, value: Any) -> None:
    at = _at(document, path)
    if isinstance(at, list):
        at.append(copy.deepcopy(value))
    else:
        at[key] = copy.deepcopy(value)


def draw_text(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    """Bytes of the text itself: what no writer of JSON would write."""
    pieces = [
        "[",
        "]",
        "{",
        "}",
        ",",
        "NaN",
        "1e999",
        "-Infinity",
        '"',
        "\\u0000",
        "\0",
        "9" * 5000,
    ]
    return [d.integer(0, len(parts["model.json"])), d.pick(pieces), d.pick([0, 0, 1, 20])]


def apply_text(
    members: Members, documents: dict[str, Any], place: int, piece: str, n_removed: int
) -> Members:
    return [
        (name, data[:place] + piece.encode() + data[place + n_removed :])
        if name == "model.json" else (name, data)
        for name, data in members
    ]  # fmt: skip


KINDS = {
    "json replace": (draw_replace, _changing(_replace), 8),
    "json nudge": (draw_nudge, _changing(_nudge), 5),
    "json remove": (draw_remove, _changing(_remove), 2),
    "json copy": (draw_copy, _changing(_copy), 2),
    "json add": (draw_add, _changing(_add), 1),
    "json text": (draw_text, apply_text, 1),
}
