"""Trees of C4.5 by the core, compared with those of the twin."""

from __future__ import annotations

import numpy as np

from oracle import j48
from oracle.j48 import Options
from oracle.problem import Problem
from rarewood import _core


def grow(problem: Problem, options: Options) -> _core.Tree:
    return _core.grow_c45(
        problem.X, problem.n_categories, problem.y, problem.n_classes, problem.weights,
        **vars(options),
    )  # fmt: skip


def assert_same(tree: _core.Tree, problem: Problem, root: j48.Node) -> None:
    """Nodes of the core against those of the twin; empty children are left out in the core."""
    weighted = tree.weighted_counts
    places = [(0, root)]
    for v, node in places:
        rows = [row for row, _ in node.cases]
        assert tree.counts[v].tolist() == problem.counts(rows)
        want = j48.class_weights(problem, node.cases)
        np.testing.assert_allclose(weighted[v], want, rtol=1e-9, atol=1e-9)
        if not node.children:
            assert tree.feature[v] == -1
            continue
        assert tree.feature[v] == node.feature
        filled = [i for i, c in enumerate(node.children) if j48.weight_of(c.cases) >= j48.SMALL]
        assert tree.n_children[v] == len(filled)
        here = slice(*tree.category_offset[v : v + 2])
        if node.threshold is None:
            assert tree.category[here].tolist() == filled
            assert tree.category_child[here].tolist() == list(range(len(filled)))
        else:
            assert tree.threshold[v] == node.threshold
        first = int(tree.first_child[v])
        places += [(first + place, node.children[i]) for place, i in enumerate(filled)]
    assert tree.n_nodes == len(places)


def assert_same_predictions(tree, problem, root, laplace: float) -> None:
    values = tree.leaf_values("laplace", laplace)
    rows = problem.X.copy()
    rng = np.random.default_rng(problem.n_rows)
    rows[rng.random(rows.shape) < 0.3] = np.nan
    for f, n in enumerate(problem.n_categories):
        if n:
            rows[rng.random(len(rows)) < 0.2, f] = n - 1  # perhaps not in the node
    found = _core.predict_fractional(tree, rows, values)
    want = [j48.predict(problem, root, row, laplace) for row in rows.tolist()]
    np.testing.assert_allclose(found, want, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-9)
    offsets, nodes, parts, ends = _core.fractional_path(tree, rows)
    for i, end in enumerate(ends):
        here = slice(*offsets[i : i + 2])
        assert nodes[here][0] == 0
        assert end in nodes[here]
        assert (parts[here] <= 1).all()
        below = {int(v): part for v, part in zip(nodes[here], parts[here], strict=True)}
        assert len(below) == len(nodes[here])


def check(problem: Problem, options: Options) -> None:
    root = j48.tree(problem, options)
    tree = grow(problem, options)
    assert_same(tree, problem, root)
    assert_same_predictions(tree, problem, root, 1.0)
