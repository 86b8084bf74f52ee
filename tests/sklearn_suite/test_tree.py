"""scikit-learn's own test_tree.py, run against RareTreeClassifier(criterion="gini", leaf="raw")."""

from __future__ import annotations

from sklearn_suite.adapter import rebound_tests

globals().update(rebound_tests("sklearn.tree.tests.test_tree"))
