"""What one sees while models are compared: a table that fills, and how long it will take."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from rarewood._progress import Progress, spell
from rarewood.cli._console import make_console, make_table, stacked

if TYPE_CHECKING:
    from rarewood.evaluate import Cell

__all__ = ["LiveTable", "Tally"]


class Tally:
    """The scores so far.

    Parameters
    ----------
    models : list of str
        Names of the models.
    metric : str
        The score to show.
    higher_is_better : bool
        Whether the largest is the best.
    """

    def __init__(self, models: Sequence[str], metric: str, higher_is_better: bool) -> None:
        self.metric = metric
        self._sign = -1 if higher_is_better else 1
        self.scores: dict[str, list[float]] = {name: [] for name in models}
        self.failures: dict[str, int] = dict.fromkeys(models, 0)
        self.times: dict[str, list[float]] = {name: [] for name in models}

    def add(self, cell: Cell) -> None:
        """Take a finished cell into account."""
        if cell.error_type is not None:
            self.failures[cell.model] += 1
            return
        score = cell.scores.get(self.metric, math.nan)
        if not math.isnan(score):
            self.scores[cell.model].append(score)
        self.times[cell.model].append(cell.scores.get("fit_time", math.nan))

    def rows(self) -> list[tuple[str, ...]]:
        """Name, mean, deviation, folds, and seconds of every model, the best so far first."""

        def place(name: str) -> float:
            scores = self.scores[name]
            return self._sign * statistics.fmean(scores) if scores else math.inf

        return [self._row(name) for name in sorted(self.scores, key=place)]

    def _row(self, name: str) -> tuple[str, ...]:
        scores, n_failed = self.scores[name], self.failures[name]
        mean = f"{statistics.fmean(scores):.3f}" if scores else ""
        spread = f"{statistics.stdev(scores):.3f}" if len(scores) > 1 else ""
        folds = f"{len(scores)}" + (f" ({n_failed} failed)" if n_failed else "")
        times = [t for t in self.times[name] if not math.isnan(t)]
        seconds = f"{statistics.fmean(times):.2f}" if times else ""
        return name, mean, spread, folds, seconds


class LiveTable:
    """Shows a tally and a progress bar on a terminal; elsewhere a line now and then.

    Parameters
    ----------
    tally : Tally
        What is shown.
    n_cells : int
        How many cells there are.
    """

    def __init__(self, tally: Tally, n_cells: int) -> None:
        self.tally = tally
        self.n_done = 0
        self._n_cells = n_cells
        self._n_before = 0
        self._console = make_console(is_error=True)
        self._live: Any = None
        self._plain: Progress | None = None
        self._start, self._since = time.monotonic(), time.time()

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            from rich.live import Live

            self._live = Live(
                get_renderable=self._view, console=self._console, refresh_per_second=4,
                transient=True,
            )  # fmt: skip
            self._live.start()
        return self

    def __call__(self, cell: Cell, n_done: int, n_cells: int) -> None:
        """Take a finished cell into account; made to be ``on_cell`` of a comparison."""
        self.tally.add(cell)
        self.n_done, self._n_cells = n_done, n_cells
        if cell.finished < self._since:  # by an earlier run
            self._n_before = n_done
        elif self._live is None:
            self._tell()

    def _tell(self) -> None:
        if self._plain is None:
            self._plain = Progress(self._n_cells, "fits done", self._n_before)
        self._plain(self.n_done)

    def _view(self) -> Any:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        table = make_table("model", stacked(self.tally.metric), "±", "folds", "s per fit")
        for row in self.tally.rows():
            table.add_row(*row)
        bar = Table.grid(padding=(0, 1))
        bar.add_row(ProgressBar(self._n_cells, self.n_done, width=40), self._words())
        return Group(table, bar)

    def _words(self) -> str:
        n_before = self._n_before
        seconds = time.monotonic() - self._start
        text = f"{self.n_done} of {self._n_cells} fits, {spell(seconds)}"
        if n_before < self.n_done < self._n_cells:
            left = seconds / (self.n_done - n_before) * (self._n_cells - self.n_done)
            text += f", about {spell(left)} left"
        return text

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()
        if self._plain is not None:
            self._plain.__exit__(kind, error, traceback)
