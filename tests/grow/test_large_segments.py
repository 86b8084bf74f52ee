"""Rows of a large node are divided with a scratch that holds half of them."""

from __future__ import annotations

import numpy as np
import pytest

from rarewood import RareTreeClassifier

N = 50_000  # more than the rows for which the scratch has room for all


@pytest.mark.parametrize("share", [0.001, 0.3, 0.5, 0.7, 0.999])
@pytest.mark.parametrize("kind", ["values", "codes", "planes", "missing", "categories"])
def test_every_row_gets_to_its_leaf(kind, share):
    rng = np.random.default_rng(0)
    X = rng.random((N, 2)).astype(np.float32)
    y = (X[:, 0] > share).astype(int)  # the root sends this share of a class to the left
    y[rng.random(N) < 0.1] ^= 1
    options = {"values": {}, "codes": {"max_bins": 255}, "missing": {}, "categories": {}}
    how = options.get(kind, {"splitter": "oblique", "max_features": None})
    if kind == "missing":
        X[rng.random(N) < 0.2] = np.nan
    if kind == "categories":
        X = np.floor(40 * X)
        how = {"categorical_features": [0, 1], "categorical_split": "multiway"}
    tree = RareTreeClassifier(max_depth=4, random_state=0, **how).fit(X, y)
    leaves = tree.apply(X)
    counts = np.zeros((tree.tree_.n_nodes, 2))
    np.add.at(counts, (leaves, y), 1)
    is_leaf = np.isin(np.arange(len(counts)), leaves)
    np.testing.assert_array_equal(tree.tree_.counts[is_leaf], counts[is_leaf])
    assert is_leaf.sum() > 4
