"""Criteria that are functions: the same trees as the built-in ones, wherever they are called."""

from __future__ import annotations

import _thread
import ctypes
import pickle
import shutil
import subprocess
import threading
import time
from copy import deepcopy

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import make_classification

import rarewood
from rarewood import RareForestClassifier, RareTreeClassifier, criteria
from support.draw import count_tables, examples

DOUBLES, INT = ctypes.POINTER(ctypes.c_double), ctypes.c_int64
SOURCE = """
#include <stdint.h>
void gini(const double *t, int64_t n, int64_t v, int64_t k, double *out) {
  for (int64_t i = 0; i < n; ++i) {
    double total = 0, value = 0;
    for (int64_t c = 0; c < v; ++c) {
      double rows = 0, squares = 0;
      for (int64_t j = 0; j < k; ++j, ++t) { rows += *t; squares += *t * *t; }
      total += rows;
      value += squares / rows;
    }
    out[i] = value / total;
  }
}
void scaled(const double *t, int64_t n, int64_t v, int64_t k, double *out, void *factor) {
  gini(t, n, v, k, out);
  for (int64_t i = 0; i < n; ++i) out[i] *= *(double *)factor;
}
"""


def gini(children):
    totals = children.sum(axis=2)
    return ((children**2).sum(axis=2) / totals).sum(axis=1) / totals.sum(axis=1)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("custom")
    (folder / "gini.c").write_text(SOURCE)
    command = [compiler, "-O2", "-shared", "-fPIC", "-o", folder / "gini.so", folder / "gini.c"]
    subprocess.run(command, check=True)
    library = ctypes.CDLL(str(folder / "gini.so"))
    for function, data in ((library.gini, ()), (library.scaled, (ctypes.c_void_p,))):
        function.argtypes, function.restype = (DOUBLES, INT, INT, INT, DOUBLES, *data), None
    return library


def table(n=600, seed=0, n_classes=2):
    X, y = make_classification(
        n, 6, n_informative=4, n_classes=n_classes, n_clusters_per_class=1,
        weights=[0.8, 0.1][: n_classes - 1], flip_y=0.1, random_state=seed,
    )  # fmt: skip
    rng = np.random.default_rng(seed)
    X[:, 0] = np.round(X[:, 0])
    X[:, 5] = rng.integers(0, 5, n)
    X[rng.random(X.shape) < 0.03] = np.nan
    return X, y


SETTINGS = [
    {},
    {"categorical_features": [5]},
    {"categorical_features": [5], "categorical_split": "multiway"},
    {"categorical_features": [5], "categorical_split": "onehot"},
    {"splitter": "random"},
    {"splitter": "oblique"},
    {"max_bins": 20},
    {"max_leaf_nodes": 9},
    {"min_samples_leaf": 5},
    {"class_weight": {0: 0.3, 1: 2.7, 2: 1.1}},
    {"pruning": "fisher"},
]


def assert_same_tree(a, b, *, same_thresholds=True):
    np.testing.assert_array_equal(a.feature, b.feature)
    np.testing.assert_array_equal(a.counts, b.counts)
    if same_thresholds:
        np.testing.assert_array_equal(a.threshold, b.threshold)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("convex", [False, True])
def test_gini_as_a_function_grows_the_built_in_tree(setting, convex):
    criterion = criteria.custom(gini, convex=convex)
    for n_classes in (2, 3):
        X, y = table(n_classes=n_classes, seed=n_classes)
        own, built_in = (
            RareTreeClassifier(one, random_state=1, **setting).fit(X, y).tree_
            for one in (criterion, "gini")
        )
        # Between two neighbours of a node several edges of bins are the same cut.
        assert_same_tree(own, built_in, same_thresholds=convex or "max_bins" not in setting)


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize("setting", [{}, {"splitter": "best", "bootstrap": True}], ids=str)
def test_forests_are_the_built_in_ones_in_threads_too(setting, n_jobs):
    X, y = table()
    own, built_in = (
        RareForestClassifier(6, criterion=one, n_jobs=n_jobs, random_state=0, **setting).fit(X, y)
        for one in (criteria.custom(gini), "gini")
    )
    np.testing.assert_array_equal(own.predict_proba(X), built_in.predict_proba(X))
    assert own.leaf_strength_ == built_in.leaf_strength_


def test_a_nonconvex_function_scores_every_cut():
    """The weighted distance is not convex: skipped cuts would change the tree."""
    X, y = table(400)
    own = criteria.custom(lambda children: criteria.score("ihdw", children), name="own_ihdw")
    trees = [RareTreeClassifier(one).fit(X, y).tree_ for one in (own, "ihdw")]
    assert_same_tree(*trees)


