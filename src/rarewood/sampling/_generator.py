"""New samples of a class: drawn inside the patterns of a forest, and validated by a tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.model._fitted_tree import FittedTree
from rarewood.presets import hddt
from rarewood.sampling._boxes import Boxes, leaf_boxes
from rarewood.table._encode import Matrix
from rarewood.table._schema import Schema
from rarewood.tree import RareTreeClassifier

__all__ = ["Generator", "Validator", "is_pattern"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Ranges:
    """Ranges of the features of the training data."""

    lowest: Floats
    highest: Floats
    is_whole: NDArray[np.bool_]
    categorical: list[int]

    @classmethod
    def of(cls, matrix: Matrix, schema: Schema) -> _Ranges:
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
    """Draws samples inside patterns: leaves in which a class has the majority.

    A pattern is drawn with probability proportional to its strength. Features with a condition get
    values drawn uniformly from those that the pattern allows, within the range of the data. Each
    other feature gets the value of a donor, drawn separately for every feature.

    ``views`` are trees for two classes, of which the second is generated, ``matrix`` the encoded
    training data, and ``donors`` the rows of possible donors.
    """

    def __init__(
        self,
        views: list[FittedTree],
        matrix: Matrix,
        donors: NDArray[np.intp],
        rng: np.random.Generator,
    ) -> None:
        self._views, self._matrix, self._donors, self._rng = views, matrix, donors, rng
        self._ranges = _Ranges.of(matrix, views[0].schema)
        found = [_patterns(view) for view in views]
        self._leaves = np.concatenate([leaves for leaves, _ in found])
        self._tree = np.repeat(np.arange(len(views)), [len(leaves) for leaves, _ in found])
        self._reach = np.cumsum(np.concatenate([strength for _, strength in found]))

    @property
    def n_patterns(self) -> int:
        """Number of patterns."""
        return len(self._leaves)

    def draw(self, n_samples: int) -> Matrix:
        """Draw encoded samples; NaN is a missing value."""
        ticket = self._rng.random(n_samples) * self._reach[-1]
        pattern = np.searchsorted(self._reach, ticket, side="right").clip(max=self.n_patterns - 1)
        rows = np.empty((n_samples, self._matrix.shape[1]), dtype=self._matrix.dtype)
        for tree in np.unique(self._tree[pattern]):
            is_here = self._tree[pattern] == tree
            leaves, places = np.unique(self._leaves[pattern[is_here]], return_inverse=True)
            rows[is_here] = self._fill(leaf_boxes(self._views[tree], leaves).take(places.ravel()))
        return rows

    def _fill(self, boxes: Boxes) -> Matrix:
        """Return one sample for each box."""
        n_rows, n_features = boxes.constrained.shape
        chance = self._rng.random((n_rows, n_features))
        donors = self._donors[self._rng.integers(len(self._donors), size=(n_rows, n_features))]
        borrowed = self._matrix[donors, np.arange(n_features)]
        drawn = self._numbers(boxes, chance)
        for feature in self._ranges.categorical:
            drawn[:, feature] = _categories(boxes.allowed[feature], chance[:, feature])
        return np.where(boxes.constrained, drawn, borrowed)

    def _numbers(self, boxes: Boxes, chance: Floats) -> Matrix:
        """Return values of numeric features, drawn uniformly inside boxes."""
        ranges = self._ranges
        low, high = np.maximum(boxes.low, ranges.lowest), np.minimum(boxes.high, ranges.highest)
        with np.errstate(invalid="ignore", over="ignore"):
            first, last = _first_whole(boxes.low, ranges.lowest), np.floor(high)
            whole = np.minimum(first + np.floor(chance * (last - first + 1)), last)
            real = high - chance * (high - low)
            drawn = np.where(ranges.is_whole, whole, real)
            kept = _inside(drawn, boxes, self._matrix.dtype)
        # NaN in an empty box, and for a feature without values.
        return np.where((boxes.low < boxes.high) & np.isfinite(drawn), kept, np.nan)


def is_pattern(view: FittedTree) -> NDArray[np.bool_]:
    """Return for each node whether it is a leaf with a majority of the second class."""
    is_rich: NDArray[np.bool_] = view.counts[:, 1] > view.counts[:, 0]
    return np.asarray(is_rich & (view.n_children == 0))


def _patterns(view: FittedTree) -> tuple[NDArray[np.intp], Floats]:
    """Return the leaves that are patterns, and their strengths."""
    leaves = np.flatnonzero(is_pattern(view))
    support = view.counts[leaves, 1].astype(np.float64)
    return leaves, support**2 / view.counts[leaves].sum(axis=1)


def _first_whole(low: Floats, lowest: Floats) -> Floats:
    """Return the smallest integer above ``low`` that is within the range of the data."""
    return np.asarray(np.maximum(np.floor(low) + 1, np.ceil(lowest)))


def _inside(values: Floats, boxes: Boxes, dtype: Any) -> Matrix:
    """Return values in a type of lower precision that are still inside their boxes."""
    rounded: Matrix = values.astype(dtype)
    for ends, goes_out, way in (
        (boxes.high, np.greater, -np.inf),
        (boxes.low, np.less_equal, np.inf),
    ):
        is_out = goes_out(rounded.astype(np.float64), ends)
        rounded[is_out] = np.nextafter(rounded[is_out], dtype.type(way))
    return rounded


def _categories(allowed: NDArray[np.bool_], chance: Floats) -> Floats:
    """Return a category code for each sample, drawn uniformly from the allowed ones."""
    if allowed.shape[1] == 0:  # a feature without values
        return np.full(len(allowed), np.nan)
    n_allowed = allowed.sum(axis=1)
    place = np.minimum(np.floor(chance * n_allowed), n_allowed - 1)
    number = (np.cumsum(allowed, axis=1) > place[:, np.newaxis]).argmax(axis=1)
    return np.where(n_allowed > 0, number, np.nan)


class Validator:
    """A Hellinger tree that separates original samples of a class from generated ones.

    A generated sample is accepted if its leaf contains an original one. Since a fully grown tree
    separates all samples, ``min_samples_leaf`` limits the size of leaves.
    """

    def __init__(
        self, originals: Matrix, generated: Matrix, categorical: list[int], min_samples_leaf: float
    ) -> None:
        self.tree: RareTreeClassifier = hddt(
            min_samples_leaf=min_samples_leaf,
            leaf="shrunk",
            categorical_features=categorical or None,
        )
        is_original = np.repeat([True, False], [len(originals), len(generated)])
        self.tree.fit(np.concatenate([originals, generated]), is_original)

    def judge(self, samples: Matrix) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Return which encoded samples are accepted, and the shrunk fraction of originals."""
        view = self.tree.tree_
        leaves = self.tree.apply(samples)
        return view.counts[leaves, 1] > 0, view.probabilities[leaves, 1]
