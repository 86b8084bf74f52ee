"""Parquet files, folders of them, and Feather files: typed columns, read batch by batch."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rarewood._optional import require
from rarewood.intake._errors import TableError
from rarewood.intake._raw_table import Source

__all__ = ["FeatherSource", "ParquetSource", "arrow", "check_names", "reading", "to_pandas"]

_INDEX = re.compile(r"__index_level_\d+__")  # what pandas writes for an index without a name
_FEW_TEXTS = 5000


def arrow(part: str = "") -> Any:
    """Import pyarrow, or a part of it."""
    name = f"pyarrow.{part}" if part else "pyarrow"
    return require(name, "Reading tables from files", "rarewood[cli]")


def to_pandas(table: Any, is_whole: bool = False, nominal: frozenset[str] = frozenset()) -> Any:
    """Return an Arrow table as a pandas DataFrame of plain columns.

    Parameters
    ----------
    table : pyarrow.Table
        The table.
    is_whole : bool, default=False
        Whether there are no more rows: then texts with few values become categories, which take
        much less memory and time. In a chunk they would not be those of the next one.
    nominal : frozenset of str
        Names of columns that hold codes, whatever their type.

    Returns
    -------
    frame : pandas.DataFrame
        Dates as dates, decimal numbers as floats, codes as texts.
    """
    names, columns, encoded = table.column_names, [], []
    for name, given in zip(names, table.itercolumns(), strict=True):
        column = _plain(given, name in nominal)
        if is_whole and _is_text(column.type):
            codes = column.combine_chunks().dictionary_encode()
            if len(codes.dictionary) <= _FEW_TEXTS:
                column = codes
                encoded.append(name)
        columns.append(column)
    table = arrow().Table.from_arrays(columns, names=names)
    frame = table.to_pandas(date_as_object=False, ignore_metadata=True, split_blocks=True)
    for name in encoded:  # in alphabetical order, whichever row came first
        frame[name] = frame[name].cat.reorder_categories(sorted(frame[name].cat.categories))
    return frame


def _plain(column: Any, is_nominal: bool) -> Any:
    """A column as numbers, texts or dates, where Arrow has more to offer than pandas."""
    pa = arrow()
    if pa.types.is_decimal(column.type):
        return column.cast(pa.float64())
    is_encoded = pa.types.is_dictionary(column.type)
    held = column.type.value_type if is_encoded else column.type
    if (is_encoded or is_nominal) and not _is_text(held):
        return column.cast(held).cast(pa.string())
    return column


def _is_text(kind: Any) -> bool:
    types = arrow().types
    return bool(types.is_string(kind) or types.is_large_string(kind))


def check_names(name: str, columns: list[str]) -> None:
    """Raise for a table in which a name does not say which column is meant."""
    twice = sorted(one for one, n in Counter(columns).items() if n > 1)
    if twice:
        places = [str(k) for k, one in enumerate(columns, start=1) if one == twice[0]]
        raise TableError(
            f"{name} has {len(places)} columns named {twice[0]!r} (columns {', '.join(places)}): "
            "rename or remove all but one of them."
        )
    if not columns:
        raise TableError(f"{name} has no columns.")


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Say which file is meant where pyarrow finds it damaged."""
    try:
        yield
    except (arrow().ArrowInvalid, OSError) as error:
        text = str(error).splitlines()[0].rstrip(".")
        raise TableError(
            f"{name} cannot be read: {text}. Is it damaged, or of another kind than its name says?"
        ) from error


class _ArrowSource(Source):
    def __init__(self, path: Path, schema: Any, n_bytes: int) -> None:
        names = [name for name in schema.names if not _INDEX.fullmatch(name)]
        check_names(path.name, names)
        super().__init__(path.name, names, n_bytes)
        self.path = path
        self.schema = {name: str(schema.field(name).type) for name in names}
        self.about = {"file": path.name}
        # Parquet forgets that numbers were categories; what pandas wrote beside them does not.
        told = (schema.pandas_metadata or {}).get("columns", ())
        self._nominal = frozenset(
            str(about["name"]) for about in told if about.get("pandas_type") == "categorical"
        )

    def _frame(self, table: Any, is_whole: bool = False) -> Any:
        return to_pandas(table, is_whole, self._nominal)


