"""Laws of a fitted model: probabilities, threads, copies, and views of the same model."""

from __future__ import annotations

import copy
import os
import pickle
import tempfile
import threading
from pathlib import Path

import numpy as np

import rarewood
from fuzz.tables.compare import assert_equal, assert_probabilities, assert_same
from fuzz.tables.fits import Setting, require

_FILE = Path(tempfile.gettempdir()) / f"rarewood-fuzz-{os.getuid()}"


def probabilities(s: Setting) -> None:
    """Finite, non-negative, with a sum of 1; labels are the most probable; scores are finite."""
    proba = s.model.predict_proba(s.X)
    assert_probabilities(proba, len(s.X), len(s.model.classes_))
    with np.errstate(divide="ignore"):
        assert_equal(s.model.predict_log_proba(s.X), np.log(proba), "logarithms")
    found = proba[np.arange(len(proba)), np.searchsorted(s.model.classes_, s.model.predict(s.X))]
    assert (found >= proba.max(axis=1) - 1e-12).all(), "a label is not the most probable one"
    importances = s.model.feature_importances_
    assert np.isfinite(importances).all() and (importances >= 0).all(), f"{importances}"
    total = importances.sum()
    assert abs(total - 1) < 1e-9 or total == 0, f"importances sum to {total}"
    if hasattr(s.model, "oob_decision_function_"):
        known = s.model.oob_decision_function_
        known = known[~np.isnan(known).all(axis=1)]
        assert_probabilities(known, len(known), len(s.model.classes_))


def threads(s: Setting) -> None:
    """The same model and the same predictions for any number of threads."""
    other = s.fit(n_jobs=s.draw.pick([2, 3, -1]))
    assert_same(s.model, other, "threads")
    assert_equal(s.model.predict_proba(s.X), other.predict_proba(s.X), "probabilities")
    if s.parameters.get("oob_score"):
        one, two = s.model.oob_decision_function_, other.oob_decision_function_
        assert_equal(one, two, "out-of-bag probabilities")


def warm_start(s: Setting) -> None:
    """Trees that are added are those of a forest that is grown at once."""
    require(not s.has_pilot)
    n = s.parameters.get("n_estimators", 1)
    first = s.fit(warm_start=True, n_estimators=s.draw.integer(1, n))
    first.set_params(n_estimators=n).fit(s.X, s.y, s.weights)
    assert_same(s.model, first, "warm start")
    if s.parameters.get("oob_score"):
        assert_equal(s.model.oob_decision_function_, first.oob_decision_function_, "out-of-bag")


def saved(s: Setting) -> None:
    """A saved and loaded model is the same, with its parameters and its predictions."""
    path = _FILE.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    try:
        rarewood.save(s.model, path, keep_rows=True)
        again = rarewood.load(path)
    finally:
        path.unlink(missing_ok=True)
    assert_same(s.model, again, "saved")
    assert_equal(s.model.predict_proba(s.X), again.predict_proba(s.X), "probabilities")
    assert repr(again) == repr(s.model), f"{again} and {s.model}"


def pickled(s: Setting) -> None:
    """Pickled, copied and cloned models are the same."""
    for again in (pickle.loads(pickle.dumps(s.model)), copy.deepcopy(s.model)):
        assert_same(s.model, again, "pickled")
    assert_equal(s.model.predict_proba(s.X), again.predict_proba(s.X), "probabilities")


def row_by_row(s: Setting) -> None:
    """A prediction does not depend on the other rows, or on the memory layout."""
    expected = s.model.predict_proba(s.X)
    single = np.concatenate([s.model.predict_proba(s.X[i : i + 1]) for i in range(len(s.X))])
    assert_equal(expected, single, "row by row")
    for layout in (np.asfortranarray(s.X), np.repeat(s.X, 2, axis=1)[:, ::2], s.X.astype(">f8")):
        assert_equal(expected, s.model.predict_proba(layout), "layout")


