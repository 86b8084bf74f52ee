"""The commands, put together.

A command is a module of this package with a function of its name; a line in ``COMMANDS`` adds it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Annotated

import typer

from rarewood.cli._errors import friendly
from rarewood.cli._program import Program

__all__ = ["COMMANDS", "make_app"]

COMMANDS = (
    "compare",
    "report",
    "fit",
    "predict",
    "rules",
    "explain",
    "datasets",
    "isometrics",
)


def make_app() -> typer.Typer:
    """Return the program with all its commands."""
    app = typer.Typer(
        name="rarewood",
        cls=Program,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(_program)
    for name in COMMANDS:
        command = getattr(import_module(f"rarewood.cli._{name}"), name)
        app.command(name)(friendly(command))
    return app


def _show_version(wanted: bool) -> None:
    if wanted:
        from rarewood._version import __version__

        print(f"rarewood {__version__}")
        raise typer.Exit


def _program(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Say the version."),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show where an error happened. Also behind a command.")
    ] = False,
) -> None:
    """Decision trees and forests for rare classes: from a file to a decision."""
