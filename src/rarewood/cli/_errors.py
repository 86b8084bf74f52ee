"""Errors as one line on the standard error stream and exit code 2, interrupts with 128 + signal."""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Callable
from typing import Any, TypeVar

EXIT_CODE = 2
DEBUG = False  # set by --debug: show tracebacks
INTERRUPTED = False  # set by Ctrl-C, and by a signal that ends the program
INTERRUPT_CODE = 130  # exit code after Ctrl-C; set by a signal that ends the program

Function = TypeVar("Function", bound=Callable[..., Any])
_OPTIONS = {"pos_label": "--rare", "random_state": "--seed"}


def note(text: str) -> None:
    """Write a line to the standard error stream."""
    print(f"rarewood: {text}", file=sys.stderr, flush=True)


def note_interrupt(text: str = "") -> None:
    """Write that Ctrl-C ends the program, and remember it; see ``main``."""
    global INTERRUPTED
    INTERRUPTED = True
    note(text or "Interrupted.")


def one_line(error: BaseException) -> str:
    """Return an error as one line; parameters in backticks become options."""
    if isinstance(error, MemoryError):
        return "Out of memory: use fewer columns with --columns, or fewer rows with --sample."
    if type(error).__name__ in ("TerminatedWorkerError", "BrokenProcessPool"):
        return (
            "A process was killed by the system, probably for lack of memory: use fewer processes "
            "with --n-jobs, or fewer rows with --sample. Finished fits are kept."
        )
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename is not None else ""
        return f"{place}{error.strerror}."
    text = re.sub(r"`([a-z_]+)`", _option, " ".join(str(error).split()))
    if text and isinstance(error, (ValueError, ImportError, OSError, TypeError)):
        return text
    return (
        f"{type(error).__name__}: {text} (internal error; please report it with the output of "
        "--debug)"
    )


def _option(match: re.Match[str]) -> str:
    name = match[1]
    return _OPTIONS.get(name, f"--{name.replace('_', '-')}")


def is_interrupt(error: BaseException | None) -> bool:
    """Whether Ctrl-C caused an error: some packages raise another one while they are imported."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def friendly(function: Function) -> Function:
    """Turn the errors of a command into one line and an exit code."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        import typer

        try:
            return function(*args, **kwargs)
        except BrokenPipeError:  # the reader, such as head, has ended
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except (Exception, KeyboardInterrupt) as error:
            if isinstance(error, RuntimeError) and type(error).__module__.startswith("typer"):
                raise  # Exit and Abort, which are no errors
            if DEBUG:
                import traceback

                traceback.print_exc()
            if is_interrupt(error):
                note_interrupt(str(error) if isinstance(error, KeyboardInterrupt) else "")
                raise typer.Exit(INTERRUPT_CODE) from None
            note(one_line(error))
            raise typer.Exit(EXIT_CODE) from None

    return run  # type: ignore[return-value]
