"""DaskRareForestClassifier: a forest grown on a Dask cluster."""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

from sklearn.base import clone

from rarewood._validation import StrOptions
from rarewood.dask._cluster import active_client
from rarewood.dask._estimators import OnCluster
from rarewood.dask._scoped_client import Lease
from rarewood.dask._trees import ReplicatedData
from rarewood.forest import RareForestClassifier
from rarewood.model._base import RareClassifier
from rarewood.model._parameters import FOREST_CONSTRAINTS
from rarewood.model._training_data import TrainingData
from rarewood.table._schema import Schema

__all__ = ["DaskRareForestClassifier"]


def _with_strategy() -> inspect.Signature:
    """Return the parameters of the plain forest, and the strategy behind them."""
    plain = inspect.signature(RareForestClassifier.__init__)
    strategy = inspect.Parameter("strategy", inspect.Parameter.KEYWORD_ONLY, default="rows")
    return plain.replace(parameters=[*plain.parameters.values(), strategy])


class DaskRareForestClassifier(OnCluster, RareForestClassifier):
    """A forest of decision trees for rare classes, grown on a Dask cluster.

    The forest is the one that :class:`~rarewood.RareForestClassifier` grows with the same
    parameters on the same rows in one place, to the bit, for any number of workers and partitions
    and with either strategy.

    The active client is used: the one that was made last, or that of ``with client.as_current()``.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    strategy : {"rows", "trees"}, default="rows"
        What is spread over the workers. "rows": each worker holds some of the rows, one byte for
        each value, and all trees grow on all workers; for tables of any size. It needs
        ``max_bins`` and does without hyperplanes and out-of-bag scores. "trees": each worker holds
        the whole table and grows some of the trees; for tables that fit into the memory of every
        worker, and for all parameters, exact search and hyperplanes included.
    **parameters
        The others of :class:`~rarewood.RareForestClassifier`. ``n_jobs`` is the number of threads
        on each worker, by default as many as the worker has.

    Attributes
    ----------
    fit_report_ : FitReport
        What the fit took: rounds, bytes sent, seconds by stage, workers lost.

    See Also
    --------
    rarewood.RareForestClassifier : The same forest in one process; it has all other attributes.
    DaskRareTreeClassifier : A single tree.

    Notes
    -----
    With strategy "rows" no process knows which rows there are, so ``estimators_samples_`` cannot
    be told where classes are balanced or rows weigh nothing.

    Examples
    --------
    >>> import dask.array as da
    >>> from distributed import Client
    >>> from rarewood.dask import DaskRareForestClassifier
    >>> X = da.random.default_rng(0).random((3000, 5), chunks=(1000, 5))
    >>> y = X[:, 0] > 0.97
    >>> forest = DaskRareForestClassifier(10, n_cuts=None, max_bins=255, random_state=0)
    >>> with Client(n_workers=1, processes=False, dashboard_address=":0"):
    ...     forest = forest.fit(X.persist(), y)
    >>> len(forest.to_local())
    10
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FOREST_CONSTRAINTS,
        "strategy": [StrOptions({"rows", "trees"})],
    }
    _plain: ClassVar[type[RareClassifier]] = RareForestClassifier

    def __init__(self, n_estimators: int = 100, *, strategy: str = "rows", **parameters: Any):
        super().__init__(n_estimators, **parameters)
        self.strategy = strategy

    # scikit-learn asks the constructor for the names of the parameters.
    __init__.__signature__ = _with_strategy()  # type: ignore[attr-defined]

    def _prepare(
        self, X: Any, y: Any, sample_weight: Any, class_weight: Any, schema: Schema | None = None
    ) -> TrainingData:
        if self.strategy == "rows":
            if self.oob_score:
                raise ValueError(
                    "Out-of-bag scores need the values of the rows, and strategy='rows' keeps only "
                    "their codes. Set oob_score=False, or strategy='trees' if the table fits into "
                    "the memory of every worker."
                )
            return super()._prepare(X, y, sample_weight, class_weight, schema)
        plain = self._as_plain()
        return ReplicatedData(
            Lease(active_client()),
            plain if schema is not None else clone(plain),
            (X, y, sample_weight),
            class_weight,
            schema,
            self._threads_of_worker(),
        )
