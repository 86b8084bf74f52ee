"""Loss of held-out samples. Workers of a cluster import this module without scikit-learn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rarewood.model._growth import Growth
from rarewood.model._training_data import LocalData
from rarewood.table._values import Matrix

LOWEST = 1e-15  # of a probability, so that the loss is finite


class HeldOut(NamedTuple):
    """A fold that is held out, and the trees to grow on the others."""

    data: LocalData  # the other folds
    growth: Growth
    leaves: tuple[str, list[float], list[float]]  # leaf estimator, strengths and collapses
    X: Matrix
    y: NDArray[np.int32]

    def losses(self, n_threads: int) -> NDArray[np.float64]:
        """Return the log loss by strength, collapse and held-out sample."""
        trees = self.data.grow(self.growth, n_threads).trees
        losses: NDArray[np.float64] = self.data.held_out(
            trees, self.leaves, self.X, self.y, n_threads
        )
        np.maximum(losses, LOWEST, out=losses)  # probabilities
        np.log(losses, out=losses)
        return np.negative(losses, out=losses)
