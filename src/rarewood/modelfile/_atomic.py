"""Atomic writing of files."""

from __future__ import annotations

import errno
import glob
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_PART = re.compile(r"[0-9a-f]{12}\.part")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def replacing(path: str | os.PathLike[str], what: str = "the file") -> Iterator[Path]:
    """Yield the path of an empty file beside ``path``, which replaces it on success.

    After any exception, Ctrl-C included, the new file is removed and an existing one unchanged. A
    process that is killed leaves its new file behind; the next one to write to the path removes it.
    A link stays a link, to the new file. Devices and pipes are refused. ``what`` names the content
    in errors.
    """
    final = Path(os.path.realpath(path))
    if final.is_dir():
        raise _error(errno.EISDIR, f"Cannot write {what} to {final}: it is a folder.")
    if final.exists() and not final.is_file():
        raise _error(errno.EINVAL, f"Cannot write {what} to {final}: it is not a regular file.")
    start = f".{final.name[:100]}."
    temporary = final.with_name(f"{start}{secrets.token_hex(6)}.part")
    try:
        lock = _locked(temporary)
    except OSError as error:
        if not final.parent.is_dir():
            reason = f"the folder {final.parent} does not exist. Create it first"
        else:
            reason = f"{error.strerror or error}. Is the folder writable?"
        raise _error(error.errno, f"Cannot write {what} to {final}: {reason}") from error
    try:
        _remove_abandoned(final.parent, start)
        yield temporary
        temporary.replace(final)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError) and error.errno in _FULL:  # its message has no file name
            reason = os.strerror(error.errno)
            raise _error(error.errno, f"Cannot write {what} to {final}: {reason}.") from error
        raise
    finally:
        os.close(lock)


def _locked(path: Path) -> int:
    """Create a file, locked as long as its writer lives."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
    with suppress(OSError):  # a file system without locks
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return descriptor


def _remove_abandoned(folder: Path, start: str) -> None:
    """Remove the files of writers that were killed: nobody holds their locks."""
    if fcntl is None:
        return
    for path in folder.glob(f"{glob.escape(start)}*.part"):
        if not _PART.fullmatch(path.name, len(start)):
            continue
        with suppress(OSError):
            descriptor = os.open(path, os.O_RDWR)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
            finally:
                os.close(descriptor)


def _error(number: int | None, message: str) -> OSError:
    """Return an error of the class for the number, such as PermissionError, with a message."""
    kind = type(OSError(number or errno.EIO, message))
    error: OSError = kind(message)
    error.errno = number
    return error
