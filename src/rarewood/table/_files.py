"""Parquet files, folders of them, and data sets as tables; only their metadata is read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Any

from rarewood.table._arrow import arrow
from rarewood.table._arrow_schema import unify_schemas
from rarewood.table._fragments import Fragment, ParquetFragment, ScannedFragment
from rarewood.table._table import Table

_FORMATS = {".feather": "feather", ".arrow": "feather", ".ipc": "feather", ".orc": "orc"}
_TEXTS = (".csv", ".tsv", ".txt", ".json", ".xlsx")
_READERS = 8  # files whose metadata is read at once


def path_rows(path: str | os.PathLike[str] | Sequence[str]) -> Table:
    """Return the rows of a file, of the files in a folder, or of several files."""
    paths = [os.fspath(path)] if isinstance(path, (str, os.PathLike)) else list(path)
    for one in paths:
        _check_path(one)
    suffix = PurePath(paths[0]).suffix.lower()
    source = paths if len(paths) > 1 else paths[0]
    kind = _FORMATS.get(suffix, "parquet")
    try:
        found = arrow("dataset").dataset(source, format=kind, partitioning="hive")
    except arrow().ArrowInvalid:
        if kind == "parquet":
            _check_names(paths)
        raise
    return dataset_rows(found, PurePath(paths[0]).name if len(paths) == 1 else "the list")


def _check_path(path: str) -> None:
    if "://" in path:  # a file system of pyarrow
        return
    if not Path(path).exists():
        raise FileNotFoundError(f"There is no file or folder {path!r}.")
    if path.lower().endswith(_TEXTS):
        raise ValueError(
            f"{path!r} is not a Parquet file. Convert it, for example with pyarrow or polars; or "
            "pass an iterator of tables, or a pyarrow.dataset of its format."
        )


def _check_names(paths: Sequence[str]) -> None:
    """Raise for a file with two columns of one name; the error of pyarrow names neither."""
    for path in map(Path, paths):
        for file in sorted(path.rglob("*.parquet")) if path.is_dir() else [path]:
            with suppress(OSError, arrow().ArrowInvalid):  # not a Parquet file
                schema = arrow("parquet").read_schema(file)
                unify_schemas(schema, schema, file.name, file.name)


def dataset_rows(dataset: Any, name: str) -> Table:
    """Return the rows of a pyarrow data set; its files must have the same columns."""
    whole, condition = _without_filter(dataset)
    files = list(whole.get_fragments())
    if not files:
        raise ValueError(f"There is no Parquet file in {name}.")
    labels = _labels([getattr(one, "path", None) for one in files])

    def opened(file: Any, label: str) -> tuple[Any, Fragment]:
        return _open_fragment(file, label, whole.schema, condition)

    with ThreadPoolExecutor(min(_READERS, len(files))) as readers:
        found = list(readers.map(opened, files, labels))
    schema, first = found[0][0], found[0][1].name
    for own, fragment in found:
        schema = unify_schemas(schema, own, first, fragment.name)
    return Table(name, schema, [fragment for _, fragment in found])


def _without_filter(dataset: Any) -> tuple[Any, Any]:
    """Return a data set without a filter, and its filter or None."""
    options = getattr(dataset, "_scan_options", None)
    if not options:
        return dataset, None
    whole = dataset.replace_schema(dataset.schema)
    whole._scan_options = {}  # with a filter, pyarrow lists no files
    return whole, options.get("filter")


def _labels(paths: Sequence[str | None]) -> list[str]:
    """Return names of files for messages, with folders where names repeat."""
    files = [PurePath(path) for path in paths if path is not None]
    if len(files) < len(paths):
        return ["the table in memory"] * len(paths)
    names = [file.name for file in files]
    if len(set(names)) == len(names):
        return names
    top = os.path.commonpath([file.parent for file in files])
    return [file.relative_to(top).as_posix() for file in files]


def _open_fragment(file: Any, label: str, whole: Any, condition: Any) -> tuple[Any, Fragment]:
    """Return the columns of one file, those of its folder names among them, and its rows."""
    pa, dataset = arrow(), arrow("dataset")
    schema = file.physical_schema
    known = dataset.get_partition_keys(file.partition_expression)
    keys = {name: (known[name], whole.field(name).type) for name in whole.names if name in known}
    for name, (_, kind) in keys.items():
        if name not in schema.names:
            schema = schema.append(pa.field(name, kind))
    if condition is None and isinstance(file, dataset.ParquetFileFragment):
        groups = file.row_groups
        numbers, sizes = tuple(one.id for one in groups), tuple(one.num_rows for one in groups)
        return schema, ParquetFragment(label, sizes, file.path, file.filesystem, numbers, keys)
    counted = file.scanner(schema=schema, columns=[], filter=condition).count_rows()
    return schema, ScannedFragment(label, (counted,), file, schema, condition)
