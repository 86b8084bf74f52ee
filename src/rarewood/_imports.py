"""Imports on demand: the names of a package, and optional dependencies."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # typing is slow to import
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Any


def deferred(
    package: str, names: Mapping[str, Sequence[str]], modules: Collection[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package with lazily imported names.

    ``names`` are the names to import from each module; ``modules`` are names themselves.
    """
    homes = {name: module for module, found in names.items() for name in found}

    def __getattr__(name: str) -> Any:
        if name in modules:
            return import_module(f"{package}.{name}")
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f".{homes[name]}", package), name)
        setattr(sys.modules[package], name, value)  # found without __getattr__ from now on
        return value

    def __dir__() -> list[str]:
        found = vars(sys.modules[package])
        return sorted({*found, *found["__all__"]})

    return __getattr__, __dir__


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
