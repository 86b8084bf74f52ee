"""From what a person typed to a table: a file of a known kind, or the name of a data set."""

from __future__ import annotations

import os
from pathlib import Path

from rarewood.intake._errors import TableError, did_you_mean, nearest
from rarewood.intake._raw_table import Source

__all__ = ["SUFFIXES", "open_table"]

_TEXT = (".csv", ".tsv", ".txt", ".data")
_PACKED = ("", ".gz", ".bz2", ".zst")
_PARQUET = (".parquet", ".pq")
_FEATHER = (".feather", ".arrow")
_ATTRIBUTES = (".arff", ".dat")
SUFFIXES = (
    *(kind + packed for kind in _TEXT for packed in _PACKED),
    *_PARQUET,
    *_FEATHER,
    *_ATTRIBUTES,
)


def open_table(
    source: str | os.PathLike[str] | Source,
    *,
    delimiter: str | None = None,
    memory: int | None = None,
) -> Source:
    """Open a table: a file, a folder of Parquet files, or a data set by its name.

    Parameters
    ----------
    source : str, Path or Source
        A CSV or TSV file (also packed as .gz), a Parquet, Feather, ARFF or KEEL file, a folder of
        Parquet files, or a name of :func:`rarewood.datasets.available`. A file goes before a data
        set of the same name.
    delimiter : str, default=None
        The mark between the columns of a text file; by default found out.
    memory : int, default=None
        Bytes that may be used where opening means reading; by default what the system has left.

    Returns
    -------
    table : Source
        What is known of it, with methods to read it, whole or in chunks.

    Examples
    --------
    >>> from rarewood.intake import open_table
    >>> table = open_table("wine")
    >>> table.n_rows, table.target, table.columns[0]
    (178, 'class', 'alcohol')
    """
    if isinstance(source, Source):
        return source
    path = Path(source).expanduser()
    if path.is_dir():
        return _folder(path)
    if not path.exists():
        return _named(str(source), path)
    if not (path.is_file() or path.is_char_device()):
        raise TableError(f"{path} is no plain file: write the table to a file first.")
    try:
        with path.open("rb") as file:
            is_empty = not file.read(1)
    except OSError as error:
        raise TableError(f"{path} cannot be read: {error.strerror}.") from error
    if is_empty:
        raise TableError(f"{path.name} is empty.")
    return _opened(path, delimiter, memory)


def _folder(path: Path) -> Source:
    """The Parquet files in a folder, or below it, as one table."""
    found = [one for kind in _PARQUET for one in path.rglob(f"*{kind}")]
    if not found:
        raise TableError(
            f"{path} is a folder without Parquet files: name one of the files in it"
            f"{_some_in(path)}."
        )
    return _arrow_file(path)


def _arrow_file(path: Path) -> Source:
    from rarewood.intake._arrow_files import FeatherSource, ParquetSource, reading

    kind = FeatherSource if path.name.lower().endswith(_FEATHER) else ParquetSource
    try:
        with reading(path.name):
            return kind(path)
    except TableError:
        raise
    except ValueError as error:  # files that do not go together
        raise TableError(str(error)) from error


def _opened(path: Path, delimiter: str | None, memory: int | None) -> Source:
    name = path.name.lower()
    if name.endswith(_ATTRIBUTES):
        from rarewood.intake._whole_files import AttributeSource

        return AttributeSource(path, memory)
    if name.endswith((*_PARQUET, *_FEATHER)):
        return _arrow_file(path)
    if name.endswith(SUFFIXES):
        from rarewood.intake._text_files import TextSource

        try:
            return TextSource(path, delimiter)
        except OSError as error:
            raise TableError(f"{path.name} cannot be read: {error}.") from error
    raise TableError(
        f"{path.name} is of no known kind: the name must end in .csv, .tsv, .csv.gz, .parquet, "
        ".feather, .arff or .dat."
    )


def _named(text: str, path: Path) -> Source:
    """A data set, since there is no such file."""
    is_path = os.sep in text or text.lower().endswith(SUFFIXES)
    if not is_path:
        from rarewood.datasets import available
        from rarewood.intake._whole_files import DatasetSource

        place, colon, _ = text.partition(":")
        if (colon and place in ("folder", "common", "sklearn", "openml")) or text in available():
            try:
                return DatasetSource(text)
            except TableError:
                raise
            except ValueError as error:
                raise TableError(str(error)) from error
    folder = path.parent
    if not folder.is_dir():
        raise TableError(f"There is no file {text}: its folder {folder} does not exist.")
    files = [one.name for one in sorted(folder.iterdir()) if one.is_file()]
    if is_path:
        near = nearest(path.name, files)
        hint = f" Did you mean {' or '.join(str(folder / name) for name in near)}?" if near else ""
        raise TableError(f"There is no file {text}.{hint}")
    hint = did_you_mean(text, [*files, *available()])
    raise TableError(
        f"There is no file and no data set {text!r}.{hint} 'rarewood datasets' lists the names."
    )


def _some_in(folder: Path) -> str:
    names = sorted(n.name for n in folder.iterdir() if n.name.lower().endswith(SUFFIXES))
    return f", such as {', '.join(names[:3])}" if names else ""
