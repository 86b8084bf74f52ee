"""Parquet files, folders of them, and data sets: what they say of themselves."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePath
from typing import Any

from rarewood.stream._agreement import agreed_schema
from rarewood.stream._arrow import arrow
from rarewood.stream._pieces import FragmentPiece, ParquetPiece, Piece
from rarewood.stream._rows import Rows

__all__ = ["dataset_rows", "path_rows"]

_FORMATS = {".feather": "feather", ".arrow": "feather", ".ipc": "feather", ".orc": "orc"}
_TEXTS = (".csv", ".tsv", ".txt", ".json", ".xlsx")
_READERS = 8  # files whose metadata is asked for at once


def path_rows(path: str | os.PathLike[str] | Sequence[str]) -> Rows:
    """Return the rows of a file, of the files in a folder, or of several files."""
    paths = [os.fspath(path)] if isinstance(path, (str, os.PathLike)) else list(path)
    for one in paths:
        _check_path(one)
    suffix = PurePath(paths[0]).suffix.lower()
    source = paths if len(paths) > 1 else paths[0]
    found = arrow("dataset").dataset(
        source, format=_FORMATS.get(suffix, "parquet"), partitioning="hive"
    )
    return dataset_rows(found, PurePath(paths[0]).name if len(paths) == 1 else "the list")


def _check_path(path: str) -> None:
    if "://" in path:  # a file system that pyarrow knows
        return
    if not Path(path).exists():
        raise FileNotFoundError(f"There is no file or folder {path!r}.")
    if path.lower().endswith(_TEXTS):
        raise ValueError(
            f"{path!r} is no Parquet file. Convert it, for example with pyarrow or polars; or give "
            "an iterator of tables, or a pyarrow.dataset that knows its format."
        )


def dataset_rows(dataset: Any, name: str) -> Rows:
    """Return the rows of a pyarrow data set; its files must have the same columns."""
    if getattr(dataset, "_scan_options", None):  # dataset.filter(...): rows are chosen by a scan
        scanned = FragmentPiece(dataset, dataset.count_rows(), name)
        return Rows(name, dataset.schema, [scanned])
    fragments = list(dataset.get_fragments())
    if not fragments:
        raise ValueError(f"There is no Parquet file in {name}.")
    with ThreadPoolExecutor(min(_READERS, len(fragments))) as readers:
        opened = list(readers.map(lambda one: _open_fragment(one, dataset.schema), fragments))
    schema, pieces = None, []
    for found, piece in opened:
        first = opened[0][1].name
        schema = agreed_schema(schema or found, found, first, piece.name)
        pieces.append(piece)
    return Rows(name, schema, pieces)


def _open_fragment(fragment: Any, whole: Any) -> tuple[Any, Piece]:
    """Return the columns of one file, those of its folder's name among them, and its rows."""
    pa, dataset = arrow(), arrow("dataset")
    schema = fragment.physical_schema
    known = dataset.get_partition_keys(fragment.partition_expression)
    keys = {name: (value, whole.field(name).type) for name, value in known.items()}
    for name, (_, kind) in keys.items():
        if name not in schema.names:
            schema = schema.append(pa.field(name, kind))
    if isinstance(fragment, dataset.ParquetFileFragment):
        groups = fragment.row_groups
        numbers, sizes = tuple(one.id for one in groups), tuple(one.num_rows for one in groups)
        return schema, ParquetPiece(fragment.path, fragment.filesystem, numbers, sizes, keys)
    name = PurePath(getattr(fragment, "path", None) or "the table in memory").name
    return schema, FragmentPiece(fragment, fragment.count_rows(), name)
