"""New rows of a class, drawn inside the patterns of a forest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.model._fitted_tree import FittedTree
from rarewood.sampling._boxes import Boxes, leaf_boxes
from rarewood.table._encode import Matrix
from rarewood.table._schema import Schema

__all__ = ["Generator", "is_pattern"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Columns:
    """What values the columns of the training table have."""

    lowest: Floats
    highest: Floats
    is_whole: NDArray[np.bool_]
    nominal: list[int]

    @classmethod
    def of(cls, matrix: Matrix, schema: Schema) -> _Columns:
        is_present = np.isfinite(matrix)
        with np.errstate(invalid="ignore"):
            is_whole = (np.floor(matrix) == matrix) | ~is_present
        lowest = np.where(is_present, matrix, np.inf).min(axis=0)
        highest = np.where(is_present, matrix, -np.inf).max(axis=0)
        return cls(
            lowest.astype(np.float64),
            highest.astype(np.float64),
            is_whole.all(axis=0),
            list(schema.categories),
        )


class Generator:
    """Draws rows inside patterns: leaves in which a class has the majority.

    A pattern is drawn with a probability in proportion to its strength. A column that the pattern
    asks for gets a value drawn evenly from what the pattern allows, inside the range of the data;
    other columns get the value of a donor, a row drawn anew for every column.

    Parameters
    ----------
    views : list of FittedTree
        Trees for two classes, of which the second one is to be generated.
    matrix : ndarray
        The encoded training table.
    donors : ndarray of int
        The rows that may be donors.
    rng : numpy.random.Generator
        The source of random numbers.
    """

    def __init__(
        self,
        views: list[FittedTree],
        matrix: Matrix,
        donors: NDArray[np.intp],
        rng: np.random.Generator,
    ) -> None:
        self._views, self._matrix, self._donors, self._rng = views, matrix, donors, rng
        self._columns = _Columns.of(matrix, views[0].schema)
        found = [_patterns(view) for view in views]
        self._leaves = np.concatenate([leaves for leaves, _ in found])
        self._tree = np.repeat(np.arange(len(views)), [len(leaves) for leaves, _ in found])
        self._reach = np.cumsum(np.concatenate([strength for _, strength in found]))

    @property
    def n_patterns(self) -> int:
        """Number of patterns; none can be drawn from if it is zero."""
        return len(self._leaves)

    def draw(self, n_rows: int) -> Matrix:
        """Draw rows.

        Parameters
        ----------
        n_rows : int
            How many.

        Returns
        -------
        rows : ndarray of shape (n_rows, n_features)
            In the type of the training matrix; NaN is a missing value.
        """
        ticket = self._rng.random(n_rows) * self._reach[-1]
        pattern = np.searchsorted(self._reach, ticket, side="right").clip(max=self.n_patterns - 1)
        rows = np.empty((n_rows, self._matrix.shape[1]), dtype=self._matrix.dtype)
        for tree in np.unique(self._tree[pattern]):
            is_here = self._tree[pattern] == tree
            leaves, places = np.unique(self._leaves[pattern[is_here]], return_inverse=True)
            rows[is_here] = self._fill(leaf_boxes(self._views[tree], leaves).take(places.ravel()))
        return rows

    def _fill(self, boxes: Boxes) -> Matrix:
        """Return one row for each box."""
        n_rows, n_features = boxes.constrained.shape
        chance = self._rng.random((n_rows, n_features))
        donors = self._donors[self._rng.integers(len(self._donors), size=(n_rows, n_features))]
        borrowed = self._matrix[donors, np.arange(n_features)]
        drawn = self._numbers(boxes, chance)
        for feature in self._columns.nominal:
            drawn[:, feature] = _categories(boxes.allowed[feature], chance[:, feature])
        return np.where(boxes.constrained, drawn, borrowed)

    def _numbers(self, boxes: Boxes, chance: Floats) -> Matrix:
        """Return values of numeric columns drawn evenly inside boxes."""
        columns = self._columns
        low, high = np.maximum(boxes.low, columns.lowest), np.minimum(boxes.high, columns.highest)
        with np.errstate(invalid="ignore", over="ignore"):
            first, last = _first_whole(boxes.low, columns.lowest), np.floor(high)
            whole = np.minimum(first + np.floor(chance * (last - first + 1)), last)
            real = high - chance * (high - low)
            drawn = np.where(columns.is_whole, whole, real)
            kept = _inside(drawn, boxes, self._matrix.dtype)
        # Of an empty box, or a column without values, only missing values are known.
        return np.where((boxes.low < boxes.high) & np.isfinite(drawn), kept, np.nan)


def is_pattern(view: FittedTree) -> NDArray[np.bool_]:
    """Return for each node whether it is a leaf with more rows of the second class."""
    is_rich: NDArray[np.bool_] = view.counts[:, 1] > view.counts[:, 0]
    return np.asarray(is_rich & (view.n_children == 0))


def _patterns(view: FittedTree) -> tuple[NDArray[np.intp], Floats]:
    """Return the leaves that are patterns, and their strengths."""
    leaves = np.flatnonzero(is_pattern(view))
    support = view.counts[leaves, 1].astype(np.float64)
    return leaves, support**2 / view.counts[leaves].sum(axis=1)


def _first_whole(low: Floats, lowest: Floats) -> Floats:
    """Return the smallest whole number above ``low`` that is not below the data."""
    return np.asarray(np.maximum(np.floor(low) + 1, np.ceil(lowest)))


def _inside(values: Floats, boxes: Boxes, dtype: Any) -> Matrix:
    """Return values in a type of perhaps fewer digits that are still inside their boxes."""
    rounded: Matrix = values.astype(dtype)
    for ends, goes_out, way in (
        (boxes.high, np.greater, -np.inf),
        (boxes.low, np.less_equal, np.inf),
    ):
        is_out = goes_out(rounded.astype(np.float64), ends)
        rounded[is_out] = np.nextafter(rounded[is_out], dtype.type(way))
    return rounded


def _categories(allowed: NDArray[np.bool_], chance: Floats) -> Floats:
    """Return a category number for each row, drawn evenly from the allowed ones."""
    if allowed.shape[1] == 0:  # a column without values
        return np.full(len(allowed), np.nan)
    n_allowed = allowed.sum(axis=1)
    place = np.minimum(np.floor(chance * n_allowed), n_allowed - 1)
    number = (np.cumsum(allowed, axis=1) > place[:, np.newaxis]).argmax(axis=1)
    return np.where(n_allowed > 0, number, np.nan)
