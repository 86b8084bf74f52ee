"""Training data that is read in batches: labels first, then two passes over the features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood._progress import progress_if
from rarewood._validation import number_of_threads
from rarewood.model._parameters import check_codes_suffice
from rarewood.model._training_data import LocalData
from rarewood.stream._bin_statistics import collect_bin_statistics
from rarewood.stream._encoding import EncodedTable, Encoding, allocate, encode_batches
from rarewood.stream._predict import matrices
from rarewood.table._checks import check_shape
from rarewood.table._column_roles import assign_roles
from rarewood.table._schema import Schema
from rarewood.table._stream import Stream
from rarewood.table._table import Table, ahead
from rarewood.table._targets import read_targets
from rarewood.table._values import Matrix


def streamed_data(
    estimator: Any, stream: Stream, y: Any, sample_weight: Any, class_weight: Any,
    fitted: Schema | None,
) -> StreamedData:  # fmt: skip
    """Read a training table in batches; it grows the same trees as the table in memory.

    ``fitted`` is the schema of a model to which trees are added.
    """
    check_codes_suffice(estimator)
    verbose = stream.verbose or bool(getattr(estimator, "verbose", 0))
    table = stream.open(verbose)
    roles = assign_roles(
        table.schema, y, sample_weight, estimator.categorical_features,
        columns=stream.columns, orders=table.orders, fitted=fitted,
    )  # fmt: skip
    check_shape((table.n_rows, len(roles.features)), _core.MAX_ROWS)
    with progress_if(verbose, table.n_rows, "labels read") as progress:
        raw = read_targets(table, roles, batch_rows=stream.batch_rows, on_rows=progress)
    targets = raw.targets(class_weight)
    del raw
    kept, n_kept = targets.kept, len(targets.y)
    n_threads = number_of_threads(estimator.n_jobs)
    how: Any = {"n_threads": n_threads, "batch_rows": stream.batch_rows}
    with progress_if(verbose, table.n_rows, "rows read for bins") as progress:
        statistics = collect_bin_statistics(
            table, roles, kept, 0, n_kept, estimator.max_bins, on_rows=progress, **how
        )
    encoding = statistics.finish()
    space = allocate(stream.codes, encoding.schema.n_features, n_kept, stream.folder)
    with progress_if(verbose, table.n_rows, "rows encoded") as progress:
        encoded = encode_batches(table, encoding, kept, *space, on_rows=progress, **how)
    return StreamedData(encoding.schema, *targets, encoding, encoded, table, stream.batch_rows)


@dataclass(frozen=True, eq=False)
class StreamedData(LocalData):
    """A training table of which only the codes are in memory."""

    encoding: Encoding
    encoded: EncodedTable  # of the samples with nonzero weight
    table: Table  # all rows, to be read again
    batch_rows: int

    def columns(self, max_bins: int | None, n_threads: int) -> _core.Columns:
        return self.encoding.columns(self.encoded, n_threads)

    def row_hashes(self, n_threads: int) -> NDArray[np.uint64]:
        hashes = np.empty(len(self.y_given), dtype=np.uint64)
        for here, matrix in self._batches():
            hashes[here] = _core.row_hashes(matrix, self.y_given[here], n_threads)
        return hashes if self.rows is None else hashes[self.rows]

    def values(self, rows: NDArray[Any]) -> Matrix:
        given = rows if self.rows is None else self.rows[rows]
        order = np.argsort(given)
        parts = []
        for here, matrix in self._batches():
            first, last = np.searchsorted(given[order], [here.start, here.stop])
            parts.append(matrix[given[order[first:last]] - here.start])
        found: Matrix = np.concatenate(parts)
        return found[np.argsort(order)]

    def _batches(self) -> Iterator[tuple[slice, Matrix]]:
        """Yield the rows of each batch and their values; the table is read once more."""
        first = 0
        stream = Stream(self.table, batch_rows=self.batch_rows)
        for matrix in ahead(matrices(stream, self.schema, "The model")):
            yield slice(first, first + len(matrix)), matrix
            first += len(matrix)

    def out_of_bag(self, forest: Any, n_threads: int) -> NDArray[np.float64]:
        n_given, n_classes = len(self.y_given), len(self.classes)
        proba = np.empty((n_given, n_classes))
        is_out = self._out_of_bag_marks(forest)
        place = np.arange(n_given) if self.rows is None else np.full(n_given, -1)
        if self.rows is not None:
            place[self.rows] = np.arange(self.n_rows)
        for here, matrix in self._batches():
            proba[here] = _mean_votes(forest, matrix, place[here], is_out, n_threads)
        return proba

    def _out_of_bag_marks(self, forest: Any) -> list[NDArray[np.uint8]]:
        """For each tree a bit for every sample with nonzero weight: whether it was not drawn."""
        sampling, n_classes = forest.row_sampling.compiled, len(self.classes)
        return [
            np.packbits(sampling.copies(self.y, n_classes, forest.seed, number) == 0)
            for number in range(len(forest))
        ]


def _mean_votes(
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
