"""Which rows each tree draws: bootstrap, balance and max_samples."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import make_classification

from rarewood import RareForestClassifier
from rarewood.model._sampling_schemes import Balanced

X, Y = make_classification(
    400, 5, n_informative=4, n_redundant=0, n_classes=3, weights=[0.7, 0.2], random_state=0
)
SIZES = np.bincount(Y)
SMALLEST = int(SIZES.min())


def fitted(n_estimators=20, **params) -> RareForestClassifier:
    return RareForestClassifier(n_estimators, max_depth=3, random_state=0, **params).fit(X, Y)


def assert_counted(model):
    """The counts of the trees are those of the rows they say they drew."""
    for tree, rows in zip(model, model.estimators_samples_, strict=True):
        assert rows.dtype == np.int32
        np.testing.assert_array_equal(tree.tree_.counts[0], np.bincount(Y[rows], minlength=3))
        leaves = np.bincount(tree.apply(X[rows]), minlength=tree.tree_.n_nodes)
        is_leaf = tree.tree_.n_children == 0
        np.testing.assert_array_equal(leaves[is_leaf], tree.tree_.n_node_samples[is_leaf])


def test_without_drawing_every_tree_has_every_row_once():
    model = fitted()
    for rows in model.estimators_samples_:
        np.testing.assert_array_equal(rows, np.arange(400))
    assert_counted(model)


@pytest.mark.parametrize(
    ("max_samples", "n"), [(None, 400), (1.0, 400), (0.25, 100), (37, 37), (1e-9, 1), (1.5, 600)]
)
def test_a_bootstrap_sample(max_samples, n):
    model = fitted(bootstrap=True, max_samples=max_samples)
    samples = model.estimators_samples_
    assert {len(rows) for rows in samples} == {n}
    if n >= 100:  # smaller ones may have no row twice
        assert all(len(np.unique(rows)) < n for rows in samples)
    assert len({rows.tobytes() for rows in samples}) == 20
    assert_counted(model)


@pytest.mark.parametrize("bootstrap", [True, False])
@pytest.mark.parametrize(
    ("max_samples", "n"),
    [(None, SMALLEST), (0.5, SMALLEST // 2), (30, 10), (2, 1)],
)
def test_balanced_trees_have_the_same_number_of_every_class(bootstrap, max_samples, n):
    model = fitted(balance=True, bootstrap=bootstrap, max_samples=max_samples)
    for rows in model.estimators_samples_:
        assert np.bincount(Y[rows], minlength=3).tolist() == [n, n, n]
        if not bootstrap:
            assert len(np.unique(rows)) == len(rows)
    if bootstrap and n > 10:
        assert any(len(np.unique(rows)) < len(rows) for rows in model.estimators_samples_)
    assert_counted(model)


def test_balanced_with_more_rows_than_the_smallest_class():
    more = fitted(balance=True, bootstrap=True, max_samples=2.0)
    assert more[0].tree_.counts[0].tolist() == [2 * SMALLEST] * 3
    with pytest.raises(ValueError, match=r"samples without replacement from \d+ of a class"):
        fitted(balance=True, bootstrap=False, max_samples=2.0)


def test_rows_are_drawn_evenly():
    samples = fitted(400, bootstrap=True).estimators_samples_
    drawn = np.bincount(np.concatenate(samples), minlength=400)
    # Each row is drawn 400 times in the mean, with a standard deviation of 20.
    assert abs(drawn - 400).max() < 5 * 20
    assert 0.5 < np.mean((drawn - 400) ** 2) / 400 < 1.5


def test_a_row_drawn_twice_counts_twice():
    model = fitted(bootstrap=True, min_samples_leaf=7)
    assert min(tree.tree_.n_node_samples.min() for tree in model) >= 7
    shares = fitted(bootstrap=True, max_samples=100, min_samples_leaf=0.07)
    assert min(tree.tree_.n_node_samples.min() for tree in shares) >= 7
    assert any(tree.get_n_leaves() > 1 for tree in shares)


def test_rows_of_zero_weight_are_never_drawn():
    weights = (np.arange(400) % 4 > 0).astype(float)
    for params in ({"bootstrap": True}, {"balance": True}, {}):
        model = RareForestClassifier(5, random_state=0, **params).fit(X, Y, weights)
        left = RareForestClassifier(5, random_state=0, **params).fit(X[weights > 0], Y[weights > 0])
        np.testing.assert_array_equal(model.predict_proba(X), left.predict_proba(X))
        kept = np.flatnonzero(weights)
        for rows, places in zip(model.estimators_samples_, left.estimators_samples_, strict=True):
            np.testing.assert_array_equal(rows, kept[places])


def test_a_class_without_weight_is_known_and_not_drawn():
    model = RareForestClassifier(5, balance=True).fit(X, Y, (Y != 2).astype(float))
    assert model.classes_.tolist() == [0, 1, 2]
    assert {tuple(tree.tree_.counts[0]) for tree in model} == {(SIZES[1], SIZES[1], 0)}


@pytest.mark.parametrize(
    ("max_samples", "n"), [(1.0, 400), (0.25, 100), (37, 37), (1e-9, 1), (400, 400)]
)
def test_without_replacement_and_without_balance(max_samples, n):
    model = fitted(max_samples=max_samples)
    samples = model.estimators_samples_
    assert {len(np.unique(rows)) for rows in samples} == {len(rows) for rows in samples} == {n}
    if n == 37:
        assert len({rows.tobytes() for rows in samples}) == 20
        drawn = np.bincount(np.concatenate(fitted(400, max_samples=37).estimators_samples_))
        assert abs(drawn - 37).max() < 5 * np.sqrt(37 * (1 - 37 / 400))
    assert_counted(model)


@pytest.mark.parametrize("max_samples", [401, 1.01])
def test_more_rows_than_there_are_without_replacement(max_samples):
    with pytest.raises(ValueError, match=r"without replacement from 400\. Set bootstrap=True"):
        fitted(max_samples=max_samples)
    assert len(fitted(1, bootstrap=True, max_samples=max_samples).estimators_samples_[0]) > 400


@pytest.mark.parametrize("bootstrap", [True, False])
@pytest.mark.parametrize("ratio", [1, 1.0, 1.7, 3, np.float32(2.5), 1e9])
def test_at_most_so_many_of_every_other_class(bootstrap, ratio):
    model = fitted(balance=ratio, bootstrap=bootstrap)
    expected = np.minimum(SIZES, int(min(float(ratio), 1e6) * SMALLEST))
    for rows in model.estimators_samples_:
        np.testing.assert_array_equal(np.bincount(Y[rows], minlength=3), expected)
    assert_counted(model)
    half = fitted(balance=ratio, bootstrap=bootstrap, max_samples=0.5)
    np.testing.assert_array_equal(half[0].tree_.counts[0], expected // 2)
    n = int(expected.sum()) // 3
    third = fitted(balance=ratio, bootstrap=bootstrap, max_samples=n)
    np.testing.assert_array_equal(third[0].tree_.counts[0], expected * n // expected.sum())


@pytest.mark.parametrize("balance", [True, 1, 1.0, "balanced", Balanced(), Balanced(ratio=1)])
def test_forms_of_balance(balance):
    same = fitted(3, balance=balance).estimators_samples_
    for rows, expected in zip(same, fitted(3, balance=True).estimators_samples_, strict=True):
        np.testing.assert_array_equal(rows, expected)


@pytest.mark.parametrize("balance", [0.5, 0, -1, np.nan, np.inf, "balance", Balanced])
def test_bad_values_of_balance(balance):
    with pytest.raises(ValueError, match="balance"):
        fitted(balance=balance)


@pytest.mark.parametrize("balance", [False, True])
@pytest.mark.parametrize("max_samples", [2**31, 10**18, 10**30, 1e300, 1e8])
def test_the_number_of_drawn_samples_is_bounded(max_samples, balance):
    model = RareForestClassifier(2, bootstrap=True, balance=balance, max_samples=max_samples)
    with pytest.raises(ValueError, match=r"max_samples=.* more than 2147483647 samples"):
        model.fit(X, Y)


def test_a_scheme_is_bounded_too():
    class Many:
        def class_sizes(self, counts):
            return counts * 10**9

    model = RareForestClassifier(2, bootstrap=True, balance=Many())
    with pytest.raises(ValueError, match="which can have at most 2147483647"):
        model.fit(X, Y)


def test_drawn_samples_fit_into_memory(monkeypatch):
    monkeypatch.setattr("rarewood.model._row_sampling.available_memory", lambda: 100 << 20)
    model = RareForestClassifier(2, bootstrap=True, max_samples=10**8)
    with pytest.raises(MemoryError, match=r"1.1 GB of memory, but only 100.0 MB are available"):
        model.fit(X, Y)


@pytest.mark.parametrize("balance", [False, True])
def test_drawing_samples_can_be_interrupted(balance):
    """A draw of a billion samples, which takes seconds, ends soon after Ctrl-C."""
    code = f"""
import os, resource, signal, threading, time
import subprocess
import sys

import numpy as np
from rarewood import RareForestClassifier
import rarewood.model._row_sampling as module
module.available_memory = lambda: None
X = np.arange(200.0).reshape(100, 2)
y = np.arange(100) % 2
model = RareForestClassifier(1, bootstrap=True, max_samples=2 * 10**9, balance={balance},
                             leaf_strength=None, collapse=0.0, n_jobs=1)
RareForestClassifier(1, leaf_strength=None, collapse=0.0).fit(X, y)
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.process_time()
try:
    model.fit(X, y)
except KeyboardInterrupt:
    print(time.process_time() - start)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True
    )
    assert float(done.stdout) < 1.5
