"""``rarewood reproduce``: the tables of the papers, printed and made again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rarewood.cli._errors import check_writable
from rarewood.cli._options import Jobs, names_in

__all__ = ["reproduce"]


def reproduce(
    table: Annotated[
        str | None, typer.Argument(metavar="[TABLE]", help="A name of the list.")
    ] = None,
    printed: Annotated[
        bool, typer.Option("--printed", help="Show the table as the paper prints it, only.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(help="The folder of the data sets; else the one that RAREWOOD_DATA names."),
    ] = None,
    store: Annotated[Path, typer.Option(help="The file of finished cells.")] = Path(
        "rarewood-results.sqlite"
    ),
    n_jobs: Jobs = 1,
    repeats: Annotated[
        int | None, typer.Option(min=1, help="Fewer repeats than in the paper.")
    ] = None,
    rows: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="Make these rows only.")
    ] = None,
    readings: Annotated[
        bool, typer.Option("--readings", help="Measure other readings of the paper, too.")
    ] = False,
) -> None:
    """List the papers' tables, or make one of them again from data."""
    from rarewood import papers
    from rarewood.papers.registry import find

    if table is None:
        for name in papers.list():
            print(f"{name:20} {find(name).title}")
    elif printed:
        print(papers.printed(table))
    else:
        find(table)  # an unknown name is said before anything is written
        papers.reproduce(
            table,
            folder=folder,
            store=check_writable(store),
            n_jobs=n_jobs,
            n_repeats=repeats,
            rows=names_in(rows),
            readings=readings,
        )
