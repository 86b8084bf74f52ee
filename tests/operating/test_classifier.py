"""ThresholdedClassifier: where its scores come from, and its life inside scikit-learn."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    GroupKFold,
    KFold,
    ShuffleSplit,
    TimeSeriesSplit,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from rarewood import RareForestClassifier
from rarewood.operating import (
    LowestCost,
    RecallFloor,
    ThresholdedClassifier,
    choose_threshold,
    out_of_bag_scores,
    out_of_fold_scores,
    rule_scorer,
)

X, Y = make_classification(1200, 8, weights=[0.93], class_sep=1.2, random_state=0)
X_TEST, Y_TEST, X_TRAIN, Y_TRAIN = X[800:], Y[800:], X[:800], Y[:800]
LOGISTIC = LogisticRegression()


def made(estimator=LOGISTIC, **options):
    return ThresholdedClassifier(estimator, **{"n_bootstrap": 50, "random_state": 0, **options})


# --------------------------------------------------------------------------- scores


def test_out_of_fold_scores_are_those_of_models_without_the_fold():
    cv = ShuffleSplit(1, test_size=0.25, random_state=0)
    (train, test), = cv.split(X_TRAIN)  # fmt: skip
    scores = out_of_fold_scores(LOGISTIC, X_TRAIN, Y_TRAIN, cv=cv)
    expected = LogisticRegression().fit(X_TRAIN[train], Y_TRAIN[train])
    np.testing.assert_array_equal(scores[test], expected.predict_proba(X_TRAIN[test]))
    assert np.isnan(scores[train]).all()
    twice = out_of_fold_scores(LOGISTIC, X_TRAIN, Y_TRAIN, cv=[(train, test), (train, test)])
    np.testing.assert_allclose(twice[test], scores[test])


def test_out_of_fold_scores_agree_with_scikit_learn():
    mine = out_of_fold_scores(LinearSVC(), X_TRAIN, Y_TRAIN, cv=list(_folds()))
    theirs = cross_val_predict(
        LinearSVC(), X_TRAIN, Y_TRAIN, cv=list(_folds()), method="decision_function"
    )
    np.testing.assert_array_equal(mine, np.column_stack((-theirs, theirs)))


def _folds():
    rows = np.arange(len(Y_TRAIN))
    return ((rows[rows % 3 != k], rows[rows % 3 == k]) for k in range(3))


def test_weights_go_with_the_rows():
    weights = np.random.default_rng(0).random(len(Y_TRAIN))
    folds = list(_folds())
    scores = out_of_fold_scores(
        LOGISTIC, X_TRAIN, Y_TRAIN, cv=folds, params={"sample_weight": weights}
    )
    train, test = folds[1]
    expected = LogisticRegression().fit(X_TRAIN[train], Y_TRAIN[train], weights[train])
    np.testing.assert_array_equal(scores[test], expected.predict_proba(X_TRAIN[test]))


@pytest.mark.parametrize(
    "forest",
    [
        RareForestClassifier(30, bootstrap=True, random_state=0),
        RareForestClassifier(30, balance=True, bootstrap=True, random_state=0),
        RandomForestClassifier(30, random_state=0),
    ],
)
def test_out_of_bag_scores_of_any_forest(forest):
    model = made(forest, cv="oob").fit(X_TRAIN, Y_TRAIN)
    alone = clone(forest).set_params(oob_score=True).fit(X_TRAIN, Y_TRAIN)
    point = choose_threshold(Y_TRAIN, alone.oob_decision_function_, n_bootstrap=0)
    assert model.threshold_ == point.threshold
    np.testing.assert_array_equal(
        model.predict(X_TEST) == 1, alone.predict_proba(X_TEST)[:, 1] >= point.threshold
    )
    piped = made(make_pipeline(StandardScaler(), forest), cv="oob").fit(X_TRAIN, Y_TRAIN)
    assert 0 < piped.threshold_ < 1


@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB scores")
@pytest.mark.parametrize("kind", [RareForestClassifier, RandomForestClassifier])
def test_rows_without_out_of_bag_score_are_left_out_and_said(kind):
    forest = kind(3, bootstrap=True, oob_score=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        forest.fit(X_TRAIN, Y_TRAIN)
    drawn = np.array(
        [np.bincount(rows, minlength=800) > 0 for rows in forest.estimators_samples_]
    ).all(axis=0)
    with pytest.warns(UserWarning, match=f"{drawn.sum()} of 800 samples have no out-of-bag"):
        scored = out_of_bag_scores(forest, Y_TRAIN)
    assert scored.n_left_out == drawn.sum() > 0
    np.testing.assert_array_equal(scored.indices, np.flatnonzero(~drawn))
    np.testing.assert_array_equal(scored.y, Y_TRAIN[~drawn])
    with pytest.warns(UserWarning, match="left out"):
        model = made(clone(forest), cv="oob").fit(X_TRAIN, Y_TRAIN)
    assert model.operating_point_.n_left_out == drawn.sum()


def test_out_of_bag_errors_say_what_to_do():
    with pytest.raises(ValueError, match="oob_score=True"):
        out_of_bag_scores(RareForestClassifier(2).fit(X_TRAIN, Y_TRAIN), Y_TRAIN)
    with pytest.raises(ValueError, match="out_of_fold_scores"):
        made(LOGISTIC, cv="oob").fit(X_TRAIN, Y_TRAIN)
    with pytest.raises(NotFittedError, match="Call fit"):
        out_of_bag_scores(RareForestClassifier(2), Y_TRAIN)
    forest = RareForestClassifier(40, bootstrap=True, oob_score=True).fit(X_TRAIN, Y_TRAIN)
    with pytest.raises(ValueError, match="fitted with"):
        out_of_bag_scores(forest, Y)


def test_groups_and_time():
    groups = np.arange(800) // 4
    folds = list(GroupKFold(4).split(X_TRAIN, Y_TRAIN, groups))
    assert made(cv=folds).fit(X_TRAIN, Y_TRAIN).operating_point_.n_left_out == 0
    later = made(cv=TimeSeriesSplit(3)).fit(X_TRAIN, Y_TRAIN)
    assert later.operating_point_.n_left_out == 200
    assert later.curve_.n_samples == 600


def test_folds_that_divide_groups_are_refused():
    groups = np.arange(800) // 4
    forest = RareForestClassifier(5, bootstrap=True, leaf_strength="auto", random_state=0)
    for cv in (KFold(4, shuffle=True), "oob", [(np.arange(0, 800, 2), np.arange(1, 800, 2))]):
        with pytest.raises(ValueError, match=r"on both sides|do not keep together"):
            made(forest, cv=cv).fit(X_TRAIN, Y_TRAIN, groups=groups)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        made().fit(X_TRAIN, Y_TRAIN, groups=groups[1:])
    rare = np.where(Y_TRAIN, np.arange(800) % 3, groups + 3)
    with pytest.warns(UserWarning, match="3 groups, too few for cv=5: 3 folds"):
        made().fit(X_TRAIN, Y_TRAIN, groups=rare)


def test_one_rare_row_cannot_be_cross_validated():
    with pytest.raises(ValueError, match="only one sample"):
        made().fit(X_TRAIN[:100], np.arange(100) == 7)


# --------------------------------------------------------------------------- the classifier


def test_threshold_is_the_one_chosen_from_out_of_fold_scores():
    model = made(by="f2", cv=4, pos_label=1).fit(X_TRAIN, Y_TRAIN)
    scores = out_of_fold_scores(LOGISTIC, X_TRAIN, Y_TRAIN, cv=4, random_state=0)
    point = choose_threshold(Y_TRAIN, scores, "f2", n_bootstrap=50, random_state=0)
    assert model.operating_point_.to_dict() == point.to_dict()
    proba = LogisticRegression().fit(X_TRAIN, Y_TRAIN).predict_proba(X_TEST)
    np.testing.assert_array_equal(model.predict_proba(X_TEST), proba)
    np.testing.assert_array_equal(model.predict(X_TEST), (proba[:, 1] >= point.threshold) * 1)


@pytest.mark.parametrize("estimator", [LOGISTIC, LinearSVC()])
def test_the_rare_class_may_sort_first_or_last(estimator):
    names = made(estimator, by="recall>=0.8").fit(X_TRAIN, np.where(Y_TRAIN, "rare", "usual"))
    numbers = made(estimator, by="recall>=0.8").fit(X_TRAIN, Y_TRAIN)
    assert names.pos_label_ == "rare"
    assert names.threshold_ == pytest.approx(numbers.threshold_, rel=1e-3)
    same = (names.predict(X_TEST) == "rare") == (numbers.predict(X_TEST) == 1)
    assert same.mean() > 0.995
    common = made(estimator, pos_label=0).fit(X_TRAIN, Y_TRAIN)
    assert (common.pos_label_, common.operating_point_.counts.n_positive) == (
        0,
        (Y_TRAIN == 0).sum(),
    )


def test_another_threshold_without_fitting():
    model = made().fit(X_TRAIN, Y_TRAIN)
    before, alerts = model.estimator_, model.predict(X_TEST).sum()
    assert model.set_threshold(RecallFloor(0.95)) is model
    assert model.estimator_ is before
    assert model.predict(X_TEST).sum() > alerts
    assert model.operating_point_.recall.observed >= 0.95
    assert model.set_threshold(0.25).threshold_ == 0.25
    np.testing.assert_array_equal(model.predict(X_TEST), model.predict_proba(X_TEST)[:, 1] >= 0.25)
    assert model.by == "f"
    with pytest.raises(NotFittedError):
        made().set_threshold(0.5)


def test_prefit_takes_rows_held_out():
    fitted = LogisticRegression().fit(X_TRAIN, Y_TRAIN)
    model = made(fitted, cv="prefit").fit(X_TEST, Y_TEST)
    assert model.estimator_ is fitted
    expected = choose_threshold(Y_TEST, fitted.predict_proba(X_TEST), n_bootstrap=0)
    assert model.threshold_ == expected.threshold
    with pytest.raises(NotFittedError):
        made(cv="prefit").fit(X_TEST, Y_TEST)
    with pytest.raises(ValueError, match="same two"):
        made(fitted, cv="prefit").fit(X_TEST, Y_TEST + 1)


def test_weights_are_repeats_where_nothing_is_fitted():
    fitted = LogisticRegression().fit(X_TRAIN, Y_TRAIN)
    weights = np.random.default_rng(0).integers(0, 4, len(Y_TEST))
    one = made(fitted, cv="prefit").fit(X_TEST, Y_TEST, sample_weight=weights)
    many = made(fitted, cv="prefit").fit(np.repeat(X_TEST, weights, 0), np.repeat(Y_TEST, weights))
    assert one.threshold_ == many.threshold_
    assert one.operating_point_.f.observed == many.operating_point_.f.observed


def test_pipelines_searches_clones_and_pickles():
    pipeline = make_pipeline(StandardScaler(), made(by=LowestCost(1, 10), cv=3))
    grid = {
        "thresholdedclassifier__by": [LowestCost(1, 10), "f", 0.5],
        "thresholdedclassifier__estimator__C": [0.1, 10.0],
    }
    search = GridSearchCV(pipeline, grid, scoring=rule_scorer("cost:fp=1,fn=10"), cv=3)
    search.fit(X_TRAIN, Y_TRAIN)
    assert len(search.cv_results_["params"]) == 6
    model = search.best_estimator_
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X_TEST), model.predict(X_TEST))
    fresh = clone(model).fit(X_TRAIN, Y_TRAIN)
    assert fresh[-1].threshold_ == model[-1].threshold_
    assert cross_val_score(pipeline, X, Y, scoring="average_precision", cv=3).mean() > 0.5


def test_tables_keep_their_columns():
    table = pd.DataFrame(X_TRAIN, columns=list("abcdefgh"))
    table["kind"] = np.where(Y_TRAIN == 1, "u", "v")
    model = made(RareForestClassifier(5, random_state=0), cv=3, n_jobs=2).fit(table, Y_TRAIN)
    assert model.feature_names_in_.tolist() == list(table.columns)
    assert model.n_features_in_ == 9
    assert f1_score(Y_TRAIN, model.predict(table)) == 1


@pytest.mark.parametrize("enabled", [False, True])
def test_sample_weight_and_metadata_routing(enabled):
    weights = np.where(Y_TRAIN, 5.0, 1.0)
    with config_context(enable_metadata_routing=enabled):
        inner = LogisticRegression()
        if enabled:
            inner.set_fit_request(sample_weight=True)
        model = made(inner, cv=3).fit(X_TRAIN, Y_TRAIN, sample_weight=weights)
    expected = LogisticRegression().fit(X_TRAIN, Y_TRAIN, weights)
    np.testing.assert_allclose(model.estimator_.coef_, expected.coef_)
    assert model.curve_.n_positive == 5 * Y_TRAIN.sum()


def test_more_than_two_classes_are_refused():
    with pytest.raises(ValueError, match="Only binary classification"):
        made().fit(X_TRAIN, np.arange(800) % 3)


def test_no_scores_no_threshold():
    class Mute(LogisticRegression):
        predict_proba = decision_function = property()  # has neither

    with pytest.raises(TypeError, match="a threshold needs scores"):
        made(Mute()).fit(X_TRAIN, Y_TRAIN)


# --------------------------------------------------------------------------- with its relatives


@pytest.mark.parametrize(("scoring", "rule"), [("f1", "f"), ("cost", "cost:fp=1,fn=8")])
def test_agrees_with_scikit_learn_where_both_see_the_same_rows(scoring, rule):
    """One set of rows, and every score as a threshold: then the definitions coincide."""
    fitted = LogisticRegression().fit(X_TRAIN, Y_TRAIN)
    thresholds = np.unique(fitted.predict_proba(X_TEST)[:, 1])
    theirs = TunedThresholdClassifierCV(
        fitted, scoring=rule_scorer(rule) if scoring == "cost" else scoring, cv="prefit",
        refit=False, thresholds=thresholds,
    ).fit(X_TEST, Y_TEST)  # fmt: skip
    ours = made(fitted, by=rule, cv="prefit").fit(X_TEST, Y_TEST)
    point = ours.operating_point_
    value = -point.cost_per_1000.observed if scoring == "cost" else point.f.observed
    assert value == pytest.approx(theirs.best_score_)
    assert ours.threshold_ == theirs.best_threshold_
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_inside_scikit_learns_threshold_classifiers():
    inner = made(cv=3, by=RecallFloor(0.9))
    tuned = TunedThresholdClassifierCV(inner, scoring="f1", cv=3).fit(X_TRAIN, Y_TRAIN)
    plain = TunedThresholdClassifierCV(LOGISTIC, scoring="f1", cv=3).fit(X_TRAIN, Y_TRAIN)
    assert tuned.best_threshold_ == pytest.approx(plain.best_threshold_)  # the outer one counts
    fixed = FixedThresholdClassifier(inner, threshold=0.3).fit(X_TRAIN, Y_TRAIN)
    np.testing.assert_array_equal(fixed.predict(X_TEST), fixed.predict_proba(X_TEST)[:, 1] >= 0.3)
    calibrated = CalibratedClassifierCV(inner, cv=3).fit(X_TRAIN, Y_TRAIN)
    assert calibrated.predict_proba(X_TEST).shape == (400, 2)


def test_around_scikit_learns_threshold_classifiers():
    plain = made(cv=3).fit(X_TRAIN, Y_TRAIN)
    for inner in (
        TunedThresholdClassifierCV(LOGISTIC, scoring="f1", cv=3),
        FixedThresholdClassifier(LOGISTIC, threshold=0.9),
        made(cv=3, by=0.9),
    ):
        model = made(inner, cv=3).fit(X_TRAIN, Y_TRAIN)
        assert model.threshold_ == plain.threshold_  # it is about probabilities, the same ones
        np.testing.assert_array_equal(model.predict(X_TEST), plain.predict(X_TEST))


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("f", 4 / 5),
        ("cost:fp=1,fn=10", -1000 * 1 / 5),
        ("alerts<=3", 1.0),
        ("alerts<=2", -1 / 5),
        ("alerts<=40%", -1 / 5),
        ("recall>=0.9", 2 / 5),
        ("precision>=0.3", 1.0),
        ("precision>=0.75", 2 / 3 - 0.75),
    ],
)
def test_scorers_by_hand(by, expected):
    class Fixed(LogisticRegression):
        def predict(self, X):
            return np.array(["y", "y", "y", "n", "n"])

    model = Fixed().fit([[0.0], [1.0]], ["n", "y"])
    truth = np.array(["y", "y", "n", "n", "n"])
    assert rule_scorer(by, pos_label="y")(model, np.zeros((5, 1)), truth) == pytest.approx(expected)
