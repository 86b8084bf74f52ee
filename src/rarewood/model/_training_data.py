"""Training data of a fit: a table that has been checked, in memory, in batches or on a cluster."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.model._given_rows import given_batches
from rarewood.model._growth import Growth
from rarewood.model._pilot_sample import PilotSample, draw_sample
from rarewood.table._checks import naming_infinite
from rarewood.table._exact_sum import ExactTotals, exact_totals, group_counts
from rarewood.table._schema import Schema
from rarewood.table._table import BATCH_ROWS
from rarewood.table._values import Matrix

if TYPE_CHECKING:
    from rarewood.model._given_rows import GivenRows

ClassNumbers = NDArray[np.int32]
Places = NDArray[np.intp]
LeafGrid = tuple[str, list[float], list[float]]  # leaf estimator, strengths and collapses
Result = TypeVar("Result")


class Grown(NamedTuple):
    """Trees that have been grown."""

    trees: list[_core.Tree]
    has_missing: bool
    """Whether the training table has missing values."""


class TrainingData(ABC):
    """A training table that has been checked and encoded, and grows trees.

    It is a context manager, which releases memory, files and workers at its end.
    """

    schema: Schema
    """The columns."""
    classes: NDArray[Any]
    """The labels, sorted."""
    y: ClassNumbers
    """Class number of each sample with nonzero weight; empty where it is only on a cluster."""
    rows: Places | None
    """Rows of these samples in the table; None if all, empty where it is only on a cluster."""
    y_given: ClassNumbers
    """Class number of each sample of the table; empty where it is only on a cluster."""

    @property
    @abstractmethod
    def class_counts(self) -> NDArray[np.int64]:
        """Number of samples of each class with nonzero weight."""

    @property
    def n_rows(self) -> int:
        """Number of samples with nonzero weight."""
        return int(self.class_counts.sum())

    @property
    @abstractmethod
    def n_given(self) -> int:
        """Number of samples of the table, those of weight zero included."""

    @property
    def shape(self) -> tuple[int, int]:
        """Number of samples with nonzero weight, and of features."""
        return self.n_rows, self.schema.n_features

    @abstractmethod
    def class_totals(self) -> ExactTotals:
        """Return the total weight of each class."""

    @abstractmethod
    def pilot_sample(self, n_threads: int) -> PilotSample:
        """Return the samples with the smallest hashes, which do not depend on where they are."""

    def run_all(self, works: Sequence[Callable[[int], Result]], n_threads: int) -> list[Result]:
        """Call functions of a number of threads where this table is; a cluster has its own."""
        return [work(n_threads) for work in works]

    @abstractmethod
    def grow(
        self, growth: Growth, n_threads: int, progress: Callable[[int], object] | None = None
    ) -> Grown:
        """Grow trees, which do not depend on where the rows are.

        ``n_threads`` is for this process; ``progress`` is called with the number of trees so far.
        """

    @abstractmethod
    def out_of_bag(self, forest: Any, n_threads: int) -> NDArray[np.float64]:
        """Return the mean probabilities of each sample by the trees that did not draw it.

        NaN where every tree did. Samples of weight zero are drawn by no tree.
        """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:  # noqa: B027 -- most have nothing to release
        """Release memory, files and workers."""


@dataclass(frozen=True, eq=False)
class LocalData(TrainingData):
    """A training table whose labels and weights are in this process."""

    schema: Schema
    classes: NDArray[Any]
    y: ClassNumbers
    weights: NDArray[np.float64] | None  # of the samples in y; None where each is one
    rows: Places | None
    y_given: ClassNumbers

    @cached_property
    def class_counts(self) -> NDArray[np.int64]:
        return group_counts(self.y, len(self.classes))

    @property
    def n_given(self) -> int:
        return len(self.y_given)

    def class_totals(self) -> ExactTotals:
        return exact_totals(self.weights, self.y, len(self.classes))

    def pilot_sample(self, n_threads: int) -> PilotSample:
        rows, hashes = draw_sample(lambda: self.row_hashes(n_threads), self.y, len(self.classes))
        given = rows if self.rows is None else self.rows[rows]
        return PilotSample(self.take(rows), hashes, given)

    @abstractmethod
    def columns(self, max_bins: int | None, n_threads: int) -> _core.Columns:
        """Return the samples with nonzero weight, encoded for the core."""

    @abstractmethod
    def row_hashes(self, n_threads: int) -> Iterator[NDArray[np.uint64]]:
        """Yield the hashes of the values of consecutive samples with nonzero weight."""

    @abstractmethod
    def values(self, rows: NDArray[Any]) -> Matrix:
        """Return the values of some of the samples with nonzero weight, in the given order."""

    def take(self, rows: NDArray[Any]) -> LocalData:
        """Return some of the samples with nonzero weight, by their indices."""
        y, matrix = self.y[rows], self.values(rows)
        weights = None if self.weights is None else self.weights[rows]
        return InMemoryData(self.schema, self.classes, y, weights, None, y, matrix, None)

    def mean_proba(self, forest: _core.Forest, X: Any, n_threads: int) -> NDArray[np.float64]:
        """Return the probabilities of samples that ``values`` has returned."""
        return forest.predict_proba(X, n_threads)

    def held_out(
        self, trees: list[_core.Tree], leaves: LeafGrid, X: Any, y: ClassNumbers, n_threads: int
    ) -> NDArray[np.float64]:
        """Return the probability of the class of each sample of X, as the core does."""
        leaf, strengths, limits = leaves
        found: NDArray[np.float64] = _core.pilot_probabilities(
            trees, leaf, strengths, limits, X, y, n_threads
        )
        return found

    def grow(
        self,
        growth: Growth,
        n_threads: int,
        progress: Callable[[int], object] | None = None,
        columns: _core.Columns | None = None,
    ) -> Grown:
        if columns is None:
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
    """A training table in memory."""

    matrix: Matrix  # of the samples with nonzero weight
    given: GivenRows | None  # all samples, if some have weight zero

    def row_hashes(self, n_threads: int) -> Iterator[NDArray[np.uint64]]:
        for first in range(0, len(self.y), BATCH_ROWS):
            yield _core.row_hashes(self.matrix[first : first + BATCH_ROWS], n_threads)

    def values(self, rows: NDArray[Any]) -> Matrix:
        values: Matrix = self.matrix[rows]
        return values

    def columns(self, max_bins: int | None, n_threads: int) -> _core.Columns:
        schema = self.schema
        with naming_infinite(self.matrix, schema.names):
            return _core.Columns(self.matrix, schema.n_categories, max_bins or 0, n_threads)

    def out_of_bag(self, forest: Any, n_threads: int) -> NDArray[np.float64]:
        sums, n_votes = forest.compiled.out_of_bag(
            self.matrix, forest.row_sampling.compiled, self.y, forest.seed, 0, n_threads
        )
        with np.errstate(invalid="ignore"):
            means: NDArray[np.float64] = sums / n_votes[:, np.newaxis]
        if self.rows is None or self.given is None:
            return means
        proba = np.empty((len(self.y_given), len(self.classes)))
        for here, matrix in given_batches(self.given, self.schema):
            proba[here] = forest.predict_proba(matrix, n_threads)
        proba[self.rows] = means
        return proba
