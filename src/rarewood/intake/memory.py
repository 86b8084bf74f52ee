"""How much memory a table will need, and how much there is: asked before it is read."""

from __future__ import annotations

import re
from pathlib import Path

from rarewood.intake.errors import TableError

__all__ = ["available_memory", "check_memory", "parse_size", "spell_bytes"]

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_CGROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


def parse_size(text: str) -> int:
    """Return a size such as "500MB" or "4G" in bytes.

    Parameters
    ----------
    text : str
        A number with a unit: B, K, M, G or T, each of 1024 of the one before.

    Returns
    -------
    n_bytes : int
        The size.

    Examples
    --------
    >>> from rarewood.intake import parse_size
    >>> parse_size("1.5 GB")
    1610612736
    """
    match = re.fullmatch(r"\s*([\d.]+)\s*([kmgt]?)i?b?\s*", text, re.IGNORECASE)
    try:
        if match is None:
            raise ValueError
        return int(float(match[1]) * _UNITS[match[2].lower()])
    except ValueError:
        raise TableError(f"{text!r} is no size: write it as 500MB or 4GB.") from None


def spell_bytes(n_bytes: float) -> str:
    """Return a size in words, such as "2.1 GB"."""
    for unit, name in ((1 << 40, "TB"), (1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")):
        if n_bytes >= unit:
            return f"{n_bytes / unit:.1f} {name}"
    return f"{n_bytes:.0f} bytes"


def available_memory() -> int | None:
    """Return how many bytes this process may still take, or None if the system does not say.

    That is what the machine has left, or less where a container or the process is allowed less.
    """
    found = [n for n in (_machine(), _process(), *map(_container, _CGROUPS)) if n is not None]
    return min(found) if found else None


def _machine() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return _from_psutil()
    for line in lines:
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _from_psutil() -> int | None:
    from importlib import import_module

    try:
        return int(import_module("psutil").virtual_memory().available)
    except ImportError:
        return None


def _process() -> int | None:
    """What ``ulimit -v`` leaves: beyond it, threads fail to start, and libraries wait for them."""
    try:
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (ImportError, OSError):
        return None
    if most == resource.RLIM_INFINITY:
        return None
    return max(0, most - used * resource.getpagesize())


def _container(files: tuple[str, str]) -> int | None:
    try:
        most, used = (Path(file).read_text(encoding="ascii").strip() for file in files)
        return max(0, int(most) - int(used))  # "max" means no limit
    except (OSError, ValueError):
        return None


def check_memory(name: str, needed: int, available: int | None = None) -> None:
    """Raise where a table would not fit, rather than be killed by the system while reading it.

    Parameters
    ----------
    name : str
        Name of the table.
    needed : int
        Bytes that it is estimated to need.
    available : int, default=None
        Bytes that may be used; by default what the system says.
    """
    most = available_memory() if available is None else available
    if most is not None and needed > most:
        raise TableError(
            f"{name} needs about {spell_bytes(needed)} of memory, and {spell_bytes(most)} are "
            "free: read fewer columns with --columns, or a part of the rows with --sample, or "
            "convert it to Parquet with only the columns that matter."
        )
