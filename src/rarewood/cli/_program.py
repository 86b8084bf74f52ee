"""The program: usage errors are one line and exit code 2."""

from __future__ import annotations

import sys
from typing import Any

from typer.core import TyperGroup

from rarewood.cli._errors import EXIT_CODE, note, note_interrupt

__all__ = ["Program"]

_INTERRUPTED = 130  # exit code of typer after Ctrl-C outside a command


class Program(TyperGroup):
    """The group of commands; usage errors are one line and exit code 2, as all errors."""

    def main(self, *args: Any, **more: Any) -> Any:
        """Run a command, and end the process."""
        try:
            code = super().main(*args, **{**more, "standalone_mode": False})
        except Exception as error:
            # Some versions of typer have their own errors, others raise those of click.
            if type(error).__name__ == "NoArgsIsHelpError":
                error.show()  # type: ignore[attr-defined]
            elif type(error).__name__ == "Abort":
                note_interrupt()
            elif hasattr(error, "format_message"):
                note(_one_line(error))
            else:
                raise
            sys.exit(EXIT_CODE)
        if code == _INTERRUPTED:
            note_interrupt()
            sys.exit(EXIT_CODE)
        sys.exit(code if isinstance(code, int) else 0)


def _one_line(error: Any) -> str:
    text = " ".join(error.format_message().split())
    text = text if text.endswith((".", "?", "!")) else f"{text}."
    context = getattr(error, "ctx", None)
    program = "rarewood" if context is None else context.command_path
    return f"{text} See '{program} --help'."
