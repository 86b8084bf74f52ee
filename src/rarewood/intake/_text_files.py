"""CSV, TSV and similar text files, also compressed, read whole or in chunks by pyarrow."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rarewood.intake._arrow_files import to_pandas
from rarewood.intake._dialect import NOT_UTF8, Dialect, infer_dialect
from rarewood.intake._errors import TableError, count
from rarewood.intake._raw_table import RawTable
from rarewood.table._arrow import arrow

# Missing values: those of pandas, and the question mark of ARFF and UCI files.
_MISSING = (
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null", "?",
)  # fmt: skip
_START = 1 << 20  # bytes inspected before the file is read
_BLOCK = 1 << 23
_MOST_LINES = 3_000_000  # searched for a malformed one


class TextFile(RawTable):
    """A CSV or TSV file, plain or compressed (.gz, .bz2, .zst)."""

    def __init__(self, path: Path, delimiter: str | None = None) -> None:
        self.path = path
        with self._open() as stream:
            start: bytes = stream.read(_START)
        expected = "\t" if ".tsv" in path.name.lower() else ","
        self.dialect: Dialect = infer_dialect(path.name, start, expected, delimiter)
        schema = self._guarded(self._first_schema)
        self._written = list(schema.names)  # as in the file
        self._named_in = self.dialect.encoding  # a later row may show that it is another one
        names = [n.strip() or f"Unnamed: {place}" for place, n in enumerate(self._written)]
        n_bytes = path.stat().st_size
        super().__init__(path.name, names, n_bytes)
        self.schema = {n: str(t) for n, t in zip(names, schema.types, strict=True)}
        self.notes = list(self.dialect.notes)
        marks = {name: getattr(self.dialect, name) for name in ("delimiter", "encoding")}
        self.about = {"file": path.name, **marks}
        self._n_unpacked = n_bytes * _expansion(path, len(start))
        if len(names) == 1:
            raise TableError(
                f"{path.name} has a single column, {names[0][:80]!r}: if its delimiter is not "
                f"{self.dialect.delimiter!r}, set it with --delimiter."
            )

    def _open(self) -> Any:
        return arrow().input_stream(str(self.path), compression="detect")

    def _options(
        self,
        columns: list[str] | None = None,
        types: Mapping[str, Any] | None = None,
        block: int = _BLOCK,
    ) -> Any:
        pacsv = arrow("csv")
        mark = self.dialect
        return {
            "read_options": pacsv.ReadOptions(encoding=mark.encoding, block_size=block),
            # Without line ends in values pyarrow is a little faster, but silently takes a quoted
            # one between two blocks for the end of a row.
            "parse_options": pacsv.ParseOptions(delimiter=mark.delimiter, newlines_in_values=True),
            "convert_options": pacsv.ConvertOptions(
                null_values=[*_MISSING, *(f" {text}" for text in _MISSING)],
                strings_can_be_null=True,
                decimal_point=mark.decimal,
                column_types=dict(types or {}),
                include_columns=columns and self._names(columns),
            ),
        }

    def _first_schema(self) -> Any:
        with arrow("csv").open_csv(self._open(), **self._options(block=_START)) as reader:
            return reader.schema

    def _guarded(self, work: Any) -> Any:
        """Call ``work``; if the file turns out not to be UTF-8, again with Latin-1."""
        try:
            return work()
        except (arrow().ArrowException, UnicodeDecodeError) as error:
            is_encoding = isinstance(error, UnicodeDecodeError) or "UTF8" in str(error)
            if not is_encoding or self.dialect.encoding == "latin-1":
                raise self._explained(error) from error
        self.dialect.encoding = "latin-1"
        self.dialect.notes.append(NOT_UTF8)
        self.notes = list(self.dialect.notes)
        return self._guarded(work)

    def _explained(self, error: Exception) -> TableError:
        text = str(error)
        odd = re.search(r"(?:Row #(\d+): )?Expected (\d+) columns, got (\d+)", text)
        if odd:
            where = self._line_with(int(odd[3]))
            return TableError(
                f"{self.path.name}: {where} has {count(int(odd[3]), 'field')}, but the header has "
                f"{count(int(odd[2]), 'column')}. Correct that line; a delimiter inside a field "
                "must be quoted."
            )
        value = re.search(r"In CSV column #(\d+): (?:Row #(\d+): )?.*invalid value '(.*?)'", text)
        if value:
            name = self._written[int(value[1])] if hasattr(self, "_written") else value[1]
            where = f"row {value[2]}" if value[2] else "a row"
            return TableError(
                f"{self.path.name}: column {name!r} contains {value[3]!r} in {where}, which does "
                "not have the type of the values before it. Correct it or leave it empty."
            )
        if "Empty CSV" in text:
            return TableError(f"{self.path.name} has a header but no rows.")
        return TableError(f"{self.path.name} cannot be read: {text.splitlines()[0]}.")

    def _line_with(self, n_fields: int) -> str:
        """Return where the first row with so many fields is; pyarrow reads ahead and cannot."""
        encoding = "utf-8-sig" if self.dialect.encoding == "utf8" else self.dialect.encoding
        with self._open() as packed:
            text = io.TextIOWrapper(packed, encoding=encoding, errors="replace", newline="")
            reader = csv.reader(text, delimiter=self.dialect.delimiter)
            try:
                for row in reader:
                    if len(row) == n_fields:
                        return f"line {reader.line_num:,}"
                    if reader.line_num > _MOST_LINES:
                        break
            except csv.Error:
                pass
        return "a row"

    def _size_in_memory(self, columns: list[str]) -> float:
        fraction = len(columns) / len(self.columns)
        return 1.5 * self._n_unpacked * fraction  # short numbers take eight bytes

    def _names(self, columns: list[str]) -> list[str]:
        """Return the names of columns as written in the file."""
        written = dict(zip(self.columns, self._written, strict=True))
        names = [written[name] for name in columns]
        if self.dialect.encoding != "latin-1" or self._named_in == "latin-1":
            return names
        return [name.encode().decode("latin-1") for name in names]

    def _read(self, columns: list[str]) -> Any:
        def work() -> Any:
            table = arrow("csv").read_csv(self._open(), **self._options(columns))
            if any(arrow().types.is_binary(kind) for kind in table.schema.types):
                raise arrow().ArrowInvalid("invalid UTF8 data")  # pyarrow would return bytes
            return table

        table = self._trimmed(self._guarded(work).rename_columns(columns))
        return to_pandas(table, is_whole=True)

    def _trimmed(self, table: Any) -> Any:
        """Strip the spaces around texts, if the file pads its fields."""
        if not self.dialect.is_padded:
            return table
        pa, trim = arrow(), arrow("compute").utf8_trim_whitespace
        columns = [
            trim(column) if pa.types.is_string(column.type) else column
            for column in table.itercolumns()
        ]
        return pa.Table.from_arrays(columns, names=table.column_names)

    def _chunks(self, n_rows: int, columns: list[str], types: Mapping[str, str]) -> Iterator[Any]:
        self._guarded(lambda: next(self._batches(columns, types, block=_START), None))
        n_given = 0
        try:
            for batch in self._batches(columns, types):
                for start in range(0, batch.num_rows, n_rows):
                    part = batch.slice(start, n_rows)
                    n_given += part.num_rows
                    yield to_pandas(self._trimmed(arrow().Table.from_batches([part])))
        except (arrow().ArrowException, UnicodeDecodeError) as error:
            if "UTF8" not in str(error):
                raise self._explained(error) from error
            raise TableError(
                f"{self.path.name} is not valid UTF-8 after row {n_given:,}: convert it, for "
                "example with iconv -f latin1 -t utf8."
            ) from error

    def _batches(
        self, columns: list[str], types: Mapping[str, str], block: int = _BLOCK
    ) -> Iterator[Any]:
        options = self._options(columns, self._arrow_types(columns, types), block)
        with arrow("csv").open_csv(self._open(), **options) as reader:
            for batch in reader:
                yield batch.rename_columns(columns)

    def _arrow_types(self, columns: list[str], types: Mapping[str, str]) -> dict[str, Any]:
        """Return the requested types, else those of the first rows, widened."""
        pa = arrow()
        requested = {
            "number": pa.float64(), "text": pa.string(), "boolean": pa.bool_(),
            "date": pa.timestamp("ms"),
        }  # fmt: skip
        found = {}
        for name, written in zip(columns, self._names(columns), strict=True):
            if name in types:
                found[written] = requested[types[name]]
            elif self.schema[name] == "int64":  # a later row may have decimals
                found[written] = pa.float64()
            elif self.schema[name] in ("null", "string"):
                found[written] = pa.string()
        return found


def _expansion(path: Path, n_start: int) -> float:
    """Return by which factor a file grows when it is decompressed, from its first bytes."""
    if path.suffix.lower() not in (".gz", ".bz2", ".zst"):
        return 1.0
    if n_start < _START:  # the whole file
        return n_start / path.stat().st_size
    with path.open("rb") as file:
        packed = file.read(_START)
    codec = arrow().Codec.detect(str(path)).name
    stream = arrow().CompressedInputStream(io.BytesIO(packed), codec)
    n_read = 0
    try:
        while part := stream.read(1 << 16):
            n_read += len(part)
    except OSError:  # the part ends in the middle of a block
        pass
    return max(1, n_read) / len(packed)
