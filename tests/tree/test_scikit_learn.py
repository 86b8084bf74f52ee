"""With gini and entropy the tree is scikit-learn's, up to exact ties.

Small nodes tie, and scikit-learn then draws lots.  So the trees are walked
side by side: where they first part, both splits must be worth the same.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from oracle import bulk
from oracle.cases import Case
from rarewood import RareTreeClassifier
from support.grown import partition


def spread_out(n: int, k: int, seed: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Distinct values on a grid that float32 holds: scikit-learn sees them all apart."""
    rng = np.random.default_rng(seed)
    X = np.stack([rng.permutation(n) for _ in range(6)], axis=1) / 64
    signal = X[:, 0] + np.abs(X[:, 1] - n / 128) + n / 200 * rng.normal(size=n)
    y = np.searchsorted(np.quantile(signal, 1 - share * np.arange(k - 1, 0, -1) / k), signal)
    return X, y


def compare(ours, theirs, X: np.ndarray, y: np.ndarray, case: Case) -> tuple[int, int]:
    """Numbers of nodes that are equal, and of pairs where a tie led the trees apart."""
    a, b = ours.tree_, theirs.tree_
    equal = parted = 0
    todo = [(0, 0, np.arange(len(y)))]
    while todo:
        u, v, rows = todo.pop()
        assert (a.first_child[u] < 0) == (b.children_left[v] < 0)
        if a.first_child[u] < 0:
            equal += 1
            continue
        mine = X[rows, a.feature[u]] <= a.threshold[u]
        other = X[rows, b.feature[v]].astype(np.float32) <= b.threshold[v]
        if a.feature[u] == b.feature[v] and (mine == other).all():
            equal += 1
            assert a.threshold[u] == pytest.approx(b.threshold[v], rel=1e-6)
            first = a.first_child[u]
            todo.append((first, b.children_left[v], rows[mine]))
            todo.append((first + 1, b.children_right[v], rows[~mine]))
        else:
            parted += 1
            values = [bulk.values(case, tables_of(y[rows], side))[0] for side in (mine, other)]
            assert float(values[0]) == pytest.approx(float(values[1]), rel=1e-12)
    return equal, parted


def tables_of(y: np.ndarray, left: np.ndarray) -> np.ndarray:
    one = np.eye(int(y.max()) + 1)[y]
    return np.stack([one[left].sum(axis=0), one[~left].sum(axis=0)])[None]


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize(
    ("n", "k", "share"), [(500, 2, 0.3), (500, 3, 0.8), (3000, 2, 0.05), (2000, 5, 0.9)]
)
def test_fully_grown(n, k, share, criterion):
    equal = parted = 0
    for seed in range(5):
        X, y = spread_out(n, k, seed, share)
        ours = RareTreeClassifier(criterion=criterion).fit(X, y)
        theirs = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y)
        e, p = compare(ours, theirs, X, y, Case(criterion))
        equal, parted = equal + e, parted + p
    assert equal > 3 * parted


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_one_column_leaves_no_ties_between_features(criterion):
    """The same leaves and the same probabilities, also between the training values."""
    rng = np.random.default_rng(0)
    for n in (50, 400):
        X = rng.permutation(n)[:, None].astype(np.float64)
        y = (rng.random(n) < 0.2 + 0.6 * (X[:, 0] > n / 2)).astype(int)
        ours = RareTreeClassifier(criterion=criterion, leaf="raw").fit(X, y)
        theirs = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y)
        assert ours.get_n_leaves() == theirs.get_n_leaves()
        grid = np.linspace(-1, n, 997)[:, None]
        np.testing.assert_array_equal(ours.predict_proba(grid), theirs.predict_proba(grid))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_weights(criterion):
    """Weights of many digits leave no ties while nodes are large."""
    for seed in range(5):
        X, y = spread_out(800, 2, seed, 0.3)
        weights = np.random.default_rng(seed).gamma(2.0, size=len(y))
        options = {"criterion": criterion, "max_depth": 3}
        ours = RareTreeClassifier(**options).fit(X, y, weights)
        theirs = DecisionTreeClassifier(random_state=0, **options).fit(X, y, weights)
        np.testing.assert_array_equal(partition(ours.apply(X)), partition(theirs.apply(X)))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_missing_values(criterion):
    for seed in range(5):
        X, y = spread_out(800, 2, seed, 0.3)
        X[np.random.default_rng(seed).random(X.shape) < 0.1] = np.nan
        options = {"criterion": criterion, "max_depth": 1}
        ours = RareTreeClassifier(**options).fit(X, y)
        theirs = DecisionTreeClassifier(random_state=0, **options).fit(X, y)
        np.testing.assert_array_equal(partition(ours.apply(X)), partition(theirs.apply(X)))
