"""Validation of generated samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rarewood.presets import hddt
from rarewood.table._encode import Matrix
from rarewood.tree import RareTreeClassifier

__all__ = ["Validator"]


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
