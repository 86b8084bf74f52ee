"""A line that tells how far a fit has come."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

__all__ = ["Progress"]


class Progress:
    """Writes to the standard error stream how many trees are grown.

    A terminal sees one line that changes; a file gets a line for every tenth of the trees.

    Parameters
    ----------
    n_trees : int
        Trees to be grown.
    """

    def __init__(self, n_trees: int) -> None:
        self._n_trees = n_trees
        self._stream = sys.stderr
        self._is_terminal = self._stream.isatty()
        self._n_told = -1
        self._start = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __call__(self, n_done: int) -> None:
        is_news = n_done > self._n_told
        if not self._is_terminal:
            is_news = n_done == self._n_trees or 10 * (n_done - self._n_told) >= self._n_trees
        if not is_news or n_done == self._n_told:
            return
        self._n_told = n_done
        seconds = time.monotonic() - self._start
        text = f"{n_done} of {self._n_trees} trees grown in {seconds:.1f} s"
        self._stream.write(f"\r{text}" if self._is_terminal else f"{text}\n")
        self._stream.flush()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._is_terminal and self._n_told >= 0:
            self._stream.write("\n")
