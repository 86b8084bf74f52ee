"""Threads change nothing but the time, and a parallel search does not start too many."""

from __future__ import annotations

import joblib
import numpy as np
import pytest
from joblib import Parallel, delayed, parallel_config
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV, cross_val_score

from rarewood import RareForestClassifier, _validation, criteria, presets
from rarewood._validation import number_of_threads

X, Y = make_classification(200, 6, n_informative=4, n_redundant=0, weights=[0.8], random_state=0)
FORESTS = [
    RareForestClassifier(),
    presets.random_forest(oob_score=True),
    presets.balanced_random_forest(class_weight="balanced_subsample"),
    presets.beat(1, 3),
    presets.hedexh(oblique_dim=3),
]


@pytest.mark.parametrize("forest", FORESTS, ids=range(len(FORESTS)))
def test_the_forest_does_not_depend_on_threads(forest):
    forest = clone(forest).set_params(n_estimators=40, random_state=0)
    one = clone(forest).set_params(n_jobs=1).fit(X, Y)
    for n_jobs in (2, 5, -1):
        model = clone(forest).set_params(n_jobs=n_jobs).fit(X, Y)
        np.testing.assert_array_equal(model.apply(X), one.apply(X))
        np.testing.assert_array_equal(model.predict_proba(X), one.predict_proba(X))
        for tree, same in zip(model, one, strict=True):
            np.testing.assert_array_equal(tree.tree_.threshold, same.tree_.threshold)
        if forest.oob_score:
            assert model.oob_score_ == one.oob_score_


def test_the_seed_decides():
    first, again, other = (
        RareForestClassifier(5, random_state=seed).fit(X, Y).predict_proba(X) for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_grid_search_over_everything(n_jobs):
    grid = {
        "criterion": ["gini", criteria.BetaAlpha(1, 3)],
        "splitter": ["random", "oblique"],
        "balance": [True, False],
    }
    search = GridSearchCV(
        RareForestClassifier(5, random_state=0), grid, scoring="roc_auc", cv=3, n_jobs=n_jobs
    ).fit(X, Y)
    assert len(search.cv_results_["params"]) == 8
    assert search.best_score_ > 0.8
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_a_parallel_search_finds_what_a_sequential_one_finds():
    scores = [
        cross_val_score(RareForestClassifier(5, random_state=0, n_jobs=-1), X, Y, n_jobs=n_jobs)
        for n_jobs in (1, 2)
    ]
    np.testing.assert_array_equal(*scores)


def threads_of_a_worker(n_jobs):
    return number_of_threads(n_jobs)


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_workers_share_the_cores(backend):
    cores = joblib.cpu_count()
    run = Parallel(n_jobs=2, backend=backend)
    default, everything, three = run(delayed(threads_of_a_worker)(n) for n in (None, -1, 3))
    assert default == 1
    assert everything <= max(1, cores // 2)
    assert three == 3  # what is asked for by number is given


def test_threads_outside_of_workers():
    cores = joblib.cpu_count()
    assert number_of_threads(None) == 1
    assert number_of_threads(1) == 1
    assert number_of_threads(-1) == cores
    with parallel_config(n_jobs=2):
        assert number_of_threads(None) == min(2, cores)
    with pytest.raises(ValueError, match="n_jobs"):
        number_of_threads(0)


def test_a_cluster_does_not_lend_its_cores(monkeypatch):
    monkeypatch.setattr(_validation.joblib, "effective_n_jobs", lambda n_jobs: 1000)
    assert number_of_threads(-1) == joblib.cpu_count()
