"""Dialect of a text file, inferred from its first lines: delimiter, decimal mark, encoding."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rarewood.intake._errors import TableError

NOT_UTF8 = "is not UTF-8 and was read as Latin-1 (check accented letters)"
_DELIMITERS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar", " ": "a space"}
_LINES = 50
_SHORT = 8  # bytes are too few to detect an encoding
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
    """How a text file is written; ``notes`` has differences from what its suffix implies."""

    delimiter: str
    decimal: str = "."
    encoding: str = "utf8"
    is_padded: bool = False
    notes: list[str] = field(default_factory=list)


def infer_dialect(name: str, start: bytes, expected: str, delimiter: str | None = None) -> Dialect:
    """Infer how a text file is written from its first bytes.

    ``expected`` is the delimiter that its suffix implies; a ``delimiter`` of the user is final.
    """
    if delimiter is not None and (
        len(delimiter) != 1 or not delimiter.isascii() or delimiter in '\r\n"'
    ):
        raise TableError(
            f"{delimiter!r} cannot be a delimiter. Expected one ASCII character, such as ; or |, "
            "other than a quote or a line end."
        )
    text, encoding = _decoded(start)
    if not text.strip():
        raise TableError(f"{name} is empty.")
    controls = [mark for mark in _CONTROL.findall(text) if mark != delimiter]
    if "\0" in text or len(controls) > len(text) / 100:
        raise TableError(
            f"{name} is not a text file. Rename it after its format: .csv, .tsv, .csv.gz, "
            ".parquet, .feather, .arff or .dat."
        )
    lines = [line for line in text.splitlines() if line.strip()]
    whole = lines[:-1] if len(lines) > 1 and not text.endswith(("\n", "\r")) else lines
    dialect = Dialect(expected, encoding=encoding)
    if encoding == "latin-1":
        dialect.notes.append(NOT_UTF8)
    dialect.delimiter = delimiter or _delimiter(whole[:_LINES], expected)
    if delimiter is None and dialect.delimiter != expected:
        found, usual = _DELIMITERS[dialect.delimiter], _DELIMITERS[expected]
        dialect.notes.append(f"is delimited by {found}, not {usual}")
    rows = list(_rows(whole[:_LINES], dialect.delimiter))
    _check_header(name, rows)
    fields = [text for row in rows[1:] for text in row[1:]]
    dialect.is_padded = 2 * sum(text.startswith(" ") for text in fields) > len(fields)
    if _has_decimal_comma(rows, dialect.delimiter):
        dialect.decimal = ","
        dialect.notes.append("has decimal commas (1,5 is read as 1.5)")
    return dialect


def _decoded(start: bytes) -> tuple[str, str]:
    for bom, encoding in _BOMS:
        if start.startswith(bom):
            if encoding == "utf8":
                return start.decode("utf-8-sig", "replace"), encoding
            return start[: len(start) - len(start) % 2].decode(encoding, "replace"), encoding
    for place, encoding in enumerate(("utf-16-be", "utf-16-le")):  # without a byte order mark
        zeros = start[place::2].count(0)
        if len(start) >= _SHORT and zeros > 0.4 * len(start) and not start[1 - place :: 2].count(0):
            return start[: len(start) - len(start) % 2].decode(encoding, "replace"), encoding
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        return decoder.decode(start), "utf8"  # may end inside a character
    except UnicodeDecodeError:
        return start.decode("latin-1"), "latin-1"


def _delimiter(lines: Sequence[str], expected: str) -> str:
    """Return the expected delimiter if it gives a table, else the one with most columns."""
    widths = {mark: _width(lines, mark) for mark in _DELIMITERS}
    if widths[expected] > 1:
        return expected
    widest = max(widths, key=lambda mark: widths[mark])
    if widths[widest] > 1:
        return widest
    # With no delimiter are all rows equally long: the header decides, and reading it will fail.
    header = {mark: sum(_fields(lines[:1], mark)) for mark in _DELIMITERS if mark != " "}
    if header[expected] > 1:
        return expected
    best = max(header, key=lambda mark: header[mark])
    return best if header[best] > 1 else expected


def _rows(lines: Sequence[str], mark: str) -> Iterator[list[str]]:
    """Yield the fields of lines, up to one that is too long for the csv module."""
    reader = csv.reader(lines, delimiter=mark)
    while True:
        try:
            yield next(reader)
        except (StopIteration, csv.Error):
            return


def _fields(lines: Sequence[str], mark: str) -> list[int]:
    return [len(row) for row in _rows(lines, mark)]


def _width(lines: Sequence[str], mark: str) -> int:
    """Return the number of columns if all lines have the same, else 0."""
    counts = set(_fields(lines, mark))
    return counts.pop() if len(counts) == 1 else 0


def _check_header(name: str, rows: list[list[str]]) -> None:
    names = [text.strip() for row in rows[:1] for text in row]
    if names and all(_NUMBER.fullmatch(text) for text in names):
        raise TableError(
            f"{name} has no header: its first line is {','.join(names[:5])}"
            f"{',...' if len(names) > 5 else ''}. Insert a line with the names of the columns."
        )


def _has_decimal_comma(rows: list[list[str]], delimiter: str) -> bool:
    if delimiter == ",":
        return False
    fields = [text.strip() for row in rows[1:] for text in row]
    n_commas = sum(_DECIMAL_COMMA.fullmatch(text) is not None for text in fields)
    n_points = sum(_DECIMAL_POINT.fullmatch(text) is not None for text in fields)
    return n_commas > n_points