def members(s: Setting) -> None:
    """A forest predicts the mean of its trees; a tree fitted on its samples is the same tree."""
    trees = list(s.model)
    mean = np.mean([tree.predict_proba(s.X) for tree in trees], axis=0)
    np.testing.assert_allclose(s.model.predict_proba(s.X), mean, rtol=1e-9, atol=1e-12)
    require(not s.samples_nodes and s.get("max_bins") in ("auto", None) and not s.has_pilot)
    require(s.parameters.get("class_weight") is None)
    # A forest takes the fraction of the weight that a tree is expected to draw.
    require(not s.parameters.get("min_weight_fraction_leaf") or not s.draws_rows)
    number = s.draw.integer(0, len(trees) - 1)
    rows = s.model.estimators_samples_[number]
    require(len(np.unique(s.y[rows])) == len(s.model.classes_))
    weights = None if s.weights is None else s.weights[rows]
    alone = rarewood.RareTreeClassifier(**trees[number].get_params())
    alone.fit(s.X[rows], s.y[rows], weights)
    require(alone.tree_.schema.categories.keys() == trees[number].tree_.schema.categories.keys())
    for j, own in alone.tree_.schema.categories.items():
        known = trees[number].tree_.schema.categories[j]
        require(own.values.tolist() == known.values.tolist())
    # Weights are rounded to a grid that depends on all of them.
    ignored = () if s.weights is None else ("gain", "weighted_counts")
    assert_same(trees[number], alone, f"tree {number}", ignored)


def contributions(s: Setting) -> None:
    """Contributions add up to the probability."""
    found = rarewood.explain.contributions(s.model, s.X)
    place = s.model.classes_.tolist().index(found.pos_label)
    proba = s.model.predict_proba(s.X)[:, place]
    np.testing.assert_allclose(found.probability, proba, rtol=1e-7, atol=1e-9)


def shap(s: Setting) -> None:
    """Shapley values add up to the probabilities."""
    found = rarewood.explain.shap_values(s.model, s.X)
    np.testing.assert_allclose(
        found.probabilities, s.model.predict_proba(s.X), rtol=1e-9, atol=1e-11
    )


def monotonic(s: Setting) -> None:
    """Along a constrained feature, with all others fixed, the probability keeps its order."""
    constraints = s.parameters.get("monotonic_cst", [])
    require(any(constraints))
    assert s.model is not None
    for j, sign in enumerate(constraints):
        values = np.unique(s.X[:, j][~np.isnan(s.X[:, j])])
        if sign == 0 or not len(values):
            continue
        rows = np.repeat(s.X[:8], len(values), axis=0)
        rows[:, j] = np.tile(values, len(rows) // len(values))
        proba = s.model.predict_proba(rows).reshape(-1, len(values), 2)
        steps = sign * np.diff(proba[:, :, 1], axis=1)
        assert (steps >= 0).all(), f"column {j}: a step of {steps.min()}"


def paths(s: Setting) -> None:
    """Leaves are the ends of decision paths, and their counts are the training samples."""
    indicator = s.model.decision_path(s.X)
    trees = [s.model] if s.case["estimator"] == "tree" else list(s.model)
    leaves = s.model.apply(s.X).reshape(len(s.X), -1)
    if s.case["estimator"] == "forest":
        indicator, starts = indicator
    else:
        starts = [0, indicator.shape[1]]
    for number, tree in enumerate(trees):
        own = leaves[:, number]
        part = indicator[:, starts[number] : starts[number + 1]]
        assert (np.asarray(part[np.arange(len(own)), own]) == 1).all(), "leaf not on its path"
        view = tree.tree_
        assert_equal(np.asarray(part.sum(axis=1)).ravel() - 1, view.depth[own], "depth")
        if not s.draws_rows and s.weights is None:
            totals = np.bincount(own, minlength=view.n_nodes)
            ends = view.feature < 0
            assert_equal(totals[ends], view.counts[ends].sum(axis=1), "samples of leaves")
