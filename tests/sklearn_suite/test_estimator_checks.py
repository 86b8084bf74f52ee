"""scikit-learn's own checks of what an estimator must do, on several configurations.

One check, of dense and of sparse data, is excepted, and only for forests that draw rows. Two more
settings would break it by what they mean: ``min_samples_leaf`` above 1 counts rows, not weights,
and few bins are quantiles of the rows.
"""

from __future__ import annotations

from sklearn.utils.estimator_checks import parametrize_with_checks

from rarewood import RareForestClassifier, RareTreeClassifier, criteria, presets

ESTIMATORS = [
    RareTreeClassifier(),
    RareTreeClassifier(criterion="gini", leaf="raw"),
    RareTreeClassifier(criterion=criteria.Alpha(0.7), leaf="shrunk", max_leaf_nodes=8),
    RareTreeClassifier(criterion="ccp_entropy", leaf="m_estimate", max_depth=4),
    RareTreeClassifier(
        criterion="entropy", max_features="sqrt", splitter="random", n_cuts=3, random_state=0
    ),
    RareTreeClassifier(criterion="dkm", max_bins=32, n_jobs=2),
    presets.hddt(class_weight="balanced"),
    RareForestClassifier(5),
    RareForestClassifier(5, splitter="random", leaf="raw", warm_start=True, n_jobs=2),
    presets.hedexh(n_estimators=5, class_weight="balanced_subsample", n_cuts=3),
    presets.random_forest(n_estimators=5, max_samples=0.8),
    presets.balanced_random_forest(n_estimators=5, criterion="hellinger"),
    presets.beat(1, 3, n_estimators=5, max_bins=32),
]


def expected_failures(estimator):
    if not getattr(estimator, "bootstrap", False):
        return {}
    reason = "a row that is there twice is drawn twice as often; a weight of two does not do that"
    return {
        f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in ("dense", "sparse")
    }


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_check(estimator, check):
    check(estimator)
