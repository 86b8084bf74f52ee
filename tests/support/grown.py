"""From the oracles' words to the compiled core's: criteria, encoded tables, trees."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from oracle.cases import Case
from oracle.problem import Limits, Problem
from oracle.row_sampling import Draw
from rarewood import _core


def criterion(case: Case) -> _core.Criterion:
    if case.alpha is None:
        return _core.Criterion(case.name)
    return _core.Criterion(case.name, alpha=case.alpha, reference=case.reference)


def score(case: Case, table: Any) -> float:
    """Value of one table, from the core."""
    tables = np.ascontiguousarray(np.asarray(table, dtype=np.float64)[None])
    return float(criterion(case).score(tables)[0])


def encode(problem: Problem, max_bins: int = 0, n_threads: int = 1) -> _core.Columns:
    return _core.Columns(problem.X, problem.n_categories, max_bins, n_threads)


def from_codes(problem: Problem, max_bins: int, n_threads: int = 1) -> _core.Columns:
    """The same table as codes only, as if they had been made elsewhere."""
    local = encode(problem, max_bins)
    features = range(problem.n_features)
    wide = {f: problem.X[:, f] for f in features if problem.n_categories[f] > 255}
    return _core.Columns.from_codes(
        np.stack([local.codes(f) for f in features]),
        [local.edges(f) for f in features],
        problem.n_categories,
        np.isnan(problem.X).any(axis=0),
        max_bins,
        {f: np.where(np.isnan(x), -1, x).astype(np.int32) for f, x in wide.items()},
        n_threads,
    )


def options_of(problem: Problem, limits: Limits | None = None, **options: Any) -> _core.GrowOptions:
    """Fully grown unless told otherwise."""
    limits = limits or Limits()
    arguments: dict[str, Any] = {
        "max_depth": limits.max_depth,
        "min_samples_split": limits.min_samples_split,
        "min_samples_leaf": limits.min_samples_leaf,
        "min_weight_leaf": limits.min_weight_leaf,
        "min_gain": limits.min_gain,
        "categorical_split": limits.categorical_split,
        "max_features": problem.n_features,
        "max_leaf_nodes": 0,
        "n_cuts": 0,
        "seed": 0,
    }
    return _core.GrowOptions(**(arguments | options))


def grow(
    problem: Problem,
    case: Case,
    limits: Limits | None = None,
    columns: _core.Columns | None = None,
    **options: Any,
) -> _core.Tree:
    """A tree of the core, fully grown unless told otherwise."""
    return _core.grow(
        columns or encode(problem),
        problem.y,
        problem.n_classes,
        problem.weights,
        criterion(case),
        options_of(problem, limits, **options),
    )


FOREST = ("first_tree", "balance_weights", "n_threads", "progress")


def grow_forest(
    problem: Problem,
    cases: Case | list[Case],
    n_trees: int,
    draw: Draw | None = None,
    limits: Limits | None = None,
    columns: _core.Columns | None = None,
    **options: Any,
) -> list[_core.Tree]:
    """Trees of the core that are grown side by side."""
    of_forest = {name: options.pop(name) for name in FOREST if name in options}
    return _core.grow_forest(
        columns or encode(problem),
        problem.y,
        problem.n_classes,
        problem.weights,
        [criterion(case) for case in (cases if isinstance(cases, list) else [cases])],
        options_of(problem, limits, **options),
        row_sampling(draw or Draw(), problem.y, problem.n_classes),
        n_trees=n_trees,
        **of_forest,
    )


def row_sampling(draw: Draw, y: np.ndarray, n_classes: int) -> _core.RowSampling:
    """The draw from a table with these classes."""
    return _core.RowSampling(**asdict(draw.of(np.bincount(y, minlength=n_classes).tolist())))


ARRAYS = (
    "feature",
    "threshold",
    "first_child",
    "n_children",
    "missing_child",
    "counts",
    "category_offset",
    "category",
    "category_child",
    "plane_offset",
    "plane_feature",
    "plane_weight",
)


def assert_same_tree(a: Any, b: Any, gain_tolerance: float = 0.0) -> None:
    """Equal to the last array; gains and weights equal, or within a tolerance."""
    assert a.n_nodes == b.n_nodes
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)
    for name in ("gain", "weighted_counts"):
        x, y = getattr(a, name), getattr(b, name)
        np.testing.assert_allclose(x, y, rtol=gain_tolerance, atol=gain_tolerance, err_msg=name)


def outline(tree: Any, node: int = 0) -> tuple:
    """The tree as nested tuples, free of node numbers."""
    first, n = int(tree.first_child[node]), int(tree.n_children[node])
    low, high = tree.category_offset[node], tree.category_offset[node + 1]
    return (
        int(tree.feature[node]),
        str(tree.threshold[node]),
        tuple(tree.category[low:high].tolist()),
        tuple(tree.category_child[low:high].tolist()),
        tuple(tree.counts[node].tolist()),
        tuple(outline(tree, first + i) for i in range(n)),
    )


def partition(leaves: np.ndarray) -> np.ndarray:
    """Leaf numbers replaced by the first row of each leaf: equal for equal partitions."""
    _, first, inverse = np.unique(leaves, return_index=True, return_inverse=True)
    return first[inverse]
