"""Reader of ARFF files and of .dat files of KEEL, which declare their attributes."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import numpy as np

from rarewood.datasets._files import pandas

_ATTRIBUTE = re.compile(
    r"""@attribute\s+(?P<name>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{\[]+)\s*(?P<kind>.+)$""",
    re.IGNORECASE,
)
_NUMBERS = ("real", "integer", "numeric", "int", "float", "double")
_MISSING = ("?", "<null>", "")


def attribute_table(path: Path) -> tuple[Any, str | None]:
    """Read an ARFF or KEEL file as a DataFrame, and return it with its declared target."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    kinds: dict[str, list[str] | None] = {}  # categories; None for numbers, empty for texts
    target = None
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        word = text.split(maxsplit=1)[0].lower() if text else ""
        if word == "@attribute":
            name, categories = _attribute(text, path, number)
            kinds[name] = categories
        elif word in ("@output", "@outputs"):
            target = text.split(maxsplit=1)[-1].split(",")[-1].strip()
        elif word == "@data":
            columns = _read_columns(lines[number:], number, list(kinds.values()), path)
            made = zip(kinds, map(_column, columns, kinds.values()), strict=True)
            return pandas().DataFrame(dict(made)), target
    raise ValueError(f"{path.name} has no line @data: it is neither an ARFF nor a KEEL file.")


def _attribute(text: str, path: Path, number: int) -> tuple[str, list[str] | None]:
    """Name of an attribute, and its categories: None for a number, empty for a string."""
    match = _ATTRIBUTE.match(text)
    if match is None:
        raise ValueError(f"{path.name}, line {number}: cannot read the attribute {text!r}.")
    name, kind = _unquoted(match["name"]), match["kind"].strip()
    if kind.startswith("{"):
        return name, [_unquoted(value) for value in _fields(kind.strip("{} \t"))]
    if re.split(r"[\s\[]", kind.lower(), maxsplit=1)[0] in _NUMBERS:
        return name, None
    if kind.lower() == "string":
        return name, []
    raise ValueError(
        f"{path.name}, line {number}: attributes are numbers, strings or {{a, b, ...}}; got "
        f"{kind!r}."
    )


def _fields(text: str) -> list[str]:
    quote = "'" if text.count("'") >= text.count('"') else '"'
    return next(csv.reader([text], quotechar=quote, skipinitialspace=True, escapechar="\\"), [])


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def _read_columns(
    lines: list[str], before: int, kinds: list[list[str] | None], path: Path
) -> list[list[Any]]:
    """Return the values of each attribute; None where missing."""
    columns: list[list[Any]] = [[] for _ in kinds]
    for number, line in enumerate(lines, start=before + 1):
        text = line.strip()
        if not text or text.startswith("%"):
            continue
        if text.startswith("{"):
            raise ValueError(f"{path.name}, line {number}: sparse rows are not supported.")
        fields = _fields(text)
        if len(fields) != len(columns):
            raise ValueError(
                f"{path.name}, line {number}: {len(fields)} values, but {len(columns)} attributes."
            )
        for value, column, kind in zip(fields, columns, kinds, strict=True):
            column.append(_value(_unquoted(value), kind, path, number))
    return columns


def _value(text: str, kind: list[str] | None, path: Path, number: int) -> Any:
    if text in _MISSING:
        return None
    if kind is not None:
        return text
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{path.name}, line {number}: {text!r} is not a number.") from None


def _column(values: list[Any], categories: list[str] | None) -> Any:
    """Return a column of a DataFrame; without values it is numeric."""
    if categories:
        unseen = sorted({value for value in values if value is not None} - set(categories))
        return pandas().Categorical(values, categories=[*dict.fromkeys(categories), *unseen])
    return values if any(value is not None for value in values) else np.full(len(values), np.nan)
