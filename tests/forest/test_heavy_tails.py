"""Hyperplanes between rows follow values with long tails; hyperplanes between extremes do not."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from rarewood import RareForestClassifier


def table(n, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 8))
    score = X[:, 0] + X[:, 1] - X[:, 2] * X[:, 3] + 0.5 * rng.normal(size=n)
    return X, score > np.quantile(score, 0.95)


def loss_by_tails(max_bins, oblique_draw):
    """Mean loss of average precision if all features are replaced by exp(3 x)."""
    losses = []
    for seed in range(3):
        (X, y), (X_new, y_new) = table(1500, seed), table(3000, 100 + seed)
        found = []
        for values in (lambda x: x, lambda x: np.exp(3 * x)):
            model = RareForestClassifier(
                20, oblique_draw=oblique_draw, leaf_strength=5.0, collapse=0, max_bins=max_bins,
                random_state=0,
            )  # fmt: skip
            scores = model.fit(values(X), y).predict_proba(values(X_new))[:, 1]
            found.append(average_precision_score(y_new, scores))
        losses.append(found[0] - found[1])
    return np.mean(losses)


@pytest.mark.parametrize("max_bins", ["auto", 255])
def test_heavy_tails(max_bins):
    between = loss_by_tails(max_bins, "between")
    assert between < 0.17
    for other in ("direction", "points"):
        assert loss_by_tails(max_bins, other) > between + 0.02
