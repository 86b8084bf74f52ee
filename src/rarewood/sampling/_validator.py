"""Telling generated rows that look like the originals from those that do not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rarewood.presets import hddt
from rarewood.table._encode import Matrix
from rarewood.tree import RareTreeClassifier

__all__ = ["Validator"]


class Validator:
    """A Hellinger tree that separates original rows of a class from generated ones.

    A generated row is accepted if its leaf holds an original one: there the tree could not tell
    them apart. A fully grown tree can always, so its leaves need a smallest size.

    Parameters
    ----------
    originals, generated : ndarray
        Encoded rows.
    nominal : list of int
        The nominal columns.
    min_samples_leaf : int or float
        Smallest size of a leaf; a float is a share of all these rows.
    """

    def __init__(
        self, originals: Matrix, generated: Matrix, nominal: list[int], min_samples_leaf: float
    ) -> None:
        self.tree: RareTreeClassifier = hddt(
            min_samples_leaf=min_samples_leaf, leaf="shrunk", categorical_features=nominal or None
        )
        is_original = np.repeat([True, False], [len(originals), len(generated)])
        self.tree.fit(np.concatenate([originals, generated]), is_original)

    def judge(self, rows: Matrix) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Judge generated rows.

        Parameters
        ----------
        rows : ndarray
            Encoded rows.

        Returns
        -------
        is_accepted : ndarray of bool
            Whether the leaf of each row holds an original one.
        likeness : ndarray of float
            Shrunk share of originals: of rejected rows, the higher is the one that was told apart
            later.
        """
        view = self.tree.tree_
        leaves = self.tree.apply(rows)
        return view.counts[leaves, 1] > 0, view.probabilities[leaves, 1]
