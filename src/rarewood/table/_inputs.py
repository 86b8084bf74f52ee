"""Files, data sets, tables and iterators, opened as a table that is read in batches."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import narwhals.stable.v2 as nw

from rarewood.table._arrow import arrow
from rarewood.table._arrow_schema import unify_schemas
from rarewood.table._files import dataset_rows, path_rows
from rarewood.table._fragments import Fragment, MemoryFragment
from rarewood.table._spill import spill
from rarewood.table._table import Table


def is_dataset(X: Any) -> bool:
    """Whether something is a data set of pyarrow, found without importing pyarrow."""
    return any(
        kind.__module__ == "pyarrow._dataset" and kind.__name__ == "Dataset"
        for kind in type(X).__mro__
    )


def is_batch(X: Any) -> bool:
    """Whether something is a part of a table: a record batch, or a table of any library."""
    if type(X).__module__ == "pyarrow.lib" and type(X).__name__ == "RecordBatch":
        return True
    return bool(nw.dependencies.is_into_dataframe(X))


def is_one_shot(X: Any) -> bool:
    """Whether something can be read only once, such as a generator of batches."""
    return isinstance(X, Iterator) or type(X).__name__ == "RecordBatchReader"


def open_rows(
    X: Any,
    folder: str | os.PathLike[str] | None = None,
    on_rows: Callable[[int], object] | None = None,
) -> Table:
    """Open an input of :class:`~rarewood.stream.Stream`; of files only the metadata is read.

    The batches of an iterator are written to a temporary file in ``folder``, since they are read
    twice; ``on_rows`` is called with the number of rows written so far. Files are read in the order
    of their names, and row groups as they are in a file.
    """
    if isinstance(X, Table):
        return X
    if isinstance(X, (str, os.PathLike)):
        return path_rows(X)
    if is_dataset(X):
        return dataset_rows(X, "the data set")
    if is_batch(X):
        return _memory_rows([X], "the table")
    if isinstance(X, (list, tuple)):
        if X and all(isinstance(one, (str, os.PathLike)) for one in X):
            return path_rows([os.fspath(one) for one in X])
        return _memory_rows(X, "the list")
    if isinstance(X, Iterable):
        return _spilled_rows(iter(X), folder, on_rows)
    raise TypeError(
        f"Expected the path of a Parquet file or folder, a pyarrow Dataset, a table, or batches of "
        f"one; got {type(X).__name__}."
    )


def _memory_rows(parts: Sequence[Any], name: str) -> Table:
    schema = None
    fragments: list[Fragment] = []
    for place, part in enumerate(parts):
        table = as_arrow(part, f"part {place} of {name}")
        label = name if len(parts) == 1 else f"part {place} of {name}"
        schema = unify_schemas(schema or table.schema, table.schema, f"part 0 of {name}", label)
        fragments.append(MemoryFragment.of(table.to_batches(), label))
    if schema is None:
        raise ValueError(f"Expected at least one file, or batch of a table; {name} is empty.")
    return Table(name, schema, fragments)


def _spilled_rows(
    parts: Iterator[Any],
    folder: str | os.PathLike[str] | None,
    on_rows: Callable[[int], object] | None,
) -> Table:
    tables = (as_arrow(part, f"batch {place} of the iterator") for place, part in enumerate(parts))
    schema, fragment = spill(tables, folder, on_rows)
    return Table("the iterator", schema, [fragment])


def as_arrow(part: Any, name: str) -> Any:
    """Return a table of any library as an Arrow table."""
    pa = arrow()
    if isinstance(part, pa.RecordBatch):
        return pa.Table.from_batches([part])
    if isinstance(part, pa.Table):
        return part
    if not nw.dependencies.is_into_dataframe(part):
        raise TypeError(
            f"Expected record batches or tables, but {name} is of the type {type(part).__name__}."
        )
    if nw.dependencies.is_pandas_dataframe(part):
        return pa.Table.from_pandas(part, preserve_index=False).replace_schema_metadata(None)
    return nw.from_native(part, eager_only=True).to_arrow()
