"""What must not change the model: threads, row order, monotone transforms, constant
columns, repeated rows written as weights, a trip through a file."""

from __future__ import annotations

import pickle

import joblib
import numpy as np
import pytest

from oracle.cases import FEW, Case
from oracle.problem import Problem
from rarewood import RareTreeClassifier
from support.grown import assert_same_tree, encode, grow, partition
from support.medium import medium_problem

KINDS = ("continuous", "coarse", "missing", "categorical")
ENOUGH = [case for case in FEW if not case.has_infinities]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_jobs", [2, 3, -1])
def test_any_number_of_jobs(n_jobs, kind):
    problem = medium_problem(kind, 3000, 3)
    categorical = np.flatnonzero(problem.n_categories).tolist() or None
    one, many = (
        RareTreeClassifier(categorical_features=categorical, n_jobs=jobs).fit(problem.X, problem.y)
        for jobs in (1, n_jobs)
    )
    assert_same_tree(one.tree_, many.tree_)
    np.testing.assert_array_equal(one.predict_proba(problem.X), many.predict_proba(problem.X))
    np.testing.assert_array_equal(one.apply(problem.X), many.apply(problem.X))


@pytest.mark.parametrize("max_bins", [0, 16, 255])
@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_threads_in_the_core(kind, max_bins):
    problem = medium_problem(kind, 6000, 2)
    trees = [
        grow(problem, Case("hellinger"), columns=encode(problem, max_bins, t)) for t in (1, 2, 5)
    ]
    assert_same_tree(trees[0], trees[1])
    assert_same_tree(trees[0], trees[2])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", ENOUGH, ids=str)
def test_any_order_of_rows(case, kind):
    problem = medium_problem(kind, 700, 2)
    order = np.random.default_rng(1).permutation(problem.n_rows)
    shuffled = Problem.of(problem.X[order], problem.y[order], 2, problem.n_categories)
    assert_same_tree(grow(problem, case), grow(shuffled, case))


@pytest.mark.parametrize("case", ENOUGH, ids=str)
def test_any_memory_layout(case):
    problem = medium_problem("missing", 500, 3)
    want = grow(problem, case)
    every_other = np.zeros((1000, 10))
    every_other[::2, ::2] = problem.X
    layouts = (
        np.asfortranarray(problem.X),
        np.ascontiguousarray(problem.X),
        every_other[::2, ::2],
        problem.X[::-1].copy()[::-1],
        np.ascontiguousarray(problem.X[:, ::-1])[:, ::-1],
    )
    for X in layouts:
        same = Problem.of(X, problem.y, 3)
        assert_same_tree(grow(same, case), want)
        np.testing.assert_array_equal(want.apply(X, 1), want.apply(problem.X, 1))


@pytest.mark.parametrize("transform", [np.exp, np.cbrt, lambda x: x**3, lambda x: 1e-3 * x - 7])
@pytest.mark.parametrize("case", ENOUGH, ids=str)
def test_monotone_transforms(case, transform):
    problem = medium_problem("continuous", 600, 2, seed=3)
    bent = transform(problem.X)
    assert (np.sort(problem.X, axis=0).argsort(0) == np.sort(bent, axis=0).argsort(0)).all()
    a, b = grow(problem, case), grow(Problem.of(bent, problem.y), case)
    np.testing.assert_array_equal(a.feature, b.feature)
    np.testing.assert_array_equal(a.counts, b.counts)
    np.testing.assert_array_equal(partition(a.apply(problem.X, 1)), partition(b.apply(bent, 1)))


@pytest.mark.parametrize("place", [0, 2, 5])
@pytest.mark.parametrize("kind", KINDS)
def test_constant_columns(kind, place):
    problem = medium_problem(kind, 600, 2)
    wider = np.insert(problem.X, place, 3.25, axis=1)
    n_categories = np.insert(problem.n_categories, place, 0)
    a = grow(problem, Case("hellinger"))
    b = grow(Problem.of(wider, problem.y, 2, n_categories), Case("hellinger"))
    moved = np.where(a.feature >= place, a.feature + 1, a.feature)
    np.testing.assert_array_equal(b.feature, moved)
    for name in ("threshold", "counts", "gain", "category", "category_child"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", ENOUGH, ids=str)
def test_integer_weights_are_repeated_rows(case, kind):
    problem = medium_problem(kind, 400, 2)
    times = np.random.default_rng(2).integers(0, 4, size=problem.n_rows)
    again = np.repeat(np.arange(problem.n_rows), times)
    repeated = Problem.of(problem.X[again], problem.y[again], 2, problem.n_categories)
    kept = times > 0
    weighted = Problem.of(
        problem.X[kept], problem.y[kept], 2, problem.n_categories, times[kept].astype(float)
    )
    a, b = grow(repeated, case), grow(weighted, case)
    np.testing.assert_array_equal(a.feature, b.feature)
    np.testing.assert_array_equal(a.threshold, b.threshold)
    np.testing.assert_array_equal(a.counts, b.weighted_counts)
    np.testing.assert_allclose(a.gain, b.gain, rtol=1e-9, atol=1e-12)


def test_integer_weights_in_the_estimator():
    problem = medium_problem("continuous", 400, 3)
    times = np.random.default_rng(2).integers(0, 4, size=problem.n_rows)
    again = np.repeat(np.arange(problem.n_rows), times)
    a = RareTreeClassifier().fit(problem.X[again], problem.y[again])
    b = RareTreeClassifier().fit(problem.X, problem.y, sample_weight=times)
    np.testing.assert_allclose(a.predict_proba(problem.X), b.predict_proba(problem.X), rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_trip_through_pickle_and_joblib(kind, tmp_path):
    problem = medium_problem(kind, 500, 3)
    categorical = np.flatnonzero(problem.n_categories).tolist() or None
    model = RareTreeClassifier(categorical_features=categorical).fit(problem.X, problem.y)
    joblib.dump(model, tmp_path / "model.joblib")
    copies = [
        *(pickle.loads(pickle.dumps(model, protocol)) for protocol in range(2, 6)),
        joblib.load(tmp_path / "model.joblib"),
    ]
    for copy in copies:
        assert_same_tree(copy.tree_, model.tree_)
        np.testing.assert_array_equal(copy.predict_proba(problem.X), model.predict_proba(problem.X))
        assert copy.get_params() == model.get_params()


def test_fitting_leaves_its_input_alone():
    problem = medium_problem("missing", 300, 2)
    before = problem.X.copy()
    RareTreeClassifier().fit(problem.X, problem.y).predict(problem.X)
    np.testing.assert_array_equal(problem.X, before)