def _guarded(name: str, batches: Iterable[Any]) -> Iterator[Any]:
    """Give batches; only what reading them raises is said to be the file's."""
    left = iter(batches)
    while True:
        with reading(name):
            batch = next(left, None)
        if batch is None:
            return
        yield batch


class ParquetSource(_ArrowSource):
    """A Parquet file, or a folder of files with the same columns."""

    def __init__(self, path: Path) -> None:
        from rarewood.table._inputs import open_rows

        self.rows = open_rows(path)
        files = [Path(file) for file in self.rows.files]
        super().__init__(path, self.rows.schema, sum(file.stat().st_size for file in files))
        self.n_rows = self.rows.n_rows
        self._sizes = self._column_sizes(files)

    def _column_sizes(self, files: list[Path]) -> dict[str, float]:
        """Bytes of each column: what is stored, and no less than eight for each value."""
        parquet = arrow("parquet")
        stored = dict.fromkeys(self.columns, 0.0)
        for metadata in map(parquet.read_metadata, files):
            for group in map(metadata.row_group, range(metadata.num_row_groups)):
                for column in map(group.column, range(group.num_columns)):
                    name = column.path_in_schema.split(".")[0]
                    if name in stored:
                        stored[name] += column.total_uncompressed_size
        return {name: max(8.0 * self.rows.n_rows, size) for name, size in stored.items()}

    def _size_in_memory(self, columns: list[str]) -> float:
        return sum(self._sizes[name] for name in columns)

    def _read(self, columns: list[str]) -> Any:
        pa = arrow()
        batches = _guarded(self.name, self.rows.batches(columns))
        found = [pa.Table.from_batches([one]) for one in batches]
        types = pa.schema([self.rows.schema.field(name) for name in columns])
        table = pa.concat_tables(found, promote_options="permissive") if found else None
        return self._frame(types.empty_table() if table is None else table, is_whole=True)

    def _chunks(self, n_rows: int, columns: list[str], types: Mapping[str, str]) -> Iterator[Any]:
        for batch in _guarded(self.name, self.rows.batches(columns, n_rows)):
            yield self.frame(batch)

    def frame(self, rows: Any) -> Any:
        """Return a record batch, or an Arrow table of some rows, as a chunk of the table."""
        pa = arrow()
        is_batch = isinstance(rows, pa.RecordBatch)
        return self._frame(pa.Table.from_batches([rows]) if is_batch else rows)


class FeatherSource(_ArrowSource):
    """A Feather file, which is an Arrow file."""

    def __init__(self, path: Path) -> None:
        with self._open(path) as file:
            super().__init__(path, file.schema, path.stat().st_size)
            self._sizes = self._column_sizes(file)

    @staticmethod
    def _open(path: Path) -> Any:
        try:
            return arrow("ipc").open_file(arrow().memory_map(str(path)))
        except arrow().ArrowInvalid:
            raise TableError(
                f"{path.name} is no Feather file of version 2 (an Arrow file): write it again "
                "with a current pandas or pyarrow, or as Parquet."
            ) from None

    def _size_in_memory(self, columns: list[str]) -> float:
        return sum(self._sizes[name] for name in columns)

    def _column_sizes(self, file: Any) -> dict[str, float]:
        """Bytes of each column: those of the first batch, as often as there are batches."""
        if not file.num_record_batches:
            return dict.fromkeys(self.columns, 0.0)
        first, n = file.get_batch(0), file.num_record_batches
        return {name: float(n * first.column(name).nbytes) for name in self.columns}

    def _batches(self, columns: list[str]) -> Iterator[Any]:
        with self._open(self.path) as file:
            numbers = range(file.num_record_batches)
            for batch in _guarded(self.name, map(file.get_batch, numbers)):
                yield batch.select(columns)

    def _read(self, columns: list[str]) -> Any:
        with reading(self.name), self._open(self.path) as file:
            return self._frame(file.read_all().select(columns), is_whole=True)

    def _chunks(self, n_rows: int, columns: list[str], types: Mapping[str, str]) -> Iterator[Any]:
        for batch in self._batches(columns):
            for start in range(0, batch.num_rows, n_rows):
                part = batch.slice(start, n_rows)
                yield self._frame(arrow().Table.from_batches([part]))
