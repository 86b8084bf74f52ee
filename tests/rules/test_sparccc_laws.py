"""Laws of SPARCCC on any table: its rules, its prediction, its SQL."""

from __future__ import annotations

import sqlite3

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.rules import Twin
from rarewood.rules import SparcccClassifier
from rarewood.rules._items import ItemMap
from support.draw import examples
from support.frames import frames

models = st.fixed_dictionaries(
    {
        "alpha": st.sampled_from([0.051, 0.51]),
        "ranking": st.sampled_from(["ccr", "p_value", "confidence"]),
        "n_best": st.integers(1, 4),
        "redundant": st.booleans(),
    }
)


def rows_of(model, X):
    return ItemMap(model.discretizer_).items(X, model)


@given(frames(), models)
def test_the_rules_of_the_twin(table, params):
    X, y = table
    model = SparcccClassifier(**params).fit(X, y)
    items, expected = rows_of(model, X), {}
    for number, label in enumerate(model.classes_):
        twin = Twin(items.tolist(), (y == label).tolist(), params["redundant"])
        for rule in twin.rules(params["alpha"], 3):
            expected[number, rule] = twin.table(rule)
    got = zip(model._found.about.tolist(), model._found.items, strict=True)
    places = [(number, frozenset(own.tolist())) for number, own in got]
    assert sorted(places, key=str) == sorted(expected, key=str)
    for place, counts, about in zip(places, model.rules_.counts, model.rules_.about, strict=True):
        a, _, c, _ = expected[place]
        assert (counts[about], counts.sum() - counts[about]) == (a, c)


@given(frames(), models)
def test_probabilities_one_by_one(table, params):
    X, y = table
    model = SparcccClassifier(**params).fit(X, y)
    holds, found = model.rules_.apply(X).toarray(), model.rules_
    n, total = {label: np.sum(y == label) for label in model.classes_}, len(y)
    for row, proba in zip(holds, model.predict_proba(X), strict=True):
        scores = []
        for label in model.classes_:
            own = []
            for place in np.flatnonzero(row & (found["class"] == label)):
                a = found.counts[place, found.about[place]]
                c = found["support"][place] - a
                own.append(
                    {
                        "ccr": (a / n[label]) / (max(c, 0.5) / (total - n[label])),
                        "p_value": 1 - np.log10(found["p_value"][place]),
                        "confidence": a / (a + c),
                    }[params["ranking"]]
                )
            neutral = n[label] / total if params["ranking"] == "confidence" else 1.0
            best = sorted(own, reverse=True)[: params["n_best"]]
            scores.append(np.mean(best) if best else neutral)
        assert proba == pytest.approx(np.array(scores) / sum(scores), rel=1e-6)


@examples(60)
@given(frames(), st.sampled_from(["ccr", "p_value"]))
def test_sql_predicts_what_the_strongest_rule_predicts(table, ranking):
    X, y = table
    model = SparcccClassifier(0.05, ranking=ranking, n_best=1).fit(X, y)
    rows = X.astype(object).where(X.notna(), None)
    with sqlite3.connect(":memory:") as base:
        rows.to_sql("the table", base, index=False)
        answer = pd.read_sql(model.rules_.to_sql("the table"), base)
    assert answer["prediction"].tolist() == model.predict(X).tolist()


@given(frames(), models)
def test_the_order_of_samples_has_no_effect(table, params):
    X, y = table
    order = np.random.default_rng(0).permutation(len(y))
    one = SparcccClassifier(**params).fit(X, y)
    other = SparcccClassifier(**params).fit(X.iloc[order], y[order])
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))


@given(frames())
def test_repeating_a_class_keeps_the_ccr_of_its_rules(table):
    X, y = table
    found = SparcccClassifier(0.5).fit(X, y).rules_
    is_first = y == np.unique(y)[0]
    times = np.where(is_first, 3, 1)
    repeated = found.validate(X.loc[X.index.repeat(times)], np.repeat(y, times))
    if len(np.unique(y)) == 2:
        np.testing.assert_allclose(repeated["ccr"], found["ccr"])
    own = found["class"] == np.unique(y)[0]
    np.testing.assert_allclose(repeated["ccr"][own], found["ccr"][own])
