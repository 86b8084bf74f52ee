"""A training table that is read in batches: two passes, and it is there as codes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.model._training_data import LocalData
from rarewood.stream._bin_statistics import collect_bin_statistics
from rarewood.stream._encode_batches import encode_batches
from rarewood.stream._encoding import EncodedTable, Encoding
from rarewood.stream._predict import matrices
from rarewood.table._checks import check_any_weight, check_shape
from rarewood.table._column_roles import assign_roles
from rarewood.table._encode import Matrix
from rarewood.table._schema import Schema
from rarewood.table._stream import Stream, pass_over
from rarewood.table._table import Table, ahead
from rarewood.table._targets import read_targets

__all__ = ["StreamedData", "streamed_data"]


def streamed_data(
    stream: Stream,
    y: str,
    sample_weight: str | None,
    class_weight: Any,
    *,
    categorical_features: Any,
    max_bins: int,
    n_threads: int,
    verbose: bool = False,
    fitted: Schema | None = None,
) -> StreamedData:
    """Read a training table in batches.

    Parameters
    ----------
    stream : Stream
        The table.
    y, sample_weight : str
        Names of the columns with the labels and the weights.
    class_weight, categorical_features, max_bins
        As in ``RareTreeClassifier``.
    n_threads : int
        Threads to use.
    verbose : bool, default=False
        Show how many rows have been read.
    fitted : Schema, default=None
        The columns of a model to which trees are added.

    Returns
    -------
    data : StreamedData
        The same as the table would be in memory.
    """
    verbose, batch_rows = verbose or stream.verbose, stream.batch_rows
    rows = stream.open(verbose)
    roles = assign_roles(
        rows.schema, y, sample_weight, categorical_features,
        columns=stream.columns, orders=rows.orders, fitted=fitted,
    )  # fmt: skip
    check_shape((rows.n_rows, len(roles.features)), _core.MAX_ROWS)
    with pass_over(rows.n_rows, "labels read", verbose) as progress:
        targets = read_targets(rows, roles, batch_rows=batch_rows, on_rows=progress)
    summary = targets.summary()
    settled = targets.settle(summary.classes, summary.class_weights(class_weight))
    del targets
    check_any_weight(settled.n_kept > 0)
    how = {"n_threads": n_threads, "batch_rows": batch_rows}
    with pass_over(rows.n_rows, "rows looked at", verbose) as progress:
        survey = collect_bin_statistics(
            rows, roles, settled.kept, 0, settled.n_kept, max_bins, on_rows=progress, **how
        )
    encoding = survey.finish(summary.classes)
    space = stream.make_space(encoding.n_features, settled.n_kept)
    with pass_over(rows.n_rows, "rows coded", verbose) as progress:
        coded = encode_batches(rows, encoding, settled.kept, space.codes, on_rows=progress, **how)
    return StreamedData(
        encoding.schema,
        summary.classes,
        settled.y,
        None if settled.is_plain else settled.weights,
        settled.rows,
        settled.y_given,
        encoding,
        replace(coded, row_space=space.by_row),
        rows,
        batch_rows,
    )


@dataclass(frozen=True, eq=False)
class StreamedData(LocalData):
    """A training table of which only the codes are at hand.

    Parameters
    ----------
    encoding : Encoding
        How it was coded.
    coded : EncodedTable
        The codes of the rows that weigh anything.
    table : Table
        All rows, to be read again.
    batch_rows : int
        Rows to read at once.
    """

    encoding: Encoding
    coded: EncodedTable
    table: Table
    batch_rows: int

    def columns(self, max_bins: int | None, n_threads: int) -> _core.Columns:
        return self.encoding.columns(self.coded, n_threads)

    def out_of_bag(self, view: Any, n_threads: int) -> NDArray[np.float64]:
        n_given, n_classes = len(self.y_given), len(self.classes)
        proba = np.empty((n_given, n_classes))
        is_out = self._out_of_bag_marks(view)
        place = np.arange(n_given) if self.rows is None else np.full(n_given, -1)
        if self.rows is not None:
            place[self.rows] = np.arange(self.n_rows)
        first = 0
        stream = Stream(self.table, batch_rows=self.batch_rows)
        for matrix in ahead(matrices(stream, self.schema, "The model")):
            here = slice(first, first + len(matrix))
            proba[here] = _mean_votes(view, matrix, place[here], is_out, n_threads)
            first += len(matrix)
        return proba

    def _out_of_bag_marks(self, view: Any) -> list[NDArray[np.uint8]]:
        """For each tree a bit for every row that weighs anything: whether it was not drawn."""
        sample, n_classes = view.sample, len(self.classes)
        return [
            np.packbits(sample.draw.copies(self.y, n_classes, view.seed, number) == 0)
            for number in range(len(view))
        ]


def _mean_votes(
    view: Any,
    matrix: Matrix,
    place: NDArray[np.intp],
    is_out: list[NDArray[np.uint8]],
    n_threads: int,
) -> NDArray[np.float64]:
    """Average the trees that did not draw a row; rows without a place were drawn by none."""
    leaves = view.apply(matrix, n_threads)
    sums = np.zeros((len(matrix), len(view.classes)))
    n_votes = np.zeros(len(matrix), dtype=np.int64)
    for number, tree in enumerate(view.trees):
        votes = (is_out[number][place >> 3] >> (7 - (place & 7)) & 1).astype(bool)
        votes |= place < 0
        sums[votes] += tree.probabilities.take(leaves[votes, number], axis=0)
        n_votes += votes
    with np.errstate(invalid="ignore"):
        means: NDArray[np.float64] = sums / n_votes[:, np.newaxis]
    return means
