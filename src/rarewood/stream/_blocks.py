"""A batch becomes the matrix of its numeric features and the columns of its nominal ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rarewood.encode import Matrix
from rarewood.stream._arrow import ArrowColumn
from rarewood.stream._layout import Layout
from rarewood.stream._rows import Rows, ahead

__all__ = ["Block", "blocks"]


@dataclass(frozen=True, eq=False)
class Block:
    """Some consecutive rows of a table.

    Parameters
    ----------
    n_rows : int
        Rows of the table.
    kept : ndarray of bool of shape (n_rows,) or None
        Which of them weigh anything; None if all do.
    numbers : ndarray of shape (n_kept, n_numeric), in Fortran order
        The numeric features of the rows that weigh anything.
    nominal : dict of int to ArrowColumn
        The nominal features, of all rows.
    """

    n_rows: int
    kept: NDArray[np.bool_] | None
    numbers: Matrix
    nominal: dict[int, ArrowColumn]

    @property
    def n_kept(self) -> int:
        """Rows that weigh anything."""
        return len(self.numbers)


def blocks(
    rows: Rows,
    layout: Layout,
    kept: NDArray[np.bool_] | None,
    batch_rows: int,
    n_threads: int,
) -> Iterator[Block]:
    """Yield rows, block by block; the next block is read while the last one is used."""

    def read() -> Iterator[Block]:
        first = 0
        found = rows.batches(layout.features, batch_rows, use_threads=n_threads > 1)
        with closing(found):
            for batch in found:
                last = first + batch.num_rows
                columns = [layout.column(batch, j) for j in range(len(layout.features))]
                is_kept = None if kept is None else kept[first:last]
                nominal = {j: columns[j] for j in layout.nominal}
                yield Block(batch.num_rows, is_kept, _matrix(columns, layout, is_kept), nominal)
                first = last

    return ahead(read())


def _matrix(columns: list[ArrowColumn], layout: Layout, kept: NDArray[np.bool_] | None) -> Matrix:
    n_rows = len(columns[0]) if kept is None else int(np.count_nonzero(kept))
    matrix = np.empty((n_rows, len(layout.numeric)), dtype=layout.dtype, order="F")
    for place, j in enumerate(layout.numeric):
        values = columns[j].numeric()
        matrix[:, place] = values if kept is None else values[kept]
    return matrix
