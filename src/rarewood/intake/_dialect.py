"""What the first lines of a text file tell: delimiter, decimal mark, encoding."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rarewood.intake._errors import TableError

__all__ = ["DELIMITERS", "Dialect", "sniff"]

DELIMITERS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar", " ": "a space"}
_LINES = 50
_SHORT = 8  # bytes that tell too little of an encoding
_BOMS = (
    (codecs.BOM_UTF8, "utf8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1b]")
_NUMBER = re.compile(r"[-+]?\d*\.?\d+([eE][-+]?\d+)?")
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+([eE][-+]?\d+)?")
_DECIMAL_POINT = re.compile(r"[-+]?\d*\.\d+([eE][-+]?\d+)?")


@dataclass
class Dialect:
    """How a text file is written.

    Attributes
    ----------
    delimiter, decimal : str
        Marks between fields and inside numbers.
    encoding : str
        "utf8" or another one that Python knows.
    is_padded : bool
        Whether spaces stand around the fields, which are no part of them.
    notes : list of str
        What differs from what the name of the file promises.
    """

    delimiter: str
    decimal: str = "."
    encoding: str = "utf8"
    is_padded: bool = False
    notes: list[str] = field(default_factory=list)


def sniff(name: str, start: bytes, expected: str, delimiter: str | None = None) -> Dialect:
    """Look at the first bytes of a text file.

    Parameters
    ----------
    name : str
        Name of the file, for messages.
    start : bytes
        Its first bytes.
    expected : str
        The delimiter that the name of the file promises.
    delimiter : str, default=None
        The delimiter that the user gave, which is not doubted.

    Returns
    -------
    dialect : Dialect
        What was found.
    """
    if delimiter is not None:
        _check_delimiter(delimiter)
    text, encoding = _decoded(start)
    if not text.strip():
        raise TableError(f"{name} is empty.")
    controls = [mark for mark in _CONTROL.findall(text) if mark != delimiter]
    if "\0" in text or len(controls) > len(text) / 100:
        raise TableError(
            f"{name} is not text: is it another kind of file, or packed? Known are .csv, .tsv, "
            ".csv.gz, .parquet, .feather, .arff and .dat."
        )
    lines = [line for line in text.splitlines() if line.strip()]
    whole = lines[:-1] if len(lines) > 1 and not text.endswith(("\n", "\r")) else lines
    dialect = Dialect(expected, encoding=encoding)
    if encoding == "latin-1":
        dialect.notes.append("is not UTF-8; read as Latin-1 (look at its accents)")
    dialect.delimiter = delimiter or _delimiter(whole[:_LINES], expected)
    if delimiter is None and dialect.delimiter != expected:
        called = DELIMITERS[dialect.delimiter]
        dialect.notes.append(f"has {called} between its columns, not {DELIMITERS[expected]}")
    rows = list(_rows(whole[:_LINES], dialect.delimiter))
    _check_header(name, rows)
    dialect.is_padded = _is_padded(rows)
    if _has_decimal_comma(rows, dialect.delimiter):
        dialect.decimal = ","
        dialect.notes.append("has commas in its numbers (1,5 is read as 1.5)")
    return dialect


def _check_delimiter(delimiter: str) -> None:
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '\r\n"':
        raise TableError(
            f"{delimiter!r} cannot be the mark between columns: it is one character, such as ; or "
            "|, and neither a quote nor a line end."
        )


def _decoded(start: bytes) -> tuple[str, str]:
    for bom, encoding in _BOMS:
        if start.startswith(bom):
            whole = start[: len(start) - len(start) % 2] if encoding == "utf-16" else start
            return whole.decode(
                "utf-8-sig" if encoding == "utf8" else encoding, "replace"
            ), encoding
    for place, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):  # no mark, but Latin letters
        zeros = start[place::2].count(0)
        if len(start) >= _SHORT and zeros > 0.4 * len(start) and not start[1 - place :: 2].count(0):
            return start[: len(start) - len(start) % 2].decode(encoding, "replace"), encoding
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        return decoder.decode(start), "utf8"  # may end inside a character
    except UnicodeDecodeError:
        return start.decode("latin-1"), "latin-1"


def _delimiter(lines: Sequence[str], expected: str) -> str:
    """The expected delimiter if it makes a table, else the one that makes the widest table."""
    widths = {mark: _width(lines, mark) for mark in DELIMITERS}
    if widths[expected] > 1:
        return expected
    widest = max(widths, key=lambda mark: widths[mark])
    if widths[widest] > 1:
        return widest
    # No mark makes rows of one length: the header decides, and the reader says which row is odd.
    header = {mark: sum(_fields(lines[:1], mark)) for mark in DELIMITERS if mark != " "}
    if header[expected] > 1:
        return expected
    best = max(header, key=lambda mark: header[mark])
    return best if header[best] > 1 else expected


def _rows(lines: Sequence[str], mark: str) -> Iterator[list[str]]:
    """The fields of lines, up to one that is too long for Python's csv module."""
    reader = csv.reader(lines, delimiter=mark)
    while True:
        try:
            yield next(reader)
        except (StopIteration, csv.Error):
            return


def _fields(lines: Sequence[str], mark: str) -> list[int]:
    return [len(row) for row in _rows(lines, mark)]


def _width(lines: Sequence[str], mark: str) -> int:
    """Number of columns if all lines have as many, else 0."""
    counts = set(_fields(lines, mark))
    return counts.pop() if len(counts) == 1 else 0


def _check_header(name: str, rows: list[list[str]]) -> None:
    names = [text.strip() for row in rows[:1] for text in row]
    if names and all(_NUMBER.fullmatch(text) for text in names):
        raise TableError(
            f"{name} has no names of columns: its first line is {','.join(names[:5])}"
            f"{',...' if len(names) > 5 else ''}. Put a line of names before it."
        )


def _is_padded(rows: list[list[str]]) -> bool:
    fields = [text for row in rows[1:] for text in row[1:]]
    return 2 * sum(text.startswith(" ") for text in fields) > len(fields)


def _has_decimal_comma(rows: list[list[str]], delimiter: str) -> bool:
    if delimiter == ",":
        return False
    fields = [text.strip() for row in rows[1:] for text in row]
    n_commas = sum(_DECIMAL_COMMA.fullmatch(text) is not None for text in fields)
    n_points = sum(_DECIMAL_POINT.fullmatch(text) is not None for text in fields)
    return n_commas > n_points
