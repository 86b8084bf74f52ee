"""A training table that the workers of a cluster hold, for the time of one fit."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any
from uuid import uuid4

from rarewood._problem import Problem
from rarewood.dask._fleet import Fleet
from rarewood.dask._report import FitReport

__all__ = ["ClusterProblem"]


class ClusterProblem(Problem):
    """Base of the training tables on a cluster: nothing of them is left there, however a fit ends.

    Parameters
    ----------
    client : Lease
        The client.
    kind : type
        The class of the actors.
    report : FitReport
        Where to count.
    n_threads : int or None
        Threads that each worker uses; by default as many as it has.
    """

    def __init__(self, client: Any, kind: type, report: FitReport, n_threads: int | None) -> None:
        self.report = report
        self._client = client
        self._fit = uuid4().hex
        self._fleet = Fleet(client, kind, self._fit, report, n_threads)
        try:
            with report.stage("starting"):
                self._fleet.start()
            self._prepare()
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def _prepare(self) -> None:
        """Let the actors take the table, and learn what must be known of it here."""

    def close(self) -> None:
        self._fleet.stop()
        self._client.release()
