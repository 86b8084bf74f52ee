"""Dask collections as tables: recognising them, and lazy predictions for their partitions.

Dask is imported only if a collection is given.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

Method = TypeVar("Method", bound=Callable[..., Any])


def is_collection(X: Any) -> bool:
    """Whether a table is a Dask DataFrame, Series or array."""
    return type(X).__module__.startswith("dask.") and (is_frame(X) or is_array(X))


def is_frame(X: Any) -> bool:
    """Whether a Dask collection consists of DataFrames, or of Series."""
    return hasattr(X, "map_partitions") and hasattr(X, "divisions")


def is_array(X: Any) -> bool:
    """Whether a Dask collection consists of NumPy arrays."""
    return hasattr(X, "map_blocks") and hasattr(X, "chunks")


def also_lazily(method: Method) -> Method:
    """Decorate a method that predicts for a table to return a Dask array for a collection."""

    @wraps(method)
    def predicting(model: Any, X: Any) -> Any:
        return _predict_lazily(method, model, X) if is_collection(X) else method(model, X)

    return cast(Method, predicting)


def _predict_lazily(method: Callable[..., Any], model: Any, X: Any) -> Any:
    """Return a Dask array with the predictions of a method for each chunk of X.

    The method is called for one dummy row, which gives the shape and type of its result, and
    raises errors for wrong columns now instead of at computation.
    """
    if len(X.shape) != 2:
        raise ValueError(
            f"Expected a table with rows and columns, got {type(X).__name__} with "
            f"{len(X.shape)} dimension(s). Pass a Dask DataFrame, or a Dask array with two "
            "dimensions."
        )
    if is_array(X):
        X = X.rechunk({1: -1})  # a row must not be divided
    form: NDArray[Any] = method(model, _one_row(X))[:0]
    from dask import delayed

    # One key for the model; a name of its own saves hashing all trees.
    sent = delayed(model, name=f"{type(model).__name__}-{uuid4().hex}", traverse=False)
    given = {"method": method.__name__, "form": form}
    if is_frame(X):
        return X.map_partitions(_predict_part, sent, meta=form, **given)
    from dask.array import map_blocks

    if form.ndim == 1:
        return map_blocks(_predict_part, X, sent, meta=form, drop_axis=1, **given)
    chunks = (X.chunks[0], (form.shape[1],))
    return map_blocks(_predict_part, X, sent, meta=form, chunks=chunks, **given)


def _predict_part(part: Any, model: Any, method: str, form: NDArray[Any]) -> NDArray[Any]:
    if len(part) == 0:
        return form
    predicted: NDArray[Any] = getattr(model, method)(part)
    return predicted


def _one_row(X: Any) -> Any:
    """Return a table of one row, with the columns and types of a collection."""
    if is_array(X):
        value = None if X.dtype == object else np.zeros((), dtype=X.dtype)[()]
        return np.full((1, X.shape[1]), value, dtype=X.dtype)
    row = X._meta_nonempty.iloc[:1].copy()
    for place in np.flatnonzero(row.dtypes == np.dtype(object)):
        row.isetitem(int(place), [None])  # objects may be anything: a missing value is always valid
    return row
