"""PatternOverSampler as users meet it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from imblearn.pipeline import make_pipeline
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from rarewood.rules import RuleSet
from rarewood.sampling import PatternOverSampler

SMALL = PatternOverSampler(n_estimators=5, max_rounds=1, random_state=0)


@pytest.fixture(scope="module")
def table():
    return make_classification(600, 6, n_informative=3, weights=[0.9], random_state=0)


def test_in_a_pipeline(table):
    X, y = table
    model = make_pipeline(clone(SMALL).set_params(validate=False), LogisticRegression())
    assert cross_val_score(model, X, y, cv=3, scoring="roc_auc").mean() > 0.7
    model.fit(X, y)
    assert model.predict(X).shape == y.shape  # nothing is sampled when predicting


def test_what_it_remembers(table):
    sampler = PatternOverSampler(n_estimators=10, min_samples_leaf=0.2, random_state=0)
    _, y = sampler.fit_resample(*table)
    n_new = len(y) - 600
    assert sampler.sampling_strategy_ == {1: n_new}
    assert isinstance(sampler.patterns_[1], RuleSet)
    assert (np.diff(sampler.patterns_[1]["strength"]) <= 0).all()
    assert (sampler.patterns_[1]["support_True"] > sampler.patterns_[1]["support_False"]).all()
    assert sampler.n_generated_[1] - sampler.n_rejected_[1] == n_new
    assert sampler.validator_[1].classes_.tolist() == [False, True]
    assert len(sampler.forests_[1]) == 10
    assert sampler.n_features_in_ == 6


def test_strengths_of_the_paper():
    # HeDEx, section 4.1: 10 rows of the class and 3 others have a growth rate of 10/3.
    X = np.array([[0.0]] * 13 + [[1.0]] * 20)
    y = np.array([1] * 10 + [0] * 3 + [0] * 20)
    sampler = PatternOverSampler(n_estimators=1, validate=False, random_state=0)
    sampler.fit_resample(X, y)
    pattern = sampler.patterns_[1]
    assert pattern["growth_rate"].tolist() == [pytest.approx(10 / 3)]
    assert pattern["strength"].tolist() == [pytest.approx(10 * (10 / 3) / (10 / 3 + 1))]


def test_where_unconstrained_values_come_from():
    # Either column tells the class; a pattern that asks for x leaves z open.
    rng = np.random.default_rng(0)
    y = np.r_[np.zeros(300, dtype=int), np.ones(30, dtype=int)]
    X = np.column_stack([y * 10 + rng.random(330), y])
    share = {}
    for source in ("all", "class"):
        sampler = PatternOverSampler(
            n_estimators=30, unconstrained=source, validate=False, random_state=0
        )
        rows = sampler.fit_resample(X, y)[0][330:]
        share[source] = np.mean(rows[:, 1] == 0)
    assert share["all"] > 0.1
    assert share["class"] == 0


def test_validation_rejects_rows_far_from_the_originals():
    # The class is on the diagonal; patterns are boxes, and columns are drawn independently.
    rng = np.random.default_rng(0)
    t = rng.random(200)
    X = np.r_[np.column_stack([t, t]), rng.uniform(2, 3, size=(1000, 2))]
    y = np.repeat([1, 0], [200, 1000])
    distance = {}
    for validate in (False, True):
        sampler = PatternOverSampler(validate=validate, min_samples_leaf=20, random_state=0)
        rows = sampler.fit_resample(X, y)[0][1200:]
        distance[validate] = np.abs(rows[:, 0] - rows[:, 1]).mean()
    assert sampler.n_rejected_[1] > 0
    assert distance[True] < 0.7 * distance[False]


def test_strict_leaves_the_class_short_and_says_so(table):
    params = {"n_estimators": 5, "min_samples_leaf": 1, "max_rounds": 1, "random_state": 0}
    with pytest.warns(UserWarning, match="smaller than requested"):
        _, y = PatternOverSampler(strict=True, **params).fit_resample(*table)
    assert np.bincount(y)[1] < np.bincount(y)[0]
    with pytest.warns(UserWarning, match=r"Class 1: \d+ of \d+ new samples .* after 2 rounds"):
        _, y = PatternOverSampler(**params).fit_resample(*table)
    assert np.bincount(y)[1] == np.bincount(y)[0]


def test_a_class_without_patterns_is_left_as_it_is():
    X, y = np.zeros((20, 2)), np.repeat([0, 1], [15, 5])
    with pytest.warns(UserWarning, match="Class 1 has no pattern"):
        more, labels = PatternOverSampler(n_estimators=2, random_state=0).fit_resample(X, y)
    assert len(more) == len(labels) == 20


def test_several_classes_are_raised_from_the_original_rows():
    X, y = make_classification(
        400, n_classes=3, n_informative=4, weights=[0.7, 0.2], random_state=0
    )
    sampler = PatternOverSampler(n_estimators=5, validate=False, random_state=0)
    _, labels = sampler.fit_resample(X, y)
    assert len(set(np.bincount(labels))) == 1
    assert set(sampler.patterns_) == set(sampler.sampling_strategy_) == {1, 2}
    alone = PatternOverSampler(
        n_estimators=5, validate=False, random_state=0, sampling_strategy={1: 200}
    )
    assert len(alone.fit_resample(X, y)[1]) == 400 + 200 - np.bincount(y)[1]


def test_nothing_to_add():
    X, y = pd.DataFrame({"a": [1, 2, 3, 4]}, index=[7, 8, 9, 10]), np.array([0, 0, 1, 1])
    more, labels = SMALL.fit_resample(X, y)
    pd.testing.assert_frame_equal(more, X.reset_index(drop=True))
    assert labels.tolist() == y.tolist()


def test_types_of_columns_are_kept():
    rng = np.random.default_rng(0)
    n = 120
    X = pd.DataFrame(
        {
            "whole": rng.integers(0, 100, n, dtype=np.int16),
            "real": rng.normal(size=n).astype(np.float32),
            "nullable": pd.array(np.arange(n) % 7, dtype="Int64"),
            "category": pd.Categorical(rng.choice(["a", "b"], n), categories=["b", "a", "unused"]),
            "ordered": pd.Categorical(rng.choice([1, 2, 3], n), ordered=True),
            "text": rng.choice(["x", "y"], n),
            "flag": rng.random(n) < 0.5,
        }
    )
    X.loc[::5, "nullable"] = pd.NA
    y = pd.Series(np.where(X["whole"] > 85, "rare", "common"), dtype="category", name="kind")
    more, labels = PatternOverSampler(
        n_estimators=5, validate=False, unconstrained="all", random_state=0
    ).fit_resample(X, y)
    pd.testing.assert_series_equal(more.dtypes, X.dtypes)
    assert labels.dtype == y.dtype
    assert labels.name == "kind"
    assert more.index.equals(labels.index)
    assert more["nullable"][n:].isna().any()


def test_bad_input(table):
    X, y = table
    with pytest.raises(ValueError, match="infinity"):
        SMALL.fit_resample(np.where(X > 2, np.inf, X), y)
    with pytest.raises(ValueError, match="inconsistent"):
        SMALL.fit_resample(X, y[:-1])
    with pytest.raises(ValueError, match="unconstrained"):
        PatternOverSampler(unconstrained="some").fit_resample(X, y)
    with pytest.raises(ValueError, match="min_samples_leaf"):
        PatternOverSampler(min_samples_leaf=0).fit_resample(X, y)
    with pytest.raises(AttributeError, match="before fit_resample"):
        _ = PatternOverSampler().patterns_


def test_a_categorical_column_without_values():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=100), "m": pd.Series([None] * 100, dtype="str")})
    more, _ = PatternOverSampler(n_estimators=3, validate=False).fit_resample(X, X["a"] > 1.2)
    assert more["m"].isna().all()


def test_lists_keep_their_values():
    X = [[float(i), "ab"[i % 2], i] for i in range(120)]
    y = [i > 100 for i in range(120)]
    sampler = PatternOverSampler(n_estimators=3, validate=False, categorical_features=[1])
    more, _ = sampler.fit_resample(X, y)
    assert more[:120] == X
    assert {tuple(map(type, row)) for row in more[120:]} == {(float, str, int)}


def test_masked_values_stay_masked():
    rng = np.random.default_rng(0)
    X = np.ma.array(rng.normal(size=(120, 2)), mask=rng.random((120, 2)) < 0.3)
    more, _ = PatternOverSampler(n_estimators=3, validate=False).fit_resample(
        X, np.arange(120) < 15
    )
    np.testing.assert_array_equal(more.mask[:120], X.mask)
    np.testing.assert_array_equal(more[:120].compressed(), X.compressed())


def test_large_leaves_of_the_validator_may_all_contain_an_original():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, size=(600, 5))
    y = (X[:, 0] + rng.normal(size=600) > 2.4).astype(int)
    assert 0.2 < y.mean() < 0.35
    n_rejected = {}
    for leaf in (2, 0.05):
        sampler = PatternOverSampler(
            unconstrained="all", n_estimators=10, min_samples_leaf=leaf, strict=True, random_state=0
        )
        added = sampler.fit_resample(X, y)[0][600:]
        n_rejected[leaf] = sampler.n_rejected_[1]
        tree = sampler.validator_[1]
        is_mixed = tree.tree_.counts[tree.apply(added), 1] > 0
        assert is_mixed.all()  # what was rejected is never added
    assert n_rejected[0.05] == 0
    assert n_rejected[2] > 20
