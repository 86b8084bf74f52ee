"""The second pass over the features: every value becomes a code."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rarewood.encode import values_like
from rarewood.stream._blocks import Block, blocks
from rarewood.stream._plan import MISSING_CODE, Coded, Plan
from rarewood.stream._rows import BATCH_ROWS, Rows

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
    for block in blocks(rows, plan.layout, kept, batch_rows, n_threads):
        _code_block(block, plan, coded, begin, n_threads)
        begin += block.n_kept
        n_done += block.n_rows
        if on_rows is not None:
            on_rows(n_done)
    return coded


def _code_block(block: Block, plan: Plan, coded: Coded, begin: int, n_threads: int) -> None:
    """Write the codes of a block from row ``begin`` on."""
    here = slice(begin, begin + block.n_kept)
    if plan.bins is not None and block.n_kept:
        coded.codes[plan.layout.numeric, here] = plan.bins.encode(block.numbers, n_threads)
    for j, column in block.nominal.items():
        numbers = values_like(column, plan.categories[j], plan.layout.by_dtype)
        if block.kept is not None:
            numbers = numbers[block.kept]
        is_missing = np.isnan(numbers)
        places = np.where(is_missing, -1, numbers).astype(np.int32)
        if j in coded.wide:
            coded.wide[j][here] = places
            places[:] = 0
        coded.codes[j, here] = np.where(is_missing, MISSING_CODE, places)
