"""The second pass over the features: every value becomes a code."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rarewood.stream._encoding import EncodedTable, Encoding
from rarewood.stream._read_batches import Reading, read_batches
from rarewood.table._table import BATCH_ROWS, Table

__all__ = ["encode_batches"]


def encode_batches(
    rows: Table,
    encoding: Encoding,
    kept: NDArray[np.bool_] | None,
    codes: NDArray[np.uint8] | None = None,
    *,
    n_threads: int = 1,
    batch_rows: int = BATCH_ROWS,
    on_rows: Callable[[int], object] | None = None,
) -> EncodedTable:
    """Code some rows of a table.

    Parameters
    ----------
    rows : Table
        The rows.
    encoding : Encoding
        Says what the codes are.
    kept : ndarray of bool or None
        Which of the rows weigh anything; None if all do.
    codes : ndarray of uint8 of shape (n_features, n_kept), default=None
        Where to write, such as a memory-mapped file; by default an array in memory.
    n_threads : int, default=1
        Threads to use.
    batch_rows : int, default=65536
        Rows to read at once.
    on_rows : callable, default=None
        Called with the number of rows that were coded so far.

    Returns
    -------
    coded : EncodedTable
        The codes of the rows that weigh anything.
    """
    n_kept = rows.n_rows if kept is None else int(np.count_nonzero(kept))
    if codes is None:
        codes = np.empty((encoding.n_features, n_kept), dtype=np.uint8)
    coded = EncodedTable(codes, {j: np.empty(n_kept, dtype=np.int32) for j in encoding.wide})
    begin = n_done = 0
    reading = Reading(kept, batch_rows, n_threads)
    features = range(encoding.n_features)
    for batch in read_batches(rows, encoding.roles, reading, features, encoding.schema.categories):
        encoding.bins.encode_into(batch.values, codes, begin, n_threads)
        for j, numbers in coded.wide.items():
            of_block = batch.values[:, j]
            numbers[begin : begin + batch.n_kept] = np.where(np.isnan(of_block), -1, of_block)
        begin += batch.n_kept
        n_done += batch.n_rows
        if on_rows is not None:
            on_rows(n_done)
    return coded
