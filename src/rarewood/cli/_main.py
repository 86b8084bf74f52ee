"""The program ``rarewood``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from rarewood.cli import _errors as errors
from rarewood.cli._interrupt import end_on_signals, let_signals_end

_NEEDS = "The command line needs the packages typer and rich: pip install 'rarewood[cli]'."


def run_program(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, and end the process; by default with the arguments of the process."""
    errors.INTERRUPTED = False
    if arguments is None:
        end_on_signals()
    given = list(sys.argv[1:] if arguments is None else arguments)
    errors.DEBUG = "--debug" in given  # before or after the command
    try:
        _make_app()()([word for word in given if word != "--debug"], prog_name="rarewood")
    finally:
        if arguments is None:
            let_signals_end()


def _make_app() -> Callable[[], Callable[..., None]]:
    try:
        from rarewood.cli._app import make_app
    except Exception as error:
        if errors.is_interrupt(error):
            raise KeyboardInterrupt from None
        if errors.DEBUG or not isinstance(error, ImportError):
            raise
        missing = error.name in ("typer", "rich")
        errors.note(_NEEDS if missing else str(error))
        raise SystemExit(errors.EXIT_CODE) from None
    return make_app
