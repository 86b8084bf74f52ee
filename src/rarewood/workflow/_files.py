"""Output files: checks before any work is done, and tables that are written in pieces."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TextIO

_CSV = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt")
_PARQUET = (".parquet", ".pq")
Write = Callable[[Any], None]  # adds the rows of a DataFrame


def check_writable(path: str | os.PathLike[str], is_folder: bool = False) -> Path:
    """Return the path, or raise if no file (or folder) can be written there; create nothing."""
    place = Path(path).expanduser()
    folder = place if is_folder else place.parent
    if not is_folder and place.is_dir():
        raise IsADirectoryError(f"{place} is a folder; expected the name of a file to write.")
    if not is_folder and (str(path) == "-" or (place.exists() and not place.is_file())):
        raise OSError(f"{path} is not a regular file; expected the name of a file to write.")
    if not is_folder and not folder.is_dir():
        raise FileNotFoundError(f"Cannot write {place}: the folder {folder} does not exist.")
    while not folder.exists():  # the nearest one that does; the others would be made in it
        folder = folder.parent
    try:
        probe = folder / f".rarewood-{os.getpid()}"
        probe.touch()
        probe.unlink()
        if not is_folder and place.exists():
            place.open("ab").close()
    except OSError as error:
        raise OSError(
            f"Cannot write {place}: {error.strerror}. Choose another place with `out`."
        ) from error
    return place


def check_exists(data: object) -> None:
    """Raise if a file, told by its name, does not exist; other names may be those of data sets."""
    if isinstance(data, (str, os.PathLike)) and not Path(data).expanduser().exists():
        from rarewood.intake._open import check_dataset

        check_dataset(str(data), Path(data).expanduser())


def check_not_input(out: str | Path, *inputs: object) -> None:
    """Raise if the output file is one of the inputs; inputs that are no paths are skipped."""
    place = Path(out)
    for one in inputs:
        if not isinstance(one, (str, os.PathLike)):
            continue
        path = Path(one)
        if place.exists() and path.exists() and place.samefile(path):
            raise ValueError(f"{out} is an input and would be overwritten; choose another `out`.")


def check_output(out: str | os.PathLike[str]) -> Path:
    """Return the path, or raise before any work is done if it cannot be written."""
    if not str(out).lower().endswith((*_CSV, *_PARQUET)):
        raise ValueError(f"{out}: expected a name that ends in .csv, .csv.gz, .tsv or .parquet.")
    return check_writable(out)


def is_parquet(out: Path | TextIO) -> bool:
    """Whether an output is a Parquet file, by its name."""
    return isinstance(out, Path) and out.name.lower().endswith(_PARQUET)


@contextmanager
def writing_table(out: Path | TextIO) -> Iterator[Write]:
    """Give a function that adds rows: to CSV or Parquet by the name of a file, or to a stream."""
    from rarewood.modelfile._atomic import replacing

    if not isinstance(out, Path):
        yield _csv_writer(out, ",")
        out.flush()
        return
    name = out.name.lower()
    with replacing(out, "the predictions") as path, ExitStack() as opened:
        if is_parquet(out):
            yield _parquet_writer(path, opened)
            return
        text: Any = {"encoding": "utf-8", "newline": ""}
        is_packed = name.endswith(".gz")
        with gzip.open(path, "wt", **text) if is_packed else path.open("w", **text) as stream:
            yield _csv_writer(stream, "\t" if ".tsv" in name else ",")


def _csv_writer(stream: Any, separator: str) -> Write:
    is_first = True

    def write(table: Any) -> None:
        nonlocal is_first
        table.to_csv(stream, index=False, header=is_first, sep=separator, lineterminator="\n")
        is_first = False

    return write


def _parquet_writer(path: Path, opened: ExitStack) -> Write:
    from rarewood.table._arrow import arrow

    pa = arrow()
    writer: Any = None

    def write(table: Any) -> None:
        nonlocal writer
        if writer is None:
            schema = pa.Table.from_pandas(table, preserve_index=False).schema
            text = pa.string()  # a column without a value yet may get one
            fields = [f.with_type(text) if pa.types.is_null(f.type) else f for f in schema]
            writer = arrow("parquet").ParquetWriter(path, pa.schema(fields))
            opened.enter_context(writer)
        rows = pa.Table.from_pandas(table, schema=writer.schema, preserve_index=False)
        writer.write_table(rows)

    return write
