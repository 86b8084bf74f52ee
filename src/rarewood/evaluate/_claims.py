"""Claims on cells, and whether the process that holds one is still alive."""

from __future__ import annotations

import os
import socket
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

BEAT = 10.0  # seconds between heartbeats
LEASE = 60.0  # seconds without a heartbeat after which a claim lapses

HOST = socket.gethostname()


def is_alive(host: str, pid: int, beat: float) -> bool:
    """Whether the process that made a claim is still running."""
    if time.time() - beat > LEASE:
        return False
    return host != HOST or _is_running(pid)


def _is_running(pid: int) -> bool:
    if os.name != "posix":  # on Windows, signal 0 would end the process
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:  # a zombie: killed, but not yet reaped by its parent
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state not in ("Z", "X")


class Heartbeat:
    """Context manager that calls a function every ``BEAT`` seconds in a thread."""

    def __init__(self, beat: Callable[[], None]) -> None:
        self._beat = beat
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        while not self._is_over.wait(BEAT):
            try:
                self._beat()
            except sqlite3.Error:  # the file is busy; the next beat will do
                continue

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._is_over.set()
        self._thread.join()
