"""scikit-learn's own test_monotonic_tree.py, run against our trees and forests."""

from __future__ import annotations

from sklearn_suite.adapter import REBOUND_MONOTONIC, rebound_tests

globals().update(rebound_tests("sklearn.tree.tests.test_monotonic_tree", REBOUND_MONOTONIC))
