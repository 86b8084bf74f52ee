"""A training table that the workers of a cluster hold, for the time of one fit."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any
from uuid import uuid4

from rarewood.dask._actor_pool import AllLostError, Fleet
from rarewood.dask._cluster import allowed_failures
from rarewood.dask._report import FitReport
from rarewood.model._training_data import TrainingData

__all__ = ["ClusterData"]


class ClusterData(TrainingData):
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
        client.watch = self._fleet.check_any
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        """Prepare the table, from the beginning if all workers are lost before that is done."""
        for n_left in reversed(range(allowed_failures() + 1)):
            try:
                with self.report.stage("starting"):
                    self._fleet.start()
                return self._prepare()
            except AllLostError:
                if not n_left:
                    raise RuntimeError(
                        f"All workers of the Dask cluster were lost {allowed_failures() + 1} times "
                        "while the table was read. Look into their logs; often memory is short."
                    ) from None
                self.report.n_lost += len(self._fleet.members)
                self.close()  # or tasks of the same names would still wait for those workers

    @abstractmethod
    def _prepare(self) -> None:
        """Let the actors take the table, and learn what must be known of it here."""

    def close(self) -> None:
        self._fleet.stop()
        self._client.release()
