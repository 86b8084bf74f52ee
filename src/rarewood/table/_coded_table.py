"""A table as codes of bins and categories, one byte per value, row by row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.table._exact_sum import group_counts
from rarewood.table._schema import Schema
from rarewood.table._values import Matrix, category_numbers


@dataclass(frozen=True, eq=False)
class CodedTable:
    """Samples as codes; the value of a code is the coordinate of its bin, or a category."""

    bins: _core.Bins
    codes: NDArray[np.uint8]  # samples x features; 255 is missing
    wide: dict[int, NDArray[np.int32]]
    """Category numbers of features with more than 255 categories; -1 is missing."""

    @classmethod
    def of(cls, matrix: Matrix, bins: _core.Bins, n_threads: int = 1) -> Self:
        """Encode a matrix."""
        codes = np.empty(matrix.shape, dtype=np.uint8)
        bins.encode_rows_into(matrix, codes, 0, n_threads)
        return cls(bins, codes, {j: category_numbers(matrix[:, j]) for j in wide_features(bins)})

    def take(self, rows: NDArray[Any] | slice) -> CodedTable:
        """Return some of the samples."""
        wide = {j: numbers[rows] for j, numbers in self.wide.items()}
        return replace(self, codes=np.ascontiguousarray(self.codes[rows]), wide=wide)

    @property
    def has_missing(self) -> NDArray[np.bool_]:
        """Whether each feature has missing values."""
        found: NDArray[np.bool_] = self.codes.max(axis=0, initial=0) == _core.MAX_BINS
        return found

    def values(self) -> Matrix:
        """Return the samples as a matrix of coordinates and categories."""
        bins, n_features = self.bins, self.codes.shape[1]
        dtype = np.float32 if bins.is_float32 else np.float64
        of_code = np.full((n_features, _core.MAX_BINS + 1), np.nan, dtype=dtype)
        for j, coordinates in enumerate(bins.coordinates or ()):
            of_code[j, : len(coordinates)] = coordinates
            if bins.n_categories[j]:
                of_code[j, :-1] = np.arange(_core.MAX_BINS)
        matrix: Matrix = of_code[np.arange(n_features), self.codes]
        for j, numbers in self.wide.items():
            matrix[:, j] = np.where(numbers < 0, np.nan, numbers)
        return matrix

    def row_hashes(self, n_threads: int) -> NDArray[np.uint64]:
        """Return a hash of the codes and the categories of each sample."""
        hashes = _core.row_hashes(self.codes, n_threads)
        if self.wide:
            categories = np.stack([*self.wide.values()], axis=1).astype(np.float64)
            hashes = hashes * np.uint64(3) + _core.row_hashes(categories, n_threads)
        return hashes

    def columns(self, n_threads: int) -> _core.Columns:
        """Return the samples for the core."""
        bins = self.bins
        return _core.Columns.from_row_codes(
            self.codes, bins.coordinates or [], bins.n_categories, self.has_missing,
            self.wide, bins.is_float32, n_threads,
        )  # fmt: skip


def wide_features(bins: _core.Bins) -> list[int]:
    """Return the categorical features with more categories than there are codes."""
    return np.flatnonzero(bins.n_categories > _core.MAX_BINS).tolist()


def choose_bins(
    matrix: Matrix, y: NDArray[np.int32], n_classes: int, schema: Schema, max_bins: int,
    n_threads: int,
) -> _core.Bins:  # fmt: skip
    """Return bins with coordinates, from a sample in which every class weighs the same."""
    counts = group_counts(y, n_classes)
    statistics = _core.BinStatistics(
        len(y), schema.n_categories, max_bins, matrix.dtype == np.float32, counts
    )
    statistics.add(0, matrix, n_threads, y, np.zeros_like(counts))
    return statistics.finish()
