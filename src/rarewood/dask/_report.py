"""What a fit on a cluster took: rounds, bytes, seconds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

__all__ = ["FitReport"]


@dataclass
class FitReport:
    """What a fit on a cluster took.

    Attributes
    ----------
    strategy : {"rows", "trees"}
        What was spread over the workers.
    n_workers : int
        Workers that took part, those included that were lost.
    n_lost : int
        Workers that were lost and whose work was done again.
    n_rows : int
        Rows of the training table that weigh anything.
    n_runs : int
        Runs of consecutive rows that the table was divided into.
    n_rounds : int
        How often all workers were asked something while trees were grown.
    bytes_asked : int
        Bytes of the questions, counted for every worker that was sent one.
    bytes_answered : int
        Bytes of the answers, those from worker to worker included.
    seconds : dict of str to float
        Time by stage, in the order of the stages.
    """

    strategy: str = "rows"
    n_workers: int = 0
    n_lost: int = 0
    n_rows: int = 0
    n_runs: int = 0
    n_rounds: int = 0
    bytes_asked: int = 0
    bytes_answered: int = 0
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def bytes_sent(self) -> int:
        """Bytes of all questions and answers."""
        return self.bytes_asked + self.bytes_answered

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of the enclosed work to a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            took = time.perf_counter() - start
            self.seconds[name] = self.seconds.get(name, 0.0) + took
