"""Tables that are written in pieces; a file appears when it is complete."""

from __future__ import annotations

import gzip
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from rarewood.workflow._files import check_writable

_CSV = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt")
_PARQUET = (".parquet", ".pq")


class TableWriter(ABC):
    """Receives the pieces of a table; see :func:`writing_table`."""

    n_rows = 0

    def write(self, table: Any) -> None:
        """Add rows."""
        self._add(table, is_first=self.n_rows == 0)
        self.n_rows += len(table)

    @abstractmethod
    def _add(self, table: Any, is_first: bool) -> None: ...


class _CsvWriter(TableWriter):
    def __init__(self, stream: Any, separator: str) -> None:
        self._stream, self._separator = stream, separator

    def _add(self, table: Any, is_first: bool) -> None:
        table.to_csv(
            self._stream, index=False, header=is_first, sep=self._separator, lineterminator="\n"
        )

    def close(self) -> None:
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


class _FrameWriter(TableWriter):
    """Keeps the pieces, and makes one DataFrame of them."""

    def __init__(self) -> None:
        self._pieces: list[Any] = []

    def _add(self, table: Any, is_first: bool) -> None:
        self._pieces.append(table)

    @property
    def frame(self) -> Any:
        from rarewood.datasets._files import pandas

        return pandas().concat(self._pieces, ignore_index=True)


def check_output(out: str | os.PathLike[str]) -> Path:
    """Return the path, or raise before any work is done if it cannot be written."""
    if not str(out).lower().endswith((*_CSV, *_PARQUET)):
        raise ValueError(f"{out}: expected a name that ends in .csv, .csv.gz, .tsv or .parquet.")
    return check_writable(out)


@contextmanager
def writing_table(out: Path | TextIO | None) -> Iterator[Any]:
    """Give a writer: CSV or Parquet by the name of a file, CSV to a stream, None to memory."""
    from rarewood.modelfile._atomic import replacing

    if out is None:
        yield _FrameWriter()
    elif not isinstance(out, Path):
        yield _CsvWriter(out, ",")
        out.flush()
    else:
        with replacing(out, "the predictions") as temporary:
            writer = _writer_for(out.name.lower(), temporary)
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