@examples(40)
@given(counts=count_tables(), factor=st.sampled_from([1.0, 1e-6, 1e9]))
def test_score_removes_empty_children_and_absent_classes(counts, factor):
    own = criteria.Custom(lambda children: factor * gini(children), "own")
    totals = counts.sum(axis=0)
    expected = criteria.score("gini", counts) + float((totals**2).sum() / totals.sum() ** 2)
    assert criteria.score(own, counts) == pytest.approx(factor * expected, rel=1e-9)


@pytest.mark.parametrize("factor", [1e12, 1e-3, -1e9])
def test_the_scale_of_the_values_has_no_effect(factor):
    """Scores are compared with relative tolerances, so those of large values tie as well."""
    X, y = table(300)
    trees = [
        RareTreeClassifier(criteria.custom(one)).fit(X, y).tree_
        for one in (gini, lambda t: abs(factor) * gini(t) + min(factor, 0.0))
    ]
    assert trees[0].n_nodes > 20
    if factor > 0:
        assert_same_tree(*trees)


@pytest.mark.parametrize(
    ("function", "convex", "message"),
    [
        (lambda t: -gini(t), False, "Higher must be better"),
        (lambda t: t[:, 0, 0], False, "order of the children"),
        (lambda t: gini(t).mean(), False, "one value per candidate"),
        (lambda t: gini(t)[:, None], False, "one value per candidate"),
        (lambda t: gini(t) / gini(t).max(), False, "depends on the other candidates"),
        (lambda t: np.log(t).sum(axis=(1, 2)), False, "is not finite for the counts"),
        (lambda t: gini(t) - 3 * gini(t) ** 9, False, "without information"),
        (lambda t: gini(t) + np.sin(50 * gini(t)), True, "not convex"),
    ],
)  # fmt: skip
def test_laws_are_checked_once(function, convex, message):
    with np.errstate(divide="ignore"), pytest.raises(ValueError, match=message):
        criteria.custom(function, name="mine", convex=convex)


def test_names_and_arguments():
    assert criteria.custom(gini).name == "custom_gini"
    assert criteria.custom(lambda t: gini(t)).name == "custom"
    assert criteria.custom(gini, name="mine") != criteria.custom(gini, name="yours")
    with pytest.raises(ValueError, match="not that of another criterion"):
        criteria.custom(gini, name="gini")
    with pytest.raises(TypeError, match="True or False"):
        criteria.custom(gini, convex=1)
    with pytest.raises(TypeError, match="must be callable"):
        criteria.custom("gini of mine")


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("model", [RareTreeClassifier, RareForestClassifier])
def test_an_error_of_the_function_is_raised_as_it_is(model, n_jobs):
    calls = threading.local()

    class OwnError(Exception):
        pass

    def fails_later(children):
        calls.n = getattr(calls, "n", 0) + 1
        if children.sum() > 590 and children.shape[1] == 2 and is_fitting:
            raise OwnError(7)
        return gini(children)

    is_fitting = False
    criterion = criteria.custom(fails_later)
    X, y = table()
    fitted = model(criterion=criterion, n_jobs=n_jobs, random_state=0).fit(X, y)
    before = pickle.dumps(fitted.predict_proba(X))
    is_fitting = True
    with pytest.raises(OwnError) as caught:
        fitted.fit(X[::-1], y)
    assert caught.value.args == (7,)
    assert pickle.dumps(fitted.predict_proba(X)) == before


def test_a_value_that_is_not_finite_later_is_refused():
    def undefined(children):
        values = gini(children)
        return np.where(children.sum(axis=(1, 2)) == 600, np.nan, values)

    X, y = table()
    with pytest.raises(ValueError, match="is not finite for the counts"):
        RareTreeClassifier(criteria.custom(undefined)).fit(X, y)


def test_ctrl_c_ends_a_slow_fit():
    def slow(children):
        time.sleep(0.01)
        return gini(children)

    X, y = table()
    model = RareForestClassifier(400, criterion=criteria.custom(slow), n_jobs=2)
    timer = threading.Timer(0.3, _thread.interrupt_main)
    begin = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert time.monotonic() - begin < 5
    assert not hasattr(model, "forest_")


def test_pickles_and_clones():
    X, y = table(200)
    criterion = criteria.custom(gini)
    assert pickle.loads(pickle.dumps(criterion)) == criterion == deepcopy(criterion)
    assert hash(pickle.loads(pickle.dumps(criterion))) == hash(criterion)
    model = clone(RareTreeClassifier(criterion)).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert_same_tree(again.fit(X, y).tree_, model.tree_)
    assert "gini, name='custom_gini'" in repr(criterion)


