"""Tables that are written piece by piece, and appear under their name only when they are whole."""

from __future__ import annotations

import gzip
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rarewood.cli._errors import CommandError, check_writable

__all__ = ["TableWriter", "check_output", "writing_table"]

_CSV = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt")
_PARQUET = (".parquet", ".pq")


class TableWriter(ABC):
    """Takes the pieces of a table; see :func:`writing_table`."""

    n_rows = 0

    def write(self, table: Any) -> None:
        """Add rows."""
        self._add(table, is_first=self.n_rows == 0)
        self.n_rows += len(table)

    @abstractmethod
    def _add(self, table: Any, is_first: bool) -> None:
        """Add rows; the first ones come with the names of the columns."""

    def close(self) -> None:  # noqa: B027 -- most have nothing to finish
        """Finish the file."""


class _CsvWriter(TableWriter):
    def __init__(self, stream: Any, separator: str) -> None:
        self._stream, self._separator = stream, separator

    def _add(self, table: Any, is_first: bool) -> None:
        table.to_csv(
            self._stream, index=False, header=is_first, sep=self._separator, lineterminator="\n"
        )

    def close(self) -> None:
        if self._stream is sys.stdout:
            self._stream.flush()
        else:
            self._stream.close()


class _ParquetWriter(TableWriter):
    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: Any = None
        self._schema: Any = None

    def _add(self, table: Any, is_first: bool) -> None:
        from rarewood.table._arrow import arrow

        pa = arrow()
        if self._writer is None:
            schema = pa.Table.from_pandas(table, preserve_index=False).schema
            text = pa.string()  # a column without a value yet may get one
            fields = [f.with_type(text) if pa.types.is_null(f.type) else f for f in schema]
            self._schema = pa.schema(fields)
            self._writer = arrow("parquet").ParquetWriter(self._path, self._schema)
        self._writer.write_table(
            pa.Table.from_pandas(table, schema=self._schema, preserve_index=False)
        )

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


def check_output(out: str) -> str:
    """Return where to write, or raise before any work is done if it cannot be written."""
    if out == "-":
        return out
    if not out.lower().endswith((*_CSV, *_PARQUET)):
        raise CommandError(
            f"{out}: the name must end in .csv, .csv.gz, .tsv or .parquet; or be - for the "
            "standard output."
        )
    return str(check_writable(out))


@contextmanager
def writing_table(out: str) -> Iterator[TableWriter]:
    """Give a writer for a file, CSV or Parquet by its name, or for the standard output ("-")."""
    from rarewood.modelfile._atomic import replacing

    if out == "-":
        yield (writer := _CsvWriter(sys.stdout, ","))
        writer.close()
        return
    with replacing(out, "the predictions") as temporary:
        writer = _writer_for(out.lower(), temporary)
        try:
            yield writer
        finally:
            writer.close()


def _writer_for(name: str, path: Path) -> Any:
    if name.endswith(_PARQUET):
        return _ParquetWriter(path)
    separator = "\t" if ".tsv" in name else ","
    if name.endswith(".gz"):
        return _CsvWriter(gzip.open(path, "wt", encoding="utf-8", newline=""), separator)
    return _CsvWriter(path.open("w", encoding="utf-8", newline=""), separator)
