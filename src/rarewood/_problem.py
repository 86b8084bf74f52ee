"""A training table that has been checked, wherever its rows are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood._exact import ExactTotals, exact_totals
from rarewood._schema import Schema
from rarewood._validation import check_lengths, naming_infinite
from rarewood.encode import Matrix
from rarewood.targets import combine_weights, encode_labels

__all__ = ["Problem", "TableProblem"]


@dataclass(frozen=True, eq=False)
class Problem(ABC):
    """A training table that has been checked and encoded.

    Parameters
    ----------
    schema : Schema
        The columns.
    classes : ndarray
        The labels, sorted.
    codes : ndarray of int32
        Class number of each row that weighs anything.
    weights : ndarray of float64 or None
        Weight of each of these rows; None where all weigh one.
    rows : ndarray or None
        Which of the given rows they are; None if they are all.
    given_codes : ndarray of int32
        Class number of each given row.
    """

    schema: Schema
    classes: NDArray[Any]
    codes: NDArray[np.int32]
    weights: NDArray[np.float64] | None
    rows: NDArray[np.intp] | None
    given_codes: NDArray[np.int32]

    @property
    def n_rows(self) -> int:
        """Rows that weigh anything."""
        return len(self.codes)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows that weigh anything, and columns."""
        return self.n_rows, self.schema.n_features

    def class_totals(self) -> ExactTotals:
        """Return what the rows of each class weigh."""
        return exact_totals(self.weights, self.codes, len(self.classes))

    @abstractmethod
    def columns(self, max_bins: int | None, n_threads: int) -> _core.Columns:
        """Return the rows that weigh anything as the core takes them."""

    @abstractmethod
    def out_of_bag(self, view: Any, n_threads: int) -> NDArray[np.float64]:
        """Return the mean probabilities of each given row by the trees that did not draw it.

        NaN where every tree did. Rows of weight zero are drawn by no tree.
        """


@dataclass(frozen=True, eq=False)
class TableProblem(Problem):
    """A training table in memory.

    Parameters
    ----------
    matrix : ndarray
        The rows that weigh anything.
    given : ndarray
        All rows.
    """

    matrix: Matrix
    given: Matrix

    @classmethod
    def of(
        cls, given: Matrix, schema: Schema, y: Any, sample_weight: Any, class_weight: Any
    ) -> TableProblem:
        """Check the labels and weights of a table that has been encoded."""
        classes, given_codes = encode_labels(y)
        check_lengths(len(given), len(given_codes))
        weights, rows = combine_weights(sample_weight, class_weight, classes, given_codes)
        matrix, codes = given, given_codes
        if rows is not None:
            matrix, codes = given[rows], given_codes[rows]
        return cls(schema, classes, codes, weights, rows, given_codes, matrix, given)

    def columns(self, max_bins: int | None, n_threads: int) -> _core.Columns:
        schema = self.schema
        with naming_infinite(self.matrix, schema.names):
            return _core.Columns(self.matrix, schema.n_categories, max_bins or 0, n_threads)

    def out_of_bag(self, view: Any, n_threads: int) -> NDArray[np.float64]:
        sums, n_votes = view.compiled.out_of_bag(
            self.matrix, view.sample.draw, self.codes, view.seed, 0, n_threads
        )
        with np.errstate(invalid="ignore"):
            means: NDArray[np.float64] = sums / n_votes[:, np.newaxis]
        if self.rows is None:
            return means
        proba: NDArray[np.float64] = view.predict_proba(self.given, n_threads)
        proba[self.rows] = means
        return proba
