"""A whole training table, sent to a worker: from this process, from a collection, or as a path."""

from __future__ import annotations

from typing import Any

import numpy as np

from rarewood.dask._tree_tasks import join_parts
from rarewood.stream import Stream
from rarewood.table._dask_collections import is_collection, is_frame
from rarewood.table._stream import is_batched

__all__ = ["WholeTable"]


class WholeTable:
    """What ``fit`` was given, as arguments of tasks.

    Parameters
    ----------
    client : Lease
        The client.
    X, y, sample_weight : object
        What ``fit`` takes: a table in memory, a collection, or files with the names of columns.
    """

    def __init__(self, client: Any, X: Any, y: Any, sample_weight: Any) -> None:
        self._client = client
        if is_collection(X):
            X, y, sample_weight = _apart(X, y, sample_weight)
        elif is_batched(X):
            check_readable(X)
        self._values = (X, y, sample_weight)
        self._sent: list[Any] | None = None

    def at(self, address: str) -> list[Any]:
        """Return the table as arguments of a task that runs on the worker at an address."""
        if self._sent is None:
            self._sent = [self._send(value) for value in self._values]
        here = {"workers": [address], "allow_other_workers": True}
        return [
            self._client.submit(join_parts, *sent, **here) if isinstance(sent, list) else sent
            for sent in self._sent
        ]

    def release(self) -> None:
        """Let go of what the cluster holds of the table."""
        self._sent = None

    def _send(self, value: Any) -> Any:
        if is_collection(value):
            return self._client.compute(list(np.ravel(value.to_delayed())))
        if value is None or isinstance(value, str) or is_batched(value):
            return value
        return self._client.scatter(value)


def check_readable(X: Any) -> None:
    """Raise unless what is read in batches can be read by every worker."""
    source = X.source if isinstance(X, Stream) else X
    if hasattr(source, "__next__"):
        raise TypeError(
            "X is an iterator, which only this process can read. Give the cluster files that "
            "every worker can reach, or a Dask collection; RareTreeClassifier and "
            "RareForestClassifier read iterators here."
        )


def _apart(X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """Return features, labels and weights, where columns of X are named instead."""
    named = [name for name in (y, sample_weight) if isinstance(name, str)]
    if not named:
        return (X if is_frame(X) else X.rechunk({1: -1})), y, sample_weight
    if not is_frame(X) or any(name not in X.columns for name in named):
        raise ValueError(
            f"y={y!r} and sample_weight={sample_weight!r} must be columns of X, or collections; "
            f"the columns of X are {list(X.columns) if is_frame(X) else 'not named'}."
        )
    y, sample_weight = (X[v] if isinstance(v, str) else v for v in (y, sample_weight))
    return X.drop(columns=named), y, sample_weight
