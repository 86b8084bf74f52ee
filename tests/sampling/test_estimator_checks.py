"""The checks of imbalanced-learn and of scikit-learn, for what samples."""

from __future__ import annotations

import pytest
from imblearn.utils.estimator_checks import estimator_checks_generator as imblearn_checks
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import estimator_checks_generator as sklearn_checks

from rarewood import RareTreeClassifier
from rarewood.sampling import PatternOverSampler, SamplingWrapperClassifier


def wrapped(estimator):
    return SamplingWrapperClassifier(
        estimator, undersample_steps=(30,), smote_steps=(100,), cv=2, random_state=0
    )


ESTIMATORS = [
    PatternOverSampler(n_estimators=5, max_rounds=1, random_state=0),
    PatternOverSampler(n_estimators=5, validate=False, unconstrained="class", random_state=0),
    wrapped(RareTreeClassifier(max_depth=4)),
    wrapped(LogisticRegression()),
]


def all_checks():
    for number, estimator in enumerate(ESTIMATORS):
        for source, checks in (("imblearn", imblearn_checks), ("sklearn", sklearn_checks)):
            for place, (made, check) in enumerate(checks(estimator)):
                name = getattr(check, "func", check).__name__
                yield pytest.param(made, check, id=f"{number}-{source}-{place}-{name}")


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("estimator", "check"), list(all_checks()))
def test_check(estimator, check):
    check(estimator)
