"""Entry point of the program ``rarewood``."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from rarewood.cli import _errors as errors

_NEEDS = "The command line needs the packages typer and rich: pip install 'rarewood[cli]'."


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, and end the process.

    Parameters
    ----------
    arguments : list of str, default=None
        Arguments; by default those of the process.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    errors.DEBUG = "--debug" in given  # before or after the command
    if arguments is None:
        atexit.register(_end)  # registered first, so it runs last
    try:
        _make_app()()([word for word in given if word != "--debug"], prog_name="rarewood")
    except KeyboardInterrupt:
        errors.note_interrupt()
        raise SystemExit(errors.EXIT_CODE) from None


def _end() -> None:
    """End an interrupted process with the exit code of all errors.

    If Ctrl-C came during an ``exec``, as is common during imports, Python would end by the signal
    although the interrupt was handled.
    """
    if errors.INTERRUPTED:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # a closed pipe
                stream.flush()
        os._exit(errors.EXIT_CODE)


def _make_app() -> Callable[[], Callable[..., None]]:
    try:
        from rarewood.cli._app import make_app
    except ImportError as error:
        if errors.DEBUG:
            raise
        missing = error.name in ("typer", "rich")
        errors.note(_NEEDS if missing else str(error))
        raise SystemExit(errors.EXIT_CODE) from None
    return make_app
