"""Rules as users meet them: the table, its order, words, SQL, messages."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.stats import fisher_exact
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from rarewood import RareForestClassifier, RareTreeClassifier, presets, rules
from rarewood.evaluate._adjust import benjamini_hochberg, holm


@pytest.fixture(scope="module")
def people():
    """Forty rows by hand: six who left, four of them young and abroad."""
    age = [20.0] * 8 + [30.0] * 12 + [50.0] * 20
    land = ["ch", "fr", "fr", "fr", "fr", "ch", "ch", "ch"] + ["ch", "de"] * 16
    left = [0, 1, 1, 1, 1, 0, 0, 0] + [0] * 30 + [1, 1]
    X = pd.DataFrame({"age": age, "land": land})
    return X, np.array(["stays", "leaves"])[left]


@pytest.fixture(scope="module")
def found(people):
    return rules.extract(RareTreeClassifier(max_depth=2).fit(*people), pos_label="leaves")


def test_the_table(found):
    assert found.columns == [
        "rule", "class", "support", "support_leaves", "support_stays", "confidence",
        "class_confidence", "ccr", "ccp", "lift", "growth_rate", "strength", "probability",
        "p_value", "p_holm", "p_bh", "depth", "n_trees",
    ]  # fmt: skip
    first = found.to_frame().iloc[0]
    assert first["rule"] == "land = fr"
    assert first["class"] == "leaves"
    assert (first["support"], first["support_leaves"], first["support_stays"]) == (4, 4, 0)
    assert first["confidence"] == first["ccp"] == 1
    assert first["class_confidence"] == pytest.approx(4 / 6)
    assert first["lift"] == pytest.approx(40 / 6)
    assert first["growth_rate"] == np.inf
    assert first["strength"] == 4
    assert first["probability"] == pytest.approx(5 / 6)
    p = fisher_exact([[4, 2], [0, 34]], alternative="greater").pvalue
    assert first["p_value"] == pytest.approx(p)
    assert first["p_holm"] == pytest.approx(p * len(found))
    assert (first["depth"], first["n_trees"]) == (1, 1)


@pytest.mark.parametrize(
    ("backend", "kind"),
    [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)],
)
def test_any_data_frame(people, backend, kind):
    tree = RareTreeClassifier(max_depth=2).fit(*people)
    frame = rules.extract(tree, backend=backend).to_frame()
    assert isinstance(frame, kind)
    assert frame.shape == rules.extract(tree).to_frame().shape
    assert isinstance(rules.extract(tree).to_frame(backend), kind)


def test_unknown_library(found):
    with pytest.raises(ValueError, match="nosuchlibrary"):
        found.to_frame("nosuchlibrary")


def test_text(found):
    assert found.to_text() == (
        "1. IF land = fr\n"
        "   THEN leaves (4 of 4 samples, lift 6.67, p 0.00016, Holm 0.00049)\n"
        "2. IF land != fr and age > 40.000\n"
        "   THEN leaves (2 of 20 samples, lift 0.667, p 0.91, Holm 1)\n"
        "3. IF land != fr and age <= 40.000\n"
        "   THEN leaves (0 of 16 samples, lift 0, p 1, Holm 1)\n"
        "The p-values are computed on the training samples, so they are too small: use "
        "validate(X, y) with held-out samples.\n"
    )
    assert str(found) == found.to_text()
    assert "... and 2 more rules." in found.to_text(max_rules=1)


def test_sql(found):
    assert found[:1].to_sql() == (
        "CASE\n  WHEN \"land\" IN ('fr')\n  THEN 'leaves'\n  ELSE 'stays'\nEND AS prediction"
    )
    assert found[:1].to_sql("people", style="flags") == (
        'SELECT *,\nCASE WHEN "land" IN (\'fr\') THEN 1 ELSE 0 END AS rule_1\nFROM "people"'
    )
    with pytest.raises(ValueError, match="'case' or 'flags'"):
        found.to_sql(style="when")


def test_fewer_rules(found):
    assert len(found[0]) == len(found[:1]) == len(found[-1]) == 1
    assert found[[0, 2]]["rule"].tolist() == [found["rule"][0], found["rule"][2]]
    significant = found[found["p_value"] < 0.05]
    assert significant["rule"].tolist() == ["land = fr"]
    assert significant["p_holm"][0] == found["p_holm"][0]  # adjusted for all of them still
    assert len(found[:0]) == 0
    with pytest.raises(KeyError, match="the columns are"):
        found["p"]


def test_rows_without_a_rule_get_the_shares_in_training(people, found):
    X, _ = people
    proba = found[:1].predict_proba(X)
    assert proba[X["land"] == "fr"][0] == pytest.approx([5 / 6, 1 / 6])
    assert proba[X["land"] != "fr"][0] == pytest.approx([7 / 42, 35 / 42])  # Laplace at the root


def test_no_rules_at_all(people, found):
    X, y = people
    none = found[:0]
    assert none.predict_proba(X).shape == (40, 2)
    assert none.to_frame().shape == (0, 18)
    assert len(none.validate(X, y)) == 0
    assert "p-values" in none.to_text()


def test_order(found):
    assert (np.diff(found["p_value"]) >= 0).all()
    assert found.sort("strength")["strength"].tolist() == sorted(found["strength"], reverse=True)
    assert found.sort("support", descending=False)["support"].tolist() == [4, 16, 20]
    assert found.sort("rule")["rule"].tolist() == sorted(found["rule"])


def test_validation_on_other_rows(found):
    X = pd.DataFrame({"age": [20.0, 20.0, 60.0, 60.0], "land": ["fr", "fr", "fr", "ch"]})
    tested = found.validate(X, ["leaves", "stays", "leaves", "stays"])
    assert tested["rule"].tolist() == found["rule"].tolist()
    assert tested["support"].tolist() == [3, 1, 0]
    assert tested["support_leaves"][0] == 2
    assert tested["p_value"][0] == pytest.approx(0.5)
    assert tested["probability"].tolist() == found["probability"].tolist()
    assert np.isnan(tested["confidence"][2])  # covers nothing
    assert "passed to validate" in tested.to_text()
    assert "validation" in repr(tested)
    assert "training" in repr(found)


def test_validation_needs_known_labels(people, found):
    with pytest.raises(ValueError, match=r"\['gone'\].*'leaves', 'stays'"):
        found.validate(people[0], ["gone"] + ["stays"] * 39)
    with pytest.raises(ValueError, match=r"inconsistent|40"):
        found.validate(people[0], ["stays"] * 39)


def test_one_class_in_the_held_out_rows(people, found):
    tested = found.validate(people[0], ["stays"] * 40)
    assert tested["p_value"].tolist() == [1.0] * 3


def test_the_predicted_class_by_default(people):
    found = rules.extract(RareTreeClassifier(max_depth=2).fit(*people))
    assert dict(zip(found["rule"], found["class"], strict=True))["land = fr"] == "leaves"
    assert sorted(found["class"]) == ["leaves", "stays", "stays"]


def test_missing_values_are_named_where_there_were_any():
    X = pd.DataFrame({"age": [1.0, 2.0, np.nan, 9.0, np.nan, 8.0]})
    found = rules.extract(RareTreeClassifier().fit(X, [0, 0, 1, 1, 1, 1]), decimals=1)
    assert set(found["rule"]) == {"age <= 5.0", "(age > 5.0 or missing)"}
    assert found.texts(show_missing=False)[0] in {"age <= 5.0", "age > 5.0"}


def test_a_column_that_is_only_present_or_missing():
    X = pd.DataFrame({"age": [3.0, 3.0, np.nan, np.nan]})
    found = rules.extract(RareTreeClassifier().fit(X, [0, 0, 1, 1]))
    assert set(found["rule"]) == {"age is present", "age is missing"}
    assert found.predict(X).tolist() == [0, 0, 1, 1]


def test_a_tree_that_is_a_leaf():
    found = rules.extract(RareTreeClassifier().fit([[1.0], [1.0], [1.0]], [0, 1, 1]))
    assert found["rule"].tolist() == ["always"]
    assert found["support"].tolist() == [3]
    assert found.predict([[5.0]]).tolist() == [1]
    assert "WHEN TRUE" in found.to_sql()


def test_intervals_are_intersected():
    X = np.arange(40.0).reshape(-1, 1)
    y = (X[:, 0] > 10) & (X[:, 0] < 20)
    found = rules.extract(RareTreeClassifier().fit(X, y), pos_label=True, feature_names=["time"])
    assert found["rule"][0] == "10.500 < time <= 19.500"
    assert found["depth"][0] == 2


def test_hyperplanes_are_spelled_out():
    data = load_breast_cancer(as_frame=True)
    forest = presets.hedexh(n_estimators=3, random_state=0).fit(data.data, data.target)
    found = rules.extract(forest)
    assert any("*" in text and (" <= " in text or " > " in text) for text in found["rule"])
    assert (found["n_trees"] >= 1).all()


def test_a_rule_that_several_trees_hold():
    X, y = np.repeat([[0.0], [1.0]], 10, axis=0), np.repeat([0, 1], 10)
    forest = RareForestClassifier(7, splitter="best", random_state=0).fit(X, y)
    found = rules.extract(forest)
    assert found["n_trees"].tolist() == [7, 7]
    assert "7 trees" in found.to_text()


def test_what_has_no_rules(people):
    with pytest.raises(NotFittedError):
        rules.extract(RareTreeClassifier())
    with pytest.raises(TypeError, match="RareTreeClassifier or RareForestClassifier"):
        rules.extract(DecisionTreeClassifier())
    with pytest.raises(ValueError, match=r"'leaves', 'stays'.*got 'gone'"):
        rules.extract(RareTreeClassifier().fit(*people), pos_label="gone")
    with pytest.raises(ValueError, match="feature_names must have 2 names"):
        rules.extract(RareTreeClassifier().fit(*people), feature_names=["age"])


def test_adjusted_p_values_by_hand():
    p = [0.01, 0.04, 0.03, 0.005]
    assert holm(p) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert benjamini_hochberg(p) == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert holm([]).size == benjamini_hochberg([]).size == 0
    assert holm([0.9, 0.8]).max() <= 1


def test_columns_must_stand_as_in_training(people, found):
    X, y = people
    for call in (found.apply, found.predict, lambda X: found.validate(X, y)):
        with pytest.raises(ValueError, match="feature names"):
            call(X[["land", "age"]])
        with pytest.raises(ValueError, match="feature names"):
            call(X.rename(columns={"age": "years"}))


def test_rules_of_a_forest_have_flags_only(people):
    found = rules.extract(RareForestClassifier(3, splitter="best", random_state=0).fit(*people))
    with pytest.raises(ValueError, match="overlap"):
        found.to_sql("people")
    assert "rule_1" in found.to_sql("people", style="flags")


def test_sql_of_no_rules(found):
    assert found[:0].to_sql("t") == "SELECT *,\n'stays' AS prediction\nFROM \"t\""
    assert found[:0].to_sql("t", style="flags") == 'SELECT *\nFROM "t"'
    assert len(found[[]]) == 0


def test_odd_arguments(people, found):
    with pytest.raises(ValueError, match="pos_label must be one of the classes"):
        rules.extract(RareTreeClassifier().fit(*people), pos_label=["leaves", "stays"])
    assert found.to_text(-1).startswith("... and 3 more")
    arrow = rules.extract(RareTreeClassifier().fit(*people), backend="pyarrow")
    assert arrow._repr_html_() is None
    assert "<table" in found._repr_html_()


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_cut_off_rules_are_those_of_a_tree_grown_so_far(depth):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    cut = rules.extract(RareTreeClassifier().fit(X, y), pos_label=0, max_depth=depth)
    small = rules.extract(RareTreeClassifier(max_depth=depth).fit(X, y), pos_label=0)
    pd.testing.assert_frame_equal(cut.to_frame(), small.to_frame())
    with pytest.raises(ValueError, match="max_depth must be an integer"):
        rules.extract(RareTreeClassifier().fit(X, y), max_depth=0)


def test_columns_that_the_rules_do_not_use_are_ignored():
    frame = pd.DataFrame({"a": np.arange(40.0), "b": np.arange(40) % 3})
    y = (frame["a"] > 29).to_numpy()
    found = rules.extract(RareTreeClassifier().fit(frame, y))
    more = frame.assign(note="text")
    np.testing.assert_array_equal(found.predict(more), found.predict(frame))
    with pytest.raises(ValueError, match="missing"):
        found.predict(more.drop(columns="a"))