def test_a_model_file_has_the_name_but_not_the_function(tmp_path):
    X, y = table(200)
    for model in (RareTreeClassifier(), RareForestClassifier(3)):
        model.set_params(criterion=criteria.custom(gini, name="mine"), random_state=0).fit(X, y)
        rarewood.save(model, tmp_path / "model.rarewood")
        loaded = rarewood.load(tmp_path / "model.rarewood")
        np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
        assert (loaded.criterion.name, loaded.criterion.function) == ("mine", None)
        with pytest.raises(ValueError, match="was read from a model file"):
            loaded.fit(X, y)
        loaded.set_params(criterion=criteria.custom(gini, name="mine")).fit(X, y)
        np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))


def test_a_compiled_function_grows_the_built_in_forest(library):
    factor = ctypes.c_double(3.0)
    data = ctypes.cast(ctypes.pointer(factor), ctypes.c_void_p)
    X, y = table()
    expected = RareForestClassifier(4, criterion="gini", n_jobs=2, random_state=0).fit(X, y)
    for function in (
        library.gini,
        scipy.LowLevelCallable(library.gini),
        scipy.LowLevelCallable(library.scaled, data),
    ):
        own = clone(expected).set_params(criterion=criteria.custom(function, name="own"))
        np.testing.assert_array_equal(own.fit(X, y).predict_proba(X), expected.predict_proba(X))
    tripled = criteria.custom(scipy.LowLevelCallable(library.scaled, data))
    assert criteria.score(tripled, [[1, 0], [0, 1]]) == 3.0


def test_a_numba_function_grows_the_built_in_tree():
    numba = pytest.importorskip("numba")
    pointer, integer = numba.types.CPointer(numba.types.double), numba.types.int64

    @numba.cfunc(numba.types.void(pointer, integer, integer, integer, pointer))
    def compiled(cells, n, v, k, values):
        tables = numba.carray(cells, (n, v, k))
        for i in range(n):
            values[i] = 0.0
            for child in tables[i]:
                values[i] += (child**2).sum() / child.sum()
            values[i] /= tables[i].sum()

    X, y = table()
    trees = [RareTreeClassifier(one).fit(X, y).tree_ for one in (criteria.custom(compiled), "gini")]
    assert_same_tree(*trees)


def test_a_compiled_function_needs_its_signature(library):
    other = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(("cos", ctypes.CDLL("libm.so.6")))
    with pytest.raises(TypeError, match="must have the signature"):
        criteria.custom(other)
    undeclared = ctypes.CDLL(library._name).gini
    with pytest.raises(TypeError, match="Set argtypes"):
        criteria.custom(undeclared)


@pytest.mark.parametrize(
    "model",
    [
        RareTreeClassifier(),
        RareTreeClassifier(splitter="random", random_state=0),
        RareForestClassifier(4, random_state=0, leaf_strength=1.0, collapse=0.0),
    ],
    ids=["best", "random", "oblique"],
)
def test_a_compiled_function_is_nearly_as_fast(library, model):
    X, y = make_classification(20_000, 10, weights=[0.9], flip_y=0.1, random_state=0)

    def seconds(criterion):
        begin = time.process_time()
        clone(model).set_params(criterion=criterion).fit(X, y)
        return time.process_time() - begin

    compiled = criteria.custom(library.gini, convex=True)
    times = np.array([(seconds(compiled), seconds("gini")) for _ in range(3)])
    ratio = times.min(axis=0)[0] / times.min(axis=0)[1]
    print(f"compiled / built in: {ratio:.2f}")
    assert ratio < 3


@pytest.mark.parametrize("model", [RareTreeClassifier, RareForestClassifier])
def test_log_loss_is_another_name_of_entropy(model):
    X, y = table(300)
    fitted = [model(criterion=c, random_state=0).fit(X, y) for c in ("log_loss", "entropy")]
    np.testing.assert_array_equal(*[one.predict_proba(X) for one in fitted])
    assert "log_loss" not in criteria.names()
    assert criteria.score("log_loss", [[3, 1], [0, 9]]) == criteria.score(
        "entropy", [[3, 1], [0, 9]]
    )


def test_log_loss_prunes_by_entropy():
    X, y = table(300)
    paths = [
        RareTreeClassifier(c).cost_complexity_pruning_path(X, y) for c in ("log_loss", "entropy")
    ]
    np.testing.assert_array_equal(paths[0].ccp_alphas, paths[1].ccp_alphas)
