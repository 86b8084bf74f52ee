"""All rows of a training table once more, those of weight zero included, for out-of-bag scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rarewood.table._coded_table import CodedTable
from rarewood.table._schema import Schema
from rarewood.table._table import BATCH_ROWS, ahead
from rarewood.table._values import Matrix

if TYPE_CHECKING:  # workers of a cluster import this module without scikit-learn
    from rarewood.table._stream import Stream

    GivenRows = Matrix | Stream | CodedTable


def given_batches(given: GivenRows, schema: Schema) -> Iterator[tuple[slice, Matrix]]:
    """Yield the rows of each batch, and their values as the trees compare them."""
    if not isinstance(given, (CodedTable, np.ndarray)):
        from rarewood.stream._predict import matrices

        first = 0
        for matrix in ahead(matrices(given, schema, "The model")):
            yield slice(first, first + len(matrix)), matrix
            first += len(matrix)
        return
    n_rows = len(given.codes if isinstance(given, CodedTable) else given)
    for first in range(0, n_rows, BATCH_ROWS):
        here = slice(first, min(first + BATCH_ROWS, n_rows))
        if isinstance(given, CodedTable):
            yield here, given.take(here).values()
        else:
            yield here, schema.snapped(given[here])


def mean_votes(
    data: Any, forest: Any, batches: Iterator[tuple[slice, Matrix]], n_threads: int
) -> NDArray[np.float64]:
    """Return the mean probabilities of each row by the trees that did not draw it.

    NaN where every tree did. Rows of weight zero are drawn by no tree.
    """
    n_given, n_classes = len(data.y_given), len(data.classes)
    sampling = forest.row_sampling.compiled
    is_out = [  # for each tree a bit for every sample with nonzero weight
        np.packbits(sampling.copies(data.y, n_classes, forest.seed, number) == 0)
        for number in range(len(forest))
    ]
    place = np.arange(n_given) if data.rows is None else np.full(n_given, -1)
    if data.rows is not None:
        place[data.rows] = np.arange(data.n_rows)
    proba = np.empty((n_given, n_classes))
    for here, matrix in batches:
        proba[here] = _mean(forest, matrix, place[here], is_out, n_threads)
    return proba


def _mean(
    forest: Any,
    matrix: Matrix,
    place: NDArray[np.intp],
    is_out: list[NDArray[np.uint8]],
    n_threads: int,
) -> NDArray[np.float64]:
    """Average the trees that did not draw a sample; those without a place were drawn by none."""
    leaves = forest.apply(matrix, n_threads)
    sums = np.zeros((len(matrix), len(forest.classes)))
    n_votes = np.zeros(len(matrix), dtype=np.int64)
    for number, tree in enumerate(forest.trees):
        votes = (is_out[number][place >> 3] >> (7 - (place & 7)) & 1).astype(bool)
        votes |= place < 0
        sums[votes] += tree.probabilities.take(leaves[votes, number], axis=0)
        n_votes += votes
    with np.errstate(invalid="ignore"):
        means: NDArray[np.float64] = sums / n_votes[:, np.newaxis]
    return means
