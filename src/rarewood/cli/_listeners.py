"""Progress of the commands: live on a terminal, lines elsewhere."""

from __future__ import annotations

import math
import shlex
import statistics
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rarewood._progress import spell
from rarewood.cli._console import make_console, make_table, stacked
from rarewood.cli._heartbeat import Heartbeat
from rarewood.workflow import Listener

if TYPE_CHECKING:
    from rarewood.evaluate import Protocol
    from rarewood.evaluate._store import Cell
    from rarewood.intake._findings import Findings


_QUICK = 120  # seconds
_LONG = 300  # characters of the parameters of a model


def _print_findings(findings: Findings, *, hint: bool = False) -> None:
    """Print the findings in a table, and how to use a column that was skipped."""
    for line in findings.lines():
        print(line)
    able = [c.name for c in findings.skipped if c.kind in ("date", "text", "id")]
    if hint and able:
        print(f"use a skipped column with --keep, such as --keep {shlex.quote(able[0])}")
    sys.stdout.flush()


def _rows(
    cells: list[Cell], models: list[str], metric: str, higher_is_better: bool
) -> list[tuple[str, ...]]:
    """Return name, mean, deviation, folds, and seconds of every model so far, best first."""

    def values(name: str, metric: str) -> list[float]:
        found = [c.scores.get(metric, math.nan) for c in cells if c.model == name]
        return [value for value in found if not math.isnan(value)]

    rows = []
    for name in models:
        scores, times = values(name, metric), values(name, "fit_time")
        n_failed = sum(c.model == name and c.error_type is not None for c in cells)
        mean = statistics.fmean(scores) if scores else -math.inf if higher_is_better else math.inf
        row = (
            name,
            f"{mean:.3f}" if scores else "",
            f"{statistics.stdev(scores):.3f}" if len(scores) > 1 else "",
            f"{len(scores)}" + (f" ({n_failed} failed)" if n_failed else ""),
            f"{statistics.fmean(times):.2f}" if times else "",
        )
        rows.append((mean, row))
    return [row for _, row in sorted(rows, key=lambda one: one[0], reverse=higher_is_better)]


