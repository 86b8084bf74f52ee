"""Predicting a table that is read in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.table._encode import encode_like
from rarewood.table._fragments import sliced
from rarewood.table._inputs import as_arrow, is_one_shot
from rarewood.table._schema import Schema
from rarewood.table._stream import Stream
from rarewood.table._table import ahead
from rarewood.table._values import Matrix


def over_batches(
    stream: Stream, schema: Schema, owner: str, work: Callable[[Matrix], NDArray[Any]]
) -> NDArray[Any]:
    """Call a function with the matrix of each batch of a table, and join the arrays it returns.

    Columns that are not features of the model are ignored; ``owner`` is its name, for messages.
    """
    found = [work(matrix) for matrix in ahead(matrices(stream, schema, owner))]
    if not found:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
    return np.concatenate(found)


def matrices(stream: Stream, schema: Schema, owner: str) -> Iterator[Matrix]:
    """Yield a table batch by batch, encoded for a model."""
    names = None if schema.names is None else schema.names.tolist()
    for batch in _batches(stream, names):
        yield encode_like(batch, schema, owner)


def _batches(stream: Stream, names: list[str] | None) -> Iterator[Any]:
    """Yield record batches with the features of a model; an iterator is read only once."""
    if not is_one_shot(stream.source):
        table = stream.open()
        yield from table.batches(_chosen(table.schema.names, names), stream.batch_rows)
        return
    for place, part in enumerate(stream.source):
        table = as_arrow(part, f"batch {place} of the iterator")
        for batch in table.select(_chosen(table.column_names, names)).to_batches():
            yield from sliced(batch, stream.batch_rows)


def _chosen(have: list[str], names: list[str] | None) -> list[str]:
    lacking = [repr(name) for name in names or () if name not in have]
    if lacking:
        raise ValueError(
            f"The table lacks columns that the model was fitted on: {', '.join(lacking)}."
        )
    return have if names is None else names
