"""The discretiser as users meet it: bins by hand, tables of any kind, messages."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from rarewood import criteria
from rarewood.discretize import MDLDiscretizer


@pytest.fixture
def people():
    age = [20.0, 21, 22, 23, 24, 25, 26, 27, 40, 41, 42, 43, 44, 45, 46, np.nan]
    land = ["ch", "fr"] * 8
    return pd.DataFrame({"age": age, "land": land}), np.repeat(["young", "old"], 8)


def test_one_clear_cut(people):
    X, y = people
    discretizer = MDLDiscretizer().fit(X, y)
    assert [cuts.tolist() for cuts in discretizer.cuts_] == [[33.5], []]
    assert discretizer.n_bins_.tolist() == [2, 2]
    assert discretizer.classes_.tolist() == ["old", "young"]
    codes = discretizer.transform(X)
    assert codes[:, 0].tolist()[:-1] == [0] * 8 + [1] * 7
    assert np.isnan(codes[-1, 0])  # a missing value stays missing
    assert codes[:, 1].tolist() == [0, 1] * 8
    assert discretizer.get_feature_names_out().tolist() == ["age", "land"]


def test_a_value_on_the_cut_is_below_it(people):
    discretizer = MDLDiscretizer().fit(people[0][["age"]], people[1])
    X = pd.DataFrame({"age": [33.5, np.nextafter(33.5, 34), -1e300, 1e300]})
    assert discretizer.transform(X)[:, 0].tolist() == [0, 1, 0, 1]


def test_iris_as_in_weka():
    # weka.filters.supervised.attribute.Discretize with its defaults
    X, y = load_iris(return_X_y=True)
    found = MDLDiscretizer().fit(X, y).cuts_
    expected = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    assert [cuts.round(4).tolist() for cuts in found] == expected


def test_noise_gets_one_bin():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1000, 20)), rng.integers(0, 2, 1000)
    discretizer = MDLDiscretizer().fit(X, y)
    assert (discretizer.n_bins_ == 1).all()
    assert (discretizer.transform(X) == 0).all()


def test_a_rare_class_needs_more_evidence():
    X = np.arange(1000.0).reshape(-1, 1)
    assert MDLDiscretizer().fit(X, X[:, 0] < 1).n_bins_.tolist() == [1]
    assert MDLDiscretizer().fit(X, X[:, 0] < 3).cuts_[0].tolist() == [2.5]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_intervals_in_a_frame(people, library):
    X, y = people
    X.index = range(100, 116)
    given = X if library == "pandas" else pl.from_pandas(X)
    discretizer = MDLDiscretizer(output="intervals").set_output(transform=library)
    frame = discretizer.fit_transform(given, y)
    labels = ["(-inf, 33.5]"] * 8 + ["(33.5, inf)"] * 7
    assert frame["age"].to_list()[:-1] == labels
    assert frame["land"].to_list() == X["land"].tolist()
    if library == "pandas":
        assert frame["age"].cat.ordered
        assert frame["age"].isna().tolist() == [False] * 15 + [True]
        assert frame.index.tolist() == list(range(100, 116))
    else:
        assert frame["age"].dtype == pl.Enum(["(-inf, 33.5]", "(33.5, inf)"])
        assert frame["age"][-1] is None


def test_codes_in_a_frame(people):
    frame = MDLDiscretizer().set_output(transform="pandas").fit_transform(*people)
    assert list(frame) == ["age", "land"]
    assert frame["land"].tolist() == [0.0, 1.0] * 8


def test_intervals_in_an_array(people):
    X, y = people
    values = MDLDiscretizer(output="intervals").fit(X, y).transform(X)
    assert values[0].tolist() == ["(-inf, 33.5]", "ch"]
    assert np.isnan(values[-1, 0])
    new = pd.DataFrame({"age": [50.0], "land": ["de"]})  # an unknown category is missing
    assert np.isnan(MDLDiscretizer(output="intervals").fit(X, y).transform(new)[0, 1])


def test_close_cuts_have_different_labels():
    X = np.repeat([1.0, 1.0000001, 1.0000002], 30).reshape(-1, 1)
    y = np.repeat([0, 1, 0], 30)
    labels = MDLDiscretizer(output="intervals").fit(X, y).transform(X)[:, 0]
    assert len(set(labels)) == 3


def test_labels_and_weights_by_name(people):
    X, y = people
    table = X.assign(group=y, weight=1.0)
    discretizer = MDLDiscretizer().fit(table, y="group", sample_weight="weight")
    assert discretizer.feature_names_in_.tolist() == ["age", "land"]
    assert discretizer.cuts_[0].tolist() == [33.5]


def test_in_a_pipeline_after_a_pickle():
    X, y = load_iris(return_X_y=True)
    model = make_pipeline(MDLDiscretizer(), CategoricalNB()).fit(X, y)
    assert model.score(X, y) > 0.9
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_messages(people):
    X, y = people
    with pytest.raises(NotFittedError):
        MDLDiscretizer().transform(X)
    with pytest.raises(ValueError, match="Did you mean 'hellinger'"):
        MDLDiscretizer("helinger").fit(X, y)
    with pytest.raises(TypeError, match="parameter of MDLDiscretizer"):
        MDLDiscretizer(criteria.BetaAlpha(1, 3)).fit(X, y)
    with pytest.raises(ValueError, match="infinity"):
        MDLDiscretizer().fit([[1.0], [np.inf]], [0, 1])
    with pytest.raises(ValueError, match="output"):
        MDLDiscretizer(output="bins").fit(X, y)
    with pytest.raises(ValueError, match="feature names"):
        MDLDiscretizer().fit(X, y).transform(X[["land", "age"]])


def test_a_failed_fit_changes_nothing(people):
    discretizer = MDLDiscretizer().fit(*people)
    with pytest.raises(ValueError, match="infinity"):
        discretizer.fit([[1.0], [np.inf]], [0, 1])
    assert discretizer.cuts_[0].tolist() == [33.5]
    assert discretizer.feature_names_in_.tolist() == ["age", "land"]


@parametrize_with_checks([MDLDiscretizer(), MDLDiscretizer("hellinger")])
def test_scikit_learn_check(estimator, check):
    check(estimator)
