"""Packages that only some features need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["require"]


def require(package: str, purpose: str, install: str) -> Any:
    """Import a package that need not be installed.

    Parameters
    ----------
    package : str
        Name of the module to import.
    purpose : str
        What needs it, as the start of a sentence: "Reading Parquet files".
    install : str
        What to install.

    Returns
    -------
    module : module
        The imported module.
    """
    try:
        return import_module(package)
    except ImportError as error:
        raise ImportError(
            f"{purpose} needs the package {package.split('.')[0]}, which cannot be imported "
            f"({error}). Install it, for example with: pip install '{install}'."
        ) from error
