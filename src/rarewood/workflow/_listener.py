"""Progress of a comparison or a fit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rarewood.evaluate import Protocol
    from rarewood.evaluate._store import Cell
    from rarewood.intake._findings import Findings


class Listener:
    """Receives the progress of :func:`compare` and :func:`fit`; override the methods of interest.

    All methods are called in the process and thread of the caller.

    Examples
    --------
    >>> from rarewood import workflow
    >>> class Count(workflow.Listener):
    ...     def on_fit_done(self, cell, n_done, n_fits):
    ...         self.text = f"{n_done} of {n_fits}"
    """

    def on_step(self, step: str) -> None:
        """A step that may be long begins, such as "reading payments.csv"."""

    def on_table(self, findings: Findings, streamed: str | None) -> None:
        """The table was read; ``streamed`` is the reason if it is read in batches."""

    def on_comparison(
        self, folder: Path, models: list[str], absent: list[str], protocol: Protocol, n_jobs: int
    ) -> None:
        """Models are chosen; ``absent`` are default models whose packages are not installed."""

    def on_estimate(self, seconds: float, n_rows: int, folds: Mapping[str, float]) -> None:
        """The time that the fits will take, estimated from fits on ``n_rows`` rows.

        ``folds`` are the seconds of a fold, by the name of the model.
        """

    def on_fit_done(self, cell: Cell, n_done: int, n_fits: int) -> None:
        """A fit of a comparison is done, in this run or in an earlier one."""

    def on_model(self, classifier: Any, changed: list[str]) -> None:
        """A model will be fitted; ``changed`` are parameters that reading in batches required."""
