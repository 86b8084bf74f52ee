"""Coverage of the Python loader (coverage.py) and of the core (gcov), when it is measured.

``make coverage`` sets the environment variable; without it these functions do nothing.
"""

from __future__ import annotations

import ctypes
import os

VARIABLE = "RAREWOOD_FUZZ_COVERAGE"  # folder of the data files
_active = None


def begin() -> None:
    """Start to measure the lines of rarewood in this process and its children by fork."""
    global _active
    if folder := os.environ.get(VARIABLE):
        import coverage

        _active = coverage.Coverage(
            data_file=f"{folder}/lines", data_suffix=True, source_pkgs=["rarewood"], branch=True
        )
        _active.start()


def flush() -> None:
    """Write what was measured; gcov writes its part in handlers of exit."""
    if _active is not None:
        _active.stop()
        _active.save()
        ctypes.CDLL(None).exit(0)
