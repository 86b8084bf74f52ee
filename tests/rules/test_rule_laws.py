"""The rules of a tree are the tree: on any table, for any kind of split."""

from __future__ import annotations

import sqlite3

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewood import RareForestClassifier, RareTreeClassifier, rules
from support.draw import examples
from support.frames import frames

trees = st.fixed_dictionaries(
    {
        "criterion": st.sampled_from(["hellinger", "gini"]),
        "categorical_split": st.sampled_from(["subset", "multiway", "onehot"]),
        "max_depth": st.sampled_from([None, 3]),
        "leaf": st.sampled_from(["laplace", "shrunk"]),
        "random_state": st.integers(0, 5),
    }
)
oblique = {"splitter": "oblique", "n_cuts": 3}
planes = st.sampled_from(
    [{}, {"splitter": "random", "n_cuts": 3}, oblique, {**oblique, "max_bins": 3}]
)


def further(frame, seed=0):
    """Rows that the tree has not seen: other values, new categories, more missing."""
    rng = np.random.default_rng(seed)
    new = frame.apply(lambda column: rng.permutation(column.to_numpy()))
    if "job" in new:
        new["job"] = new["job"].astype(object)
        new.loc[new.index % 5 == 0, "job"] = "never seen"
    for name in new.columns.intersection(["whole", "real"]):
        new.loc[new.index % 7 == 1, name] = np.nan
    return new


@given(frames(), trees, planes)
def test_the_rules_of_a_tree_predict_what_the_tree_predicts(table, params, cuts):
    X, y = table
    tree = RareTreeClassifier(**params, **cuts).fit(X, y)
    found = rules.extract(tree)
    for rows in (X, further(X)):
        assert (found.apply(rows).sum(axis=1) == 1).all()
        np.testing.assert_array_equal(found.predict_proba(rows), tree.predict_proba(rows))
        np.testing.assert_array_equal(found.predict(rows), tree.predict(rows))
        # One rule is one leaf.
        rule, leaf = found.apply(rows).argmax(axis=1).A1, tree.apply(rows)
        assert len(set(zip(rule, leaf, strict=True))) == len(set(leaf)) == len(set(rule))


@given(frames(), trees)
def test_counting_again_counts_the_same(table, params):
    X, y = table
    found = rules.extract(RareTreeClassifier(**params).fit(X, y))
    again = found.validate(X, y)
    np.testing.assert_array_equal(again.counts, found.counts)
    for name in found.measures:
        np.testing.assert_array_equal(again[name], found[name])


@examples(40)
@given(frames(), trees, planes)
def test_sql_predicts_what_the_tree_predicts(table, params, cuts):
    X, y = table
    tree = RareTreeClassifier(**params, **cuts).fit(X, y)
    found = rules.extract(tree)
    for rows in (X, further(X)):
        rows = rows.astype(object).where(rows.notna(), None)
        with sqlite3.connect(":memory:") as base:
            rows.to_sql("the table", base, index=False)
            answer = pd.read_sql(found.to_sql("the table"), base)
            flags = pd.read_sql(found.to_sql("the table", style="flags"), base)
            inline = pd.read_sql(f'SELECT {found.to_sql()} FROM "the table"', base)
        assert answer["prediction"].tolist() == tree.predict(rows).tolist()
        assert inline["prediction"].tolist() == answer["prediction"].tolist()
        holds = flags.iloc[:, -len(found) :].to_numpy()
        np.testing.assert_array_equal(holds, found.apply(rows).toarray())


@examples(30)
@given(frames(), st.booleans(), planes, st.integers(0, 3))
def test_the_rules_of_a_forest_predict_what_the_forest_predicts(table, bootstrap, cuts, seed):
    X, y = table
    params = {"splitter": "best", **cuts}
    forest = RareForestClassifier(5, bootstrap=bootstrap, random_state=seed, **params).fit(X, y)
    found = rules.extract(forest)
    assert found.n_trees.sum() == sum(tree.get_n_leaves() for tree in forest)
    assert len({frozenset(path) for path in found.conditions}) == len(found)
    np.testing.assert_allclose(found.predict_proba(X), forest.predict_proba(X), atol=1e-12)
    if not bootstrap:
        np.testing.assert_array_equal(found.validate(X, y).counts, found.counts)


@given(frames(), trees)
def test_measures_one_by_one(table, params):
    X, y = table
    found = rules.extract(RareTreeClassifier(**params).fit(X, y))
    n = len(y)
    for number in range(len(found)):
        label, holds = found["class"][number], found.apply(X).toarray()[:, number]
        hits, others = np.sum(holds & (y == label)), np.sum(holds & (y != label))
        of_class = np.sum(y == label)
        assert found["support"][number] == holds.sum() == hits + others
        confidence, recall = hits / (hits + others), hits / of_class
        assert found["confidence"][number] == confidence
        assert found["class_confidence"][number] == recall
        assert found["ccp"][number] == pytest.approx(recall / (recall + others / (n - of_class)))
        assert found["lift"][number] == pytest.approx(confidence * n / of_class)
        assert found["growth_rate"][number] == (hits / others if others else np.inf)
        assert found["strength"][number] == pytest.approx(hits**2 / (hits + others))


def test_p_values_of_noise_are_small_in_training_and_fair_on_other_rows():
    same, other = [], []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(600, 5)), rng.random(600) < 0.1
        found = rules.extract(RareTreeClassifier(max_depth=3).fit(X[:300], y[:300]), pos_label=True)
        same.append(found["p_holm"].min())
        other.append(found.validate(X[300:], y[300:])["p_holm"].min())
    assert np.mean(np.array(same) < 0.05) > 0.8
    assert np.mean(np.array(other) < 0.05) <= 0.1  # at most 0.05 in truth: 3 deviations above it
