"""SamplingWrapperClassifier as users meet it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_score
from sklearn.naive_bayes import GaussianNB

from rarewood import RareTreeClassifier, presets
from rarewood.sampling import SamplingWrapperClassifier
from rarewood.sampling._levels import Levels, Sampler
from rarewood.sampling._search import SEARCHES


@pytest.fixture(scope="module")
def table():
    return make_classification(600, 6, n_informative=3, weights=[0.9], flip_y=0.05, random_state=0)


class Spy(GaussianNB):
    """Keeps the training sets that it was fitted on."""

    seen: list

    def fit(self, X, y, sample_weight=None):
        Spy.seen.append((np.asarray(X), np.asarray(y), sample_weight))
        return super().fit(X, y, sample_weight)


@pytest.fixture
def seen():
    Spy.seen = []
    return Spy.seen


def test_what_it_finds(table):
    wrapper = SamplingWrapperClassifier(presets.c45(), random_state=1).fit(*table)
    found = wrapper.search_table_
    assert pd.DataFrame(found).columns.tolist() == [
        "undersample_level", "smote_level", "mean_score", "std_score", "scores",
    ]  # fmt: skip
    assert (found["undersample_level"][0], found["smote_level"][0]) == (0, 0)
    assert wrapper.baseline_score_ == found["mean_score"][0]
    levels = list(zip(found["undersample_level"], found["smote_level"], strict=True))
    place = levels.index((wrapper.undersample_level_, wrapper.smote_level_))
    assert wrapper.best_score_ == found["mean_score"][place]
    assert wrapper.helped_ == (wrapper.best_score_ > wrapper.baseline_score_)
    assert found["mean_score"][0] == pytest.approx(np.mean(found["scores"][0]))
    assert all(len(scores) == 5 for scores in found["scores"])


def test_it_climbs_while_it_does_not_fall_and_then_while_it_rises(table):
    scores = iter([0.5, 0.5, 0.6, 0.55, 0.7, 0.7])

    def scoring(estimator, X, y):
        return next(current)

    class Scores:
        """Gives the next score to both folds."""

        def __init__(self):
            self.n = 0

        def __next__(self):
            if self.n % 2 == 0:
                self.value = next(scores)
            self.n += 1
            return self.value

    current = Scores()
    wrapper = SamplingWrapperClassifier(GaussianNB(), scoring=scoring, cv=2, random_state=0)
    wrapper.fit(*table)
    levels = zip(
        *(wrapper.search_table_[f"{n}_level"] for n in ("undersample", "smote")), strict=True
    )
    assert list(levels) == [(0, 0), (10, 0), (20, 0), (30, 0), (20, 100), (20, 200)]
    assert (wrapper.undersample_level_, wrapper.smote_level_) == (20, 100)
    assert (wrapper.baseline_score_, wrapper.best_score_, wrapper.helped_) == (0.5, 0.7, True)


def scores_by_levels(scores):
    """Scoring that gives the scores in turn, each to two folds."""
    repeated = iter(np.repeat(scores, 2).tolist())
    return lambda *_: next(repeated)


@pytest.mark.parametrize(
    ("params", "scores", "levels"),
    [
        ({"search": "greedy"}, [0.5, 0.4, 0.4], (0, 0)),
        ({"search": "lookahead", "lookahead": 1}, [0.5, 0.4, 0.3, 0.4, 0.6, 0.5, 0.5], (0, 200)),
        ({"search": "lookahead"}, [0.5, 0.4, 0.3, 0.6, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5], (30, 0)),
        (
            {"search": "best_per_axis", "smote_steps": (100,)},
            [0.5, *[0.4] * 6, 0.6, 0.6, 0.4, 0.6],
            (80, 0),
        ),
    ],
)
def test_searches(table, params, scores, levels):
    wrapper = SamplingWrapperClassifier(
        GaussianNB(), scoring=scores_by_levels(scores), cv=2, random_state=0, **params
    ).fit(*table)
    assert wrapper.search_table_["mean_score"] == pytest.approx(scores)
    assert (wrapper.undersample_level_, wrapper.smote_level_) == levels


def test_searches_give_levels_the_same_scores(table):
    tables = []
    for search in SEARCHES:
        wrapper = SamplingWrapperClassifier(
            presets.c45(max_depth=3), search=search, random_state=2
        ).fit(*table)
        found = wrapper.search_table_
        levels = zip(found["undersample_level"], found["smote_level"], strict=True)
        tables.append(dict(zip(levels, found["scores"], strict=True)))
    assert len(tables[-1]) == 15
    for one, other in combinations(tables, 2):
        shared = one.keys() & other.keys()
        assert len(shared) > 1
        assert all(one[levels] == other[levels] for levels in shared)


def test_a_memory_scores_no_level_twice(table, seen, tmp_path):
    wrapper = SamplingWrapperClassifier(
        Spy(), search="best_per_axis", cv=3, random_state=0, memory=str(tmp_path)
    ).fit(*table)
    assert len(seen) == 3 * 15 + 1
    seen.clear()
    again = clone(wrapper).fit(*table)
    assert len(seen) == 1  # the final fit
    assert again.search_table_ == wrapper.search_table_
    clone(wrapper).set_params(random_state=1).fit(*table)
    assert len(seen) == 1 + 3 * 15 + 1
    seen.clear()
    plain = clone(wrapper).set_params(search="greedy", memory=None).fit(*table)
    n_plain = len(seen)
    seen.clear()
    greedy = clone(wrapper).set_params(search="greedy").fit(*table)
    assert len(seen) < n_plain
    assert greedy.search_table_ == plain.search_table_


def test_no_sampling_where_nothing_helps(table):
    worse = iter([1.0, 1.0, 0.5, 0.5, 0.5, 0.5])
    wrapper = SamplingWrapperClassifier(
        GaussianNB(), scoring=lambda *_: next(worse), cv=2, random_state=0
    ).fit(*table)
    assert (wrapper.undersample_level_, wrapper.smote_level_, wrapper.helped_) == (0, 0, False)
    np.testing.assert_array_equal(
        wrapper.predict_proba(table[0]), GaussianNB().fit(*table).predict_proba(table[0])
    )


def test_only_training_rows_are_sampled(table, seen):
    X, y = table
    scored = []

    def scoring(estimator, X, y):
        scored.append((X, y))
        return estimator.score(X, y)

    SamplingWrapperClassifier(Spy(), scoring=scoring, cv=3, random_state=0).fit(X, y)
    known = {row.tobytes() for row in X}
    assert all(row.tobytes() in known for rows, _ in scored for row in rows)
    for fold, (rows, labels) in enumerate(scored):
        in_test = {row.tobytes() for row in rows}
        assert not any(row.tobytes() in in_test for row in seen[fold][0])
        assert len(rows) == pytest.approx(200, abs=1)
        assert np.mean(labels) == pytest.approx(np.mean(y), abs=0.01)


def test_every_classifier_sees_the_same_rows(table, seen):
    steps = {"undersample_steps": (50,), "smote_steps": (100,), "cv": 2, "random_state": 5}
    rows = []
    for spy in (Spy(), Spy(var_smoothing=0.1)):
        seen.clear()
        SamplingWrapperClassifier(spy, scoring=lambda *_: 1.0, **steps).fit(*table)
        rows.append([(X.tobytes(), y.tobytes()) for X, y, _ in seen])
    assert rows[0] == rows[1]
    seen.clear()
    SamplingWrapperClassifier(Spy(), scoring=lambda *_: 1.0, **{**steps, "random_state": 6}).fit(
        *table
    )
    assert [X.tobytes() for X, _, _ in seen] != [X for X, _ in rows[0]]


def test_levels_are_per_cent(table):
    X, y = table
    sampler = Sampler(0, 0, 1, 5, None)
    removed = sampler.draw(X, y, 0, Levels(30))
    assert np.bincount(removed.y).tolist() == [round(0.7 * np.sum(y == 0)), np.sum(y == 1)]
    np.testing.assert_array_equal(removed.X, X[removed.indices])
    more = sampler.draw(X, y, 0, Levels(30, 200))
    assert np.bincount(more.y)[1] == 3 * np.sum(y == 1)
    np.testing.assert_array_equal(more.X[: len(removed.X)], removed.X)


def test_any_number_of_jobs(table):
    one, two = (
        SamplingWrapperClassifier(presets.c45(max_depth=3), random_state=0, n_jobs=n).fit(*table)
        for n in (1, 2)
    )
    assert one.search_table_ == two.search_table_
    np.testing.assert_array_equal(one.predict_proba(table[0]), two.predict_proba(table[0]))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_categorical_columns(library):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=200), "b": rng.choice(["x", "y", "z"], 200)})
    y = ((X["b"] == "x") & (X["a"] > 0.5)).astype(int).to_numpy()
    for columns in (["a", "b"], ["b"]):
        part = X[columns] if library == "pandas" else pl.from_pandas(X[columns])
        sampler = Sampler(0, 0, 1, 5, "from_dtype")
        drawn = sampler.draw(part, y, 0, Levels(20, 300))
        assert type(drawn.X) is type(part)
        assert np.bincount(drawn.y)[1] == 4 * y.sum()
        assert set(np.asarray(drawn.X["b"])) <= {"x", "y", "z"}
        wrapper = SamplingWrapperClassifier(RareTreeClassifier(), cv=2, random_state=0)
        assert wrapper.fit(part, y).predict_proba(part).shape == (200, 2)


def test_more_than_two_classes():
    X, y = make_classification(
        400, n_classes=3, n_informative=5, weights=[0.7, 0.2], random_state=0
    )
    wrapper = SamplingWrapperClassifier(GaussianNB(), cv=3, random_state=0).fit(X, y)
    assert wrapper.predict_proba(X).shape == (400, 3)
    drawn = Sampler(0, 0, 2, 5, None).draw(X, y, 0, Levels(50, 100))
    before = np.bincount(y)
    assert np.bincount(drawn.y).tolist() == [round(before[0] / 2), before[1], 2 * before[2]]


def test_few_rows_of_the_rare_class():
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.repeat([0, 1], [56, 4])
    with pytest.warns(UserWarning, match="too few for cv=5: 4 folds are used"):
        wrapper = SamplingWrapperClassifier(GaussianNB(), smote_steps=(), random_state=0).fit(X, y)
    assert len(wrapper.search_table_["scores"][0]) == 4
    with pytest.warns(UserWarning, match="SMOTE uses 2 neighbours there"):
        SamplingWrapperClassifier(GaussianNB(), cv=4, random_state=0).fit(X, y)
    assert len(Sampler(0, 0, 1, 5, None).draw(X[:58], y[:58], 0, Levels(0, 100)).y) == 60
    y[57:] = 0
    with pytest.warns(UserWarning, match="has a single sample"):
        alone = SamplingWrapperClassifier(GaussianNB(), random_state=0).fit(X, y)
    assert (alone.undersample_level_, alone.smote_level_, alone.helped_) == (0, 0, False)


def test_a_class_that_is_absent_from_a_fold():
    X = np.zeros((40, 1))
    with pytest.raises(ValueError, match="Class 1 is absent from the test samples of fold 0"):
        SamplingWrapperClassifier(GaussianNB(), cv=KFold(4)).fit(X, np.repeat([0, 1], [30, 10]))
    with pytest.raises(ValueError, match="at least two"):
        SamplingWrapperClassifier(GaussianNB()).fit(X, np.zeros(40))


def test_smote_is_left_out_where_values_are_missing(table):
    X, y = table
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    with pytest.warns(UserWarning, match="SMOTE is omitted: X has missing values"):
        wrapper = SamplingWrapperClassifier(RareTreeClassifier(), random_state=0).fit(X, y)
    assert set(wrapper.search_table_["smote_level"]) == {0}


def test_sample_weights_follow_their_rows(table, seen):
    X, y = table
    weights = np.arange(600.0) + 1
    wrapper = SamplingWrapperClassifier(
        Spy(), undersample_steps=(50,), smote_steps=(), cv=2, random_state=0
    )
    wrapper.fit(X, y, sample_weight=weights)
    of_row = {row.tobytes(): weight for row, weight in zip(X, weights, strict=True)}
    for rows, _, given in seen:
        assert given.tolist() == [of_row[row.tobytes()] for row in rows]
    with pytest.raises(ValueError, match=r"sample_weight.*Set smote_steps=\(\)"):
        SamplingWrapperClassifier(Spy()).fit(X, y, sample_weight=weights)


def test_metadata_routing(table, seen):
    X, y = table
    weights = np.arange(600.0) + 1
    with sklearn.config_context(enable_metadata_routing=True):
        asked = SamplingWrapperClassifier(
            Spy().set_fit_request(sample_weight=True), smote_steps=(), cv=2, random_state=0
        )
        asked.fit(X, y, sample_weight=weights)
        assert all(given is not None for _, _, given in seen)
        unasked = clone(asked).set_params(estimator=Spy())
        with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError):
            unasked.fit(X, y, sample_weight=weights)


def test_methods_of_the_estimator(table):
    X, y = table
    fitted = SamplingWrapperClassifier(LogisticRegression(), cv=2, random_state=0).fit(X, y)
    np.testing.assert_array_equal(
        fitted.decision_function(X), fitted.estimator_.decision_function(X)
    )
    assert not hasattr(SamplingWrapperClassifier(RareTreeClassifier()), "decision_function")
    scores = cross_val_score(fitted, X, y, cv=2, scoring="roc_auc")
    assert scores.mean() > 0.5


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"undersample_steps": (20, 10)}, "undersample_steps must be ascending"),
        ({"undersample_steps": (0, 10)}, "above 0 and below 100"),
        ({"undersample_steps": (100,)}, "below 100"),
        ({"smote_steps": ("100",)}, "smote_steps must be ascending"),
        ({"k_neighbors": 0}, "k_neighbors"),
        ({"search": "best"}, "search"),
        ({"lookahead": 0}, "lookahead"),
        ({"memory": 3}, "memory"),
        ({"scoring": 3}, "scoring"),
    ],
)
def test_bad_parameters(table, params, message):
    with pytest.raises(ValueError, match=message):
        SamplingWrapperClassifier(DummyClassifier(), **params).fit(*table)


def test_a_score_that_is_not_a_number(table):
    with pytest.raises(ValueError, match="score without sampling is NaN"):
        SamplingWrapperClassifier(GaussianNB(), scoring=lambda *_: np.nan, cv=2).fit(*table)
    scores = iter([0.5, 0.5, np.nan, np.nan, np.nan, np.nan])
    wrapper = SamplingWrapperClassifier(
        GaussianNB(), scoring=lambda *_: next(scores), cv=2, random_state=0
    ).fit(*table)
    assert (wrapper.undersample_level_, wrapper.smote_level_) == (0, 0)


@pytest.mark.parametrize("weights", [np.ones(5), 2.0])
def test_weights_of_the_wrong_length(table, weights):
    with pytest.raises(ValueError, match="one value for each of 600 samples"):
        SamplingWrapperClassifier(GaussianNB(), smote_steps=()).fit(*table, sample_weight=weights)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_whole_numbers_stay_whole(library):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=300), "i": rng.integers(0, 9, 300)})
    y = (X["x"] > 1.2).to_numpy()
    table = {"pandas": X, "polars": pl.from_pandas(X), "pyarrow": pa.Table.from_pandas(X)}[library]
    drawn = Sampler(0, False, True, 5, "from_dtype").draw(table, y, 0, Levels(0, 300))
    values = np.asarray(drawn.X["i"])
    assert values.dtype == np.int64
    assert abs(values[300:].mean() - values[:300][y].mean()) < 0.5
