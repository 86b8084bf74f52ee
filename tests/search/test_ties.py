"""Exact ties, built on purpose: the lowest feature, then the lowest cut.

CCP criteria ask for the larger Hellinger distance first.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.cases import EVERY, FEW, Case
from oracle.problem import Limits, Problem
from support.draw import examples, problems
from support.grown import grow

STUMP = Limits(max_depth=1)
SIZES = (12, 60, 300, 1500)  # the core searches small and large nodes in different ways


def overlapping(n: int, k: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A column of distinct numbers and classes that depend on it, with noise."""
    rng = np.random.default_rng(seed)
    x = rng.permutation(n).astype(np.float64)
    y = np.clip((x * k / n + rng.normal(scale=0.3, size=n)).astype(np.int32), 0, k - 1)
    y[:k] = np.arange(k)
    return x, y


@pytest.mark.parametrize("search", ["auto", "sort"])
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("case", EVERY, ids=str)
def test_equal_and_mirrored_columns(case, k, n, search):
    """A copy, a mirror image and a stretched copy offer the same splits; the first wins."""
    x, y = overlapping(n, k)
    noise = np.random.default_rng(1).normal(size=n)
    columns = [noise, x, -x, x, 3 * x + 1]
    problem = Problem.of(np.stack(columns, axis=1), y)
    tree = grow(problem, case, STUMP, search=search)
    assert tree.feature[0] in (0, 1)
    turned = Problem.of(np.stack(columns[::-1], axis=1), y)
    tree = grow(turned, case, STUMP, search=search)
    assert tree.feature[0] in (0, 4)


@pytest.mark.parametrize("search", ["auto", "sort"])
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("case", FEW, ids=str)
def test_mirror_image_within_a_column(case, n, search):
    """The classes read the same from both ends, so every cut has a twin: the lower one wins."""
    half = np.random.default_rng(2).random(n // 2) < 0.3
    half[:3] = [False, False, True]
    y = np.concatenate([half, half[::-1]]).astype(np.int32)
    x = np.arange(n, dtype=np.float64)
    tree = grow(Problem.of(x[:, None], y), case, STUMP, search=search)
    assert tree.threshold[0] <= (n - 1) / 2


@examples(40)
@given(problem=problems(rows=(6, 20), features=(1, 2)), sign=st.sampled_from([1, -1]))
def test_copies_never_win(problem, sign):
    """Columns appended as copies or mirror images are never used, in the whole tree."""
    doubled = Problem.of(
        np.concatenate([problem.X, sign * problem.X], axis=1), problem.y, problem.n_classes
    )
    for case in EVERY:
        tree = grow(doubled, case)
        used = tree.feature[(tree.gain > 1e-9) & (tree.feature >= 0)]
        assert used.size == 0 or used.max() < problem.n_features, case


@pytest.mark.parametrize("search", ["auto", "sort"])
@pytest.mark.parametrize("factor", [1, 3, 20])
@pytest.mark.parametrize("swap", [False, True])
def test_ccp_prefers_the_larger_hellinger_distance(factor, swap, search):
    """Rates of (3/4, 1/4) and of (2/5, 0) are worth 1/8 to ccp_gini, both exactly; the
    second has the larger Hellinger distance, so it wins wherever it stands."""
    rare, common = 20, 20 * factor
    y = np.repeat([1, 0], [rare, common])
    even = np.r_[np.arange(rare) < 15, np.arange(common) < common // 4]
    clean = np.r_[np.arange(rare) < 8, np.zeros(common, dtype=bool)]
    columns = [clean, even] if swap else [even, clean]
    problem = Problem.of(1.0 - np.stack(columns, axis=1), y)
    tree = grow(problem, Case("ccp_gini"), STUMP, search=search)
    assert tree.gain[0] == pytest.approx(1 / 8, rel=1e-12)
    assert tree.feature[0] == (0 if swap else 1)


@pytest.mark.parametrize("search", ["auto", "sort"])
def test_infinite_values_tie(search):
    """At alpha 0 any child without some class is worth infinity: the lowest cut wins."""
    x = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    y = [0, 0, 1, 0, 1, 1]
    tree = grow(Problem.of(np.stack([x, x], axis=1), y), Case("alpha", 0.0), STUMP, search=search)
    assert tree.feature[0] == 0
    assert tree.threshold[0] == 1.5
    assert tree.gain[0] == np.inf


@pytest.mark.parametrize("search", ["auto", "sort"])
@pytest.mark.parametrize("case", FEW, ids=str)
def test_exclusive_or_is_learnt(case, search):
    """No first cut gains anything, yet it is made, and the rest follows."""
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, dtype=np.float64)
    y = (X[:, 0] != X[:, 1]).astype(np.int32)
    tree = grow(Problem.of(X, y), case, search=search)
    assert tree.n_nodes == 7
    assert np.count_nonzero(tree.counts[tree.feature < 0], axis=1).tolist() == [1] * 4
    assert abs(tree.gain[0]) < 1e-12
    assert tree.feature[0] == 0
