"""Versions of rarewood and of the packages it uses, for bug reports."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, requires, version

from rarewood._version import __version__

_DEVELOPMENT = ("test", "docs", "bench", "dev")  # extras that users do not install


def show_versions() -> None:
    """Print the versions of rarewood, of its dependencies and of the system, for bug reports.

    Optional packages that are not installed are listed as such. Nothing is imported.

    Examples
    --------
    >>> import rarewood
    >>> rarewood.show_versions()  # doctest: +SKIP
    """
    print(f"rarewood: {__version__}")
    print(f"python: {sys.version.split()[0]} ({sys.executable})")
    print(f"system: {platform.platform()}, {platform.machine()}, {os.cpu_count()} processors")
    for name, is_optional in _dependencies():
        try:
            found = version(name)
        except PackageNotFoundError:
            found = "not installed"
        print(f"{name}: {found}" + (" (optional)" if is_optional else ""))


def _dependencies() -> list[tuple[str, bool]]:
    """Return the names of packages and whether they are optional, from the requirements.

    They are those of the installed distribution; extras for development are left out.
    """
    try:
        lines = requires("rarewood") or []
    except PackageNotFoundError:
        lines = []
    found: dict[str, bool] = {}
    for line in lines:
        requirement, _, condition = line.partition(";")
        name = _name(requirement)
        extra = condition.partition("extra ==")[2].strip(" \"')")
        if name == "rarewood" or extra in _DEVELOPMENT:
            continue
        found[name] = found.get(name, True) and bool(extra)
    return sorted(found.items(), key=lambda item: (item[1], item[0]))


def _name(requirement: str) -> str:
    """Return the name at the beginning of a requirement such as ``dask[dataframe]>=2025.7``."""
    for i, letter in enumerate(requirement):
        if not (letter.isalnum() or letter in "-_."):
            return requirement[:i]
    return requirement
