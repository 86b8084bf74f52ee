"""Progress of a fit or a comparison on the standard error stream."""

from __future__ import annotations

import sys
import time
from contextlib import AbstractContextManager, nullcontext
from typing import Self


def spell(seconds: float) -> str:
    """Format a duration: "8.3 s", "12 min", "3 h 20 min"."""
    if seconds < 100:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


_BAR = 20  # characters
_PAUSE = 0.05  # seconds between two updates of a line


class Progress:
    """Reports the number of finished trees, or of other units, on the standard error stream.

    A terminal or a notebook shows one line that is updated, with a bar; a file gets a line for each
    tenth of the total. If the total is unknown, it gets a line whenever the number doubles, and a
    last one.

    ``total`` is None if unknown, ``done`` the name of the units, and ``n_before`` the number of
    units done before the start, to estimate the remaining time.
    """

    def __init__(
        self, total: int | None, done: str = "trees grown", n_before: int | None = None
    ) -> None:
        self._total = total
        self._done = done
        self._n_before = n_before
        self._width = 0
        self._stream = sys.stderr
        # A notebook is no terminal, but overwrites a line as one does.
        is_notebook = type(self._stream).__module__.startswith("ipykernel")
        self._is_terminal = is_notebook or self._stream.isatty()
        self._last = -_PAUSE
        self._n_shown = self._n_done = -1
        self._start = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __call__(self, n_done: int) -> None:
        self._n_done = n_done
        if n_done != self._n_shown and self._is_due(n_done):
            self._show(n_done)

    def _is_due(self, n_done: int) -> bool:
        if self._is_terminal:
            is_soon = time.monotonic() - self._last < _PAUSE
            return n_done > self._n_shown and (n_done == self._total or not is_soon)
        if self._total is None:
            return n_done >= 2 * self._n_shown
        return n_done == self._total or 10 * (n_done - self._n_shown) >= self._total

    def _show(self, n_done: int) -> None:
        self._n_shown, self._last = n_done, time.monotonic()
        seconds = time.monotonic() - self._start
        of_all = "" if self._total is None else f" of {self._total}"
        text = f"{n_done}{of_all} {self._done} in {spell(seconds)}"
        if self._total and self._n_before is not None and self._n_before < n_done < self._total:
            left = seconds / (n_done - self._n_before) * (self._total - n_done)
            text += f", about {spell(left)} left"
        if self._is_terminal and self._total:
            n_full = _BAR * n_done // self._total
            text = f"{text} [{'#' * n_full}{'.' * (_BAR - n_full)}]"
        self._width = max(self._width, len(text))  # a shorter line must overwrite a longer one
        line = f"\r{text:<{self._width}}" if self._is_terminal else f"{text}\n"
        self._stream.write(line)
        self._stream.flush()

    def __exit__(self, *error: object) -> None:
        if self._total is None and self._n_done > self._n_shown:
            self._show(self._n_done)
        if self._is_terminal and self._n_shown >= 0:
            self._stream.write("\n")


def progress_if(
    is_shown: object, total: int | None, done: str = "trees grown"
) -> AbstractContextManager[Progress | None]:
    """Return the progress of a block of code, or a context of None if it is not shown."""
    return Progress(total, done) if is_shown else nullcontext()
