"""Does a sanitizer report what it should? ``core/bind/planted.cpp`` commits faults on purpose.

``python -m fuzz.planted`` fails unless every fault of the build is reported, with the options and
suppressions of the run: a run without a report says something only then.
"""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from rarewood import _core

REPORTS = {
    "planted_race_of_workers": "ThreadSanitizer: data race",
    "planted_race_of_callers": "ThreadSanitizer: data race",
    "planted_read_past_end": "AddressSanitizer: heap-buffer-overflow",
    "planted_overflow": "runtime error: signed integer overflow",
}
SECONDS = 120  # of a process; the machine may be busy


def main() -> int:
    planted = [name for name in REPORTS if hasattr(_core, name)]
    assert planted, "this build of the core has no sanitizer"
    missed = [name for name in planted if not is_reported(name)]
    print(f"{len(planted) - len(missed)} of {len(planted)} planted faults are reported", *missed)
    return 1 if missed else 0


def is_reported(name: str) -> bool:
    """Commit a fault in a process of its own, which the report must end."""
    command = [sys.executable, "-m", "fuzz.planted", name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    return done.returncode != 0 and REPORTS[name] in done.stderr and "planted.cpp" in done.stderr


def commit(name: str) -> None:
    """Commit the fault in two threads of Python."""
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda fault: fault(), [getattr(_core, name)] * 2))


if __name__ == "__main__":
    sys.exit(commit(sys.argv[1]) if sys.argv[1:] else main())
