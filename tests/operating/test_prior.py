"""Probabilities of balanced classes turned into those of the true frequency."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from rarewood import RareForestClassifier, presets
from rarewood.operating import (
    PriorCorrectedClassifier,
    ThresholdedClassifier,
    correct_prior,
)


def normal_rows(n, share, seed):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(int)
    return rng.normal(size=(n, 2)) + 1.5 * y[:, None], y


def calibration_error(y, proba):
    """Largest difference of predicted and seen frequency over ten equally large groups."""
    groups = np.array_split(np.argsort(proba), 10)
    return max(abs(proba[rows].mean() - y[rows].mean()) for rows in groups)


def test_a_model_calibrated_on_balanced_rows_becomes_calibrated_on_skewed_ones():
    balanced = LogisticRegression().fit(*normal_rows(40_000, 0.5, 0))  # the right model here
    X, y = normal_rows(200_000, 0.03, 1)
    proba = balanced.predict_proba(X)
    corrected = correct_prior(proba, trained_prior="balanced", true_prior=[1 - y.mean(), y.mean()])
    assert calibration_error(y, proba[:, 1]) > 0.2
    assert calibration_error(y, corrected[:, 1]) < 0.01
    np.testing.assert_allclose(corrected.sum(axis=1), 1)
    np.testing.assert_array_equal(np.argsort(proba[:, 1]), np.argsort(corrected[:, 1]))


def test_class_weights_are_undone():
    X, y = normal_rows(100_000, 0.03, 2)
    weighted = PriorCorrectedClassifier(LogisticRegression(class_weight="balanced")).fit(X, y)
    plain = LogisticRegression().fit(X, y)
    np.testing.assert_allclose(weighted.predict_proba(X), plain.predict_proba(X), atol=0.03)


def test_a_balanced_forest_says_on_average_how_frequent_the_class_is():
    X, y = normal_rows(20_000, 0.05, 3)
    X_new, y_new = normal_rows(20_000, 0.05, 4)
    forest = RareForestClassifier(50, balance=True, min_samples_leaf=20, random_state=0)
    corrected = PriorCorrectedClassifier(forest).fit(X, y)
    before = corrected.estimator_.predict_proba(X_new)[:, 1]
    after = corrected.predict_proba(X_new)[:, 1]
    assert before.mean() > 3 * y_new.mean()
    assert after.mean() == pytest.approx(y_new.mean(), rel=0.25)
    assert calibration_error(y_new, after) < calibration_error(y_new, before) / 3


def test_more_classes_by_hand():
    found = correct_prior([[0.2, 0.3, 0.5]], trained_prior="balanced", true_prior=[0.7, 0.2, 0.1])
    np.testing.assert_allclose(found, [np.array([0.14, 0.06, 0.05]) / 0.25])


def test_extremes():
    assert correct_prior([0.0, 1.0], trained_prior=0.5, true_prior=0.001).tolist() == [0.0, 1.0]
    sure = correct_prior([[0.0, 1.0]], trained_prior="balanced", true_prior=[1.0, 0.0])
    assert sure.tolist() == [[1.0, 0.0]]
    assert (
        correct_prior(np.empty((0, 2)), trained_prior="balanced", true_prior=[0.5, 0.5]).size == 0
    )


def test_frequencies_from_labels():
    model = PriorCorrectedClassifier(LogisticRegression())
    X = [[0.0], [1.0], [2.0], [3.0]]
    np.testing.assert_allclose(model.fit(X, ["b", "a", "b", "b"]).true_prior_, [0.25, 0.75])
    model.fit(X[:3], [0, 1, 1], sample_weight=[6, 1, 1])
    np.testing.assert_allclose(model.true_prior_, [0.75, 0.25])


@pytest.mark.parametrize(
    ("proba", "trained", "true", "message"),
    [
        ([0.5, 1.5], 0.5, 0.1, "between 0 and 1"),
        ([0.5, np.nan], 0.5, 0.1, "without NaN"),
        ([[0.5, 0.5]], "equal", [0.5, 0.5], "'balanced'"),
        ([[0.5, 0.5]], [0.5, 0.4], [0.5, 0.5], "sum to 1"),
        ([[0.5, 0.5]], [0.0, 1.0], [0.5, 0.5], "without training samples"),
        ([[0.5, 0.5]], "balanced", [0.5, 0.3, 0.2], "2 numbers"),
        ([0.5], [0.2, 0.3, 0.5], 0.5, "a number"),
        ([[[0.5]]], 0.5, 0.5, "3 dimensions"),
        ([[0.5, 0.5]], "balanced", [1.5, -0.5], "frequencies"),
    ],
)
def test_what_is_refused(proba, trained, true, message):
    with pytest.raises(ValueError, match=message):
        correct_prior(proba, trained_prior=trained, true_prior=true)


def test_the_wrapper():
    X, y = make_classification(600, weights=[0.9], random_state=0)
    names = np.array(["usual", "rare"])[y]
    forest = presets.balanced_random_forest(n_estimators=10, random_state=0)
    model = PriorCorrectedClassifier(forest).fit(X, names)
    assert model.classes_.tolist() == ["rare", "usual"]
    np.testing.assert_allclose(model.true_prior_, [(y == 1).mean(), (y == 0).mean()])
    proba = model.predict_proba(X)
    np.testing.assert_array_equal(model.predict(X), model.classes_[proba.argmax(axis=1)])
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), proba)
    other = PriorCorrectedClassifier(forest, true_prior=[0.5, 0.5]).fit(X, names)
    np.testing.assert_allclose(other.predict_proba(X), other.estimator_.predict_proba(X))
    weighted = PriorCorrectedClassifier(forest).fit(X, names, sample_weight=np.where(y, 9.0, 1.0))
    assert weighted.true_prior_[0] == pytest.approx(9 * y.sum() / (9 * y.sum() + (y == 0).sum()))
    alerts = ThresholdedClassifier(model, cv=3, random_state=0).fit(X, names)
    assert alerts.pos_label_ == "rare"


def test_a_forest_that_is_not_balanced_is_warned_about():
    X, y = make_classification(200, weights=[0.9], random_state=0)
    with pytest.warns(UserWarning, match="does not balance"):
        PriorCorrectedClassifier(RareForestClassifier(2)).fit(X, y)
