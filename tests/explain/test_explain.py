"""Why a model says what it says: contributions, ways and rules of a row."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle.contributions import naive_contributions
from rarewood import RareForestClassifier, RareTreeClassifier, presets
from rarewood.explain import contributions, path_steps, rules_for

RANDOM = np.random.default_rng(3)
N = 150
TABLE = pd.DataFrame(
    {
        "x": np.where(RANDOM.random(N) < 0.1, np.nan, RANDOM.normal(size=N)),
        "z": RANDOM.normal(size=N),
        "w": RANDOM.normal(size=N),
        "colour": RANDOM.choice(["red", "green", "blue", None], N),
    }
)
LABELS = np.where(TABLE["z"] + (TABLE["colour"] == "red") > 1.2, "rare", "common")
MODELS = {
    "tree": RareTreeClassifier(),
    "multiway": presets.hddt(leaf="shrunk"),
    "planes": RareTreeClassifier(
        splitter="oblique", n_cuts=5, oblique_dim=3, random_state=0, leaf="raw"
    ),
    "forest": RareForestClassifier(6, random_state=0),
    "balanced": presets.balanced_random_forest(n_estimators=6, random_state=0),
    "stump": RareTreeClassifier(min_samples_leaf=N),
}


@pytest.mark.parametrize("target", ["rare", "common"])
@pytest.mark.parametrize("name", MODELS)
def test_prior_and_contributions_are_the_probability(name, target):
    model = MODELS[name].fit(TABLE, LABELS)
    found = contributions(model, TABLE, pos_label=target)
    want = model.predict_proba(TABLE)[:, model.classes_.tolist().index(target)]
    np.testing.assert_allclose(found.probability, want, rtol=0, atol=1e-13)
    assert found.pos_label == target


@pytest.mark.parametrize("name", MODELS)
def test_they_are_what_one_finds_by_hand(name):
    model = MODELS[name].fit(TABLE, LABELS)
    found = contributions(model, TABLE[:40], pos_label="rare")
    matrix = model._encode(TABLE[:40])
    trees = [model] if hasattr(model, "tree_") else list(model)
    by_hand = [naive_contributions(tree.tree_, matrix, 1) for tree in trees]
    assert found.prior == pytest.approx(np.mean([prior for prior, _ in by_hand]))
    np.testing.assert_allclose(
        found.values, np.mean([values for _, values in by_hand], axis=0), rtol=0, atol=1e-13
    )


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.integers(2, 4), st.integers(2, 4))
def test_of_any_small_table(seed, n_classes, n_features):
    random = np.random.default_rng(seed)
    X = random.integers(0, 5, (30, n_features)).astype(float)
    y = random.integers(0, n_classes, 30)
    model = RareForestClassifier(3, random_state=seed).fit(X, y)
    for number, label in enumerate(model.classes_):
        found = contributions(model, X, pos_label=label)
        np.testing.assert_allclose(
            found.probability, model.predict_proba(X)[:, number], rtol=0, atol=1e-13
        )


def test_a_column_that_no_tree_asks_for_contributes_nothing():
    model = RareTreeClassifier(max_depth=1).fit(TABLE[["z", "w"]], LABELS)
    found = contributions(model, TABLE[["z", "w"]], pos_label="rare")
    asked = int(model.tree_.feature[0])
    assert (found.values[:, 1 - asked] == 0).all()
    assert (found.values[:, asked] != 0).all()


def test_by_default_the_class_is_the_rarest():
    model = RareTreeClassifier().fit(TABLE, LABELS)
    assert contributions(model, TABLE[:1]).pos_label == "rare"
    with pytest.raises(ValueError, match=r"must be one of the classes .*, got 'no'"):
        contributions(model, TABLE[:1], pos_label="no")
    with pytest.raises(TypeError):
        contributions("model", TABLE)


def test_the_way_of_a_row():
    model = presets.hddt().fit(TABLE, LABELS)
    steps = path_steps(model, TABLE[4:5], pos_label="rare")
    assert steps[0].condition == ""
    assert (steps[0].n_samples, steps[0].n_positive) == (N, int((LABELS == "rare").sum()))
    assert steps[-1].node == model.apply(TABLE[4:5])[0]
    assert steps[-1].probability == model.predict_proba(TABLE[4:5])[0, 1]
    assert all(step.condition for step in steps[1:])
    assert [step.n_samples for step in steps] == sorted((s.n_samples for s in steps), reverse=True)
    with pytest.raises(ValueError, match="one sample"):
        path_steps(model, TABLE[:2])
    with pytest.raises(TypeError, match="has 6 trees"):
        path_steps(MODELS["forest"].fit(TABLE, LABELS), TABLE[:1])


@pytest.mark.parametrize("name", ["tree", "planes", "forest", "balanced"])
def test_the_rules_that_hold_for_a_row(name):
    model = MODELS[name].fit(TABLE, LABELS)
    row = TABLE[7:8]
    rules = rules_for(model, row, pos_label="rare")
    assert rules.apply(row).toarray().all()
    np.testing.assert_allclose(rules.predict_proba(row), model.predict_proba(row), atol=1e-12)
    assert (np.diff(rules["p_value"]) >= 0).all()
    short = rules_for(model, row, pos_label="rare", max_depth=1)
    assert short.apply(row).toarray().all()
    assert short["depth"].max() == 1
    with pytest.raises(ValueError, match="takes one sample"):
        rules_for(model, TABLE[:2])
