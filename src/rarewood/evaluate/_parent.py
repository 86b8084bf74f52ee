"""Worker processes that end with the process that started them, however it ends.

A process that is killed cannot stop its workers: they would finish the tasks that are already in
their queue, for minutes, and hold the store open. So each worker watches its parent.
"""

from __future__ import annotations

import inspect
import multiprocessing
import os
import threading
import time
from dataclasses import dataclass
from typing import Any

from rarewood.evaluate._claims import HOST, is_running

_EXIT_CODE = 1
_PAUSE = 0.2  # seconds between checks
_watched: int | None = None  # process number of the parent that a thread of this process watches


@dataclass(frozen=True)
class Parent:
    """The process that distributes the tasks."""

    pid: int
    host: str

    @classmethod
    def this(cls) -> Parent:
        """Return this process."""
        return cls(os.getpid(), HOST)

    def end_with(self) -> None:
        """End this process, at once, when the parent has ended; return immediately.

        Without effect in the parent itself (a backend of threads), and in processes that others
        started and own, such as the workers of a cluster.
        """
        global _watched
        if _watched == self.pid or self.pid == os.getpid() or self.host != HOST:
            return
        if os.name == "posix" and os.getppid() != self.pid:
            if not is_running(self.pid):  # it ended before its first task began
                os._exit(_EXIT_CODE)
            return
        if os.name != "posix" and multiprocessing.parent_process() is None:
            return
        _watched = self.pid
        threading.Thread(target=self._watch, name="rarewood-parent", daemon=True).start()

    def _watch(self) -> None:
        if os.name == "posix":
            # An orphan is adopted at once, so its parent changes even if the number is reused. A
            # pipe would stay open in any process that inherited its other end.
            while os.getppid() == self.pid:
                time.sleep(_PAUSE)
        else:
            parent = multiprocessing.parent_process()
            if parent is not None:
                parent.join()
        os._exit(_EXIT_CODE)  # not sys.exit, which ends a thread only; transactions are rolled back


def watched_from_the_start(parallel: Any) -> dict[str, Any]:
    """Return the arguments of ``joblib.Parallel`` with which its processes watch this one.

    A process that has only a part of its first task, since its parent was killed while writing it,
    waits for the rest for ever. joblib before 1.5, and backends other than its own processes, take
    no initializer: their workers watch from their first task on.
    """
    from joblib.parallel import get_active_backend

    takes_more = any(
        parameter.kind is inspect.Parameter.VAR_KEYWORD
        for parameter in inspect.signature(parallel).parameters.values()
    )
    if not takes_more or type(get_active_backend()[0]).__name__ != "LokyBackend":
        return {}
    return {"initializer": Parent.end_with, "initargs": (Parent.this(),)}
