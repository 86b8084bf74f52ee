"""Free memory, and sizes in bytes as text."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

_CGROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


def spell_bytes(n_bytes: float) -> str:
    """Return a size as text, such as "2.1 GB"."""
    for unit, name in ((1 << 40, "TB"), (1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")):
        if n_bytes >= unit:
            return f"{n_bytes / unit:.1f} {name}"
    return f"{n_bytes:.0f} bytes"


def available_memory() -> int | None:
    """Return the bytes that this process may still allocate; None if unknown.

    That is the free memory of the machine, or less under limits of a container or the process.
    """
    found = [n for n in (_machine(), _process(), *map(_container, _CGROUPS)) if n is not None]
    return min(found) if found else None


def _machine() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        try:
            return int(import_module("psutil").virtual_memory().available)
        except ImportError:
            return None
    for line in lines:
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _process() -> int | None:
    """Bytes left by ``ulimit -v``: beyond it, threads fail to start, and libraries hang."""
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
