"""Training data for oblique splits over codes: trees see the coordinates of bins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.model._given_rows import given_batches, mean_votes
from rarewood.model._training_data import LocalData
from rarewood.table._checks import naming_infinite
from rarewood.table._coded_table import CodedTable, choose_bins
from rarewood.table._schema import Schema
from rarewood.table._table import BATCH_ROWS
from rarewood.table._targets import Targets
from rarewood.table._values import Matrix

if TYPE_CHECKING:
    from rarewood.model._given_rows import GivenRows


@dataclass(frozen=True, eq=False)
class CodedData(LocalData):
    """A training table as codes; the bins are those of the schema."""

    coded: CodedTable  # the samples with nonzero weight
    given: GivenRows | None  # all samples, if some have weight zero

    def columns(self, max_bins: int | None, n_threads: int) -> _core.Columns:
        return self.coded.columns(n_threads)

    def row_hashes(self, n_threads: int) -> Iterator[NDArray[np.uint64]]:
        for first in range(0, len(self.y), BATCH_ROWS):
            yield self.coded.take(slice(first, first + BATCH_ROWS)).row_hashes(n_threads)

    def values(self, rows: NDArray[Any]) -> Matrix:
        return self.coded.take(rows).values()

    def take(self, rows: NDArray[Any]) -> CodedData:
        y, coded = self.y[rows], self.coded.take(rows)
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, y=y, weights=weights, rows=None, y_given=y, coded=coded, given=None)

    def out_of_bag(self, forest: Any, n_threads: int) -> NDArray[np.float64]:
        given = self.coded if self.given is None else self.given
        return mean_votes(self, forest, given_batches(given, self.schema), n_threads)


def coded_data(
    schema: Schema, targets: Targets, kept: Matrix, given: Matrix, max_bins: int, n_threads: int
) -> CodedData:
    """Encode a table in memory, by the bins of the schema if it has any.

    ``kept`` are the samples with nonzero weight, and ``given`` are all.
    """
    with naming_infinite(kept, schema.names):
        if schema.bins is None:
            n_classes = len(targets.classes)
            bins = choose_bins(kept, targets.y, n_classes, schema, max_bins, n_threads)
            schema = replace(schema, bins=bins)
        assert schema.bins is not None
        coded = CodedTable.of(kept, schema.bins, n_threads)
    return CodedData(schema, *targets, coded, None if targets.rows is None else given)
