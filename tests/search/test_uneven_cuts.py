"""The best split is found among cuts with a child of nearly no weight, too."""

from __future__ import annotations

import numpy as np
import pytest

from rarewood import RareTreeClassifier, criteria


def tables_of_cuts(y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return weights by child and class, for the cuts between rows in order."""
    by_class = np.where(y[:, None] == np.arange(2), weights[:, None], 0.0)
    left = by_class.cumsum(axis=0)[:-1]
    right = by_class[::-1].cumsum(axis=0)[-2::-1]  # no differences: they would lose digits
    return np.stack([left, right], axis=1)


@pytest.mark.parametrize("name", ["gain_ratio", "entropy", "gini", "hellinger", "dkm"])
def test_the_root_has_the_best_cut(name):
    rng = np.random.default_rng(7)
    for _ in range(300):
        y = rng.permutation([0, 1, *rng.integers(0, 2, 4)])
        weights = 10.0 ** rng.uniform(-7, 5, len(y))
        X = np.arange(len(y), dtype=float)[:, None]
        tree = RareTreeClassifier(criterion=name, max_depth=1).fit(X, y, sample_weight=weights)
        scores = criteria.score(name, tables_of_cuts(y, weights))
        threshold = tree.tree_.threshold[0]
        chosen = scores[int(threshold)] if tree.tree_.n_nodes > 1 else 0.0
        assert chosen >= scores.max() - 1e-9 * abs(scores.max()) - 1e-15
