"""compare: the cells, the tidy results, and what may go wrong without stopping a run."""

from __future__ import annotations

import io
import signal
import subprocess
import sys

import narwhals as nw
import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from rarewood import RareForestClassifier, RareTreeClassifier, presets
from rarewood.datasets import Dataset
from rarewood.evaluate import (
    Metric,
    Protocol,
    compare,
    five_by_two,
    metric_names,
    prepared,
)
from rarewood.evaluate._prepare import needs_preparation

TIMES = ["fit_time", "predict_time"]


def easy(n=120, seed=0, k=2):
    X, y = make_classification(
        n,
        n_informative=4,
        n_classes=k,
        weights=[0.8] + [0.2 / (k - 1)] * (k - 1),
        random_state=seed,
    )
    return X.round(3), np.array(["common", "rare", "odd"])[y]


TWO = {"one": easy(), "two": easy(90, 1, 3)}
MODELS = {"tree": RareTreeClassifier(), "forest": RandomForestClassifier(5), "hddt": presets.hddt}


class Failing(ClassifierMixin, BaseEstimator):
    """Fails on tables of some length."""

    def __init__(self, n_rows=None):
        self.n_rows = n_rows

    def fit(self, X, y):
        if self.n_rows is None or len(X) == self.n_rows:
            raise RuntimeError("not today")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))


def scores(results):
    return results.to_frame().drop(columns=TIMES)


def test_tidy_results():
    results = compare(MODELS, TWO, protocol=Protocol(2, 2), store=None)
    frame = results.to_frame()
    assert len(frame) == len(results) == 2 * 3 * 4
    assert set(metric_names()) < set(frame.columns)
    assert frame["error"].isna().all()
    assert frame[["dataset", "model", "repeat", "fold"]].drop_duplicates().shape[0] == len(frame)
    means = frame.groupby(["dataset", "model"])["auc"].mean().unstack()
    matrix = results.matrix("auc")
    np.testing.assert_allclose(matrix, means.loc[matrix.datasets, matrix.models])
    assert matrix["two", "hddt"] == pytest.approx(means.loc["two", "hddt"])
    assert results.means()["model"].tolist() == list(MODELS)
    np.testing.assert_allclose(results.means()["auc"], matrix.values.mean(axis=0))
    assert "24 cells" in repr(results)
    assert "one" in str(matrix)
    deviations = frame.groupby(["dataset", "model"])["auc"].std().unstack()
    np.testing.assert_allclose(results.deviations(), deviations.loc[matrix.datasets, matrix.models])


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames_of_any_library(backend):
    results = compare({"t": RareTreeClassifier()}, {"one": TWO["one"]}, store=None)
    frame = nw.from_native(results.to_frame(backend))
    assert frame.implementation.value == backend
    assert nw.from_native(results.matrix().to_frame(backend)).columns == ["dataset", "t"]
    assert len(nw.from_native(results.means(backend))) == 1


def test_a_cell_is_what_anyone_would_compute():
    X, y = TWO["one"]
    protocol = five_by_two(seed=3)
    model = RandomForestClassifier(5)
    found = compare({"m": model}, {"one": (X, y)}, protocol=protocol, store=None).scores("auc")
    for number, split in enumerate(protocol.splits(y)):
        seed = protocol.model_seed(split.repeat, split.fold)
        copy = clone(model).set_params(random_state=seed).fit(X[split.train], y[split.train])
        p = copy.predict_proba(X[split.test])[:, 1]
        assert found[0, 0, number] == pytest.approx(roc_auc_score(y[split.test] == "rare", p))


def test_results_do_not_depend_on_processes_or_company():
    plan = Protocol(2, 2)
    alone = compare({"forest": MODELS["forest"]}, {"two": TWO["two"]}, protocol=plan, store=None)
    together = compare(MODELS, TWO, protocol=plan, store=None, n_jobs=2)
    again = compare(MODELS, TWO, protocol=plan, store=None, n_jobs=1)
    pd.testing.assert_frame_equal(scores(together), scores(again))
    part = scores(again).query("dataset == 'two' and model == 'forest'").reset_index(drop=True)
    pd.testing.assert_frame_equal(part, scores(alone))


