"""Where the program ``rarewood`` begins."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from rarewood.cli import errors

__all__ = ["main"]

_NEEDS = "The command line needs the packages typer and rich: pip install 'rarewood[cli]'."


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, and end the process.

    Parameters
    ----------
    arguments : list of str, default=None
        What stands behind ``rarewood``; by default what the process was given.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    errors.DEBUG = "--debug" in given  # it may stand before or behind the command
    try:
        _make_app()()([word for word in given if word != "--debug"], prog_name="rarewood")
    except KeyboardInterrupt:
        errors.say("Interrupted.")
        raise SystemExit(errors.EXIT_CODE) from None


def _make_app() -> Callable[[], Callable[..., None]]:
    try:
        from rarewood.cli.app import make_app
    except ImportError as error:
        if errors.DEBUG:
            raise
        missing = error.name in ("typer", "rich")
        errors.say(_NEEDS if missing else str(error))
        raise SystemExit(errors.EXIT_CODE) from None
    return make_app
