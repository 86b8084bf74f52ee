"""Training data in a sparse table: trees are grown on its values that are not zero."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood._validation import number_of_threads
from rarewood.model._given_rows import mean_votes
from rarewood.model._parameters import coded_bins, cut_bins
from rarewood.model._training_data import LeafGrid, LocalData
from rarewood.table._categorical_features import chosen_columns
from rarewood.table._checks import check_n_features, check_shape
from rarewood.table._schema import Schema
from rarewood.table._sparse import (
    SparseTable,
    core_arrays,
    core_columns,
    dense_blocks,
    snapped,
    take_rows,
)
from rarewood.table._targets import RawTargets, Targets
from rarewood.table._values import Matrix


@dataclass(frozen=True, eq=False)
class SparseData(LocalData):
    """A sparse training table. Rows become dense only some at a time."""

    sparse: Any  # the samples with nonzero weight, by column
    given: Any  # all samples

    def columns(self, max_bins: int | None, n_threads: int) -> _core.Columns:
        return core_columns(self.sparse, n_threads)

    def row_hashes(self, n_threads: int) -> Iterator[NDArray[np.uint64]]:
        for _, block in dense_blocks(self.sparse):
            yield _core.row_hashes(self._hashed(block, n_threads), n_threads)

    def _hashed(self, block: Matrix, n_threads: int) -> Matrix | NDArray[np.uint8]:
        """Return what stands for some rows: their values, or the codes of bins."""
        bins = self.schema.bins
        if bins is None:
            return block
        codes = np.empty(block.shape, dtype=np.uint8)
        bins.encode_rows_into(block, codes, 0, n_threads)
        return codes

    def values(self, rows: NDArray[Any]) -> Any:
        return take_rows(self.sparse, rows)

    def take(self, rows: NDArray[Any]) -> SparseData:
        y, sparse = self.y[rows], take_rows(self.sparse, rows)
        weights = None if self.weights is None else self.weights[rows]
        return replace(
            self, y=y, weights=weights, rows=None, y_given=y, sparse=sparse, given=sparse
        )

    def mean_proba(self, forest: _core.Forest, X: Any, n_threads: int) -> NDArray[np.float64]:
        return np.concatenate(
            [forest.predict_proba(block, n_threads) for _, block in dense_blocks(X)]
        )

    def held_out(
        self,
        trees: list[_core.Tree],
        leaves: LeafGrid,
        X: Any,
        y: NDArray[np.int32],
        n_threads: int,
    ) -> NDArray[np.float64]:
        found = [
            super(SparseData, self).held_out(trees, leaves, block, y[here], n_threads)
            for here, block in dense_blocks(X)
        ]
        return np.concatenate(found, axis=2)

    def out_of_bag(self, forest: Any, n_threads: int) -> NDArray[np.float64]:
        return mean_votes(self, forest, dense_blocks(self.given), n_threads)


def sparse_data(
    estimator: Any,
    table: SparseTable,
    targets: RawTargets,
    class_weight: Any,
    before: Schema | None,
) -> SparseData:
    """Return the training data of a sparse table; ``before`` is the schema of existing trees."""
    if not hasattr(estimator, "max_bins"):
        raise TypeError(
            f"X is a sparse matrix; {type(estimator).__name__} needs dense data. Use X.toarray() "
            "to convert it to a dense array (this may need much memory)."
        )
    if cut_bins(estimator) is not None:
        raise ValueError(
            f"max_bins={estimator.max_bins!r} of splitter={estimator.splitter!r} cuts at the edges "
            "of bins, whose codes would take a byte for every value of a sparse table, zeros "
            "included. Set max_bins='auto', which cuts between values, or use X.toarray()."
        )
    n_rows, n_features = table.native.shape
    by_dtype = isinstance(estimator.categorical_features, str)
    given = None if by_dtype else estimator.categorical_features
    if given is not None and chosen_columns(given, table.names, n_features):
        raise ValueError(
            "categorical_features are not supported in a sparse table, whose values are numbers. "
            "Set categorical_features=None, or use X.toarray()."
        )
    schema = before or Schema(n_features, table.names, by_dtype=by_dtype)
    check_shape((n_rows, n_features), _core.MAX_ROWS)
    check_n_features(n_features, schema.n_features, type(estimator).__name__)
    checked = targets.targets(class_weight)
    columns = table.by_column()
    table.check_finite(columns)
    n_bins = coded_bins(estimator, len(checked.y), before)
    if n_bins is not None:
        n_threads = number_of_threads(estimator.n_jobs)
        if schema.bins is None:
            schema = replace(schema, bins=_choose_bins(columns, checked, n_bins, n_threads))
        assert schema.bins is not None
        columns = snapped(columns, schema.bins, n_threads)
    kept = columns if checked.rows is None else take_rows(columns, checked.rows)
    return SparseData(schema, *checked, kept, columns)


def _choose_bins(columns: Any, targets: Targets, max_bins: int, n_threads: int) -> _core.Bins:
    """Return the bins that the dense table would have."""
    kept = columns if targets.rows is None else take_rows(columns, targets.rows)
    counts = np.bincount(targets.y, minlength=len(targets.classes)).astype(np.int64)
    return _core.Bins.of_sparse(*core_arrays(kept), targets.y, counts, max_bins, n_threads)
