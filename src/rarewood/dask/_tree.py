"""DaskRareTreeClassifier: a tree grown on a Dask cluster."""

from __future__ import annotations

from typing import ClassVar

from rarewood.dask._estimators import OnCluster
from rarewood.model._base import RareClassifier
from rarewood.tree import RareTreeClassifier

__all__ = ["DaskRareTreeClassifier"]


class DaskRareTreeClassifier(OnCluster, RareTreeClassifier):
    """A decision tree for rare classes, grown on a Dask cluster.

    Each worker holds some of the rows, one byte for each value, and counts classes; the client
    chooses the splits and sees no row. The tree is the one that
    :class:`~rarewood.RareTreeClassifier` grows with the same parameters on the same rows in one
    place, to the bit, for any number of workers and partitions.

    The active client is used: the one that was made last, or that of ``with client.as_current()``.

    Parameters
    ----------
    criterion, max_depth, ..., n_jobs
        Those of :class:`~rarewood.RareTreeClassifier`. ``max_bins`` must be set, and hyperplanes
        are not possible. ``n_jobs`` is the number of threads on each worker, by default as many as
        the worker has.

    Attributes
    ----------
    fit_report_ : FitReport
        What the fit took: rounds, bytes sent, seconds by stage, workers lost.

    See Also
    --------
    rarewood.RareTreeClassifier : The same tree in one process; it has all other attributes.
    DaskRareForestClassifier : Many such trees.

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

    _plain: ClassVar[type[RareClassifier]] = RareTreeClassifier
