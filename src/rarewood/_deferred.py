"""Names of a package that are imported when they are first asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from typing import Any

__all__ = ["deferred"]


def deferred(
    package: str, names: Mapping[str, Sequence[str]], modules: Collection[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package.

    Parameters
    ----------
    package : str
        Its name.
    names : dict of str to list of str
        The names that each of its modules has.
    modules : list of str, default=()
        Modules that are asked for themselves.

    Returns
    -------
    getter, lister : callable
        What Python asks for a name that the package does not have yet, and for all names: those
        that are there, and ``__all__``.
    """
    homes = {name: module for module, found in names.items() for name in found}

    def __getattr__(name: str) -> Any:
        if name in modules:
            return import_module(f"{package}.{name}")
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f".{homes[name]}", package), name)
        setattr(sys.modules[package], name, value)  # the next time it is found at once
        return value

    def __dir__() -> list[str]:
        found = vars(sys.modules[package])
        return sorted({*found, *found["__all__"]})

    return __getattr__, __dir__
