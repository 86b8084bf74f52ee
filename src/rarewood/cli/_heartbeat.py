"""A line on the standard error stream at least every few seconds of a long step."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from rarewood._progress import spell

_SECONDS = 5.0  # the longest silence
_TICK = 0.25


class Heartbeat(AbstractContextManager["Heartbeat"]):
    """Says every five seconds what is running: a line, or on a terminal one that is updated.

    ``step`` names what begins; a function is called for the text of each sign. The lines of others
    count too, if they are told by :meth:`touch`.
    """

    def __init__(self, step: str = "") -> None:
        self._stream = sys.stderr
        self._is_terminal = self._stream.isatty()
        self._width = 0
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._text: Callable[[], str] | None = None
        self._start = self._last = time.monotonic()
        self.step(step)
        self._thread.start()

    def step(self, text: str | Callable[[], str]) -> None:
        """Begin a step; an empty text is silent, since others write then.

        Short steps do not add up to a long silence: only what is written ends it.
        """
        with self._lock:
            self._clear()
            self._start = time.monotonic()
            if not text:
                self._last = self._start
            if callable(text):
                self._text = text
            else:
                self._text = (lambda: f"{text}, {self._spent()}") if text else None

    def touch(self) -> None:
        """Note that something was printed."""
        with self._lock:
            self._clear()
            self._last = time.monotonic()

    def _spent(self) -> str:
        return spell(time.monotonic() - self._start)

    def _run(self) -> None:
        while not self._stopped.wait(_TICK):
            with self._lock:
                pause = 1.0 if self._is_terminal else _SECONDS
                if self._text is None or time.monotonic() - self._last < pause - _TICK:
                    continue
                self._last = time.monotonic()
                self._show(self._text())

    def _show(self, text: str) -> None:
        if self._is_terminal:
            self._width = max(self._width, len(text))
            self._stream.write(f"\r{text:<{self._width}}")
        else:
            self._stream.write(f"{text}\n")
        self._stream.flush()

    def _clear(self) -> None:
        """Remove the line of a terminal, before others write there."""
        if self._is_terminal and self._width:
            self._stream.write(f"\r{'':<{self._width}}\r")
            self._stream.flush()
            self._width = 0

    def __exit__(self, *error: Any) -> None:
        self._stopped.set()
        self._thread.join()
        self._clear()
