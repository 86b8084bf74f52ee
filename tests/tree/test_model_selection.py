"""The estimator inside scikit-learn's pipelines, searches and ensembles."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.datasets import make_classification
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rarewood import RareTreeClassifier, presets
from rarewood.criteria import Alpha

X, Y = make_classification(300, 8, weights=[0.85], class_sep=1.5, random_state=0)
TABLE = pd.DataFrame(X, columns=list("abcdefgh")).assign(group=np.where(Y == 1, "u", "v"))


def test_pipelines_and_cross_validation():
    pipeline = make_pipeline(StandardScaler(), presets.hddt(min_samples_leaf=5))
    scores = cross_val_score(pipeline, X, Y, scoring="roc_auc", cv=3)
    assert scores.mean() > 0.8


def test_tables_stay_tables_in_cross_validation():
    assert cross_val_score(RareTreeClassifier(), TABLE, Y, cv=3).mean() == 1.0


def test_a_column_transformer_that_gives_tables():
    scale = make_column_transformer(
        (StandardScaler(), list("abcdefgh")),
        remainder="passthrough",
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")
    pipeline = make_pipeline(scale, RareTreeClassifier()).fit(TABLE, Y)
    assert pipeline.score(TABLE, Y) == 1.0
    assert "group = u" in str(pipeline[-1].tree_)


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_grid_search_over_criterion_objects(n_jobs):
    grid = {"criterion": ["gini", Alpha(0.3), Alpha(1.2, "uniform")], "max_depth": [2, 4]}
    search = GridSearchCV(RareTreeClassifier(), grid, cv=3, n_jobs=n_jobs).fit(X, Y)
    assert search.best_params_["criterion"] in grid["criterion"]
    assert len(search.cv_results_["params"]) == 6


@pytest.mark.parametrize(
    "make",
    [
        lambda tree: BaggingClassifier(tree, n_estimators=5, random_state=0),
        lambda tree: AdaBoostClassifier(tree.set_params(max_depth=2), n_estimators=5),
        lambda tree: CalibratedClassifierCV(tree, cv=3),
        OneVsRestClassifier,
    ],
    ids=["bagging", "boosting", "calibration", "one against the rest"],
)
def test_ensembles_of_scikit_learn(make):
    assert make(RareTreeClassifier()).fit(X, Y).score(X, Y) > 0.9


def test_permutation_importance():
    model = RareTreeClassifier(max_depth=3).fit(X, Y)
    result = permutation_importance(model, X, Y, n_repeats=3, random_state=0)
    assert result.importances_mean.shape == (8,)


def test_weights_can_be_routed():
    weights = np.where(Y == 1, 5.0, 1.0)
    with config_context(enable_metadata_routing=True):
        model = RareTreeClassifier().set_fit_request(sample_weight=True)
        model.set_score_request(sample_weight=True)
        result = cross_validate(
            model, X, Y, params={"sample_weight": weights}, cv=3, return_estimator=True
        )
    totals = result["estimator"][0].tree_.weighted_counts[0]
    assert totals[1] == 5 * result["estimator"][0].tree_.counts[0, 1]
