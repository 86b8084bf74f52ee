"""Tests in a fork of this process: what it has imported need not be imported again."""

from __future__ import annotations

import os
import re
import signal
import sys
import tempfile
import time
from pathlib import Path

from fuzz.target import ROOT

HANG_SECONDS = 1800  # of all tests of a call; the machine may be busy
_WRONG_PACKAGE = 90  # an exit code that pytest does not have
_OPTIONS = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly"]


def first_failure(tests: list[str], site: Path) -> str:
    """The first test that fails with the packages of a folder; empty if none does."""
    assert "rarewood" not in sys.modules, "forks would not import the changed package"
    if not tests:
        return ""
    with tempfile.TemporaryFile("w+") as output:
        pid = os.fork()
        if not pid:
            _run_tests(tests, site, output.fileno())
        status = _wait(pid)
        output.seek(0)
        text = output.read()
    if status is None:
        return "a test that hangs"
    code = os.waitstatus_to_exitcode(status)
    assert code != _WRONG_PACKAGE, f"the tests did not import the packages in {site}"
    if code < 0:
        return f"a crash: {signal.Signals(-code).name}"
    if code == 0:
        return ""
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", text, re.MULTILINE)
    return failed[0] if failed else f"exit code {code}: {text[-300:]}"


def _run_tests(tests: list[str], site: Path, output: int) -> None:
    """Run pytest in this process, and end it."""
    code: int = 1
    try:
        os.setsid()
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.chdir(ROOT)
        sys.path.insert(0, str(site))
        sys.dont_write_bytecode = True  # of two changes in one second
        os.environ |= {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
        import pytest

        code = int(pytest.main([*_OPTIONS, *tests]))
        found = sys.modules["rarewood"].__file__ or ""
        code = code if found.startswith(str(site)) else _WRONG_PACKAGE
        sys.stdout.flush()
    finally:
        os._exit(code)


def _wait(pid: int) -> int | None:
    """The status of a process; None if it hangs and was killed."""
    end = time.monotonic() + HANG_SECONDS
    while time.monotonic() < end:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return status
        time.sleep(0.05)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None
