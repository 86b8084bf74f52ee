"""A case of a table file: columns, a format with its options, and mutations of the bytes."""

from __future__ import annotations

import csv
import gzip
import io
import math
from collections.abc import Iterator
from typing import Any

from fuzz.draw import Draw
from fuzz.tablefiles.values import draw_columns
from fuzz.target import Case

TEXT_OPTIONS = {
    "delimiter": lambda d: d.pick([",", ";", "\t", "|", " "]),
    "newline": lambda d: d.pick(["\n", "\r\n", "\r"]),
    "encoding": lambda d: d.pick(["utf-8-sig", "latin-1", "utf-16", "cp1252"]),
    "quoting": lambda d: d.pick([csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    "missing": lambda d: d.pick(["NA", "?", "null", "NaN", "-"]),
    "comma": lambda d: True,
    "ragged": lambda d: d.integer(0, 30),
    "comment": lambda d: d.pick(["# a comment\n", "\n\n", "\n", "\n", "sep=;\n"]),
    "packed": lambda d: True,
}
TYPES = [
    "int8", "uint8", "int16", "int32", "uint64", "float", "halffloat", "decimal", "string",
    "large_string", "dictionary", "bool", "date32", "timestamp", "time", "duration", "binary",
    "list", "struct", "null", "int8", "uint8", "int16", "float", "dictionary", "decimal", "string",
]  # fmt: skip
MUTATIONS = ["flip", "flip", "cut", "insert", "repeat"]
PIECES = [
    "00",
    "ff",
    "22",
    "2c",
    "0a",
    "0d",
    "09",
    "efbbbf",
    "fffe",
    "c3",
    "50415231",
    "4152524f5731",
]


def draw(d: Draw) -> Case:
    form = d.pick(["csv", "csv", "csv", "tsv", "parquet", "parquet", "feather"])
    case: Case = {"format": form, **draw_columns(d), "options": {}, "mutations": []}
    if form in ("csv", "tsv"):
        case["options"] = d.some(TEXT_OPTIONS, 0.12)
    else:
        case["options"] = {
            "types": [
                d.pick(TYPES) if d.chance(0.05 if name == case["target"] else 0.3) else ""
                for name in case["names"]
            ]
        }
        if d.chance(0.3):
            case["options"]["row_group"] = d.integer(1, 20)
    if d.chance(0.25):
        for _ in range(d.integer(1, 3)):
            case["mutations"].append(
                [d.pick(MUTATIONS), d.random(), d.integer(0, 255), d.pick(PIECES)]
            )
    return case


def smaller(case: Case) -> Iterator[Case]:
    n = len(case["columns"][0]) if case["columns"] else 0
    for i in range(len(case["mutations"])):
        yield {**case, "mutations": case["mutations"][:i] + case["mutations"][i + 1 :]}
    for name in case["options"]:
        if name != "types":
            rest = {key: value for key, value in case["options"].items() if key != name}
            yield {**case, "options": rest}
    for j in range(len(case["names"])):
        if len(case["names"]) > 1:
            yield _without_column(case, j)
    size = n // 2
    while size:
        for start in range(0, n, size):
            columns = [column[:start] + column[start + size :] for column in case["columns"]]
            yield {**case, "columns": columns}
        size //= 2


def _without_column(case: Case, j: int) -> Case:
    lists = {name: case[name][:j] + case[name][j + 1 :] for name in ("names", "kinds", "columns")}
    options = dict(case["options"])
    if "types" in options:
        options["types"] = options["types"][:j] + options["types"][j + 1 :]
    return {**case, **lists, "options": options}


def content(case: Case) -> bytes:
    """The bytes of the file."""
    data = _text(case) if case["format"] in ("csv", "tsv") else _arrow(case)
    for kind, place, value, piece in case["mutations"]:
        at = int(place * len(data))
        if kind == "flip" and data:
            data = data[:at] + bytes([value]) + data[at + 1 :]
        elif kind == "cut":
            data = data[:at]
        elif kind == "insert":
            data = data[:at] + bytes.fromhex(piece) + data[at:]
        elif kind == "repeat":
            data = data[:at] + data[at : at + value] * 3 + data[at + value :]
    return data


def suffix(case: Case) -> str:
    return f".{case['format']}" + (".gz" if case["options"].get("packed") else "")


def _text(case: Case) -> bytes:
    options = case["options"]
    buffer = io.StringIO(newline="")
    delimiter = options.get("delimiter", "\t" if case["format"] == "tsv" else ",")
    writer = csv.writer(
        buffer, delimiter=delimiter, lineterminator=options.get("newline", "\n"),
        quoting=options.get("quoting", csv.QUOTE_MINIMAL),
    )  # fmt: skip
    buffer.write(options.get("comment", ""))
    writer.writerow(case["names"])
    for i, row in enumerate(zip(*case["columns"], strict=True)):
        texts = [_cell(value, options) for value in row]
        if i == options.get("ragged"):
            texts = [*texts, "extra"] if i % 2 else texts[:-1]
        writer.writerow(texts)
    data = buffer.getvalue().encode(options.get("encoding", "utf-8"), errors="replace")
    return gzip.compress(data, mtime=0) if options.get("packed") else data


def _cell(value: Any, options: dict[str, Any]) -> Any:
    if value is None:
        return options.get("missing", "")
    if isinstance(value, float) and options.get("comma"):
        return str(value).replace(".", ",")
    return value


def _arrow(case: Case) -> bytes:
    """A Parquet or Feather file; a column that cannot have its type has that of its values."""
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    arrays = [
        _array(values, kind)
        for values, kind in zip(case["columns"], case["options"]["types"], strict=True)
    ]
    table = pa.Table.from_arrays(arrays, names=case["names"])
    buffer = io.BytesIO()
    if case["format"] == "parquet":
        pa.parquet.write_table(table, buffer, row_group_size=case["options"].get("row_group"))
    else:
        pa.feather.write_feather(table, buffer, compression="uncompressed")
    return buffer.getvalue()


def _array(values: list[Any], kind: str) -> Any:
    import pyarrow as pa

    given = {
        "decimal": lambda: pa.array(_numbers(values)).cast(pa.decimal128(38, 4)),
        "dictionary": lambda: pa.array(_texts(values), type=pa.string()).dictionary_encode(),
        "string": lambda: pa.array(_texts(values)),
        "large_string": lambda: pa.array(_texts(values), type=pa.large_string()),
        "binary": lambda: pa.array([None if v is None else str(v).encode() for v in values]),
        "bool": lambda: pa.array([None if v is None else bool(v) for v in values]),
        "date32": lambda: pa.array(_wholes(values), type=pa.int32()).cast(pa.date32()),
        "timestamp": lambda: pa.array(_wholes(values), type=pa.timestamp("us", tz="UTC")),
        "time": lambda: pa.array([None if v is None else abs(v) for v in _wholes(values)],
                                 type=pa.time64("us")),
        "duration": lambda: pa.array(_wholes(values), type=pa.duration("s")),
        "list": lambda: pa.array([None if v is None else [v] for v in _numbers(values)]),
        "struct": lambda: pa.array([None if v is None else {"a": v} for v in _numbers(values)]),
        "null": lambda: pa.nulls(len(values)),
        "float": lambda: pa.array(_numbers(values), type=pa.float32()),
        "halffloat": lambda: pa.array(_numbers(values)).cast(pa.float16()),
    }  # fmt: skip
    try:
        if kind in given:
            return given[kind]()
        if kind:
            return pa.array(_wholes(values), type=kind)
        return pa.array(values)
    except (pa.ArrowException, ValueError, TypeError, OverflowError):
        return pa.array(_texts(values))


def _texts(values: list[Any]) -> list[str | None]:
    return [None if value is None else str(value) for value in values]


def _numbers(values: list[Any]) -> list[float | None]:
    return [float(v) if isinstance(v, int | float) else None for v in values]


def _wholes(values: list[Any]) -> list[int | None]:
    numbers = _numbers(values)
    return [None if v is None or not math.isfinite(v) else int(v) for v in numbers]
