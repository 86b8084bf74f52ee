"""A training table that has been checked, wherever its rows are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.model._growth import Growth
from rarewood.table._checks import check_lengths, naming_infinite
from rarewood.table._encode import Matrix
from rarewood.table._exact_sum import ExactTotals, exact_totals, group_counts
from rarewood.table._labels import combine_weights, encode_labels
from rarewood.table._schema import Schema

__all__ = ["Grown", "InMemoryData", "LocalData", "TrainingData"]

ClassNumbers = NDArray[np.int32]
Places = NDArray[np.intp]


class Grown(NamedTuple):
    """Trees that have been grown."""

    trees: list[_core.Tree]
    has_missing: bool
    """Whether the training table has missing values."""


class TrainingData(ABC):
    """A training table that has been checked and encoded, and grows trees.

    It is a context manager: what it takes of memory, files or a cluster is given back at its end.
    """

    schema: Schema
    """The columns."""
    classes: NDArray[Any]
    """The labels, sorted."""
    y: ClassNumbers
    """Class number of each row that weighs anything; empty where that is not known here."""
    rows: Places | None
    """Which of the given rows weigh anything; None if all do, empty where it is not known here."""
    y_given: ClassNumbers
    """Class number of each given row; empty where that is not known here."""

    @property
    @abstractmethod
    def class_counts(self) -> NDArray[np.int64]:
        """How many rows of each class weigh anything."""

    @property
    def n_rows(self) -> int:
        """Rows that weigh anything."""
        return int(self.class_counts.sum())

    @property
    def shape(self) -> tuple[int, int]:
        """Rows that weigh anything, and columns."""
        return self.n_rows, self.schema.n_features

    @abstractmethod
    def class_totals(self) -> ExactTotals:
        """Return what the rows of each class weigh."""

    @abstractmethod
    def grow(
        self, growth: Growth, n_threads: int, progress: Callable[[int], object] | None = None
    ) -> Grown:
        """Grow trees.

        Parameters
        ----------
        growth : Growth
            Which trees, and how.
        n_threads : int
            Threads to use where this process does the work.
        progress : callable, default=None
            Called with the number of trees that are grown.

        Returns
        -------
        grown : Grown
            The trees, the same wherever the rows are.
        """

    @abstractmethod
    def out_of_bag(self, view: Any, n_threads: int) -> NDArray[np.float64]:
        """Return the mean probabilities of each given row by the trees that did not draw it.

        NaN where every tree did. Rows of weight zero are drawn by no tree.
        """

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:  # noqa: B027 -- most have nothing to give back
        """Release memory, files and workers."""


@dataclass(frozen=True, eq=False)
class LocalData(TrainingData):
    """A training table whose labels and weights are in this process.

    Parameters
    ----------
    schema : Schema
        The columns.
    classes : ndarray
        The labels, sorted.
    y : ndarray of int32
        Class number of each row that weighs anything.
    weights : ndarray of float64 or None
        Weight of each of these rows; None where all weigh one.
    rows : ndarray or None
        Which of the given rows they are; None if they are all.
    y_given : ndarray of int32
        Class number of each given row.
    """

    schema: Schema
    classes: NDArray[Any]
    y: ClassNumbers
    weights: NDArray[np.float64] | None
    rows: Places | None
    y_given: ClassNumbers

    @cached_property
    def class_counts(self) -> NDArray[np.int64]:
        return group_counts(self.y, len(self.classes))

    def class_totals(self) -> ExactTotals:
        return exact_totals(self.weights, self.y, len(self.classes))

    @abstractmethod
    def columns(self, max_bins: int | None, n_threads: int) -> _core.Columns:
        """Return the rows that weigh anything as the core takes them."""

    def grow(
        self, growth: Growth, n_threads: int, progress: Callable[[int], object] | None = None
    ) -> Grown:
        columns = self.columns(growth.max_bins, n_threads)
        trees = _core.grow_forest(
            columns,
            self.y,
            len(self.classes),
            self.weights,
            **growth.core_arguments(),
            n_threads=n_threads,
            progress=progress,
        )
        return Grown(trees, columns.has_missing)


@dataclass(frozen=True, eq=False)
class InMemoryData(LocalData):
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
    ) -> InMemoryData:
        """Check the labels and weights of a table that has been encoded."""
        classes, y_given = encode_labels(y)
        check_lengths(len(given), len(y_given))
        weights, rows = combine_weights(sample_weight, class_weight, classes, y_given)
        matrix, y = given, y_given
        if rows is not None:
            matrix, y = given[rows], y_given[rows]
        return cls(schema, classes, y, weights, rows, y_given, matrix, given)

    def columns(self, max_bins: int | None, n_threads: int) -> _core.Columns:
        schema = self.schema
        with naming_infinite(self.matrix, schema.names):
            return _core.Columns(self.matrix, schema.n_categories, max_bins or 0, n_threads)

    def out_of_bag(self, view: Any, n_threads: int) -> NDArray[np.float64]:
        sums, n_votes = view.compiled.out_of_bag(
            self.matrix, view.sample.draw, self.y, view.seed, 0, n_threads
        )
        with np.errstate(invalid="ignore"):
            means: NDArray[np.float64] = sums / n_votes[:, np.newaxis]
        if self.rows is None:
            return means
        proba: NDArray[np.float64] = view.predict_proba(self.given, n_threads)
        proba[self.rows] = means
        return proba
