"""Optional dependencies."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def require(package: str, purpose: str, install: str) -> Any:
    """Import an optional dependency.

    ``purpose`` is the subject of the error message, such as "Reading Parquet files", and
    ``install`` the requirement for pip.
    """
    try:
        return import_module(package)
    except ImportError as error:
        raise ImportError(
            f"{purpose} needs the package {package.split('.')[0]}, which cannot be imported "
            f"({error}). Install it, for example with: pip install '{install}'."
        ) from error