class ComparisonListener(ExitStack, Listener):
    """Prints the findings, then shows scores and the time left on the standard error stream."""

    def __init__(self, metric: str) -> None:
        super().__init__()
        self._heart = self.enter_context(Heartbeat())
        self.callback(self._stop)
        self._metric = metric
        self._folder: Path | None = None
        self._n_done = self._n_fits = self._n_before = self._n_shown = 0
        self._estimated: Mapping[str, float] = {}
        self._console = make_console(is_error=True)
        self._live: Any = None

    def on_step(self, step: str) -> None:
        """Show a step that may be long."""
        self._heart.step(step)

    def on_table(self, findings: Findings, streamed: str | None) -> None:
        """Print the findings."""
        self._heart.step("")
        _print_findings(findings, hint=True)

    def on_estimate(self, seconds: float, n_rows: int, folds: Mapping[str, float]) -> None:
        """Print how long the comparison will take, and what is shorter."""
        self._heart.step("")
        self._estimated, self._start = folds, time.monotonic()
        quick = "" if seconds < _QUICK else "; --quick answers in about a minute, on a sample"
        print(
            f"this takes about {spell(seconds)} (from fits on {n_rows:,} rows){quick}", flush=True
        )
        self._heart.step("fitting the first models")

    def on_comparison(
        self, folder: Path, models: list[str], absent: list[str], protocol: Protocol, n_jobs: int
    ) -> None:
        """Print the size of the comparison, and show the table."""
        from rarewood.evaluate._metrics import METRICS
        from rarewood.intake._errors import count

        if absent:
            print(f"not installed: {', '.join(absent)}")
        self._heart.step("")
        self._folder, self._n_fits, self._n_jobs = folder, len(models) * len(protocol), n_jobs
        self._n_folds = len(protocol)
        print(
            f"comparing {count(len(models), 'model')} by {protocol.n_repeats} x "
            f"{protocol.n_splits}-fold cross-validation: {count(self._n_fits, 'fit')}, {n_jobs} at "
            "a time",
            flush=True,
        )
        self._models, self._cells = models, list["Cell"]()
        self._higher_is_better = METRICS[self._metric].higher_is_better
        self._start, self._since, self._is_begun = time.monotonic(), time.time(), False
        self._heart.step("fitting the first models")

    def on_fit_done(self, cell: Cell, n_done: int, n_fits: int) -> None:
        """Add a fit to the table."""
        self._begin()
        self._cells.append(cell)
        self._n_done, self._n_fits = n_done, n_fits
        if cell.finished < self._since:  # by an earlier run
            self._n_before = n_done
        elif self._live is None and self._is_due():
            self._n_shown = n_done
            print(self._progress(), file=sys.stderr, flush=True)
            self._heart.touch()
        if n_done == n_fits:
            self._stop()

    def _begin(self) -> None:
        """Show the table on a terminal, and elsewhere a line at least every five seconds."""
        if self._is_begun:
            return
        self._is_begun = True
        if not self._console.is_terminal:
            self._heart.step(self._progress)
            return
        from rich.live import Live

        self._heart.step("")
        self._live = Live(
            get_renderable=self._view, console=self._console, refresh_per_second=4, transient=True
        )
        self._live.start()

    def _is_due(self) -> bool:
        return self._n_done == self._n_fits or 10 * (self._n_done - self._n_shown) >= self._n_fits

    def _progress(self) -> str:
        """Return the number of fits done, and the time left."""
        text = f"{self._n_done} of {self._n_fits} fits done in "
        text += spell(time.monotonic() - self._start)
        left = self._left()
        return text if left is None else f"{text}, about {spell(left)} left"

    def _left(self) -> float | None:
        """Return the seconds left, from the mean time of the fits of each model.

        They are those of this run and of earlier ones, so the time is right after resuming, and
        slow models that have hardly begun count. A model without a fit counts as it was estimated,
        in proportion to the others, or else as their mean.
        """
        if not 0 < self._n_done < self._n_fits:
            return None
        times: dict[str, list[float]] = {name: [] for name in self._models}
        for cell in self._cells:
            spent = [cell.scores.get(name, 0.0) for name in ("fit_time", "predict_time")]
            times[cell.model].append(sum(spent))
        means = {name: statistics.fmean(spent) for name, spent in times.items() if spent}
        expected = {name: self._estimated.get(name, 1.0) for name in self._models}
        pace = sum(means.values()) / sum(expected[name] for name in means)
        left = sum(
            (self._n_folds - len(spent)) * means.get(name, pace * expected[name])
            for name, spent in times.items()
        )
        return left / min(self._n_jobs, self._n_fits - self._n_done)

    def interrupted(self) -> str:
        """Return the message after Ctrl-C."""
        if self._folder is None:
            return ""
        if self._n_done == self._n_fits:
            return (
                f"Interrupted. All fits are done and kept in {self._folder}: the same command "
                "writes the report."
            )
        return (
            f"Interrupted. {self._n_done} of {self._n_fits} fits are done and kept in "
            f"{self._folder}: the same command resumes, 'rarewood report "
            f"{shlex.quote(str(self._folder))}' writes a report of the finished fits."
        )

    def _view(self) -> Any:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        table = make_table("model", stacked(self._metric), "±", "folds", "s per fit")
        for row in _rows(self._cells, self._models, self._metric, self._higher_is_better):
            table.add_row(*row)
        bar = Table.grid(padding=(0, 1))
        bar.add_row(ProgressBar(self._n_fits, self._n_done, width=20), self._progress())
        return Group(table, bar)

    def _stop(self) -> None:
        self._heart.step("")
        if self._live is not None:
            self._live.stop()
            self._live = None


class StepListener(ExitStack, Listener):
    """Says every five seconds which step is running."""

    def __init__(self) -> None:
        super().__init__()
        self._heart = self.enter_context(Heartbeat())

    def on_step(self, step: str) -> None:
        """Show a step that may be long."""
        self._heart.step(step)


class FitListener(ExitStack, Listener):
    """Prints what will be fitted, and shows on a terminal that the fit is running."""

    _is_streamed = False

    def __init__(self) -> None:
        super().__init__()
        self._heart = self.enter_context(Heartbeat())

    def on_step(self, step: str) -> None:
        """Show a step that may be long."""
        self._heart.step(step)

    def on_table(self, findings: Findings, streamed: str | None) -> None:
        """Print the findings."""
        self._heart.step("")
        self._is_streamed = streamed is not None
        if streamed is not None:
            name = findings.name
            print(f"{name} is read in batches ({streamed}); --no-stream reads it whole")
        _print_findings(findings)

    def on_model(self, classifier: Any, changed: list[str]) -> None:
        """Print the model."""
        if changed:
            print(f"note: set {' and '.join(changed)}, as required for reading in batches")
        from rarewood.foreign._classifier import innermost

        inner = innermost(classifier)
        text = " ".join(repr(inner).split())
        print(f"fitting {text if len(text) <= _LONG else type(inner).__name__}", flush=True)
        if not self._is_streamed:  # which shows its own progress
            self._heart.step("fitting the model and its folds")
