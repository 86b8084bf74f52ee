"""Atomic writing of files."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def replacing(path: str | os.PathLike[str], what: str = "the file") -> Iterator[Path]:
    """Yield the path of an empty file beside ``path``, which replaces it on success.

    After any exception, Ctrl-C included, the new file is removed and an existing one unchanged. A
    link stays a link, to the new file. Devices and pipes are refused. ``what`` names the content in
    errors.
    """
    final = Path(os.path.realpath(path))
    if final.is_dir():
        raise _error(errno.EISDIR, f"Cannot write {what} to {final}: it is a folder.")
    if final.exists() and not final.is_file():
        raise _error(errno.EINVAL, f"Cannot write {what} to {final}: it is not a regular file.")
    temporary = final.with_name(f".{final.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        temporary.touch(exist_ok=False)
    except OSError as error:
        if not final.parent.is_dir():
            reason = f"the folder {final.parent} does not exist. Create it first"
        else:
            reason = f"{error.strerror or error}. Is the folder writable?"
        raise _error(error.errno, f"Cannot write {what} to {final}: {reason}") from error
    try:
        yield temporary
        temporary.replace(final)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError) and error.errno in _FULL:  # its message has no file name
            reason = os.strerror(error.errno)
            raise _error(error.errno, f"Cannot write {what} to {final}: {reason}.") from error
        raise


def _error(number: int | None, message: str) -> OSError:
    """Return an error of the class for the number, such as PermissionError, with a message."""
    kind = type(OSError(number or errno.EIO, message))
    error: OSError = kind(message)
    error.errno = number
    return error
