"""The program as a whole: it says in one line what is wrong with the words it was given."""

from __future__ import annotations

import sys
from typing import Any

from typer.core import TyperGroup

from rarewood.cli._errors import EXIT_CODE, say, say_interrupted

__all__ = ["Program"]

_INTERRUPTED = 130  # what typer makes of Ctrl-C outside a command, or an Abort in older versions


class Program(TyperGroup):
    """The commands; a missing or wrong word is one line and exit code 2, as every error is."""

    def main(self, *args: Any, **more: Any) -> Any:
        """Run a command, and end the process."""
        try:
            code = super().main(*args, **{**more, "standalone_mode": False})
        except Exception as error:
            # Typer brings its own errors along in some versions and takes click's in others.
            if type(error).__name__ == "NoArgsIsHelpError":
                error.show()  # type: ignore[attr-defined]
            elif type(error).__name__ == "Abort":
                say_interrupted()
            elif hasattr(error, "format_message"):
                say(_one_line(error))
            else:
                raise
            sys.exit(EXIT_CODE)
        if code == _INTERRUPTED:
            say_interrupted()
            sys.exit(EXIT_CODE)
        sys.exit(code if isinstance(code, int) else 0)


def _one_line(error: Any) -> str:
    text = " ".join(error.format_message().split())
    text = text if text.endswith((".", "?", "!")) else f"{text}."
    context = getattr(error, "ctx", None)
    program = "rarewood" if context is None else context.command_path
    return f"{text} See '{program} --help'."
