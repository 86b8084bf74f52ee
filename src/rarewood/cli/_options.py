"""Options that several commands share, and the parsing of their values."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rarewood.workflow._reading import Reading

_reading = partial(typer.Option, rich_help_panel="Reading the table")

DATA = (
    "CSV, TSV, Parquet, Feather, ARFF or KEEL .dat file, folder of Parquet files, or name of a "
    "data set."
)
Data = Annotated[str, typer.Argument(metavar="DATA", help=DATA)]
ModelFile = Annotated[
    Path, typer.Argument(metavar="MODEL", help="Model file, written by 'rarewood fit'.")
]
_TRUST = (
    "Open a file with a model of another package, such as LightGBM. Its reader is not hardened, so "
    "do it only if you trust where the file comes from. Models of rarewood need no trust."
)
Trust = Annotated[bool, typer.Option("--trust-foreign", help=_TRUST)]
Target = Annotated[
    str | None, typer.Option("--target", "-t", metavar="COL", help="Column to predict.")
]
_RARE = (
    "Class of interest. Default: the class with the fewest rows. With more than two classes, all "
    "others are merged."
)
Rare = Annotated[str | None, typer.Option(metavar="CLASS", help=_RARE)]
Columns = Annotated[str | None, _reading(metavar="A,B,...", help="Columns to use. Default: all.")]
_KEEP = (
    "Column to use although it holds dates (used as days), text (used as categories) or "
    "identifiers. Repeatable."
)
Keep = Annotated[list[str] | None, _reading(metavar="COL", help=_KEEP)]
Drop = Annotated[list[str] | None, _reading(metavar="COL", help="Column to ignore. Repeatable.")]
Sample = Annotated[
    int | None, _reading(metavar="N", min=1, help="Number of rows to draw at random.")
]
_DELIMITER = "Delimiter of a text file, such as ';' or tab. Default: detected."
Delimiter = Annotated[str | None, _reading(metavar="CHAR", help=_DELIMITER)]
_MEMORY = "Memory limit for the table, such as 4GB. Default: the free memory."
Memory = Annotated[str | None, _reading(metavar="SIZE", help=_MEMORY)]
_STREAM = (
    "Read a Parquet file, or a folder of them, in batches, with binned features. Default: if it "
    "would take more than half of the free memory."
)
Stream = Annotated[bool | None, _reading("--stream/--no-stream", help=_STREAM)]
Seed = Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Random seed.")]


def _check_jobs(n_jobs: int | None) -> int | None:
    if n_jobs == 0:
        raise typer.BadParameter("expected 1 or more, or -1 for all cores; got 0")
    return n_jobs


_jobs = partial(typer.Option, "--n-jobs", "-j", callback=_check_jobs)
Threads = Annotated[int, _jobs(help="Number of threads; -1 for all cores.")]
_PROCESSES = "Number of processes; -1 for all cores. Default: as cores and memory allow."
Processes = Annotated[int | None, _jobs(help=_PROCESSES)]


def names_in(text: str | None) -> list[str] | None:
    """Return names that are separated by commas."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def parse_delimiter(delimiter: str | None) -> str | None:
    """Return the character of a word such as tab."""
    words = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";"}
    return None if delimiter is None else words.get(delimiter, delimiter)


def reading(
    columns: str | None,
    keep: list[str] | None,
    drop: list[str] | None,
    sample: int | None,
    delimiter: str | None,
    memory: str | None,
) -> Reading:
    """Return the options for reading a table as Python values."""
    return {
        "columns": names_in(columns),
        "keep": keep or [],
        "drop": drop or [],
        "sample": sample,
        "delimiter": parse_delimiter(delimiter),
        "memory": memory,
    }
