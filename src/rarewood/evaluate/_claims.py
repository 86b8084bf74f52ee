"""Claims on cells, and whether the process that holds one is still alive."""

from __future__ import annotations

import os
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

BEAT = 10.0  # seconds between heartbeats
LEASE = 60.0  # seconds without a heartbeat after which a claim lapses

HOST = socket.gethostname()


def is_alive(host: str, pid: int, beat: float) -> bool:
    """Whether the process that made a claim is still running.

    A heartbeat in the future is from a clock that was set back since, and as old as one that is
    too long ago: the claim must not last until the clock has caught up.
    """
    if abs(time.time() - beat) > LEASE:
        return False
    return host != HOST or is_running(pid)


def is_running(pid: int) -> bool:
    """Whether a process of this machine is running; zombies are not."""
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


@contextmanager
def heartbeat(beat: Callable[[], None]) -> Iterator[None]:
    """Call a function every ``BEAT`` seconds in a thread."""
    is_over = threading.Event()

    def run() -> None:
        while not is_over.wait(BEAT):
            with suppress(sqlite3.Error):  # the file is busy; the next beat will do
                beat()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
