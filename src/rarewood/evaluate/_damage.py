"""Damage of a results store as one error that states the remedy."""

from __future__ import annotations

import os
import sqlite3
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

# Results of SQLite that mean a damaged file: a missing table (generic error), a malformed page, a
# value that is too large, a file that is no database. Not: locked, full, read-only.
_DAMAGE = {
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_FORMAT,
    sqlite3.SQLITE_NOTADB,
}
# Errors of decoding what was read.
_DECODING = (
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    OverflowError,
    MemoryError,
    OSError,
    EOFError,
    NotImplementedError,  # an unknown compression of a zip member
    RuntimeError,  # an encrypted zip member
    zipfile.BadZipFile,
    zlib.error,
)


class DamagedStoreError(ValueError):
    """A results store that cannot be read."""


def damaged(path: os.PathLike[str], reason: object) -> DamagedStoreError:
    """Return the error of a store that is damaged."""
    return DamagedStoreError(
        f"The results store {path} is damaged: {reason}. Restore it from a copy, or delete it, "
        "with the files of the same name that end in -wal and -shm, to compute all cells again."
    )


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error means a damaged file, not one that is locked, full or read-only."""
    code = getattr(error, "sqlite_errorcode", None)  # absent if a text is not UTF-8
    if code is None or code == sqlite3.SQLITE_IOERR_SHORT_READ:
        return isinstance(error, sqlite3.DatabaseError)
    return code & 0xFF in _DAMAGE


@contextmanager
def reading(path: os.PathLike[str]) -> Iterator[None]:
    """Turn the errors of a damaged store into one that states the remedy."""
    try:
        yield
    except sqlite3.Error as error:
        if is_damage(error):
            raise damaged(path, error) from error
        raise


@contextmanager
def decoding(path: os.PathLike[str], key: str) -> Iterator[None]:
    """Turn the errors of decoding a value of the store into one that states the remedy."""
    try:
        yield
    except _DECODING as error:
        raise damaged(path, f"the cell {key} cannot be decoded ({error})") from error


@contextmanager
def decoding_predictions() -> Iterator[None]:
    """Turn the errors of decoding stored predictions into one that states the remedy."""
    try:
        yield
    except _DECODING as error:
        raise DamagedStoreError(
            f"Stored predictions are damaged ({error}). Call compare with refresh=True to compute "
            "the cells again, or restore the results store from a copy."
        ) from error
