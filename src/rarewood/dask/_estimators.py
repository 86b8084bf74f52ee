"""The estimators for Dask clusters."""

from __future__ import annotations

import inspect
import sys
from functools import partial
from typing import Any, ClassVar, Literal, Self

from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from rarewood._docstrings import documented
from rarewood._validation import StrOptions
from rarewood.dask._cluster import active_client, released_thread
from rarewood.dask._collections import CollectionSource
from rarewood.dask._report import FitReport
from rarewood.dask._rows import ShardedData, refuse_out_of_bag
from rarewood.dask._scoped_client import ScopedClient
from rarewood.dask._source import FileSource, Source
from rarewood.dask._trees import ReplicatedData
from rarewood.forest import RareForestClassifier
from rarewood.model._base import RareClassifier
from rarewood.model._parameters import (
    FOREST_CONSTRAINTS,
    check_compares_values,
    check_shards_suffice,
    coded_bins,
    is_piloted,
)
from rarewood.model._training_data import TrainingData
from rarewood.table._column_roles import find_column
from rarewood.table._dask_collections import is_collection, is_frame
from rarewood.table._inputs import is_batch
from rarewood.table._schema import Schema
from rarewood.table._stream import Stream, is_batched
from rarewood.tree import RareTreeClassifier


@documented
class ClusterClassifier(RareClassifier):
    """Base of the estimators that are fitted on a cluster; the local estimator comes after it."""

    _local: ClassVar[type[RareClassifier]]
    fit_report_: FitReport

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Fit the model on the cluster of the active Dask client.

        If an argument or parameter is invalid, or if the fit is interrupted, the estimator is left
        unchanged, and nothing is left on the cluster.

        Parameters
        ----------
        X : dask DataFrame, dask array or path
            Training samples: a collection, or files that every worker can read: a Parquet file, a
            folder or a list of them, a ``pyarrow.dataset.Dataset``, or a
            :class:`rarewood.stream.Stream`. A forest with ``strategy="trees"`` also takes a table
            in this process.
        y : dask Series, dask array or str
            Labels, divided like X; or the name of their column in X.
        sample_weight : dask Series, dask array or str, default=None
            Sample weights, or the name of their column in X.
        groups : dask Series, dask array, array-like or str, default=None
            Groups of samples that are held out together where parameters are "auto"; or the name of
            their column in a dask DataFrame.

        Returns
        -------
        {self}
        """
        if hasattr(X.source if isinstance(X, Stream) else X, "__next__"):
            raise TypeError(
                "X is an iterator, which only this process can read. Pass files that every worker "
                "can reach, or a Dask collection; RareTreeClassifier and RareForestClassifier take "
                "iterators."
            )
        with released_thread():
            if isinstance(groups, str) and is_frame(X):
                find_column(groups, list(X.columns), "groups")
                X, groups = X.drop(columns=[groups]), X[groups]
            if is_collection(groups):
                is_used = is_piloted(self) or getattr(self, "n_estimators", None) == "auto"
                groups = groups.compute() if is_used else None
            super().fit(X, y, sample_weight, groups)  # of the local estimator
        return self

    def to_local(self) -> Any:
        """Return the model as a local estimator, which needs neither a cluster nor Dask.

        Returns
        -------
        model : RareTreeClassifier or RareForestClassifier
            Estimator with the same parameters and the same trees, which are shared.
        """
        check_is_fitted(self)
        return self._as_local()

    def _as_local(self) -> Any:
        """Return a local estimator with the parameters and any fitted attributes."""
        names = inspect.signature(self._local).parameters
        local = self._local(**{name: getattr(self, name) for name in names})
        own = {*self.get_params(deep=False), "fit_report_"}
        local.__dict__.update({k: v for k, v in vars(self).items() if k not in own})
        return local

    def _prepare(
        self, X: Any, y: Any, sample_weight: Any, class_weight: Any, schema: Schema | None = None
    ) -> TrainingData:
        check_shards_suffice(self)
        if self.splitter != "oblique":
            check_compares_values(schema)
        client = ScopedClient(active_client())
        source = _source(client, X, y, sample_weight)
        return ShardedData(client, self, source, class_weight, schema, self._worker_threads())

    def _fit(self, data: TrainingData, *before: Any) -> None:
        super()._fit(data, *before)
        self.fit_report_ = data.report  # type: ignore[attr-defined]

    def _worker_threads(self) -> int | None:
        """Return the number of threads of each worker; None for all that it has."""
        return self.n_jobs if self.n_jobs is not None and self.n_jobs > 0 else None


def _source(client: ScopedClient, X: Any, y: Any, sample_weight: Any) -> Source:
    """Return the table of a fit as shards; raises for a table in memory."""
    is_read = is_batched(X) or (is_batch(X) and isinstance(y, str))
    if is_read and not is_collection(X):
        return FileSource(X if isinstance(X, Stream) else Stream(X), y, sample_weight)
    return CollectionSource(client, X, y, sample_weight)


@documented
class DaskRareTreeClassifier(ClusterClassifier, RareTreeClassifier):
    """Decision tree for rare classes, fitted on a Dask cluster.

    Each worker holds a part of the rows, one byte per value, and counts classes; the client chooses
    the splits and receives histograms only. The tree is identical to that of
    :class:`~rarewood.RareTreeClassifier` with the same parameters and rows, bit for bit, for any
    number of workers and partitions.

    The active client is used: the last one created, or that of ``with client.as_current()``.

    Parameters
    ----------
    criterion, max_depth, ..., n_jobs
        Parameters of :class:`~rarewood.RareTreeClassifier`. ``max_bins`` is required, and
        hyperplanes are not supported. ``n_jobs`` is the number of threads of each worker, by
        default all that it has.

    Attributes
    ----------
    {fit_report_}

    See Also
    --------
    rarewood.RareTreeClassifier : The same tree in one process, with all other attributes.
    DaskRareForestClassifier : A forest of such trees.

    Examples
    --------
    >>> import dask.array as da
    >>> from distributed import Client
    >>> from rarewood.dask import DaskRareTreeClassifier
    >>> X = da.random.default_rng(0).random((3000, 5), chunks=(1000, 5))
    >>> y = X[:, 0] > 0.97
    >>> with Client(n_workers=1, processes=False, dashboard_address=":0"):
    ...     model = DaskRareTreeClassifier(max_bins=255).fit(X.persist(), y)
    ...     found = model.predict(X).compute()
    >>> model.to_local().get_n_leaves() >= 2
    True
    """

    _local: ClassVar[type[RareClassifier]] = RareTreeClassifier


_SIGNATURE = inspect.signature(RareForestClassifier.__init__)
_STRATEGY = inspect.Parameter("strategy", inspect.Parameter.KEYWORD_ONLY, default="auto")


@documented
class DaskRareForestClassifier(ClusterClassifier, RareForestClassifier):
    """Forest of decision trees for rare classes, fitted on a Dask cluster.

    The forest is identical to that of :class:`~rarewood.RareForestClassifier` with the same
    parameters and rows, bit for bit, for any number of workers and partitions and for both
    strategies.

    The active client is used: the last one created, or that of ``with client.as_current()``.

    Parameters
    ----------
    {n_estimators}
    strategy : {"auto", "rows", "trees"}, default="auto"
        What is distributed over the workers. "rows": each worker holds a part of the rows, one byte
        per value, and all workers grow all trees together; for tables of any size. It requires
        ``max_bins``, which "auto" is above 20,000 samples, for hyperplanes ``split_samples``, and
        does not support out-of-bag scores. "trees": each worker holds the whole table and grows a
        part of the trees; for tables that fit into the memory of every worker, as codes of one byte
        per value for hyperplanes. It supports all parameters, including exact search. "auto":
        "trees" for hyperplanes, the default, and for parameters that "rows" does not support,
        otherwise "rows".
    **parameters
        Other parameters of :class:`~rarewood.RareForestClassifier`. ``n_jobs`` is the number of
        threads of each worker, by default all that it has. With strategy "trees" this
        is the minimum, because every task uses at least one thread.

    Attributes
    ----------
    {fit_report_}

    See Also
    --------
    rarewood.RareForestClassifier : The same forest in one process, with all other attributes.
    DaskRareTreeClassifier : A single tree.

    Notes
    -----
    With strategy "rows" no process has the labels of all rows, so ``estimators_samples_`` is not
    available if classes are balanced or some sample weights are zero.

    Examples
    --------
    >>> import dask.array as da
    >>> from distributed import Client
    >>> from rarewood.dask import DaskRareForestClassifier
    >>> X = da.random.default_rng(0).random((3000, 5), chunks=(1000, 5))
    >>> y = X[:, 0] > 0.97
    >>> forest = DaskRareForestClassifier(10, random_state=0)
    >>> with Client(n_workers=1, processes=False, dashboard_address=":0"):
    ...     forest = forest.fit(X.persist(), y)
    >>> len(forest.to_local())
    10
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FOREST_CONSTRAINTS,
        "strategy": [StrOptions({"auto", "rows", "trees"})],
    }
    _local: ClassVar[type[RareClassifier]] = RareForestClassifier

    def __init__(
        self,
        n_estimators: int | Literal["auto"] = 100,
        *,
        strategy: str = "auto",
        **parameters: Any,
    ) -> None:
        super().__init__(n_estimators, **parameters)
        self.strategy = strategy

    # scikit-learn reads the names of the parameters from the signature.
    __init__.__signature__ = _SIGNATURE.replace(  # type: ignore[attr-defined]
        parameters=[*_SIGNATURE.parameters.values(), _STRATEGY]
    )

    def _prepare(
        self, X: Any, y: Any, sample_weight: Any, class_weight: Any, schema: Schema | None = None
    ) -> TrainingData:
        if self._strategy == "rows":
            if self.oob_score:
                refuse_out_of_bag()
            return super()._prepare(X, y, sample_weight, class_weight, schema)
        local, client = self._as_local(), ScopedClient(active_client())
        table = X, y, sample_weight
        can_encode = coded_bins(self, sys.maxsize, schema) is not None
        is_divided = is_batched(X) or all(
            is_collection(part) or part is None or isinstance(part, str) for part in table
        )
        return ReplicatedData(
            client,
            local if schema is not None else clone(local),
            table,
            class_weight,
            schema,
            self._worker_threads(),
            partial(_source, client, *table) if can_encode and is_divided else None,
        )

    @property
    def _strategy(self) -> str:
        """What is distributed: with "auto" rows, unless the parameters need the whole table."""
        if self.strategy != "auto":
            return self.strategy
        is_binned = self.splitter != "oblique" and self.max_bins not in ("auto", None)
        return "rows" if is_binned and not self.oob_score else "trees"
