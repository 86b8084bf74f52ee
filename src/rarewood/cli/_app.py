"""The program and its commands."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated

import typer

from rarewood.cli._errors import friendly
from rarewood.cli._program import Program

__all__ = ["COMMANDS", "make_app"]

# Name of each command, which is that of its function, and the module that defines it.
COMMANDS = {
    "compare": "_compare",
    "report": "_compare",
    "fit": "_fit",
    "predict": "_predict",
    "rules": "_rules",
    "explain": "_explain",
    "datasets": "_datasets",
}


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
    for name, module in COMMANDS.items():
        command = getattr(import_module(f"rarewood.cli.{module}"), name)
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
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show tracebacks of errors. Also valid after a command.")
    ] = False,
) -> None:
    """Decision trees and forests for rare classes: from a file to a decision."""
