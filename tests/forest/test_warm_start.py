"""warm_start adds trees to the forest of the last fit."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification

from rarewood import RareForestClassifier, criteria

X, Y = make_classification(200, 5, n_informative=4, n_redundant=0, weights=[0.8], random_state=0)
CASES = {
    "default": {},
    "bootstrap": {"bootstrap": True, "oob_score": True},
    "balanced": {"balance": True, "bootstrap": True, "max_samples": 0.7, "oob_score": True},
    "recipe": {"criterion": criteria.BetaAlpha(1, 3)},
    "weights": {"class_weight": "balanced_subsample", "bootstrap": True},
}


@pytest.mark.parametrize("params", CASES.values(), ids=CASES)
@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB scores")
def test_growing_in_steps_is_growing_at_once(params):
    once = RareForestClassifier(15, random_state=0, **params).fit(X, Y)
    steps = RareForestClassifier(4, random_state=0, warm_start=True, **params).fit(X, Y)
    first = steps.estimators_[0]
    for n_estimators in (5, 15):
        steps.set_params(n_estimators=n_estimators).fit(X, Y)
        assert len(steps) == n_estimators
    np.testing.assert_array_equal(steps.predict_proba(X), once.predict_proba(X))
    assert [tree.random_state for tree in steps] == [tree.random_state for tree in once]
    assert [tree.criterion for tree in steps] == [tree.criterion for tree in once]
    assert steps[0].tree_.compiled is first.tree_.compiled
    if "oob_score" in params:
        assert steps.oob_score_ == once.oob_score_
        np.testing.assert_array_equal(steps.oob_decision_function_, once.oob_decision_function_)
    for rows, expected in zip(steps.estimators_samples_, once.estimators_samples_, strict=True):
        np.testing.assert_array_equal(rows, expected)


def test_the_first_seed_is_kept():
    model = RareForestClassifier(3, warm_start=True, bootstrap=True).fit(X, Y)
    seed = model[0].random_state
    model.set_params(n_estimators=6).fit(X, Y)
    again = RareForestClassifier(6, bootstrap=True, random_state=seed).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), again.predict_proba(X))


def test_after_a_pickle_too():
    model = RareForestClassifier(3, warm_start=True, bootstrap=True, random_state=0).fit(X, Y)
    model = pickle.loads(pickle.dumps(model)).set_params(n_estimators=6).fit(X, Y)
    once = RareForestClassifier(6, bootstrap=True, random_state=0).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), once.predict_proba(X))


def test_added_trees_have_the_new_parameters():
    model = RareForestClassifier(2, max_depth=1, warm_start=True, random_state=0).fit(X, Y)
    model.set_params(n_estimators=4, max_depth=3, criterion="gini").fit(X, Y)
    assert [tree.max_depth for tree in model] == [1, 1, 3, 3]
    assert [tree.criterion for tree in model] == ["hellinger"] * 2 + ["gini"] * 2
    assert [tree.get_depth() for tree in model] == [1, 1, 3, 3]


def test_nothing_to_add_is_a_warning_and_fewer_an_error():
    model = RareForestClassifier(4, warm_start=True, random_state=0).fit(X, Y)
    before = model.predict_proba(X)
    with pytest.warns(UserWarning, match="without increasing n_estimators"):
        model.set_params(random_state=1).fit(X, Y)
    model.set_params(n_estimators=3)
    with pytest.raises(ValueError, match="n_estimators=3 must be larger or equal to"):
        model.fit(X, Y)
    assert len(model) == 4
    np.testing.assert_array_equal(model.predict_proba(X), before)


def test_the_score_of_the_bag_is_made_when_it_is_asked_for_later(monkeypatch):
    model = RareForestClassifier(40, bootstrap=True, warm_start=True, random_state=0).fit(X, Y)
    model.set_params(oob_score=True)
    with pytest.warns(UserWarning, match="without increasing"):
        model.fit(X, Y)
    once = RareForestClassifier(40, bootstrap=True, oob_score=True, random_state=0).fit(X, Y)
    assert model.oob_score_ == once.oob_score_
    monkeypatch.setattr("rarewood.forest.score_out_of_bag", None)  # is not made once more
    with pytest.warns(UserWarning, match="without increasing"):
        model.fit(X, Y)
    assert model.oob_score_ == once.oob_score_


def test_other_rows_may_be_added_where_none_are_drawn():
    model = RareForestClassifier(2, warm_start=True, random_state=0).fit(X[:150], Y[:150])
    model.set_params(n_estimators=4).fit(X, Y)
    assert [tree.tree_.n_node_samples[0] for tree in model] == [150, 150, 200, 200]


def test_categories_keep_their_numbers():
    table = pd.DataFrame({"colour": ["blue", "red"] * 20, "x": np.arange(40.0)})
    labels = (table["colour"] == "red").to_numpy()
    model = RareForestClassifier(3, max_features=None, warm_start=True).fit(table, labels)
    model.set_params(n_estimators=6).fit(table[::-1], labels[::-1])
    np.testing.assert_array_equal(model.predict(table), labels)
    assert all(tree.score(table, labels) == 1 for tree in model)


REFUSED = {
    "classes": ((X, Y + 1), {}, r"classes \[0, 1\], but y has the classes \[1, 2\]"),
    "columns": ((X[:, :3], Y), {}, "X has 3 features"),
    "rows": ((X[:150], Y[:150]), {}, "rows, bootstrap, balance or max_samples"),
    "another draw": ((X, Y), {"max_samples": 0.5}, "rows, bootstrap, balance or max_samples"),
    "no draw": ((X, Y), {"bootstrap": False}, "rows, bootstrap, balance or max_samples"),
    "balanced": ((X, Y), {"balance": True}, "rows, bootstrap, balance or max_samples"),
}


@pytest.mark.parametrize(("data", "params", "message"), REFUSED.values(), ids=REFUSED)
def test_another_table_is_refused(data, params, message):
    model = RareForestClassifier(3, bootstrap=True, warm_start=True, random_state=0).fit(X, Y)
    before = model.predict_proba(X)
    model.set_params(n_estimators=6, **params)
    with pytest.raises(ValueError, match=message):
        model.fit(*data)
    assert len(model) == 3
    np.testing.assert_array_equal(model.predict_proba(X), before)


def test_other_labels_are_another_table_for_a_balanced_forest():
    model = RareForestClassifier(3, balance=True, warm_start=True, random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match="rows, bootstrap, balance or max_samples"):
        model.set_params(n_estimators=6).fit(X, np.roll(Y, 1))


def test_without_it_a_fit_begins_anew():
    model = RareForestClassifier(6, warm_start=True, random_state=0).fit(X, Y)
    model.set_params(warm_start=False, n_estimators=2, random_state=5).fit(X, Y + 1)
    assert len(model) == 2
    assert model.classes_.tolist() == [1, 2]
