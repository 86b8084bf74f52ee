"""Options that several commands share: which table to read, and what of it."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rarewood.intake import PreparedTable, RawTable

__all__ = [
    "Columns",
    "Data",
    "Delimiter",
    "Drop",
    "Jobs",
    "Keep",
    "Memory",
    "Rare",
    "Sample",
    "Seed",
    "Target",
    "Threads",
    "check_jobs",
    "mark",
    "names_in",
    "say_findings",
    "take_table",
]

_READING = "Reading the table"
Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="A CSV, TSV, Parquet, Feather, ARFF or KEEL .dat file, a folder of Parquet files, or "
        "the name of a data set.",
    ),
]
Target = Annotated[
    str | None, typer.Option("--target", "-t", metavar="COL", help="The column to predict.")
]
Rare = Annotated[
    str | None,
    typer.Option(
        metavar="CLASS",
        help="The rare class; else the one with the fewest rows. Among more than two classes it is "
        "told from all others.",
    ),
]
Columns = Annotated[
    str | None,
    typer.Option(metavar="A,B,...", help="Use these columns only.", rich_help_panel=_READING),
]
Keep = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COL",
        help="Use a column though it holds dates (as days), text (as categories) or identifiers. "
        "May be repeated.",
        rich_help_panel=_READING,
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COL", help="Do not use a column. May be repeated.", rich_help_panel=_READING
    ),
]
Sample = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Use N rows drawn at random.", rich_help_panel=_READING),
]
Delimiter = Annotated[
    str | None,
    typer.Option(
        metavar="MARK",
        help="The mark between columns of a text file; else found out. 'tab' is a tab.",
        rich_help_panel=_READING,
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Most memory to use for the table, such as 4GB; else what is free.",
        rich_help_panel=_READING,
    ),
]
Seed = Annotated[
    int, typer.Option(min=0, max=2**32 - 1, help="What all random choices are derived from.")
]


def check_jobs(n_jobs: int | None) -> int | None:
    """Refuse zero of them before any work is done."""
    if n_jobs == 0:
        raise typer.BadParameter("one or more, or -1 for all cores; got 0")
    return n_jobs


Jobs = Annotated[
    int,
    typer.Option("--n-jobs", "-j", callback=check_jobs, help="Processes to use; -1 for all cores."),
]
Threads = Annotated[
    int, typer.Option("--n-jobs", "-j", callback=check_jobs, help="Threads; -1 for all cores.")
]


def say_findings(prepared: PreparedTable) -> None:
    """Say what was found in a table, and how to use what was skipped."""
    findings = prepared.findings
    for line in findings.lines():
        print(line)
    able = [c.name for c in findings.skipped if c.kind in ("date", "text", "id")]
    if able:
        print(f"use a skipped column with --keep, such as --keep {shlex.quote(able[0])}")
    sys.stdout.flush()


def names_in(texts: list[str] | str | None) -> list[str] | None:
    """Return names that were given with commas, or one by one."""
    if texts is None:
        return None
    parts = [texts] if isinstance(texts, str) else texts
    return [name.strip() for text in parts for name in text.split(",") if name.strip()]


def mark(delimiter: str | None) -> str | None:
    """Return the mark between columns that a word stands for."""
    marks = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";"}
    return None if delimiter is None else marks.get(delimiter, delimiter)


def take_table(
    data: str | RawTable,
    target: str | None,
    rare: str | None,
    *,
    columns: str | None = None,
    keep: list[str] | None = None,
    drop: list[str] | None = None,
    sample: int | None = None,
    delimiter: str | None = None,
    memory: str | None = None,
    seed: int = 0,
    **more: Any,
) -> PreparedTable:
    """Read a table with the options of the commands; see :func:`rarewood.intake.prepare`."""
    from rarewood.intake import prepare
    from rarewood.intake._memory import parse_size

    return prepare(
        data,
        target,
        rare,
        columns=names_in(columns),
        keep=_columns_in(keep),
        drop=_columns_in(drop),
        sample=sample,
        seed=seed,
        delimiter=mark(delimiter),
        memory=None if memory is None else parse_size(memory),
        **more,
    )


def _columns_in(texts: list[str] | None) -> list[str]:
    return list(texts or [])
