"""Callbacks of scikit-learn 1.9."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from rarewood import RareForestClassifier, RareTreeClassifier

callback = pytest.importorskip("sklearn.callback", reason="needs scikit-learn 1.9")

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(100, 3))
Y = (X[:, 0] > 0.8).astype(int)


class Recorder:
    """What a callback is told; tells whether a fitted model came with it."""

    def __init__(self):
        self.events = []

    def setup(self, estimator, context):
        self.events.append("setup")

    def teardown(self, estimator, context):
        self.events.append("teardown")

    def on_fit_task_begin(self, estimator, context, *, X, fitted_estimator):
        self.events.append(("begin", context.task_name, context.max_subtasks))

    def on_fit_task_end(self, estimator, context, *, X, fitted_estimator):
        is_fitted = fitted_estimator is not None and hasattr(fitted_estimator, "forest_")
        self.events.append(("end", context.task_name, is_fitted))


def recorded(model, **fit):
    recorder = Recorder()
    model.set_callbacks(recorder).fit(X, Y, **fit)
    return recorder.events


def test_every_tree_is_a_task():
    events = recorded(RareForestClassifier(3, random_state=0))
    trees = [("begin", "tree", 0), ("end", "tree", False)] * 3
    assert events == ["setup", ("begin", "fit", 3), *trees, ("end", "fit", True), "teardown"]


def test_trees_whose_number_is_chosen_are_tasks_of_the_growth():
    model = RareForestClassifier("auto", random_state=0)
    events = recorded(model)
    assert events[1:3] == [("begin", "fit", None), ("begin", "grow", model.n_estimators_)]
    assert events[-3:] == [("end", "grow", False), ("end", "fit", True), "teardown"]
    assert events.count(("end", "tree", False)) == model.n_estimators_


def test_a_failed_fit_is_torn_down():
    recorder = Recorder()
    model = RareForestClassifier(3, max_samples=0.5).set_callbacks(recorder)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit(X, Y[:-1])
    assert recorder.events == ["setup", ("begin", "fit", 3), "teardown"]
    assert not any("callback" in name for name in vars(model) if name != "_skl_callbacks")


def test_without_callbacks_nothing_is_different():
    model = RareForestClassifier(3, random_state=0)
    watched = clone(model).set_callbacks(Recorder()).fit(X, Y)
    np.testing.assert_array_equal(watched.predict_proba(X), model.fit(X, Y).predict_proba(X))
    watched.set_callbacks()
    assert "_skl_callbacks" not in vars(watched)
    assert pickle.loads(pickle.dumps(watched)).n_estimators_ == 3


@pytest.mark.parametrize("n_estimators", [7, "auto"])
def test_the_progress_bar_of_scikit_learn(n_estimators, capsys):
    pytest.importorskip("rich")
    model = RareForestClassifier(n_estimators, random_state=0)
    model.set_callbacks(callback.ProgressBar()).fit(X, Y)
    out = capsys.readouterr().out
    assert "RareForestClassifier - fit" in out
    assert "100%" in out


def test_the_progress_bar_of_a_search_shows_the_forests(capsys):
    pytest.importorskip("rich")
    search = GridSearchCV(RareForestClassifier(3, random_state=0), {"max_depth": [1, 2]}, cv=2)
    search.set_callbacks(callback.ProgressBar()).fit(X, Y)
    out = capsys.readouterr().out
    assert "GridSearchCV - fit" in out
    assert "RareForestClassifier - fit" in out


def test_the_score_at_the_end_is_monitored():
    monitor = callback.ScoringMonitor(scoring="accuracy")
    model = RareForestClassifier(5, random_state=0).set_callbacks(monitor).fit(X, Y)
    assert monitor.get_logs().data[-1]["accuracy"] == model.score(X, Y)


def test_a_single_tree_has_no_tasks():
    assert not hasattr(RareTreeClassifier(), "set_callbacks")
