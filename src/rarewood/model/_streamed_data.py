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
from rarewood.model._coded_data import CodedData
from rarewood.model._given_rows import given_batches, mean_votes
from rarewood.model._parameters import (
    CODED_SAMPLES,
    check_codes_suffice,
    check_compares_values,
    coded_bins,
)
from rarewood.model._training_data import InMemoryData, LocalData
from rarewood.stream._bin_statistics import PartClasses, collect_bin_statistics
from rarewood.stream._encoding import (
    EncodedTable,
    Encoding,
    allocate,
    allocate_rows,
    encode_batches,
    encode_rows,
    read_values,
)
from rarewood.table._checks import check_shape
from rarewood.table._column_roles import ColumnRoles, assign_roles
from rarewood.table._schema import Schema
from rarewood.table._stream import Stream
from rarewood.table._table import Table
from rarewood.table._targets import Targets, read_targets
from rarewood.table._values import Matrix


def streamed_data(
    estimator: Any, stream: Stream, y: Any, sample_weight: Any, class_weight: Any,
    fitted: Schema | None,
) -> LocalData:  # fmt: skip
    """Read a training table in batches; it grows the same trees as the table in memory.

    ``fitted`` is the schema of a model to which trees are added.
    """
    check_codes_suffice(estimator)
    verbose = stream.verbose or bool(getattr(estimator, "verbose", 0))
    table = stream.open(verbose)
    roles = assign_roles(
        table.schema, y, sample_weight, estimator.categorical_features,
        columns=stream.columns, fitted=fitted,
    )  # fmt: skip
    check_shape((table.n_rows, len(roles.features)), _core.MAX_ROWS)
    with progress_if(verbose, table.n_rows, "labels read") as progress:
        raw = read_targets(table, roles, batch_rows=stream.batch_rows, on_rows=progress)
    targets = raw.targets(class_weight)
    del raw
    n_threads = number_of_threads(estimator.n_jobs)
    passes = _Passes(stream, table, roles, targets, fitted, verbose, n_threads)
    if estimator.splitter != "oblique":
        return passes.binned(estimator.max_bins)
    n_bins = coded_bins(estimator, len(targets.y), fitted)
    return passes.raw() if n_bins is None else passes.coded(n_bins)


@dataclass(frozen=True, eq=False)
class _Passes:
    """The passes over the features of a table."""

    stream: Stream
    table: Table
    roles: ColumnRoles
    targets: Targets
    fitted: Schema | None
    verbose: bool
    n_threads: int

    def binned(self, max_bins: int) -> LocalData:
        """Return codes, for cuts at the edges of bins."""
        check_compares_values(self.fitted)
        encoding = self._choose_encoding(max_bins)
        place, folder = self.stream.codes, self.stream.folder
        space = allocate(place, encoding.schema.n_features, len(self.targets.y), folder)
        with self._progress("rows encoded") as progress:
            encoded = encode_batches(
                self.table, encoding, self.targets.kept, *space, on_rows=progress, **self._how
            )
        return StreamedData(encoding.schema, *self.targets, encoding, encoded, self._given)

    def coded(self, max_bins: int) -> LocalData:
        """Return codes by row, for hyperplanes over the coordinates of bins."""
        schema, targets = self.fitted, self.targets
        if schema is not None and schema.bins is not None:
            encoding = Encoding(self.roles, schema, schema.bins)
        else:
            totals = targets.class_counts
            classes = PartClasses(targets.y, totals, np.zeros_like(totals))
            encoding = self._choose_encoding(max_bins, classes)
        place, folder = self.stream.codes, self.stream.folder
        codes = allocate_rows(place, encoding.schema.n_features, len(targets.y), folder)
        with self._progress("rows encoded") as progress:
            coded = encode_rows(
                self.table, encoding, targets.kept, codes, on_rows=progress, **self._how
            )
        given = None if targets.rows is None else self._given
        return CodedData(encoding.schema, *targets, coded, given)

    def raw(self) -> LocalData:
        """Return the values of a small table."""
        targets, schema = self.targets, self.fitted
        if len(targets.y) > CODED_SAMPLES:
            raise ValueError(
                "warm_start=True adds trees to a forest that compares raw values, and of "
                f"{len(targets.y)} samples that are read in batches only codes are kept. Read the "
                "table into memory, or set warm_start=False to grow a new forest."
            )
        if schema is None:
            schema = self._choose_encoding(_core.MAX_BINS).schema  # its categories
        with self._progress("rows read") as progress:
            matrix = read_values(
                self.table, self.roles, schema, targets.kept, on_rows=progress, **self._how
            )
        return InMemoryData(schema, *targets, matrix, None if targets.rows is None else self._given)

    def _choose_encoding(self, max_bins: int, classes: PartClasses | None = None) -> Encoding:
        table, roles, kept, n_kept = self.table, self.roles, self.targets.kept, len(self.targets.y)
        with self._progress("rows read for bins") as progress:
            return collect_bin_statistics(
                table, roles, kept, 0, n_kept, max_bins,
                on_rows=progress, classes=classes, **self._how,
            ).finish()  # fmt: skip

    @property
    def _how(self) -> Any:
        return {"n_threads": self.n_threads, "batch_rows": self.stream.batch_rows}

    @property
    def _given(self) -> Stream:
        return Stream(self.table, batch_rows=self.stream.batch_rows)

    def _progress(self, done: str) -> Any:
        return progress_if(self.verbose, self.table.n_rows, done)


@dataclass(frozen=True, eq=False)
class StreamedData(LocalData):
    """A training table of which only the codes are in memory."""

    encoding: Encoding
    encoded: EncodedTable  # of the samples with nonzero weight
    given: Stream  # all samples, to be read again

    def columns(self, max_bins: int | None, n_threads: int) -> _core.Columns:
        return self.encoding.columns(self.encoded, n_threads)

    def row_hashes(self, n_threads: int) -> Iterator[NDArray[np.uint64]]:
        for here, matrix in given_batches(self.given, self.schema):
            hashes = _core.row_hashes(matrix, n_threads)
            if self.rows is not None:
                first, last = np.searchsorted(self.rows, [here.start, here.stop])
                hashes = hashes[self.rows[first:last] - here.start]
            yield hashes

    def values(self, rows: NDArray[Any]) -> Matrix:
        given = rows if self.rows is None else self.rows[rows]
        order = np.argsort(given)
        parts = []
        for here, matrix in given_batches(self.given, self.schema):
            first, last = np.searchsorted(given[order], [here.start, here.stop])
            parts.append(matrix[given[order[first:last]] - here.start])
        found: Matrix = np.concatenate(parts)
        return found[np.argsort(order)]

    def out_of_bag(self, forest: Any, n_threads: int) -> NDArray[np.float64]:
        return mean_votes(self, forest, given_batches(self.given, self.schema), n_threads)
