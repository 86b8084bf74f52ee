"""Training data in a sparse table: trees are grown on its values that are not zero."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.model._given_rows import mean_votes
from rarewood.model._training_data import LeafGrid, LocalData
from rarewood.table._categorical_features import chosen_columns
from rarewood.table._checks import check_n_features, check_shape
from rarewood.table._schema import Schema
from rarewood.table._sparse import SparseTable, core_columns, dense_blocks, take_rows
from rarewood.table._targets import RawTargets


@dataclass(frozen=True, eq=False)
class SparseData(LocalData):
    """A sparse training table. Rows become dense only some at a time."""

    sparse: Any  # the samples with nonzero weight, by column
    given: Any  # all samples

    def columns(self, max_bins: int | None, n_threads: int) -> _core.Columns:
        return core_columns(self.sparse, n_threads)

    def row_hashes(self, n_threads: int) -> NDArray[np.uint64]:
        hashes = [_core.row_hashes(block, n_threads) for _, block in dense_blocks(self.sparse)]
        return np.concatenate(hashes)

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
    if estimator.max_bins not in ("auto", None) or (before is not None and before.bins is not None):
        raise ValueError(
            "A sparse table is searched by values, since the codes of bins would take a byte for "
            f"every value, zeros included. Set max_bins='auto', not {estimator.max_bins!r}, and "
            "grow a new forest; or use X.toarray()."
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
    infinite = np.flatnonzero(np.isinf(columns.data))
    if infinite.size:
        feature = int(np.searchsorted(columns.indptr, infinite[0], side="right")) - 1
        label = feature if table.names is None else repr(table.names[feature])
        raise ValueError(
            f"Input X contains infinity or a value too large for {columns.dtype!r}, in column "
            f"{label}. Replace infinite values by a number, or by NaN if they are missing."
        )
    kept = columns if checked.rows is None else take_rows(columns, checked.rows)
    return SparseData(schema, *checked, kept, columns)
