"""Appending rows to tables and labels of any kind."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rarewood.table._frames import as_frame
from rarewood.table._schema import Schema
from rarewood.table._values import Matrix


def append_rows(X: Any, matrix: Matrix, schema: Schema, rows: Matrix) -> Any:
    """Append encoded rows to a table, in its type and with its columns.

    ``matrix`` is the encoded table. A pandas index is renumbered.
    """
    frame = as_frame(X)
    if frame is None:
        return _append_to_array(X, matrix, schema, rows)
    if not len(rows):
        return nw.maybe_reset_index(frame.clone()).to_native()
    columns = [
        _new_values(frame.get_column(name), matrix[:, j], rows[:, j], j in schema.categories)
        for j, name in enumerate(frame.columns)
    ]
    new = columns[0].to_frame().with_columns(*columns[1:])
    return nw.maybe_reset_index(nw.concat([frame, new], how="vertical")).to_native()


def _append_to_array(X: Any, matrix: Matrix, schema: Schema, rows: Matrix) -> Any:
    if isinstance(X, np.ma.MaskedArray):
        is_missing = np.isnan(rows)
        new = np.ma.array(np.where(is_missing, 0, rows).astype(X.dtype), mask=is_missing)
        return np.ma.concatenate([X, new])  # type: ignore[no-untyped-call]
    if isinstance(X, list):
        return [*X, *_new_objects(np.array(X, dtype=object), matrix, schema, rows).tolist()]
    array = np.asarray(X)
    if not schema.categories:
        return np.concatenate([array, rows.astype(array.dtype)])
    return np.concatenate([array, _new_objects(array, matrix, schema, rows)])


def _new_objects(array: NDArray[Any], matrix: Matrix, schema: Schema, rows: Matrix) -> NDArray[Any]:
    """Return decoded rows for an array of any type."""
    new = np.empty(rows.shape, dtype=object)
    for j in range(rows.shape[1]):
        values = matrix[:, j]
        if j in schema.categories:
            new[:, j] = array[_sources(values, rows[:, j]), j]
            continue
        kind = type(array[np.isfinite(values).argmax(), j])
        new[:, j] = [value if np.isnan(value) else kind(value) for value in rows[:, j].tolist()]
    return new if array.dtype == object else new.astype(array.dtype.kind)


def _new_values(
    series: nw.Series[Any], values: NDArray[Any], new: NDArray[Any], is_categorical: bool
) -> nw.Series[Any]:
    """Return values as a series of the same type as another."""
    if is_categorical:
        taken: nw.Series[Any] = series[_sources(values, new).tolist()]
        return taken
    # Values of the series first, for its kind of missing value; then the numbers.
    is_present = np.isfinite(new)
    donors = np.where(is_present, np.isfinite(values).argmax(), np.isnan(values).argmax())
    numbers = nw.new_series(series.name, new[is_present], backend=series.implementation)
    places = np.flatnonzero(is_present).tolist()
    donated: nw.Series[Any] = series[donors.tolist()]
    return donated.scatter(places, numbers.cast(series.dtype))


def _sources(values: NDArray[Any], new: NDArray[Any]) -> NDArray[np.intp]:
    """Return for each new value, NaN included, a row with it."""
    known, first = np.unique(values, return_index=True)
    return first[np.searchsorted(known, new)]


def append_labels(y: Any, rows: NDArray[np.intp]) -> Any:
    """Append the labels of some rows, in the type of y. A pandas index is renumbered."""
    places = np.append(np.arange(len(y)), rows)
    if nw.dependencies.is_into_series(y) or nw.dependencies.is_into_dataframe(y):
        table: Any = nw.from_native(y, eager_only=True, allow_series=True)
        return nw.maybe_reset_index(table[places.tolist()]).to_native()
    labels = np.asarray(y)[places]
    return labels.tolist() if isinstance(y, list) else labels