def test_a_seed_that_is_given_is_kept():
    data, protocol = {"one": TWO["one"]}, Protocol(3)
    models = {n: RandomForestClassifier(3, random_state=s) for n, s in (("a", 0), ("b", 1))}
    models["nested"] = make_pipeline(StandardScaler(), RandomForestClassifier(3))
    one, two = (compare(models, data, protocol=protocol, store=None) for _ in range(2))
    pd.testing.assert_frame_equal(scores(one), scores(two))
    values = one.scores("auc")[0]
    assert not np.array_equal(values[0], values[1])


def test_a_failing_model_does_not_stop_the_run():
    models = {"bad": Failing(60), "good": RareTreeClassifier()}
    results = compare(models, TWO, store=None)
    frame = results.to_frame()
    failed = frame["error"].notna()
    assert frame[failed]["dataset"].unique().tolist() == ["one"]
    assert frame[failed]["model"].unique().tolist() == ["bad"]
    assert frame[failed]["error"].iloc[0] == "RuntimeError: not today"
    assert "10 of them failed" in repr(results)
    cell = results.failures()[0]
    assert cell.error_type == "RuntimeError"
    assert "raise RuntimeError" in cell.traceback
    assert np.isnan(results.matrix("accuracy")["one", "bad"])
    with (
        pytest.raises(ValueError, match="at least two of each"),
        pytest.warns(UserWarning, match=r"no accuracy are left out of the statistics: one\."),
    ):
        results.friedman("accuracy")


def test_statistics_of_results():
    data = {f"data {seed}": easy(60, seed) for seed in range(5)}
    models = {d: DecisionTreeClassifier(max_depth=d) for d in (1, 2, 3)}
    results = compare(models, data, protocol=Protocol(4), store=None)
    assert results.models == ["1", "2", "3"]
    found = results.friedman("brier")
    np.testing.assert_allclose(found.average_ranks, results.ranks("brier").values.mean(axis=0))
    best = int(np.argmin(results.matrix("brier").values[0]))
    assert results.ranks("brier").values[0, best] <= 1.5  # a small error is good
    assert results.nemenyi("auc")["1", "1"] == 1
    assert results.wilcoxon("auc", control="2").pvalue.shape == (3, 3)
    assert results.holm("1").z[0] == 0
    table = results.win_draw_loss("auc")
    assert (table.wins + table.draws + table.losses)[0, 1] == 5
    with pytest.raises(ValueError, match=r"Unknown metric 'area'\. Metrics: auc"):
        results.matrix("area")
    with pytest.raises(ValueError, match=r"Unknown model '4'\. Models: 1, 2, 3"):
        results.holm("4")


def test_scores_of_models_without_probabilities():
    models = {"svm": LinearSVC(), "labels": Failing(-1)}
    frame = compare(models, TWO, protocol=Protocol(3), store=None).to_frame()
    svm, labels = (frame[frame["model"] == name] for name in models)
    assert svm["auc"].notna().all()
    assert svm["brier"].isna().all()
    assert labels["auc"].isna().all()
    assert labels["accuracy"].notna().all()


def test_number_of_leaves():
    X, y = load_breast_cancer(return_X_y=True)
    models = {
        "tree": DecisionTreeClassifier(max_leaf_nodes=4),
        "ours": RareTreeClassifier(max_leaf_nodes=4),
        "forest": RareForestClassifier(3, max_leaf_nodes=4),
        "pipe": prepared(DecisionTreeClassifier(max_leaf_nodes=4)),
        "other": LogisticRegression(max_iter=5),
    }
    results = compare(models, {"bc": (X, y)}, protocol=Protocol(2), store=None)
    found = results.matrix("n_leaves").values[0]
    np.testing.assert_array_equal(found[:4], [4, 4, 12, 4])
    assert np.isnan(found[4])
    np.testing.assert_array_equal(results.means()["n_leaves"], found)
    warned = [cell.warnings for cell in results.cells if cell.model == "other"]
    assert "ConvergenceWarning" in warned[0][0]


