"""``python -m reproduction``: list, print and make again the tables of the papers."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from reproduction.registry import find, list_names, printed
from reproduction.run import reproduce

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m reproduction", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="the names of all tables")
    show = commands.add_parser("printed", help="a table as it is printed")
    make = commands.add_parser("reproduce", help="make a table again")
    for command in (show, make):
        command.add_argument("name", help="a name of the list")
    make.add_argument("--folder", help="folder of the data sets; by default RAREWOOD_DATA")
    make.add_argument("--store", default="rarewood-results.sqlite", help="file of finished cells")
    make.add_argument("--n-jobs", type=int, default=1, help="processes")
    make.add_argument("--n-repeats", type=int, help="fewer repeats than in the paper")
    make.add_argument("--rows", help="rows to make, separated by commas")
    make.add_argument("--readings", action="store_true", help="measure other readings too")
    options = parser.parse_args(arguments)
    if options.command == "list":
        for name in list_names():
            print(f"{name:20} {find(name).title}")
    elif options.command == "printed":
        print(printed(options.name))
    else:
        reproduce(
            options.name,
            folder=options.folder,
            store=options.store,
            n_jobs=options.n_jobs,
            n_repeats=options.n_repeats,
            rows=options.rows.split(",") if options.rows else None,
            readings=options.readings,
        )


if __name__ == "__main__":
    main()
