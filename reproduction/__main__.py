"""Reproduce the tables of five papers on trees for rare classes.

The data sets are read from a folder: --folder, or the environment variable RAREWOOD_DATA.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from reproduction.page import PAGE, ROOT, write_page
from reproduction.registry import find, names, printed
from reproduction.run import reproduce

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m reproduction", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="list the tables")
    show = commands.add_parser("printed", help="show a table as printed")
    show.add_argument("name", help="name of a table")
    run = commands.add_parser("run", help="reproduce tables; an interrupted run resumes")
    run.add_argument("names", nargs="*", help="names of tables; all by default")
    run.add_argument("--n-repeats", type=int, help="fewer repeats than in the paper")
    run.add_argument("--rows", help="rows to reproduce, separated by commas")
    run.add_argument(
        "--no-readings", action="store_true", help="omit the alternative interpretations"
    )
    page = commands.add_parser(
        "page", help="reproduce all tables and write docs/reproduction.md; resumes"
    )
    page.add_argument("--page", type=Path, default=PAGE, help="file to write")
    for command in (run, page):
        command.add_argument("--folder", help="folder of the data sets")
        command.add_argument("--store", type=Path, default=ROOT / "build" / "reproduction.sqlite")
        command.add_argument("--n-jobs", type=int, default=1, help="number of processes")
    options = parser.parse_args(arguments)
    try:
        _run(options)
    except (ValueError, FileNotFoundError) as error:
        parser.error(str(error))


def _run(options: argparse.Namespace) -> None:
    if options.command == "list":
        for name in names():
            print(f"{name:20} {find(name).title}")
        return
    if options.command == "printed":
        print(printed(options.name))
        return
    options.store.parent.mkdir(parents=True, exist_ok=True)
    shared = {"folder": options.folder, "store": options.store, "n_jobs": options.n_jobs}
    if options.command == "page":
        write_page(options.page, **shared)
        return
    for experiment in map(find, options.names or names()):
        reproduce(
            experiment.name,
            n_repeats=options.n_repeats,
            rows=options.rows.split(",") if options.rows else None,
            readings=not options.no_readings,
            **shared,
        )


if __name__ == "__main__":
    main()
