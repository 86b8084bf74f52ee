"""What goes wrong is said in one line on the standard error stream, and the exit code is 2."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

__all__ = [
    "EXIT_CODE",
    "CommandError",
    "check_no_input",
    "check_writable",
    "friendly",
    "one_line",
    "say",
    "say_interrupted",
]

EXIT_CODE = 2
DEBUG = False  # set by --debug: show tracebacks
INTERRUPTED = False  # set by Ctrl-C

Function = TypeVar("Function", bound=Callable[..., Any])


class CommandError(Exception):
    """Something that a command cannot do; the message says why and what to do instead."""


def say(text: str) -> None:
    """Write a line to the standard error stream."""
    print(f"rarewood: {text}", file=sys.stderr, flush=True)


def say_interrupted(text: str = "") -> None:
    """Say that Ctrl-C ends the program, and remember it; see ``main``."""
    global INTERRUPTED
    INTERRUPTED = True
    say(text or "Interrupted.")


def one_line(error: BaseException) -> str:
    """Return an error as one line for people."""
    if isinstance(error, MemoryError):
        return (
            "There is not enough memory: read fewer columns with --columns, or a part of the rows "
            "with --sample."
        )
    if type(error).__name__ in ("TerminatedWorkerError", "BrokenProcessPool"):
        return (
            "A process was ended by the system, for lack of memory perhaps: use fewer of them with "
            "--n-jobs, or fewer rows with --sample. What is finished is kept."
        )
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename is not None else ""
        return f"{place}{error.strerror}."
    text = " ".join(str(error).split())
    known = (CommandError, ValueError, ImportError, OSError, TypeError)
    if text and (isinstance(error, known) or type(error).__module__ == "sqlite3"):
        return text
    return f"{type(error).__name__}: {text} (a mistake of rarewood, it seems; --debug shows where)"


def _is_interrupt(error: BaseException | None) -> bool:
    """Whether Ctrl-C is behind an error: some packages make another one of it while imported."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def friendly(function: Function) -> Function:
    """Turn the errors of a command into one line and exit code 2, unless --debug is given."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        import typer

        try:
            return function(*args, **kwargs)
        except BrokenPipeError:  # the reader, such as head, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except (Exception, KeyboardInterrupt) as error:
            if isinstance(error, RuntimeError) and type(error).__module__.startswith("typer"):
                raise  # Exit and Abort, which are no errors
            if DEBUG:
                import traceback

                traceback.print_exc()
            if _is_interrupt(error):
                say_interrupted(str(error) if isinstance(error, KeyboardInterrupt) else "")
            else:
                say(one_line(error))
            raise typer.Exit(EXIT_CODE) from None

    return run  # type: ignore[return-value]


def check_writable(path: str | os.PathLike[str], is_folder: bool = False) -> Path:
    """Return where to write, or raise before any work is done if nothing can be written there.

    Parameters
    ----------
    path : str or Path
        A file, or a folder that need not be there yet. Nothing is made.
    is_folder : bool, default=False
        Which of them.

    Returns
    -------
    path : Path
        The place.
    """
    place = Path(path).expanduser()
    folder = place if is_folder else place.parent
    if not is_folder and place.is_dir():
        raise CommandError(f"{place} is a folder: name a file to write to.")
    if not is_folder and (str(path) == "-" or (place.exists() and not place.is_file())):
        raise CommandError(f"{path} is no plain file: name a file to write to.")
    if not is_folder and not folder.is_dir():
        raise CommandError(f"{place} cannot be written: the folder {folder} does not exist.")
    while not folder.exists():  # the nearest one that does; the others would be made in it
        folder = folder.parent
    try:
        probe = folder / f".rarewood-{os.getpid()}"
        probe.touch()
        probe.unlink()
        if not is_folder and place.exists():
            place.open("ab").close()
    except OSError as error:
        raise CommandError(
            f"{place} cannot be written: {error.strerror}. Choose another place with "
            f"{'--out' if is_folder else '-o'}."
        ) from error
    return place


def check_no_input(out: str | Path, *inputs: str | Path) -> None:
    """Raise where the output would take the place of what is read."""
    place = Path(out)
    for one in map(Path, inputs):
        if place.exists() and one.exists() and place.samefile(one):
            raise CommandError(f"{out} is read by this command: write elsewhere.")
