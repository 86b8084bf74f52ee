"""scikit-learn's own checks of what an estimator must do, on several configurations.

No check is excepted. Two settings would break check_sample_weight_equivalence by what they mean:
``min_samples_leaf`` above 1 counts rows, not weights, and few bins are quantiles of the rows.
"""

from __future__ import annotations

from sklearn.utils.estimator_checks import parametrize_with_checks

from rarewood import RareTreeClassifier, criteria, presets

ESTIMATORS = [
    RareTreeClassifier(),
    RareTreeClassifier(criterion="gini", leaf="raw"),
    RareTreeClassifier(criterion=criteria.Alpha(0.7), leaf="shrunk", max_leaf_nodes=8),
    RareTreeClassifier(criterion="ccp_entropy", leaf="m_estimate", max_depth=4),
    RareTreeClassifier(criterion="entropy", max_features="sqrt", n_cuts=3, random_state=0),
    RareTreeClassifier(criterion="dkm", max_bins=32, n_jobs=2),
    presets.hddt(class_weight="balanced"),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_check(estimator, check):
    check(estimator)