def test_a_class_that_training_lacks():
    X, y = easy(60)
    y = np.where(np.arange(60) == 7, "single", y)
    results = compare({"t": RareTreeClassifier()}, {"one": (X, y)}, store=None)
    frame = results.to_frame()
    assert frame["error"].isna().all()
    assert frame["auc"].notna().all()
    assert frame["f_measure"].isna().sum() == 5  # the test rows of one fold lack the class too


def categorical():
    X, y = easy(150)
    frame = pd.DataFrame(X[:, :3], columns=["a", "b", "c"])
    frame["kind"] = pd.Categorical(np.where(X[:, 3] > 0, "high", "low"))
    frame["flag"] = X[:, 4] > 0
    frame.loc[::7, "a"] = np.nan
    frame.loc[::11, "kind"] = None
    return frame, y


def test_models_that_need_numbers_get_them():
    models = {"lr": LogisticRegression(), "tree": RareTreeClassifier()}
    data = {"n": categorical()}
    helped = compare(models, data, protocol=Protocol(3), store=None)
    assert not helped.failures()
    assert helped.matrix("auc")["n", "lr"] > 0.55
    parameters = {cell.model: cell.about["parameters"] for cell in helped.cells}
    assert "Preparation" in parameters["lr"]
    assert "Preparation" not in parameters["tree"]
    alone = compare(models, data, protocol=Protocol(3), store=None, prepare=False)
    assert {cell.model for cell in alone.failures()} == {"lr"}


def test_who_needs_preparation():
    inside = RareTreeClassifier()
    assert needs_preparation(LogisticRegression(), False, True)
    assert needs_preparation(DecisionTreeClassifier(), True, False)
    assert not needs_preparation(DecisionTreeClassifier(), False, True)
    for model in (
        inside,
        HistGradientBoostingClassifier(),
        CalibratedClassifierCV(inside),
        GridSearchCV(inside, {"max_depth": [2]}),
        prepared(LogisticRegression()),
    ):
        assert not needs_preparation(model, True, True)
    assert needs_preparation(CalibratedClassifierCV(LogisticRegression()), True, False)


def test_preparation_of_new_values():
    frame, y = categorical()
    model = prepared(LogisticRegression()).fit(frame, y)
    other = frame.head(3).astype({"kind": object})
    other["kind"] = ["unheard", None, "low"]
    assert model.predict_proba(other).shape == (3, 2)
    import polars as pl

    matrix = model[0].transform(frame)
    np.testing.assert_array_equal(model[0].transform(pl.from_pandas(frame)), matrix)
    with pytest.raises(ValueError, match="Pass a DataFrame"):
        model[0].fit(np.array([["a", 1]], dtype=object))


def test_predictions():
    results = compare(
        {"t": RareTreeClassifier()}, TWO, protocol=Protocol(3, 2), store=None, keep_predictions=True
    )
    found = results.predictions("two", "t")
    y = TWO["two"][1]
    assert len(found.rows) == 2 * len(y)
    np.testing.assert_array_equal(np.bincount(found.rows), 2)
    np.testing.assert_array_equal(found.classes[found.y], y[found.rows])
    assert found.classes[found.pos_index] in y
    assert found.scores.shape == (2 * len(y), 3)
    accuracy = [
        (found.y == found.predicted)[(found.repeat == 0) & (found.fold == f)].mean()
        for f in range(3)
    ]
    np.testing.assert_allclose(accuracy, results.scores("accuracy")[1, 0, :3])
    with pytest.raises(ValueError, match="keep_predictions=True"):
        results.predictions("two", "u")


