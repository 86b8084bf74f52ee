"""Parameters of growth: limits, randomness, threads, bins, layouts of the table."""

from __future__ import annotations

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.datasets import make_classification

from rarewood import RareTreeClassifier, tree
from rarewood.model import _base

X, Y = make_classification(400, 6, n_informative=4, n_redundant=0, weights=[0.9], random_state=0)


def fitted(**params) -> RareTreeClassifier:
    return RareTreeClassifier(**params).fit(X, Y)


def test_limits_of_growth():
    assert fitted(max_depth=2).get_depth() == 2
    assert fitted(max_depth=10**12).get_depth() == fitted().get_depth()
    assert fitted(max_leaf_nodes=5).get_n_leaves() == 5
    inner = fitted(min_samples_split=50).tree_
    assert inner.n_node_samples[inner.n_children > 0].min() >= 50
    inner = fitted(min_samples_split=0.25).tree_
    assert inner.n_node_samples[inner.n_children > 0].min() >= 100
    assert fitted(min_samples_leaf=20).tree_.n_node_samples.min() >= 20
    assert fitted(min_samples_leaf=0.1).tree_.n_node_samples.min() >= 40
    weights = np.linspace(0, 2, 400)
    model = RareTreeClassifier(min_weight_fraction_leaf=0.1).fit(X, Y, weights)
    assert model.tree_.weighted_n_node_samples.min() >= 0.1 * weights.sum()
    inner = fitted(criterion="gini", min_gain=0.01).tree_
    assert inner.gain[inner.n_children > 0].min() >= 0.01
    assert inner.n_nodes < fitted(criterion="gini").tree_.n_nodes


def test_labels_and_weights_are_checked_before_the_table_is_encoded(monkeypatch):
    monkeypatch.setattr(_base, "encode_training", None)
    with pytest.raises(ValueError, match="X has 400 and y has 399"):
        RareTreeClassifier().fit(X, Y[1:])
    with pytest.raises(ValueError, match="Negative values in sample_weight"):
        RareTreeClassifier().fit(X, Y, np.full(400, -1.0))


@pytest.mark.parametrize(
    ("max_features", "expected"),
    [(None, 6), ("sqrt", 2), ("log2", 2), (1, 1), (4, 4), (100, 6), (0.5, 3), (0.01, 1), (1.0, 6)],
)
def test_max_features(max_features, expected):
    assert fitted(max_features=max_features).max_features_ == expected


def test_randomness_comes_from_random_state_only():
    def draw(random_state):
        return fitted(
            max_features=2, splitter="random", n_cuts=2, random_state=random_state
        ).tree_.threshold

    np.testing.assert_array_equal(draw(3), draw(3))
    np.testing.assert_array_equal(draw(np.int64(3)), draw(3))
    assert not np.array_equal(draw(3), draw(4), equal_nan=True)
    np.testing.assert_array_equal(draw(np.random.RandomState(3)), draw(np.random.RandomState(3)))
    shared = np.random.RandomState(3)
    assert not np.array_equal(draw(shared), draw(shared), equal_nan=True)
    np.random.seed(3)  # noqa: NPY002  None means NumPy's global generator
    first = draw(None)
    np.random.seed(3)  # noqa: NPY002  None means NumPy's global generator
    np.testing.assert_array_equal(draw(None), first)
    np.testing.assert_array_equal(fitted().tree_.threshold, fitted(random_state=1).tree_.threshold)


def test_the_model_does_not_depend_on_n_jobs():
    params = {"max_features": 3, "splitter": "random", "n_cuts": 5, "random_state": 0}
    one, two = fitted(n_jobs=1, **params), fitted(n_jobs=2, **params)
    np.testing.assert_array_equal(one.tree_.threshold, two.tree_.threshold)
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    np.testing.assert_array_equal(one.predict(X), two.predict(X))


def test_n_jobs_follows_joblib(monkeypatch):
    seen = []
    original = tree.number_of_threads

    def record(n_jobs):
        seen.append(original(n_jobs))
        return seen[-1]

    for module in (tree, _base):
        monkeypatch.setattr(module, "number_of_threads", record)
    fitted(n_jobs=2).apply(X)
    fitted()
    with parallel_config(n_jobs=2):
        fitted()
    assert seen == [2, 2, 1, 2]
    with pytest.raises(ValueError, match="n_jobs"):
        fitted(n_jobs=0)


def test_bins_and_random_cuts():
    exact, binned = fitted(criterion="gini"), fitted(criterion="gini", max_bins=4)
    assert np.unique(binned.tree_.threshold[binned.tree_.feature == 0]).size <= 3
    assert np.unique(exact.tree_.threshold).size > np.unique(binned.tree_.threshold).size
    assert fitted(splitter="random", n_cuts=1, random_state=0).score(X, Y) == 1.0


def test_missing_values_take_part():
    data = X.copy()
    data[Y == 1, 0] = np.nan
    model = RareTreeClassifier().fit(data, Y)
    assert model.get_depth() == 1
    np.testing.assert_array_equal(model.predict(data), Y)
    assert "feature_0 is missing" in str(model.tree_)


def test_nothing_but_missing_values():
    model = RareTreeClassifier().fit(np.full((4, 2), np.nan), [0, 1, 0, 1])
    assert model.get_n_leaves() == 1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F", "strided", "read-only", "memmap"])
def test_every_layout_gives_the_same_model(dtype, order, tmp_path):
    plain = X.astype(np.float32).astype(np.float64)
    data = plain.astype(dtype)
    if order in "CF":
        data = np.asarray(data, order=order)
    elif order == "strided":
        data = np.repeat(np.repeat(data, 2, axis=0), 3, axis=1)[::2, ::3]
    elif order == "read-only":
        data.flags.writeable = False
    else:
        np.save(tmp_path / "X.npy", data)
        data = np.load(tmp_path / "X.npy", mmap_mode="r")
    model, expected = RareTreeClassifier().fit(data, Y), RareTreeClassifier().fit(plain, Y)
    np.testing.assert_array_equal(model.tree_.threshold, expected.tree_.threshold)
    for method in ("predict_proba", "predict", "apply"):
        np.testing.assert_array_equal(
            getattr(model, method)(data), getattr(expected, method)(plain)
        )
    assert (model.decision_path(data) != expected.decision_path(plain)).nnz == 0
