"""Leaf strength and collapse that a fit chooses by held-out log loss."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

import rarewood
from oracle import pilot as oracle
from rarewood import RareForestClassifier, RareTreeClassifier, _core
from rarewood.model import _pilot, _pilot_sample
from rarewood.model._pilot import choose, choose_strongest
from rarewood.stream import Stream

AUTO = {"leaf_strength": "auto", "collapse": "auto"}


def noisy(n=600, seed=0, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)).round(2)
    score = X[:, 0] + X[:, 1] + 2 * rng.normal(size=n)
    y = np.digitize(score, np.quantile(score, [0.8, 0.93][: n_classes - 1]))
    return X, y


def same(a, b, X):
    assert (a.leaf_strength_, a.collapse_) == (b.leaf_strength_, b.collapse_)
    np.testing.assert_array_equal(a.predict_proba(X), b.predict_proba(X))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_twin(n_classes):
    X, y = noisy(150, n_classes=n_classes)
    X = np.vstack([X, X[:20]])  # copies share a fold, whatever their classes
    y = np.concatenate([y, y[:15], (y[15:20] + 1) % n_classes])
    X[3, 1], X[4, 2] = np.nan, -0.0
    model = RareForestClassifier(4, **AUTO, random_state=7).fit(X, y)
    found = model.pilot_
    assert found.n_samples == 170
    assert found.n_trees == 20
    plain = RareForestClassifier(random_state=7)
    for s in (0, 2, 6):
        for c in (0, 3, 8):
            pair = float(found.leaf_strengths[s]), float(found.collapses[c])
            want = oracle.log_loss(plain, X, y, *pair, n_trees=20)
            assert found.log_loss[s, c] == pytest.approx(want, rel=1e-9)


def test_hashes():
    X, _ = noisy(30)
    X[0, 0], X[1, 1] = np.nan, -0.0
    for matrix in (X, X.astype(np.float32), np.asfortranarray(X), X[::-1]):
        want = [oracle.row_hash(row) for row in matrix]
        got = _core.row_hashes(matrix, 2)
        np.testing.assert_array_equal(got, np.array(want, dtype=np.uint64))


def test_noise_is_smoothed():
    X, y = noisy(3000)
    model = RareForestClassifier(30, **AUTO, random_state=0).fit(X, y)
    assert model.leaf_strength_ > 5
    assert model.pilot_.log_loss.min() < model.pilot_.log_loss[2, 0]
    X_new, y_new = noisy(3000, seed=1)
    plain = RareForestClassifier(30, leaf_strength=None, collapse=0, random_state=0).fit(X, y)

    def loss(fitted):
        return -np.log(fitted.predict_proba(X_new)[np.arange(3000), y_new]).mean()

    assert loss(model) < loss(plain)


@pytest.mark.parametrize("kind", [RareForestClassifier, RareTreeClassifier])
def test_the_chosen_values_give_the_same_model(kind):
    X, y = noisy()
    params = {"n_estimators": 10} if kind is RareForestClassifier else {"leaf": "shrunk"}
    model = kind(**params, **AUTO, random_state=3).fit(X, y)
    values = {"leaf_strength": model.leaf_strength_, "collapse": model.collapse_}
    again = kind(**params, **values, random_state=3).fit(X, y)
    assert again.pilot_ is None
    same(model, again, X)


def test_order_of_rows_threads_and_copies():
    X, y = noisy(400)
    model = RareForestClassifier(8, **AUTO, random_state=0)
    first = clone(model).fit(X, y)
    order = np.random.default_rng(1).permutation(400)
    same(first, clone(model).fit(X[order], y[order]), X)
    same(first, clone(model).set_params(n_jobs=2).fit(X, y), X)
    weight = np.random.default_rng(2).integers(1, 4, 400)
    weighted = clone(model).fit(X, y, sample_weight=weight)
    repeated = clone(model).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    same(weighted, repeated, X)


def test_sampled_nodes_depend_on_the_number_of_rows():
    """Repeated rows are more rows, so a node can be sampled that is not with integer weights."""
    X, y = noisy(200)
    weight = np.random.default_rng(2).integers(1, 4, 200)
    repeated = np.repeat(X, weight, axis=0), np.repeat(y, weight)
    n_most = np.bincount(y).max()

    def fitted(*table, **params):
        return RareForestClassifier(4, random_state=0, **params).fit(*table)

    for n in (None, np.bincount(repeated[1]).max()):
        same(fitted(X, y, weight, split_samples=n), fitted(*repeated, split_samples=n), X)
    weighted, sampled = (fitted(*t, split_samples=n_most) for t in ((X, y, weight), repeated))
    assert (weighted.predict_proba(X) != sampled.predict_proba(X)).any()


def test_one_parameter_alone():
    X, y = noisy()
    strength = RareForestClassifier(5, collapse=0, random_state=0).fit(X, y)
    assert strength.collapse_ == 0
    assert strength.pilot_.log_loss.shape == (8, 1)
    collapse = RareForestClassifier(5, leaf_strength=2.5, random_state=0).fit(X, y)
    assert collapse.leaf_strength_ == 2.5
    assert collapse.pilot_.log_loss.shape == (1, 9)
    raw = RareForestClassifier(5, leaf="raw", **AUTO, random_state=0).fit(X, y)
    assert raw.leaf_strength_ == 0


def test_few_rare_samples_keep_the_plain_values():
    X, y = noisy(100)
    y = (np.arange(100) < 3).astype(int)
    model = RareForestClassifier(5, **AUTO, random_state=0).fit(X, y)
    assert (model.leaf_strength_, model.collapse_, model.pilot_) == (5.0, 0.0, None)
    same(model, RareForestClassifier(5, random_state=0).fit(X, y), X)
    one = RareForestClassifier(5, **AUTO).fit(X, np.zeros(100))
    assert one.pilot_ is None


@pytest.mark.parametrize(
    "params",
    [
        {"bootstrap": True},
        {"balance": True},
        {"balance": 2.0, "bootstrap": True, "class_weight": "balanced_subsample"},
        {"class_weight": "balanced", "splitter": "best"},
        {"leaf": "laplace", "pruning": "fisher", "splitter": "random"},
        {"leaf": "m_estimate", "max_bins": 16, "splitter": "best"},
        {"criterion": rarewood.criteria.BetaAlpha(1, 3)},
    ],
    ids=str,
)
def test_with_other_parameters(params):
    X, y = noisy(n_classes=3)
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["town"] = pd.Categorical(np.where(X[:, 2] > 0, "x", "y"))
    frame.loc[::7, "a"] = np.nan
    model = RareForestClassifier(6, **AUTO, **params, random_state=0).fit(frame, y)
    assert model.pilot_ is not None
    values = {"leaf_strength": model.leaf_strength_, "collapse": model.collapse_}
    same(model, clone(model).set_params(**values).fit(frame, y), frame)


def test_groups_share_a_fold():
    y = np.array([0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0], dtype=np.int32)
    groups = np.array(list("aabbccddeeff"))
    hashes = np.arange(12, dtype=np.uint64) * np.uint64(2**60 - 1)
    fold = _pilot.deal_folds(y, hashes, groups)
    assert all(len(set(fold[groups == name])) == 1 for name in "abcdef")
    assert sorted(fold[[2, 4, 8]]) == [0, 1, 2]  # the groups with a sample of the rare class
    order = np.random.default_rng(0).permutation(12)
    np.testing.assert_array_equal(
        _pilot.deal_folds(y[order], hashes[order], groups[order]), fold[order]
    )


def test_groups_hold_copies_of_a_patient_together():
    X, y = noisy(150)
    rng = np.random.default_rng(0)
    rows = np.repeat(np.arange(150), 4)
    X, y = X[rows] + 1e-3 * rng.normal(size=(600, 4)), y[rows]
    model = RareForestClassifier(10, **AUTO, random_state=0)
    alone, together = clone(model).fit(X, y), clone(model).fit(X, y, groups=rows)
    assert alone.pilot_.log_loss.min() < together.pilot_.log_loss.min()
    assert alone.leaf_strength_ <= together.leaf_strength_
    weight = (np.arange(600) % 5 > 0).astype(float)
    clone(model).fit(X, y, sample_weight=weight, groups=rows)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        clone(model).fit(X, y, groups=rows[1:])


def test_groups_by_name():
    X, y = noisy(300)
    groups = [f"patient {i // 3}" for i in range(300)]
    frame = pd.DataFrame(X, columns=list("abcd"))
    named = frame.assign(who=groups, y=y)
    for kind in (RareForestClassifier(5, **AUTO), RareTreeClassifier(leaf="shrunk", **AUTO)):
        kind.set_params(random_state=0)
        model = clone(kind).fit(frame, y, groups=groups)
        for table in (named, pl.from_pandas(named)):
            other = clone(kind).fit(table, "y", groups="who")
            assert other.feature_names_in_.tolist() == list("abcd")
            np.testing.assert_array_equal(other.pilot_.log_loss, model.pilot_.log_loss)
            same(other, model, frame)


def test_groups_that_cannot_be_used(tmp_path):
    X, y = noisy(60)
    model, frame = RareForestClassifier(2, **AUTO), pd.DataFrame(X, columns=list("abcd"))
    with pytest.raises(ValueError, match="groups='who' is the name of a column, but X has no"):
        model.fit(X, y, groups="who")
    with pytest.raises(ValueError, match=r"no column 'e' \(groups\)"):
        model.fit(frame, y, groups="e")
    for missing in (None, np.nan, pd.NA):
        with pytest.raises(ValueError, match="groups has 2 missing values"):
            model.fit(X, y, groups=[missing, missing, *range(58)])
    frame.assign(y=y).to_parquet(tmp_path / "table.parquet")
    with pytest.raises(ValueError, match=r"groups='a'.* as an array, in the order of the rows"):
        model.fit(tmp_path / "table.parquet", "y", groups="a")
    assert not hasattr(model, "forest_")


def test_choose():
    rng = np.random.default_rng(0)
    weight, collapses = np.ones(200), np.array([0.0, 0.1, 1.0])
    loss = np.zeros((2, 3, 200)) + rng.normal(size=200)

    def chosen(change):
        changed = loss + change
        return choose(changed, changed @ weight / 200, weight, collapses, plain=1)

    none = np.zeros((2, 3, 1))
    assert chosen(none) == (1, 0)  # ties: the plain strength, and no collapse
    rounded = none.copy()
    rounded[0, 1] = -1e-15
    assert chosen(rounded) == (1, 0)  # rounding makes no difference
    small = none.copy()
    small[0, 1] = -1e-6
    assert chosen(small) == (0, 1)  # up to 0.1 the least loss counts
    noise = np.zeros((2, 3, 200))
    noise[0, 2] = rng.normal(size=200) - 0.05
    noise[0, 2] -= noise[0, 2].mean() + 0.05  # a gain of 0.05, with an error of 0.07
    assert chosen(noise) == (1, 0)
    noise[0, 2] -= 0.2
    assert chosen(noise) == (0, 2)


def test_choose_strongest():
    mean = np.array([[0.3, 0.2001, 0.21, 0.3], [0.2, 0.25, 0.2001, 0.2003]])
    assert choose_strongest(mean, plain=0) == (1, 2)  # nearly the least loss
    assert choose_strongest(mean[:, :2], plain=0) == (0, 1)
    assert choose_strongest(mean[:, :1], plain=0) == (1, 0)
    assert choose_strongest(np.ones((3, 2)), plain=1) == (1, 1)  # ties: the plain strength


def test_one_fold_of_many_samples(monkeypatch):
    X, y = noisy(900)
    three = RareForestClassifier(5, **AUTO, random_state=0).fit(X, y)
    assert (three.pilot_.n_folds, three.pilot_.n_trees) == (3, 20)
    monkeypatch.setattr(_pilot, "ONE_FOLD", 800)
    one = RareForestClassifier(5, **AUTO, random_state=0).fit(X, y)
    assert (one.pilot_.n_folds, one.pilot_.n_trees) == (1, 15)
    fold = np.array(oracle.folds(X, y)) == 0
    forest = RareForestClassifier(15, leaf_strength=5.0, collapse=0.5, random_state=0)
    p = forest.fit(X[~fold], y[~fold]).predict_proba(X[fold])[np.arange(fold.sum()), y[fold]]
    at = list(one.pilot_.leaf_strengths).index(5.0), list(one.pilot_.collapses).index(0.5)
    assert one.pilot_.log_loss[at] == pytest.approx(-np.log(p).mean(), rel=1e-9)
    values = {"leaf_strength": one.leaf_strength_, "collapse": one.collapse_}
    same(one, RareForestClassifier(5, **values, random_state=0).fit(X, y), X)


def test_equal_rows_of_both_classes_do_not_oversmooth():
    """Coins: the rows of each coin are equal, and their classes drawn at random."""
    rng = np.random.default_rng(0)
    coin = rng.integers(0, 30, 3000)
    X = rng.normal(size=(30, 3))[coin]
    y = (rng.random(3000) < np.where(coin % 3, 0.05, 0.6)).astype(int)
    found = RareForestClassifier(5, **AUTO, random_state=0).fit(X, y).pilot_
    # A row of an unseen coin is predicted by other coins, not by the other side of its own.
    assert found.log_loss[2, 0] < 2 * found.log_loss.min()


def test_large_tables_are_sampled(monkeypatch):
    monkeypatch.setattr(_pilot_sample, "MAX_SAMPLES", 200)
    monkeypatch.setattr(_pilot_sample, "MIN_RARE", 10)
    X, y = noisy(2000)
    model = RareForestClassifier(5, **AUTO, random_state=0).fit(X, y)
    assert model.pilot_.n_samples == 200
    y = (np.arange(2000) % 100 == 0).astype(int)  # two of 200, five of 500
    model.fit(X, y)
    assert 200 < model.pilot_.n_samples <= 550


def test_samples_of_parts_are_merged(monkeypatch):
    monkeypatch.setattr(_pilot_sample, "MAX_SAMPLES", 30)
    monkeypatch.setattr(_pilot_sample, "MIN_RARE", 5)
    rng = np.random.default_rng(0)
    for rare in (0.5, 0.05, 0.01, 0.0):
        y = (rng.random(400) < rare).astype(np.int32)
        hashes = rng.integers(0, 2**64, 200, dtype=np.uint64)[rng.integers(0, 200, 400)]
        whole = _pilot_sample.sample_rows(hashes, y, 2)
        distinct = sorted(set(hashes[whole].tolist()))
        assert distinct == sorted(set(hashes.tolist()))[: len(distinct)]
        assert len(distinct) >= 30
        parts = [np.arange(0, 20), np.arange(20, 390), np.arange(390, 400)]
        chosen = [part[_pilot_sample.sample_rows(hashes[part], y[part], 2)] for part in parts]
        joined = np.concatenate(chosen)
        again = joined[_pilot_sample.sample_rows(hashes[joined], y[joined], 2)]
        np.testing.assert_array_equal(again, whole)


@pytest.mark.parametrize("n_copies", [1, 40])
@pytest.mark.parametrize("rare", [0.5, 0.02, 0.002, 0.0])
def test_samples_are_drawn_from_few_hashes(monkeypatch, rare, n_copies):
    monkeypatch.setattr(_pilot_sample, "MAX_SAMPLES", 30)
    monkeypatch.setattr(_pilot_sample, "MIN_RARE", 5)
    rng = np.random.default_rng(1)
    distinct = rng.integers(0, 2**64, 4000 // n_copies, dtype=np.uint64)
    hashes = rng.permutation(np.repeat(distinct, n_copies))
    y = (rng.random(4000) < rare).astype(np.int32)
    n_passes = 0

    def blocks():
        nonlocal n_passes
        n_passes += 1
        yield from np.split(hashes, [7, 1000, 1000])

    rows, found = _pilot_sample.draw_sample(blocks, y, 2)
    np.testing.assert_array_equal(rows, _pilot_sample.sample_rows(hashes, y, 2))
    np.testing.assert_array_equal(found, hashes[rows])
    assert (n_passes == 1) == (n_copies == 1)


def test_warm_start():
    X, y = noisy()
    model = RareForestClassifier(5, **AUTO, warm_start=True, random_state=0).fit(X, y)
    pilot = model.pilot_
    model.set_params(n_estimators=12).fit(X, y)
    assert model.pilot_ is pilot
    values = {"leaf_strength": model.leaf_strength_, "collapse": model.collapse_}
    same(model, RareForestClassifier(12, **values, random_state=0).fit(X, y), X)
    collapsed = RareForestClassifier(5, collapse=0.5, leaf_strength=20.0, warm_start=True)
    collapsed.fit(X, y).set_params(n_estimators=6, leaf_strength=5.0)
    with pytest.raises(ValueError, match="weaker than 20"):
        collapsed.fit(X, y)
    collapsed.set_params(leaf_strength=30.0).fit(X, y)


def test_trees_grow_again():
    X, y = noisy()
    forest = RareForestClassifier(3, **AUTO, random_state=0).fit(X, y)
    tree = forest.estimators_[2]
    assert tree.collapse_ == forest.collapse_
    again = clone(tree).fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), tree.predict_proba(X))


def test_saved_and_pickled(tmp_path):
    X, y = noisy()
    for model in (
        RareForestClassifier(5, **AUTO, random_state=0).fit(X, y),
        RareTreeClassifier(collapse="auto", random_state=0).fit(X, y),
    ):
        rarewood.save(model, tmp_path / "model")
        for other in (rarewood.load(tmp_path / "model"), pickle.loads(pickle.dumps(model))):
            same(model, other, X)
            np.testing.assert_array_equal(model.pilot_.log_loss, other.pilot_.log_loss)
            assert other.pilot_.n_samples == 600


def test_a_single_tree_collapses():
    X, y = noisy()
    leaves = [
        RareTreeClassifier(leaf="shrunk", collapse=limit).fit(X, y).get_n_leaves()
        for limit in (0.0, 0.1, 1.0, 100.0)
    ]
    assert leaves == sorted(leaves, reverse=True)
    assert leaves[0] > leaves[2] > 1


@pytest.mark.parametrize("weighted", [False, True])
def test_in_batches(tmp_path, weighted):
    X, y = noisy(n_classes=3)
    frame = pd.DataFrame(X, columns=list("abcd")).astype({"b": np.float32})
    frame["town"] = np.where(X[:, 2] > 0, "x", "y")
    frame.loc[::7, "a"] = np.nan
    frame["y"], frame["w"] = y, np.arange(600) % 3
    frame.to_parquet(tmp_path / "table.parquet", row_group_size=130)
    model = RareForestClassifier(6, max_bins=32, splitter="random", **AUTO, random_state=0)
    weight = "w" if weighted else None
    source = Stream(tmp_path / "table.parquet", columns=[*"abcd", "town"], batch_rows=77)
    streamed = clone(model).fit(source, y="y", sample_weight=weight)
    local = clone(model).fit(
        frame.drop(columns=["y", "w"]), y, sample_weight=frame["w"] if weighted else None
    )
    np.testing.assert_array_equal(streamed.pilot_.log_loss, local.pilot_.log_loss)
    same(streamed, local, frame)


def test_bad_values():
    X, y = noisy(50)
    for params in ({"collapse": -1}, {"collapse": "much"}, {"leaf_strength": "some"}):
        with pytest.raises(ValueError, match=next(iter(params))):
            RareForestClassifier(**params).fit(X, y)


@pytest.mark.parametrize(("n_classes", "n_collapses"), [(10, 9), (11, 1), (101, None)])
def test_many_classes_limit_the_pilot(n_classes, n_collapses):
    """Its cost grows with the number of classes."""
    y = np.repeat(np.arange(n_classes), 5)
    X = y[:, np.newaxis] + np.random.default_rng(0).normal(size=(len(y), 2))
    model = RareForestClassifier(2, max_depth=3, random_state=0).fit(X, y)
    if n_collapses is None:
        assert model.pilot_ is None
        assert (model.leaf_strength_, model.collapse_) == (5, 0)
    else:
        assert model.pilot_.log_loss.shape == (8, n_collapses)
