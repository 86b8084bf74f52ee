"""Options that several commands share, and the parsing of their values."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rarewood.intake import Findings
    from rarewood.workflow._reading import Reading

__all__ = [
    "Columns",
    "Data",
    "Delimiter",
    "Drop",
    "Keep",
    "Memory",
    "ModelFile",
    "Rare",
    "Sample",
    "Seed",
    "Target",
    "Threads",
    "check_jobs",
    "names_in",
    "parse_delimiter",
    "print_findings",
    "reading",
]

_READING = "Reading the table"
Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="CSV, TSV, Parquet, Feather, ARFF or KEEL .dat file, folder of Parquet files, or name "
        "of a data set.",
    ),
]
ModelFile = Annotated[
    Path, typer.Argument(metavar="MODEL", help="Model file, written by 'rarewood fit'.")
]
Target = Annotated[
    str | None, typer.Option("--target", "-t", metavar="COL", help="Column to predict.")
]
Rare = Annotated[
    str | None,
    typer.Option(
        metavar="CLASS",
        help="Class of interest. Default: the class with the fewest rows. With more than two "
        "classes, all others are merged.",
    ),
]
Columns = Annotated[
    str | None,
    typer.Option(metavar="A,B,...", help="Columns to use. Default: all.", rich_help_panel=_READING),
]
Keep = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COL",
        help="Column to use although it holds dates (used as days), text (used as categories) or "
        "identifiers. Repeatable.",
        rich_help_panel=_READING,
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option(metavar="COL", help="Column to ignore. Repeatable.", rich_help_panel=_READING),
]
Sample = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, help="Number of rows to draw at random.", rich_help_panel=_READING
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(
        metavar="CHAR",
        help="Delimiter of a text file, such as ';' or tab. Default: detected.",
        rich_help_panel=_READING,
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Memory limit for the table, such as 4GB. Default: the free memory.",
        rich_help_panel=_READING,
    ),
]
Seed = Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Random seed.")]


def check_jobs(n_jobs: int | None) -> int | None:
    """Refuse zero before any work is done."""
    if n_jobs == 0:
        raise typer.BadParameter("expected 1 or more, or -1 for all cores; got 0")
    return n_jobs


Threads = Annotated[
    int,
    typer.Option(
        "--n-jobs", "-j", callback=check_jobs, help="Number of threads; -1 for all cores."
    ),
]


def print_findings(findings: Findings, *, hint: bool = False) -> None:
    """Print the findings in a table, and how to use a column that was skipped."""
    for line in findings.lines():
        print(line)
    able = [c.name for c in findings.skipped if c.kind in ("date", "text", "id")]
    if hint and able:
        print(f"use a skipped column with --keep, such as --keep {shlex.quote(able[0])}")
    sys.stdout.flush()


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
