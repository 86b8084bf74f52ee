"""New samples of a class: drawn inside the patterns of a forest, and validated by a tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.model._fitted_tree import FittedTree
from rarewood.presets import hddt
from rarewood.table._values import Matrix
from rarewood.tree import RareTreeClassifier

Leaves = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Boxes:
    """The regions of some leaves, a row each: the intersection of all conditions on a feature.

    A numeric value is above ``low`` and at most ``high``; ``allowed`` has the categories of each
    categorical feature. Only missing values reach a leaf where these are empty. ``constrained``
    is whether the path to the leaf has a condition on the feature.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    allowed: dict[int, NDArray[np.bool_]]
    constrained: NDArray[np.bool_]

    def take(self, places: Leaves) -> Boxes:
        """Return boxes by position, with repetitions."""
        allowed = {feature: sets[places] for feature, sets in self.allowed.items()}
        return Boxes(self.low[places], self.high[places], allowed, self.constrained[places])


def leaf_boxes(view: FittedTree, leaves: Leaves) -> Boxes:
    """Return the boxes of some leaves of a tree without hyperplanes."""
    shape = len(leaves), view.n_features
    categories = view.schema.categories
    boxes = Boxes(
        low=np.full(shape, -np.inf),
        high=np.full(shape, np.inf),
        allowed={j: np.ones((len(leaves), len(c)), dtype=bool) for j, c in categories.items()},
        constrained=np.zeros(shape, dtype=bool),
    )
    routes: dict[int, _Routes] = {}  # by feature, made on demand
    places, node = np.arange(len(leaves)), leaves
    while True:
        is_below = node > 0
        places, node = places[is_below], node[is_below]
        if not len(node):
            return boxes
        parent = view.parent[node]
        _narrow(boxes, view, routes, places, parent, node - view.first_child[parent])
        node = parent


def _narrow(
    boxes: Boxes,
    view: FittedTree,
    routes: dict[int, _Routes],
    places: Leaves,
    parent: Leaves,
    child: Leaves,
) -> None:
    """Intersect each box with the condition of one split."""
    feature, threshold = view.feature[parent], view.threshold[parent]
    boxes.constrained[places, feature] = True
    for is_second, ends, tighter in ((0, boxes.high, np.minimum), (1, boxes.low, np.maximum)):
        is_here = ~np.isnan(threshold) & (child == is_second)
        at = places[is_here], feature[is_here]
        ends[at] = tighter(ends[at], threshold[is_here])
    is_categorical = np.isnan(threshold)
    for one in np.unique(feature[is_categorical]).tolist():
        if one not in routes:
            routes[one] = _Routes(view, one)
        is_here = is_categorical & (feature == one)
        leads = routes[one].leads_to(parent[is_here], child[is_here])
        boxes.allowed[one][places[is_here]] &= leads


class _Routes:
    """The child of each category, in the nodes that split on one categorical feature."""

    def __init__(self, view: FittedTree, feature: int) -> None:
        nodes = np.flatnonzero((view.feature == feature) & (view.n_children > 0))
        self._row = np.full(view.n_nodes, -1)
        self._row[nodes] = np.arange(len(nodes))
        # Categories that a node has not seen follow the missing values.
        n_categories = len(view.schema.categories[feature])
        self._child = np.tile(view.missing_child[nodes][:, np.newaxis], (1, n_categories))
        begin, end = view.category_offset[nodes], view.category_offset[nodes + 1]
        rows = np.repeat(np.arange(len(nodes)), end - begin)
        entries = np.arange(len(rows)) - np.repeat(np.cumsum(end - begin) - end, end - begin)
        self._child[rows, view.category[entries]] = view.category_child[entries]

    def leads_to(self, nodes: Leaves, child: Leaves) -> NDArray[np.bool_]:
        """Return for each node the categories that lead to a given child."""
        leads: NDArray[np.bool_] = self._child[self._row[nodes]] == child[:, np.newaxis]
        return leads


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
        is_present = np.isfinite(matrix)
        with np.errstate(invalid="ignore"):
            self._is_whole = ((np.floor(matrix) == matrix) | ~is_present).all(axis=0)
        self._lowest = np.where(is_present, matrix, np.inf).min(axis=0).astype(np.float64)
        self._highest = np.where(is_present, matrix, -np.inf).max(axis=0).astype(np.float64)
        leaves = [np.flatnonzero(is_pattern(view)) for view in views]
        counts = np.concatenate([view.counts[own] for view, own in zip(views, leaves, strict=True)])
        self._leaves, self.n_patterns = np.concatenate(leaves), len(counts)
        self._tree = np.repeat(np.arange(len(views)), [len(own) for own in leaves])
        self._reach = np.cumsum(counts[:, 1].astype(np.float64) ** 2 / counts.sum(axis=1))

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
        for feature in boxes.allowed:
            drawn[:, feature] = _categories(boxes.allowed[feature], chance[:, feature])
        return np.where(boxes.constrained, drawn, borrowed)

    def _numbers(self, boxes: Boxes, chance: Floats) -> Matrix:
        """Return values of numeric features, drawn uniformly inside boxes."""
        low, high = np.maximum(boxes.low, self._lowest), np.minimum(boxes.high, self._highest)
        with np.errstate(invalid="ignore", over="ignore"):
            # The smallest and largest integers in the box and in the range of the data.
            first = np.maximum(np.floor(boxes.low) + 1, np.ceil(self._lowest))
            last = np.floor(high)
            whole = np.minimum(first + np.floor(chance * (last - first + 1)), last)
            real = high - chance * (high - low)
            drawn = np.where(self._is_whole, whole, real)
            kept = _inside(drawn, boxes, self._matrix.dtype)
        # NaN in an empty box, and for a feature without values.
        return np.where((boxes.low < boxes.high) & np.isfinite(drawn), kept, np.nan)


def is_pattern(view: FittedTree) -> NDArray[np.bool_]:
    """Return for each node whether it is a leaf with a majority of the second class."""
    is_rich: NDArray[np.bool_] = view.counts[:, 1] > view.counts[:, 0]
    return np.asarray(is_rich & (view.n_children == 0))


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
