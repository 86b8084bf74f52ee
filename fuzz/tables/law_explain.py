"""Laws of explanations: they agree with the predictions that they explain."""

from __future__ import annotations

from itertools import product

import numpy as np

import rarewood
from fuzz.tables.compare import assert_equal, trees_of
from fuzz.tables.fits import Setting


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


def dependence(s: Setting) -> None:
    """On a grid of all features, the dependence is the prediction; of one, a mean of all samples.

    A missing value is a value, too.
    """
    compute = rarewood.explain.partial_dependence
    grid = {j: np.array(s.draw.sample(s.X[:, j].tolist(), 2)) for j in range(s.X.shape[1])}
    rows = np.array(list(product(*grid.values())))
    if not any(tree.plane_offset.size for tree in trees_of(s.model)):
        found = compute(s.model, s.X, list(grid), method="recursion", custom_values=grid)
        expected = s.model.predict_proba(rows)
        average = found.average.reshape(len(expected[0]), -1).T
        np.testing.assert_allclose(average, expected, rtol=1e-9, atol=1e-12)
    [j] = s.draw.sample(range(s.X.shape[1]), 1)
    found = compute(s.model, s.X, j, method="brute", custom_values={j: grid[j]})
    for value, average in zip(grid[j], found.average.T, strict=True):
        rows = s.X.copy()
        rows[:, j] = value
        mean = s.model.predict_proba(rows).mean(axis=0)
        np.testing.assert_allclose(average, mean, rtol=1e-9, atol=1e-12)
