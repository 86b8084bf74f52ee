"""The checks of scikit-learn, for what wraps a classifier."""

from __future__ import annotations

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import estimator_checks_generator

from rarewood import RareForestClassifier, RareTreeClassifier
from rarewood.operating import PriorCorrectedClassifier, ThresholdedClassifier

WHY = "predict goes by the threshold, not by 0.5 or 0"
NOT_APPLICABLE = {
    "ThresholdedClassifier": {
        "check_classifiers_train": WHY,  # as of scikit-learn's own threshold classifiers
        "check_classifiers_classes": WHY,
    },
    "PriorCorrectedClassifier": {},
}


def thresholded(estimator, **options):
    return ThresholdedClassifier(estimator, n_bootstrap=20, random_state=0, **options)


ESTIMATORS = [
    thresholded(LogisticRegression(), cv=3),
    thresholded(LinearSVC(), cv=3, by="recall>=0.8"),
    thresholded(RareTreeClassifier(max_depth=4), cv=2, by="cost:fp=1,fn=5"),
    thresholded(RareForestClassifier(10, bootstrap=True, random_state=0), cv="oob"),
    PriorCorrectedClassifier(LogisticRegression(class_weight="balanced")),
    PriorCorrectedClassifier(RareForestClassifier(5, balance=True, random_state=0)),
]


def all_checks():
    for number, estimator in enumerate(ESTIMATORS):
        skipped = NOT_APPLICABLE[type(estimator).__name__]
        for place, (made, check) in enumerate(estimator_checks_generator(estimator)):
            name = getattr(check, "func", check).__name__
            if name not in skipped:
                yield pytest.param(made, check, id=f"{number}-{place}-{name}")


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("estimator", "check"), list(all_checks()))
def test_check(estimator, check):
    check(estimator)