def test_records_and_bunches_are_data_sets():
    X, y = TWO["one"]
    record = Dataset("rec", pd.DataFrame(X), y, pos_label="common")
    results = compare({"t": RareTreeClassifier()}, [record], store=None, keep_predictions=True)
    assert results.predictions("rec", "t").pos_index == 0
    results = compare({"t": RareTreeClassifier()}, {"bc": load_breast_cancer()}, store=None)
    assert results.datasets == ["bc"]
    assert len(compare({"t": RareTreeClassifier}, "sklearn:wine", store=None)) == 10


def test_metrics_of_ones_own():
    own = Metric("errors", lambda o: (o.y != o.predicted).sum(), higher_is_better=False)
    data = {"one": TWO["one"]}
    results = compare({"t": RareTreeClassifier()}, data, metrics=["auc", own], store=None, n_jobs=2)
    assert list(results.metrics.items()) == [("auc", True), ("errors", False)]
    assert results.matrix("errors").values[0, 0] > 0


def test_progress(monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    compare({"t": RareTreeClassifier()}, {"one": TWO["one"]}, store=None)
    assert stream.getvalue() == ""
    compare({"t": RareTreeClassifier()}, {"one": TWO["one"]}, store=None, progress=True)
    lines = stream.getvalue().splitlines()
    assert "left" in lines[0]
    assert lines[-1].startswith("10 of 10 cells done in")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([], TWO), TypeError, "dict of name: classifier"),
        (({}, TWO), ValueError, "at least one model"),
        (({"t": 3}, TWO), TypeError, "'t' must be a classifier.*int"),
        (({"t": RareTreeClassifier()}, []), ValueError, "at least one data set"),
        (({"t": RareTreeClassifier()}, [3]), TypeError, "got int"),
        (({"t": RareTreeClassifier()}, {"a": 3}), TypeError, "'a' must be a pair"),
        (({"t": RareTreeClassifier()}, {"a": ([[1], [2]], [1])}), ValueError, "2 samples but 1"),
        (({"t": RareTreeClassifier()}, {"a": ([[1], [2]], [1, 1])}), ValueError, "single class"),
        (({"t": RareTreeClassifier()}, ["wine", "sklearn:wine"]), ValueError, "Two data sets"),
    ],
)
def test_bad_input(arguments, error, message):
    with pytest.raises(error, match=message):
        compare(*arguments, store=None)


def test_bad_options():
    good = ({"t": RareTreeClassifier()}, TWO)
    with pytest.raises(TypeError, match="five_by_two"):
        compare(*good, protocol=5, store=None)
    with pytest.raises(ValueError, match="refresh"):
        compare(*good, refresh="all", store=None)
    with pytest.raises(ValueError, match="pos_label 'x'"):
        compare(good[0], [Dataset("d", *TWO["one"], pos_label="x")], store=None)


def test_predictions_say_whether_scores_are_probabilities_and_which_class_is_rare():
    X, y = make_classification(60, weights=[0.7], random_state=0)
    models = {"tree": presets.hddt(), "svm": LinearSVC()}
    results = compare(models, {"d": (X, y)}, store=None, keep_predictions=True)
    assert results.predictions("d", "tree").is_probability
    assert not results.predictions("d", "svm").is_probability
    classes, rare = results.classes("d")
    assert (classes.tolist(), rare) == ([0, 1], 1)
    with pytest.raises(ValueError, match=r"Unknown data set 'e'\. Data sets: d"):
        results.classes("e")


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="the system has no such masks")
def test_processes_do_not_hear_ctrl_c(tmp_path):
    (tmp_path / "deaf.py").write_text(
        """
import signal
from sklearn.dummy import DummyClassifier

class Deaf(DummyClassifier):
    def fit(self, X, y):
        if signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, []):
            raise ValueError("hears Ctrl-C")
        return super().fit(X, y)
"""
    )
    code = """
import signal
from deaf import Deaf
from rarewood.evaluate import compare
if __name__ == "__main__":
    found = compare({"deaf": Deaf}, "wine", store=None, n_jobs=2, progress=False)
    print(len(found), found.failures())
    print(signal.pthread_sigmask(signal.SIG_BLOCK, []))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip
    assert done.stdout.split("\n")[:2] == ["10 []", "set()"], done.stderr
