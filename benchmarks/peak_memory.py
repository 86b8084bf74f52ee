"""Peak memory of a block of code, with the processes that it starts."""

from __future__ import annotations

import threading

import psutil


class PeakMemory:
    """Peak memory of this process and its children."""

    def __init__(self) -> None:
        self._family = psutil.Process()
        self._is_over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> PeakMemory:
        self.before = self.highest = self._now()
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._watcher.join()

    def _watch(self) -> None:
        while not self._is_over.wait(0.02):
            self.highest = max(self.highest, self._now())

    def _now(self) -> int:
        total = 0
        for process in (self._family, *self._family.children(recursive=True)):
            try:
                total += process.memory_info().rss
            except psutil.NoSuchProcess:
                continue
        return total
