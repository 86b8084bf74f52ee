"""What the estimators for clusters have in common."""

from __future__ import annotations

import inspect
from typing import Any, ClassVar, Self

from sklearn.utils.validation import check_is_fitted

from rarewood.dask._cluster import active_client
from rarewood.dask._collections import CollectionSource
from rarewood.dask._report import FitReport
from rarewood.dask._rows import ShardedData
from rarewood.dask._scoped_client import Lease
from rarewood.dask._source import FileSource, Source, check_readable
from rarewood.model._base import RareClassifier
from rarewood.model._parameters import check_codes_suffice
from rarewood.model._training_data import TrainingData
from rarewood.stream import as_stream, is_stream
from rarewood.table._dask_collections import is_collection
from rarewood.table._schema import Schema

__all__ = ["OnCluster"]


class OnCluster(RareClassifier):
    """Base of the estimators that are fitted on a cluster, beside a plain estimator."""

    _plain: ClassVar[type[RareClassifier]]
    fit_report_: FitReport

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the model on the cluster of the active client.

        If the data or a parameter is not valid, or if the fit is interrupted, the estimator stays
        as it was, and nothing is left on the cluster.

        Parameters
        ----------
        X : dask DataFrame, dask array or path
            The training table: a collection, or files that every worker can read: a Parquet file,
            a folder or a list of them, a ``pyarrow.dataset.Dataset``, or a
            :class:`rarewood.stream.Stream`. A forest with ``strategy="trees"`` also takes a table
            in this process.
        y : dask Series, dask array or str
            The labels, divided as X is; or the column of X that holds them.
        sample_weight : dask Series, dask array or str, default=None
            Weights of the rows, or the column of X that holds them.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        super().fit(X, y, sample_weight)  # that of the plain estimator
        return self

    def to_local(self) -> Any:
        """Return the model as a plain estimator, which needs no cluster and no Dask.

        Returns
        -------
        model : RareTreeClassifier or RareForestClassifier
            It has the same parameters and the same trees, which are shared.
        """
        check_is_fitted(self)
        return self._as_plain()

    def _as_plain(self) -> Any:
        """Return a plain estimator with the parameters, and what was fitted, if anything."""
        names = inspect.signature(self._plain).parameters
        plain = self._plain(**{name: getattr(self, name) for name in names})
        own = {*self.get_params(deep=False), "fit_report_"}
        plain.__dict__.update({k: v for k, v in vars(self).items() if k not in own})
        return plain

    def _prepare(
        self, X: Any, y: Any, sample_weight: Any, class_weight: Any, schema: Schema | None = None
    ) -> TrainingData:
        check_codes_suffice(self, "a Dask cluster")
        client, report = Lease(active_client()), FitReport("rows")
        source = _source(client, X, y, sample_weight)
        return ShardedData(
            client, self, source, class_weight, schema, report, self._threads_of_worker()
        )

    def _fit(self, data: TrainingData, *before: Any) -> None:
        """Fit as the plain estimator does, and keep what it took."""
        super()._fit(data, *before)
        self.fit_report_ = data.report  # type: ignore[attr-defined]

    def _threads_of_worker(self) -> int | None:
        """Threads that each worker uses; None for those that it has."""
        return self.n_jobs if self.n_jobs is not None and self.n_jobs > 0 else None


def _source(client: Any, X: Any, y: Any, sample_weight: Any) -> Source:
    if is_collection(X) or not is_stream(X, y):
        return CollectionSource(client, X, y, sample_weight)  # raises for a table in memory
    check_readable(X)
    return FileSource(as_stream(X), y, sample_weight)
