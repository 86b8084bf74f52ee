"""The pilot, written as its definition: hash rows one by one, refit for every value."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
from sklearn.base import clone

from oracle.random import combine_key


def row_hash(values: Any) -> int:
    """Hash of the values of one row."""
    key = 0
    for value in values:
        number = float(value) + 0.0  # no negative zero
        bits = 0x7FF8000000000000 if math.isnan(number) else 0
        if not bits:
            bits = struct.unpack("<Q", struct.pack("<d", number))[0]
        key = combine_key(key, bits)
    return key


def folds(X: Any, y: Any, n_folds: int = 3) -> list[int]:
    """Fold of each row: the distinct rows of each class, in order of their hashes, in turn.

    Rows that are equal but for their class belong to the rarest of their classes: the one with the
    fewest distinct rows, of several the last.
    """
    hashes = [row_hash(row) for row in X]
    labelled = set(zip(y, hashes, strict=True))
    frequent = sorted(set(y), key=lambda label: -sum(own == label for own, _ in labelled))
    of_hash = {h: max((frequent.index(c) for c, own in labelled if own == h)) for h in set(hashes)}
    order = {rank: sorted(h for h in of_hash if of_hash[h] == rank) for rank in of_hash.values()}
    return [order[of_hash[h]].index(h) % n_folds for h in hashes]


def log_loss(model: Any, X: Any, y: Any, strength: float, collapse: float, n_trees: int) -> float:
    """Mean held-out log loss of one pair of values; class numbers are the labels."""
    fold, total = np.array(folds(X, y)), 0.0
    for number in range(3):
        test = fold == number
        forest = clone(model).set_params(
            n_estimators=(number + 1) * n_trees, leaf_strength=strength, collapse=collapse
        )
        forest.fit(X[~test], y[~test])
        trees = forest.estimators_[number * n_trees :]
        proba = np.mean([tree.predict_proba(X[test]) for tree in trees], axis=0)
        total -= np.log(np.maximum(proba[np.arange(test.sum()), y[test]], 1e-15)).sum()
    return float(total / len(y))
