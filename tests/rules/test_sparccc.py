"""SPARCCC as users meet it: rules by hand, scores, bounds, messages."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.stats import fisher_exact
from sklearn.datasets import load_iris
from sklearn.metrics import roc_auc_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from rarewood.rules import RuleSet, SparcccClassifier


@pytest.fixture(scope="module")
def people():
    """Who is young and abroad leaves; either alone says little."""
    age = np.repeat(["young", "old"], 60)
    land = np.tile(["fr", "ch", "de"], 40)
    left = (age == "young") & (land == "fr")
    left[1::20] = True
    return pd.DataFrame({"age": age, "land": land}), np.where(left, "leaves", "stays")


@pytest.fixture(scope="module")
def model(people):
    return SparcccClassifier().fit(*people)


def test_the_rules(people, model):
    found = model.rules_
    assert isinstance(found, RuleSet)
    leaves = found[found["class"] == "leaves"]
    assert leaves["rule"][0] == "age = young and land = fr"
    row = leaves.to_frame().iloc[0]
    X, y = people
    holds = (X["age"] == "young") & (X["land"] == "fr")
    a, c = (holds & (y == "leaves")).sum(), (holds & (y == "stays")).sum()
    b, d = (~holds & (y == "leaves")).sum(), (~holds & (y == "stays")).sum()
    assert (row["support_leaves"], row["support_stays"]) == (a, c) == (20, 0)
    assert row["ccr"] == np.inf  # it covers nobody who stays
    assert row["ccp"] == row["probability"] == 1
    expected = fisher_exact([[a, b], [c, d]], alternative="greater").pvalue
    assert row["p_value"] == pytest.approx(expected)
    assert (found["p_value"] < 0.01).all()
    assert (found["ccr"] > 1).all()
    assert model.is_complete_
    assert (model.n_tested_ >= 5).all()  # single items
    assert (model.n_tested_ <= 11).all()  # and all pairs of different features


def test_the_rules_are_a_rule_set(people, model):
    X, y = people
    again = model.rules_.validate(X, y)
    np.testing.assert_array_equal(again.counts, model.rules_.counts)
    assert "IF age = young and land = fr" in model.rules_.to_text()
    assert "\"age\" IN ('young') AND \"land\" IN ('fr')" in model.rules_.to_sql("people")
    assert model.rules_.apply(X).shape == (120, len(model.rules_))


def test_prediction(people, model):
    X, _ = people
    assert model.predict(X[:1]).tolist() == ["leaves"]
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(120))
    nobody = pd.DataFrame({"age": ["unknown"], "land": [None]})
    assert model.predict(nobody).tolist() == ["stays"]  # the more frequent class
    assert model.predict_proba(nobody) == pytest.approx(np.array([[0.5, 0.5]]))


@pytest.mark.parametrize("ranking", ["ccr", "p_value", "confidence"])
def test_strengths_by_hand(people, ranking):
    X, y = people
    model = SparcccClassifier(ranking=ranking, n_best=1).fit(X, y)
    leaves = model.rules_[model.rules_["class"] == "leaves"]
    n_leaves = (y == "leaves").sum()
    neutral = {"ccr": 1.0, "p_value": 1.0, "confidence": (120 - n_leaves) / 120}[ranking]
    strength = {
        "ccr": (20 / n_leaves) / (0.5 / (120 - n_leaves)),
        "p_value": 1 - np.log10(leaves.sort("p_value")["p_value"][0]),
        "confidence": 1.0,
    }[ranking]
    expected = np.array([strength, neutral]) / (strength + neutral)
    assert model.predict_proba(X[:1])[0] == pytest.approx(expected)


def test_numeric_features_and_three_classes():
    X, y = load_iris(return_X_y=True, as_frame=True)
    X.iloc[::7, 0] = np.nan
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = SparcccClassifier().fit(X, names)
    assert model.score(X, names) > 0.93
    assert "petal length (cm) <= 2.450" in model.rules_["rule"]
    np.testing.assert_array_equal(model.rules_.validate(X, names).counts, model.rules_.counts)
    assert roc_auc_score(names, model.predict_proba(X), multi_class="ovr") > 0.98


def test_noise_has_few_rules():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.choice(["a", "b"], (500, 5)))
    model = SparcccClassifier(alpha=1e-6).fit(X.add_prefix("x"), rng.random(500) < 0.1)
    assert len(model.rules_) == 0
    assert not model.predict(X.add_prefix("x")).any()


def test_one_class_only():
    model = SparcccClassifier().fit([[0.0], [1.0]], ["no", "no"])
    assert model.predict_proba([[0.0]]).tolist() == [[1.0]]


def wide(n_features):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"x{j}": rng.choice(["a", "b", "c"], 400) for j in range(n_features)})
    return X, (X["x0"] == "a") & (rng.random(400) < 0.7)


def test_a_bound_on_the_number_of_rules():
    with pytest.warns(UserWarning, match=r"max_rules=3 has limited.*\[False, True\].*Raise"):
        model = SparcccClassifier(max_rules=3).fit(*wide(10))
    assert not model.is_complete_
    assert len(model.rules_) <= 6


def test_a_bound_on_the_time():
    table = wide(80)
    bounds = {"max_seconds": 0, "max_rules": 10**6, "redundant": True}
    with pytest.warns(UserWarning, match=r"stopped after max_seconds=0.*depends on the speed"):
        model = SparcccClassifier(1.0, **bounds).fit(*table)
    assert not model.is_complete_
    assert len(model.rules_) > 0  # those found so far


def test_enough_time_changes_nothing():
    table = wide(10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one = SparcccClassifier().fit(*table)
        other = SparcccClassifier(max_seconds=600).fit(*table)
    assert other.is_complete_
    assert one.rules_["rule"].tolist() == other.rules_["rule"].tolist()


def test_pickle(people, model):
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(people[0]), model.predict_proba(people[0]))
    assert str(again.rules_) == str(model.rules_)


def test_labels_by_name(people):
    X, y = people
    model = SparcccClassifier().fit(X.assign(result=y), y="result")
    assert model.feature_names_in_.tolist() == ["age", "land"]


def test_messages(people, model):
    X, y = people
    with pytest.raises(ValueError, match="ranking"):
        SparcccClassifier(ranking="strength").fit(X, y)
    with pytest.raises(ValueError, match="alpha"):
        SparcccClassifier(alpha=0).fit(X, y)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(X[["land", "age"]])


ESTIMATORS = [SparcccClassifier(), SparcccClassifier(ranking="p_value", n_best=1, criterion="dkm")]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_check(estimator, check):
    check(estimator)
