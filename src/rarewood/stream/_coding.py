"""The second pass over the features: every value becomes a code."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rarewood.stream._blocks import Reading, read_blocks
from rarewood.stream._plan import Coded, Plan
from rarewood.table._rows import BATCH_ROWS, Rows

__all__ = ["code_rows"]


def code_rows(
    rows: Rows,
    plan: Plan,
    kept: NDArray[np.bool_] | None,
    codes: NDArray[np.uint8] | None = None,
    *,
    n_threads: int = 1,
    batch_rows: int = BATCH_ROWS,
    on_rows: Callable[[int], object] | None = None,
) -> Coded:
    """Code some rows of a table.

    Parameters
    ----------
    rows : Rows
        The rows.
    plan : Plan
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
    coded : Coded
        The codes of the rows that weigh anything.
    """
    n_kept = rows.n_rows if kept is None else int(np.count_nonzero(kept))
    if codes is None:
        codes = np.empty((plan.n_features, n_kept), dtype=np.uint8)
    coded = Coded(codes, {j: np.empty(n_kept, dtype=np.int32) for j in plan.wide})
    begin = n_done = 0
    reading = Reading(kept, batch_rows, n_threads)
    features = range(plan.n_features)
    for block in read_blocks(rows, plan.layout, reading, features, plan.schema.categories):
        plan.bins.encode_into(block.values, codes, begin, n_threads)
        for j, numbers in coded.wide.items():
            of_block = block.values[:, j]
            numbers[begin : begin + block.n_kept] = np.where(np.isnan(of_block), -1, of_block)
        begin += block.n_kept
        n_done += block.n_rows
        if on_rows is not None:
            on_rows(n_done)
    return coded
