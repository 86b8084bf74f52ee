"""Open a table: a file of a known format, or a data set by its name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from rarewood.intake._errors import TableError, did_you_mean, nearest
from rarewood.intake._raw_table import RawTable

_TEXT = (".csv", ".tsv", ".txt", ".data")
_COMPRESSED = ("", ".gz", ".bz2", ".zst")
_PARQUET = (".parquet", ".pq")
_FEATHER = (".feather", ".arrow")
_ATTRIBUTES = (".arff", ".dat")
SUFFIXES = (
    *(kind + packed for kind in _TEXT for packed in _COMPRESSED),
    *_PARQUET,
    *_FEATHER,
    *_ATTRIBUTES,
)


def open_table(
    source: str | os.PathLike[str] | RawTable | Any,
    *,
    delimiter: str | None = None,
    memory: int | None = None,
) -> RawTable:
    """Open a table: a file, a folder of Parquet files, a data set by its name, or a DataFrame.

    Parameters
    ----------
    source : str, Path or pandas.DataFrame
        A CSV or TSV file (also compressed, such as .csv.gz), a Parquet, Feather, ARFF or KEEL
        file, a folder of Parquet files, or the name of a data set of :mod:`rarewood.datasets`. A
        file takes precedence over a data set of the same name.
    delimiter : str, default=None
        Delimiter of a text file; by default inferred.
    memory : int, default=None
        Memory limit in bytes for formats that are read when opened; by default the memory
        available.

    Returns
    -------
    table : RawTable
        Attributes: ``name``; ``columns``; ``schema``, the type of each column as text; ``n_rows``,
        None if unknown before reading; ``n_bytes``, the size of the file; ``target`` and
        ``pos_label``, if the source defines them; ``notes`` on what was inferred, such as an
        unusual delimiter; ``about``, the provenance. Methods, with the optional argument
        ``columns``: ``read()``, ``chunks(n_rows)`` and ``sample(n_rows, seed)`` return the rows as
        DataFrames, ``memory_needed()`` an estimate in bytes.

    Examples
    --------
    >>> from rarewood.intake import open_table
    >>> table = open_table("wine")
    >>> table.n_rows, table.target, table.columns[0]
    (178, 'class', 'alcohol')
    """
    if isinstance(source, RawTable):
        return source
    if not isinstance(source, (str, os.PathLike)):
        from rarewood.intake._whole_files import FrameTable

        return FrameTable("table", source)
    path = Path(source).expanduser()
    try:
        if path.is_dir():
            return _folder(path)
        return _file(path, delimiter, memory) if path.exists() else _dataset(str(source), path)
    except TableError:
        raise
    except ValueError as error:  # of a data set, an attribute file or files with other columns
        raise TableError(str(error)) from error


def _folder(path: Path) -> RawTable:
    """The Parquet files in a folder and its subfolders as one table."""
    if not any(True for suffix in _PARQUET for _ in path.rglob(f"*{suffix}")):
        names = sorted(n.name for n in path.iterdir() if n.name.lower().endswith(SUFFIXES))
        hint = f", such as {', '.join(names[:3])}" if names else ""
        raise TableError(f"{path} is a folder without Parquet files: name a file in it{hint}.")
    return _arrow_file(path)


def _arrow_file(path: Path) -> RawTable:
    from rarewood.intake._arrow_files import FeatherFile, ParquetTable, reading

    kind = FeatherFile if path.name.lower().endswith(_FEATHER) else ParquetTable
    with reading(path.name):
        return kind(path)


def _file(path: Path, delimiter: str | None, memory: int | None) -> RawTable:
    if not (path.is_file() or path.is_char_device()):
        raise TableError(f"{path} is not a regular file: write the table to a file first.")
    try:
        with path.open("rb") as file:
            is_empty = not file.read(1)
    except OSError as error:
        raise TableError(f"{path} cannot be read: {error.strerror}.") from error
    if is_empty:
        raise TableError(f"{path.name} is empty.")
    name = path.name.lower()
    if name.endswith(_ATTRIBUTES):
        from rarewood.intake._whole_files import AttributeFile

        return AttributeFile(path, memory)
    if name.endswith((*_PARQUET, *_FEATHER)):
        return _arrow_file(path)
    if name.endswith(SUFFIXES):
        from rarewood.intake._text_files import TextFile

        try:
            return TextFile(path, delimiter)
        except OSError as error:
            raise TableError(f"{path.name} cannot be read: {error}.") from error
    raise TableError(
        f"{path.name} has an unknown format: the name must end in .csv, .tsv, .csv.gz, .parquet, "
        ".feather, .arff or .dat."
    )


def _dataset(text: str, path: Path) -> RawTable:
    """A data set, since there is no such file."""
    from rarewood.intake._whole_files import DatasetTable

    check_dataset(text, path)
    return DatasetTable(text)


def check_dataset(text: str, path: Path) -> None:
    """Raise if a text, which is no file, is not the name of a data set either; read nothing."""
    is_path = os.sep in text or text.lower().endswith(SUFFIXES)
    known: list[str] = []
    if not is_path:
        from rarewood.datasets import available

        known = available()
        place, colon, _ = text.partition(":")
        if (colon and place in ("folder", "common", "sklearn", "openml")) or text in known:
            return
    folder = path.parent
    if not folder.is_dir():
        raise TableError(f"There is no file {text}: its folder {folder} does not exist.")
    files = [one.name for one in sorted(folder.iterdir()) if one.is_file()]
    if is_path:
        near = nearest(path.name, files)
        hint = f" Did you mean {' or '.join(str(folder / name) for name in near)}?" if near else ""
        raise TableError(f"There is no file {text}.{hint}")
    raise TableError(
        f"There is no file or data set {text!r}.{did_you_mean(text, [*files, *known])} "
        "'rarewood datasets' lists the data sets."
    )
