"""scikit-learn's own test_forest.py, run against RareForestClassifier with their settings."""

from __future__ import annotations

from sklearn_suite.adapter import REBOUND_FORESTS, rebound_tests

globals().update(rebound_tests("sklearn.ensemble.tests.test_forest", REBOUND_FORESTS))
