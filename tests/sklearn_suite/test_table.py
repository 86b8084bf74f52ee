"""The table of tests that do not apply must name tests that exist."""

from __future__ import annotations

import pytest

from sklearn_suite.adapter import REBOUND, REBOUND_FORESTS, REBOUND_MONOTONIC, rebound_tests
from sklearn_suite.not_applicable import TABLES, reason_for

MODULES = {
    "test_tree": ("sklearn.tree.tests.test_tree", REBOUND),
    "test_forest": ("sklearn.ensemble.tests.test_forest", REBOUND_FORESTS),
    "test_monotonic_tree": ("sklearn.tree.tests.test_monotonic_tree", REBOUND_MONOTONIC),
}


@pytest.mark.parametrize("file", TABLES)
def test_every_listed_test_exists(file):
    shipped = rebound_tests(*MODULES[file])
    listed = {key.partition("[")[0] for key in TABLES[file]}
    assert listed <= set(shipped)


@pytest.mark.parametrize("file", TABLES)
def test_every_reason_is_a_sentence(file):
    assert all(len(reason.split()) > 4 for reason in TABLES[file].values())


def test_a_key_with_parameters_matches_only_those():
    name = "test_sparse_input"
    assert reason_for("test_tree", f"{name}[multilabel-DecisionTreeClassifier]")
    assert reason_for("test_tree", f"{name}[digits-DecisionTreeClassifier]") is None
    assert reason_for("test_tree", "test_xor") is None
    assert reason_for("test_forest", "test_sparse_input[csr_array-ExtraTreesClassifier]")
    assert reason_for("test_forest", "test_public_apply_sparse_trees") is None
