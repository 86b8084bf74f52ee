"""Statistics of a fit on a cluster: rounds, bytes, seconds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class FitReport:
    """Statistics of a fit on a Dask cluster.

    Attributes
    ----------
    strategy : {"rows", "trees"}
        What was distributed over the workers.
    n_workers : int
        Number of workers that took part, including lost ones.
    n_lost : int
        Number of workers that were lost and whose work was repeated.
    n_rows : int
        Number of samples with nonzero weight.
    n_shards : int
        Number of shards, each of consecutive rows, into which the table was divided.
    n_rounds : int
        Number of requests to all workers while trees grew; with strategy "trees", number of tasks.
    request_bytes : int
        Bytes of all requests, counted once per worker.
    response_bytes : int
        Bytes of all responses, including those between workers.
    seconds : dict of str to float
        Time of each stage, in order.

    Examples
    --------
    >>> from rarewood.dask import FitReport
    >>> FitReport("rows", n_rounds=7, request_bytes=300, response_bytes=5000).bytes_sent
    5300
    """

    strategy: str = "rows"
    n_workers: int = 0
    n_lost: int = 0
    n_rows: int = 0
    n_shards: int = 0
    n_rounds: int = 0
    request_bytes: int = 0
    response_bytes: int = 0
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def bytes_sent(self) -> int:
        """Bytes of all requests and responses."""
        return self.request_bytes + self.response_bytes

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of the enclosed block to a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            took = time.perf_counter() - start
            self.seconds[name] = self.seconds.get(name, 0.0) + took
