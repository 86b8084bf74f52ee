"""Number of trees: chosen, cut off, and in stages."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.base import clone

import rarewood
from oracle.pilot import folds, row_hash
from rarewood import RareForestClassifier
from rarewood.model import _forest_size

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(240, 5)).round(2)
Y = (X[:, 0] + X[:, 1] * X[:, 2] + RANDOM.normal(size=240) > 1.5).astype(int)


def auto(**parameters):
    return RareForestClassifier("auto", **{"random_state": 0} | parameters)


def held_out_losses(model, numbers):
    """Held-out log loss of the first trees of a forest of two folds, for numbers of trees."""
    order = sorted(range(len(Y)), key=lambda row: row_hash(X[row]))  # as samples are drawn
    rows, labels = X[order], Y[order]
    test = np.array(folds(rows, labels)) == 0
    n_trees = max(numbers)
    settings = {"leaf_strength": model.leaf_strength_, "collapse": model.collapse_}
    forest = clone(model).set_params(n_estimators=n_trees, **settings)
    forest.fit(rows[~test], labels[~test])
    stages = list(forest.staged_predict_proba(rows[test]))
    own = [stages[n - 1][np.arange(test.sum()), labels[test]] for n in numbers]
    return [float(np.average(-np.log(np.maximum(p, 1e-15)))) for p in own]


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"splitter": "best", "bootstrap": True, "leaf": "laplace", "collapse": 0},
        {"splitter": "random", "leaf_strength": 1.0, "max_depth": 3},
    ],
)
def test_the_second_half_hardly_gains(parameters):
    model = auto(**parameters).fit(X, Y)
    chosen = model.n_estimators_
    assert chosen == len(model.forest_) == len(model.estimators_)
    assert chosen % 40 == 0
    numbers = range(20, chosen + 1, 20)
    loss = dict(zip(numbers, held_out_losses(model, list(numbers)), strict=True))
    gains = {n: (loss[n // 2] - loss[n]) / loss[n] for n in range(40, chosen + 1, 40)}
    assert gains.pop(chosen) <= 0.001
    assert all(gain > 0.001 for gain in gains.values())


def test_it_is_the_forest_of_that_size():
    model = auto().fit(X, Y)
    again = auto(n_jobs=2).fit(X[::-1], Y[::-1])
    assert again.n_estimators_ == model.n_estimators_
    fixed = clone(model).set_params(n_estimators=model.n_estimators_).fit(X, Y)
    np.testing.assert_array_equal(fixed.predict_proba(X), model.predict_proba(X))
    assert model.n_estimators == "auto"


def test_there_is_a_limit(monkeypatch):
    monkeypatch.setattr(_forest_size, "TOLERANCE", -1.0)
    monkeypatch.setattr(_forest_size, "LARGEST", 60)
    assert auto(max_depth=2).fit(X, Y).n_estimators_ == 60


def test_too_few_rare_samples_to_hold_any_out():
    assert auto().fit(X[:50], np.arange(50) < 3).n_estimators_ == 100


def test_weights_equal_copies():
    weights = RANDOM.integers(1, 3, len(Y))
    weighted = auto().fit(X, Y, sample_weight=weights)
    repeated = auto().fit(np.repeat(X, weights, axis=0), np.repeat(Y, weights))
    assert weighted.n_estimators_ == repeated.n_estimators_


def test_groups_are_held_out_together():
    groups = np.arange(len(Y)) // 2
    copies = X[groups * 2] + 0.001 * np.arange(len(Y))[:, None] % 2
    plain, grouped = auto().fit(copies, Y), auto().fit(copies, Y, groups=groups)
    assert grouped.pilot_.log_loss.min() > plain.pilot_.log_loss.min() * 0.9
    assert grouped.n_estimators_ % 40 == 0


def test_a_table_in_batches_gets_the_same_number(tmp_path):
    frame = pd.DataFrame(X, columns=list("abcde")).assign(y=Y)
    path = tmp_path / "table.parquet"
    pq.write_table(pa.Table.from_pandas(frame), path, row_group_size=150)
    options = {"max_bins": 32}
    streamed = auto(**options).fit(path, y="y")
    local = auto(**options).fit(frame.drop(columns="y"), frame["y"])
    assert streamed.n_estimators_ == local.n_estimators_
    np.testing.assert_array_equal(
        streamed.predict_proba(frame[list("abcde")]), local.predict_proba(frame[list("abcde")])
    )


def test_a_warm_start_only_adds_trees():
    model = auto(warm_start=True).fit(X, Y)
    n_trees = model.n_estimators_
    assert model.fit(X, Y).n_estimators_ == n_trees
    model.set_params(n_estimators=n_trees + 3).fit(X, Y)
    assert model.n_estimators_ == n_trees + 3
    model.set_params(n_estimators="auto").fit(X, Y)
    assert model.n_estimators_ == n_trees + 3
    small = RareForestClassifier(5, warm_start=True, random_state=0).fit(X, Y)
    small.set_params(n_estimators="auto").fit(X, Y)
    np.testing.assert_array_equal(small.predict_proba(X), auto().fit(X, Y).predict_proba(X))


def test_it_survives_a_model_file(tmp_path):
    model = auto().fit(X, Y)
    rarewood.save(model, tmp_path / "model.rarewood")
    loaded = rarewood.load(tmp_path / "model.rarewood")
    assert (loaded.n_estimators, loaded.n_estimators_) == ("auto", model.n_estimators_)


@pytest.mark.parametrize("bad", ["Auto", 0, 2.5])
def test_other_values_are_refused(bad):
    with pytest.raises(ValueError, match=r"'n_estimators' parameter .* must be"):
        RareForestClassifier(bad).fit(X, Y)


def test_truncated_forests_are_those_of_smaller_fits():
    model = RareForestClassifier(20, bootstrap=True, oob_score=True, random_state=0).fit(X, Y)
    before = model.predict_proba(X)
    short = model.truncate(4)
    smaller = RareForestClassifier(4, bootstrap=True, random_state=0).fit(X, Y)
    np.testing.assert_array_equal(short.predict_proba(X), smaller.predict_proba(X))
    assert (short.n_estimators, short.n_estimators_, len(short.estimators_)) == (4, 4, 4)
    assert len(short.estimators_samples_) == 4
    assert not hasattr(short, "oob_score_")
    assert model.n_estimators_ == 20
    assert model.oob_score_ > 0
    np.testing.assert_array_equal(model.predict_proba(X), before)
    grown = short.set_params(n_estimators=20, warm_start=True, oob_score=False).fit(X, Y)
    np.testing.assert_array_equal(grown.predict_proba(X), before)
    for bad in (0, 21, 2.0, "auto"):
        with pytest.raises(ValueError, match="must be an int from 1 to 20, the number of trees"):
            model.truncate(bad)


def test_stages_are_the_probabilities_of_truncated_forests():
    model = RareForestClassifier(6, random_state=0).fit(X, Y)
    stages = list(model.staged_predict_proba(X))
    assert len(stages) == 6
    for n_trees, stage in enumerate(stages, start=1):
        np.testing.assert_array_equal(stage, model.truncate(n_trees).predict_proba(X))
