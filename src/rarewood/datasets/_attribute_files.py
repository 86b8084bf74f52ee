"""Reader of ARFF files and of .dat files of KEEL, which declare their attributes."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_ATTRIBUTE = re.compile(
    r"""@attribute\s+(?P<name>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{\[]+)\s*(?P<kind>.+)$""",
    re.IGNORECASE,
)
_NUMBERS = ("real", "integer", "numeric", "int", "float", "double")
_MISSING = ("?", "<null>", "")


@dataclass
class AttributeFile:
    """Content of an attribute file."""

    columns: dict[str, list[Any]] = field(default_factory=dict)  # None where missing
    categories: dict[str, list[str]] = field(default_factory=dict)  # as declared
    target: str | None = None  # the @output of KEEL


def read_attribute_file(path: Path) -> AttributeFile:
    """Read an ARFF or KEEL file."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    content, kinds = AttributeFile(), []
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        word = text.split(maxsplit=1)[0].lower() if text else ""
        if word == "@attribute":
            name, categories = _attribute(text, path, number)
            content.columns[name] = []
            kinds.append(categories)
            if categories:
                content.categories[name] = categories
        elif word in ("@output", "@outputs"):
            content.target = text.split(maxsplit=1)[-1].split(",")[-1].strip()
        elif word == "@data":
            _read_rows(lines[number:], number, content, kinds, path)
            return content
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


def _read_rows(
    lines: list[str], before: int, content: AttributeFile, kinds: list[list[str] | None], path: Path
) -> None:
    columns = list(content.columns.values())
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


def _value(text: str, kind: list[str] | None, path: Path, number: int) -> Any:
    if text in _MISSING:
        return None
    if kind is not None:
        return text
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{path.name}, line {number}: {text!r} is not a number.") from None
