"""Number of trees of a forest beyond which the held-out log loss hardly falls.

Trees are independent of each other, so the loss of n trees is nearly L + c / n: the second half of
a forest gains as much as all further trees would. Trees are grown on two folds of the samples of
the pilot (:mod:`rarewood.model._pilot`) until their second half changes the loss of the third fold
by little. The samples do not depend on where the table is, nor on the order of rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood._validation import number_of_threads
from rarewood.model._growth import Growth
from rarewood.model._held_out import LOWEST
from rarewood.model._make_growth import LeafSettings, class_factors, make_growth, sampling_of
from rarewood.model._pilot import deal_folds, for_parts
from rarewood.model._training_data import LocalData, TrainingData
from rarewood.table._values import Matrix

BLOCK, LARGEST = 20, 1000  # trees
TOLERANCE = 0.001  # of the log loss
DEFAULT = 100  # if there are too few samples of the rarest class to hold any out


def n_trees_of(
    forest: Any, data: TrainingData, leaves: LeafSettings, seed: int, groups: NDArray[Any] | None
) -> int:
    """Return the number of trees of a forest, which may be "auto"."""
    if forest.n_estimators != "auto":
        return int(forest.n_estimators)
    n_threads = number_of_threads(forest.n_jobs)
    found = data.pilot_sample(n_threads)
    if not found.is_sufficient:
        return DEFAULT
    sample, hashes, rows = found
    folds = deal_folds(sample.y, hashes, None if groups is None else groups[rows])
    train, test = np.flatnonzero(folds != 0), np.flatnonzero(folds == 0)
    if not len(train) or not len(test):
        return DEFAULT
    forest = for_parts(forest, data.n_rows)
    part, y = sample.take(train), sample.y[test]
    growth = make_growth(forest, part, sampling_of(forest, part), seed, range(LARGEST), leaves)
    weights = class_factors(forest, sample, sampling_of(forest, sample))[y]
    if sample.weights is not None:
        weights = weights * sample.weights[test]
    work = HeldOutGrowth(part, growth, leaves, sample.values(test), y, weights)
    return data.run_all([work.n_sufficient], n_threads)[0]


class HeldOutGrowth(NamedTuple):
    """A fold that is held out, and the trees to grow on the others, as long as they are needed."""

    data: LocalData
    growth: Growth
    leaves: LeafSettings
    X: Matrix
    y: NDArray[np.int32]
    weights: NDArray[np.float64]

    def n_sufficient(self, n_threads: int) -> int:
        """Return the number of trees, a multiple of two blocks, of which half are nearly as good.

        ``LARGEST`` if no smaller number is sufficient.
        """
        total = np.zeros(len(self.y))
        losses: list[float] = []  # after each block
        columns = self.data.columns(self.growth.max_bins, n_threads)
        for begin in range(0, LARGEST, BLOCK):
            block = self.growth.part(begin, begin + BLOCK)
            trees = self.data.grow(block, n_threads, columns=columns).trees
            grown = _core.Forest(trees, self.leaves.leaf, self.leaves.strength)
            proba = self.data.mean_proba(grown, self.X, n_threads)
            total += BLOCK * proba[np.arange(len(self.y)), self.y]
            loss = -np.log(np.maximum(total / (begin + BLOCK), LOWEST))
            losses.append(float(loss @ self.weights / self.weights.sum()))
            n_blocks = len(losses)
            if n_blocks % 2 == 0:
                gain = losses[n_blocks // 2 - 1] - losses[-1]
                if gain <= TOLERANCE * losses[-1]:
                    return begin + BLOCK
        return LARGEST
