"""Out-of-bag probabilities and their score."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.metrics import (
    average_precision_score,
    balanced_accuracy_score,
    f1_score,
    log_loss,
    make_scorer,
    recall_score,
    roc_auc_score,
)

from rarewood import RareForestClassifier

X, Y = make_classification(
    300, 6, n_informative=4, n_redundant=0, n_classes=3, weights=[0.6, 0.3], random_state=0
)
LABELS = np.array(["a", "b", "c"])[Y]
DRAWS = {
    "bootstrap": {"bootstrap": True},
    "small bootstrap": {"bootstrap": True, "max_samples": 0.3},
    "balanced": {"balance": True, "bootstrap": True},
    "balanced, without replacement": {"balance": True, "max_samples": 0.5},
}


def fitted(n_estimators=30, **params) -> RareForestClassifier:
    model = RareForestClassifier(n_estimators, oob_score=True, random_state=0).set_params(**params)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Some inputs do not have OOB scores")
        return model.fit(X, LABELS)


def by_hand(model) -> np.ndarray:
    """Mean probabilities of the trees that did not draw each row, row by row."""
    expected = np.full((len(X), 3), np.nan)
    proba = [tree.predict_proba(X) for tree in model]
    drawn = [set(rows.tolist()) for rows in model.estimators_samples_]
    for row in range(len(X)):
        votes = [proba[t][row] for t in range(len(model)) if row not in drawn[t]]
        if votes:
            expected[row] = np.mean(votes, axis=0)
    return expected


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
@pytest.mark.parametrize("n_estimators", [3, 30])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_rows_are_judged_by_the_trees_that_did_not_draw_them(draw, n_estimators, n_jobs):
    model = fitted(n_estimators, n_jobs=n_jobs, **draw)
    expected = by_hand(model)
    np.testing.assert_allclose(model.oob_decision_function_, expected)
    is_judged = ~np.isnan(expected[:, 0])
    assert is_judged.any()
    predicted = model.classes_[expected[is_judged].argmax(axis=1)]
    score = balanced_accuracy_score(LABELS[is_judged], predicted)
    assert model.oob_score_ == pytest.approx(score, rel=1e-12)


BINARY = {
    "rarer first": np.where(Y == 2, "a", "b"),
    "rarer second": np.where(Y == 2, 7, 3),
}


@pytest.mark.parametrize("labels", BINARY.values(), ids=BINARY)
def test_two_classes_are_scored_by_the_average_precision_of_the_rarer(labels):
    model = RareForestClassifier(30, bootstrap=True, oob_score=True, random_state=0).fit(X, labels)
    rare = labels[Y == 2][0]
    proba = model.oob_decision_function_[:, list(model.classes_).index(rare)]
    expected = average_precision_score(labels == rare, proba)
    assert model.oob_score_ == pytest.approx(expected, rel=1e-12)
    by_name = {
        "average_precision": expected,
        "roc_auc": roc_auc_score(labels == rare, proba),
        "recall": np.mean(model.classes_[model.oob_decision_function_.argmax(1)][Y == 2] == rare),
        "neg_log_loss": -log_loss(labels == rare, proba),
    }
    for name, score in by_name.items():
        again = clone(model).set_params(oob_score=name).fit(X, labels)
        assert again.oob_score_ == pytest.approx(score, rel=1e-12), name
    callables = {
        average_precision_score: None,  # fails below: labels are not 0 and 1
        lambda y_true, y_score: roc_auc_score(y_true == rare, y_score): by_name["roc_auc"],
        lambda y_true, y_pred: np.mean(y_pred[y_true == rare] == rare): by_name["recall"],
        make_scorer(recall_score, pos_label=rare): by_name["recall"],
        lambda estimator, X, y: estimator.score(X, y): np.mean(
            model.classes_[model.oob_decision_function_.argmax(1)] == labels
        ),
    }
    for function, score in callables.items():
        given = clone(model).set_params(oob_score=function)
        if score is None:
            with pytest.raises(ValueError, match="pos_label"):
                given.fit(X, labels)
        else:
            assert given.fit(X, labels).oob_score_ == pytest.approx(score, rel=1e-12)


def test_equally_frequent_classes_are_scored_by_the_second():
    labels = np.arange(len(X)) % 2
    model = RareForestClassifier(30, bootstrap=True, oob_score=True, random_state=0).fit(X, labels)
    expected = average_precision_score(labels, model.oob_decision_function_[:, 1])
    assert model.oob_score_ == pytest.approx(expected, rel=1e-12)


def test_several_classes_by_name():
    model = fitted(bootstrap=True, oob_score="roc_auc_ovr")
    expected = roc_auc_score(LABELS, model.oob_decision_function_, multi_class="ovr")
    assert model.oob_score_ == pytest.approx(expected, rel=1e-12)


def test_the_score_may_be_any_metric_of_labels():
    def rare_found(truth, predicted):
        assert set(truth) == set("abc")
        return f1_score(truth, predicted, average=None, labels=["c"])[0]

    model = fitted(bootstrap=True, oob_score=rare_found)
    predicted = model.classes_[model.oob_decision_function_.argmax(axis=1)]
    assert model.oob_score_ == rare_found(LABELS, predicted)
    assert model.oob_score_ != fitted(bootstrap=True).oob_score_


def test_rows_that_every_tree_drew_are_nan_with_a_warning():
    model = RareForestClassifier(2, bootstrap=True, oob_score=True, random_state=0)
    with pytest.warns(UserWarning, match=r"Some inputs do not have OOB scores.*more trees"):
        model.fit(X, Y)
    drawn_by_all = np.intersect1d(*model.estimators_samples_)
    assert drawn_by_all.size
    is_missing = np.isnan(model.oob_decision_function_).all(axis=1)
    np.testing.assert_array_equal(np.flatnonzero(is_missing), drawn_by_all)
    assert 0 <= model.oob_score_ <= 1


def test_a_whole_class_in_every_tree_has_a_remedy():
    model = RareForestClassifier(20, balance=True, oob_score=True, random_state=0)
    with pytest.warns(UserWarning, match="whole rarest class: set bootstrap=True"):
        model.fit(X, Y)
    is_rarest = np.bincount(Y).argmin() == Y
    assert np.isnan(model.oob_decision_function_[is_rarest]).all()


def test_no_row_out_of_the_bag_has_no_score():
    model = RareForestClassifier(3, balance=True, oob_score=True)
    with pytest.warns(UserWarning, match="OOB"):
        model.fit([[0.0], [1.0]], [0, 1])
    assert np.isnan(model.oob_score_)


def test_rows_of_zero_weight_are_predicted_by_all_trees_and_not_scored():
    weights = (np.arange(300) % 5 > 0).astype(float)
    model = RareForestClassifier(30, bootstrap=True, oob_score=True, random_state=0)
    model.fit(X, Y, weights)
    left = RareForestClassifier(30, bootstrap=True, oob_score=True, random_state=0)
    left.fit(X[weights > 0], Y[weights > 0])
    expected = left.predict_proba(X)
    expected[weights > 0] = left.oob_decision_function_
    np.testing.assert_array_equal(model.oob_decision_function_, expected)
    assert model.oob_score_ == left.oob_score_


def test_without_drawing_there_is_no_bag():
    with pytest.raises(ValueError, match="Out of bag estimation only available if bootstrap=True"):
        RareForestClassifier(oob_score=True).fit(X, Y)


def test_the_score_estimates_that_of_new_rows():
    data, labels = make_classification(4000, 8, n_informative=5, flip_y=0.1, random_state=1)
    model = RareForestClassifier(50, bootstrap=True, oob_score="accuracy", random_state=0)
    model.fit(data[:1000], labels[:1000])
    assert model.oob_score_ == pytest.approx(model.score(data[1000:], labels[1000:]), abs=0.05)
    assert model.oob_score_ < model.score(data[:1000], labels[:1000])
