"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["replacing"]

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def replacing(path: str | os.PathLike[str], what: str = "the file") -> Iterator[Path]:
    """Give the path of a new file beside ``path``; it takes its place when all went well.

    Whatever is raised inside, Ctrl-C included, leaves no file behind and an older file as it was.
    A link stays a link, to the new file. Devices and pipes are refused: one cannot put a file in
    their place, and must not.

    Parameters
    ----------
    path : path
        Where the file is to be.
    what : str
        What is written, for messages.

    Yields
    ------
    temporary : Path
        An empty file, in the same folder.
    """
    final = Path(os.path.realpath(path))
    if final.is_dir():
        raise _error(errno.EISDIR, f"Cannot write {what} to {final}: that is a folder.")
    if final.exists() and not final.is_file():
        raise _error(errno.EINVAL, f"Cannot write {what} to {final}: that is no plain file.")
    temporary = final.with_name(f".{final.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        temporary.touch(exist_ok=False)
    except OSError as error:
        if not final.parent.is_dir():
            reason = f"there is no folder {final.parent}. Create it first"
        else:
            reason = f"{error.strerror or error}. Is the folder writable?"
        raise _error(error.errno, f"Cannot write {what} to {final}: {reason}") from error
    try:
        yield temporary
        temporary.replace(final)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError) and error.errno in _FULL:  # which say no name
            reason = os.strerror(error.errno)
            raise _error(error.errno, f"Cannot write {what} to {final}: {reason}.") from error
        raise


def _error(number: int | None, message: str) -> OSError:
    """Return an error of the right kind (PermissionError and so on) whose text is the message."""
    kind = type(OSError(number or errno.EIO, message))
    error: OSError = kind(message)
    error.errno = number
    return error
