"""The program and its commands."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from rarewood.cli import _errors as errors

# Name of each command, which is that of its function, and the module that defines it.
COMMANDS = {
    "compare": "_compare",
    "report": "_compare",
    "runs": "_lists",
    "fit": "_fit",
    "predict": "_predict",
    "rules": "_rules",
    "explain": "_explain",
    "export": "_export",
    "models": "_lists",
    "datasets": "_datasets",
}
_INTERRUPTED = 130  # returned by typer after Ctrl-C outside a command


def make_app() -> typer.Typer:
    """Return the program with all its commands."""
    app = typer.Typer(
        name="rarewood",
        cls=_Program,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(_program)
    for name, module in COMMANDS.items():
        command = getattr(import_module(f"rarewood.cli.{module}"), name)
        app.command(name)(errors.friendly(command))
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


class _Program(TyperGroup):
    """The group of commands; usage errors are one line and exit code 2, as all errors."""

    def main(self, *args: Any, **more: Any) -> Any:
        """Run a command, and end the process."""
        errors.INTERRUPTED = False
        try:
            code = super().main(*args, **{**more, "standalone_mode": False})
        except Exception as error:
            # Some versions of typer have their own errors, others raise those of click.
            if type(error).__name__ == "NoArgsIsHelpError":
                error.show()  # type: ignore[attr-defined]
            elif type(error).__name__ == "Abort":
                errors.note_interrupt()
                sys.exit(errors.INTERRUPT_CODE)
            elif hasattr(error, "format_message"):
                errors.note(_one_line(error))
            else:
                raise
            sys.exit(errors.EXIT_CODE)
        if code == _INTERRUPTED and not errors.INTERRUPTED:
            errors.note_interrupt()
            sys.exit(errors.INTERRUPT_CODE)
        sys.exit(code if isinstance(code, int) else 0)


def _one_line(error: Any) -> str:
    text = " ".join(error.format_message().split())
    text = text if text.endswith((".", "?", "!")) else f"{text}."
    context = getattr(error, "ctx", None)
    program = "rarewood" if context is None else context.command_path
    return f"{text} See '{program} --help'."
