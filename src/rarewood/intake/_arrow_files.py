"""Parquet files, folders of them, and Feather files: typed columns, read in batches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rarewood.intake._errors import TableError
from rarewood.intake._raw_table import RawTable
from rarewood.table._arrow import UnreadableError, arrow, naming

_INDEX = re.compile(r"__index_level_\d+__")  # what pandas writes for an unnamed index
_FEW_TEXTS = 5000


def to_pandas(table: Any, is_whole: bool = False, categorical: frozenset[str] = frozenset()) -> Any:
    """Return an Arrow table as a pandas DataFrame of numbers, texts, categories and dates.

    If these are all rows of a table (``is_whole``), texts with few distinct values become
    categories, which take much less memory and time; those of a chunk would differ from the next.
    Values of the columns in ``categorical`` become texts, whatever their type.
    """
    names, columns, encoded = table.column_names, [], []
    for name, given in zip(names, table.itercolumns(), strict=True):
        column = _plain(given, name in categorical)
        if is_whole and _is_text(column.type):
            codes = column.combine_chunks().dictionary_encode()
            if len(codes.dictionary) <= _FEW_TEXTS:
                column = codes
                encoded.append(name)
        columns.append(column)
    table = arrow().Table.from_arrays(columns, names=names)
    frame = table.to_pandas(date_as_object=False, ignore_metadata=True, split_blocks=True)
    for name in encoded:  # alphabetical, independent of the order of the rows
        frame[name] = frame[name].cat.reorder_categories(sorted(frame[name].cat.categories))
    return frame


def _plain(column: Any, is_categorical: bool) -> Any:
    """Convert types that Arrow has and pandas lacks to numbers, texts or dates."""
    pa = arrow()
    if pa.types.is_decimal(column.type):
        return column.cast(pa.float64())
    is_encoded = pa.types.is_dictionary(column.type)
    values = column.type.value_type if is_encoded else column.type
    if (is_encoded or is_categorical) and not _is_text(values):
        return column.cast(values).cast(pa.string())
    return column


def _is_text(kind: Any) -> bool:
    types = arrow().types
    return bool(types.is_string(kind) or types.is_large_string(kind))


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn errors of pyarrow into a TableError that names the file."""
    try:
        with naming(name):
            yield
    except UnreadableError as error:
        raise TableError(str(error)) from error


def _guarded(name: str, batches: Iterable[Any]) -> Iterator[Any]:
    """Yield batches; only errors of reading them are attributed to the file."""
    left = iter(batches)
    while True:
        with reading(name):
            batch = next(left, None)
        if batch is None:
            return
        yield batch


class _ArrowTable(RawTable):
    """A table with an Arrow schema, and the size of each column in ``_sizes``."""

    _sizes: Mapping[str, float]

    def __init__(self, path: Path, schema: Any, n_bytes: int) -> None:
        names = [name for name in schema.names if not _INDEX.fullmatch(name)]
        super().__init__(path.name, names, n_bytes)
        self.path = path
        self.schema = {name: str(schema.field(name).type) for name in names}
        self.about = {"file": path.name}
        # Parquet does not store that numbers were categories; the metadata of pandas does.
        columns = (schema.pandas_metadata or {}).get("columns", ())
        self._categorical = frozenset(
            str(column["name"]) for column in columns if column.get("pandas_type") == "categorical"
        )

    def frame(self, rows: Any, is_whole: bool = False) -> Any:
        """Return a record batch or an Arrow table of some rows as a pandas DataFrame."""
        pa = arrow()
        table = pa.Table.from_batches([rows]) if isinstance(rows, pa.RecordBatch) else rows
        try:
            return to_pandas(table, is_whole, self._categorical)
        except (ValueError, OverflowError, pa.ArrowException) as error:
            # Such as a time after 24 hours, or a text that is not UTF-8.
            raise TableError(
                f"{self.name} has values that pandas cannot represent: {error}. Write the table "
                "again with other types of columns."
            ) from error

    def _size_in_memory(self, columns: list[str]) -> float:
        return sum(self._sizes[name] for name in columns)


class ParquetTable(_ArrowTable):
    """A Parquet file, or a folder of files with the same columns."""

    can_stream = True

    def __init__(self, path: Path) -> None:
        from rarewood.table._inputs import open_rows

        self.rows = open_rows(path)
        files = [Path(file) for file in self.rows.files]
        super().__init__(path, self.rows.schema, sum(file.stat().st_size for file in files))
        self.n_rows = self.rows.n_rows
        self._sizes = self._column_sizes(files)

    def _column_sizes(self, files: list[Path]) -> dict[str, float]:
        """Return estimated sizes of columns, at least eight bytes per value.

        Columns of texts and lists share the uncompressed size of the file. Those of each are not
        asked for: of a damaged file, pyarrow ends the process.
        """
        is_fixed = arrow().types.is_primitive
        wide = [name for name in self.columns if not is_fixed(self.rows.schema.field(name).type)]
        stored = sum(
            metadata.row_group(i).total_byte_size
            for metadata in map(arrow("parquet").read_metadata, files)
            for i in range(metadata.num_row_groups)
        )
        least = 8.0 * self.rows.n_rows
        return {
            name: max(least, stored / len(wide)) if name in wide else least for name in self.columns
        }

    def _read(self, columns: list[str]) -> Any:
        pa = arrow()
        batches = _guarded(self.name, self.rows.batches(columns))
        found = [pa.Table.from_batches([one]) for one in batches]
        types = pa.schema([self.rows.schema.field(name) for name in columns])
        table = pa.concat_tables(found, promote_options="permissive") if found else None
        return self.frame(types.empty_table() if table is None else table, is_whole=True)

    def _chunks(self, n_rows: int, columns: list[str], types: Mapping[str, str]) -> Iterator[Any]:
        return map(self.frame, _guarded(self.name, self.rows.batches(columns, n_rows)))


class FeatherFile(_ArrowTable):
    """A Feather file of version 2, which is an Arrow file."""

    def __init__(self, path: Path) -> None:
        with self._open(path) as file:
            super().__init__(path, file.schema, path.stat().st_size)
            n = file.num_record_batches  # all batches are assumed to be like the first
            first: Any = _checked_batch(file, 0) if n else None
        self._sizes = {
            name: float(n * first.column(name).nbytes) if n else 0.0 for name in self.columns
        }

    @staticmethod
    def _open(path: Path) -> Any:
        try:
            return arrow("ipc").open_file(arrow().memory_map(str(path)))
        except arrow().ArrowInvalid:
            raise TableError(
                f"{path.name} is not a Feather file of version 2 (an Arrow file): write it again "
                "with a current version of pandas or pyarrow, or as Parquet."
            ) from None

    def _read(self, columns: list[str]) -> Any:
        with reading(self.name), self._open(self.path) as file:
            batches = [_checked_batch(file, i) for i in range(file.num_record_batches)]
            table = arrow().Table.from_batches(batches, schema=file.schema)
            return self.frame(table.select(columns), is_whole=True)

    def _chunks(self, n_rows: int, columns: list[str], types: Mapping[str, str]) -> Iterator[Any]:
        with self._open(self.path) as file:
            batches = (_checked_batch(file, i) for i in range(file.num_record_batches))
            for batch in _guarded(self.name, batches):
                for start in range(0, batch.num_rows, n_rows):
                    yield self.frame(batch.select(columns).slice(start, n_rows))


def _checked_batch(file: Any, number: int) -> Any:
    """Return a record batch; pyarrow itself trusts the lengths and positions in a file."""
    batch = file.get_batch(number)
    batch.validate(full=True)
    return batch
