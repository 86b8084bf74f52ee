"""The table of tests that do not apply must name tests that exist."""

from __future__ import annotations

from sklearn_suite.adapter import rebound_tests
from sklearn_suite.not_applicable import NOT_APPLICABLE, reason_for


def test_every_listed_test_exists():
    shipped = rebound_tests("sklearn.tree.tests.test_tree")
    listed = {key.partition("[")[0] for key in NOT_APPLICABLE}
    assert listed <= set(shipped)


def test_every_reason_is_a_sentence():
    assert all(len(reason.split()) > 4 for reason in NOT_APPLICABLE.values())


def test_a_key_with_parameters_matches_only_those():
    assert reason_for("test_min_weight_leaf_split_level[csc_array-DecisionTreeClassifier]")
    assert reason_for("test_min_weight_leaf_split_level[None-DecisionTreeClassifier]") is None
    assert reason_for("test_xor") is None
