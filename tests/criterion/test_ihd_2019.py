"""Worked examples of "Inter-node Hellinger Distance based Decision Tree".

Akash, Kadir, Ali and Shoyaib, IJCAI 2019: the 80 samples of section 1, the 12
samples of section 3.3 (Table 1, Figures 1 and 2), Theorem 3.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from oracle import search
from oracle.cases import Case
from oracle.problem import Limits, Problem
from rarewood import RareTreeClassifier
from rarewood.criteria import score

# Section 1: 40 samples of class A, 20 of B, 10 of C, 10 of D, divided 50 : 30.
SPLIT_X = [[40, 0, 0, 10], [0, 20, 10, 0]]
SPLIT_Y = [[40, 0, 5, 5], [0, 20, 5, 5]]

# Table 1.
F1 = [26, 44, 34, 42, 32, 24, 40, 36, 22, 28, 38, 30]
F2 = [12, 20, 16, 22, 28, 24, 26, 32, 30, 18, 34, 14]
X = np.array([F1, F2], dtype=float).T
CLASS = np.array(list("BBBBABBBAAAB"))


def test_hellinger_cannot_tell_the_two_splits_apart():
    assert score("hellinger", SPLIT_X) == pytest.approx(score("hellinger", SPLIT_Y), rel=1e-14)
    assert score("hellinger", SPLIT_X) == pytest.approx(1.0878894332937856, rel=1e-12)


@pytest.mark.parametrize(("criterion", "x", "y"), [("ihd", 0.27625445221, 0.20361475949)])
def test_ihd_prefers_the_more_exclusive_split(criterion, x, y):
    assert score(criterion, SPLIT_X) == pytest.approx(x, abs=1e-11)
    assert score(criterion, SPLIT_Y) == pytest.approx(y, abs=1e-11)


@pytest.mark.parametrize("criterion", ["ihdw", "entropy", "gini", "ccp_entropy", "dkm", "dcsm"])
def test_so_does_every_other_criterion(criterion):
    assert score(criterion, SPLIT_X) > score(criterion, SPLIT_Y)


def test_tree_of_figure_1():
    """iHD cuts f2 at 27 first; two of its four leaves are pure."""
    tree = RareTreeClassifier(criterion="ihd", max_depth=2).fit(X, CLASS).tree_
    assert (tree.feature[0], tree.threshold[0]) == (1, 27)
    assert tree.gain[0] == pytest.approx(0.0519927291401091, rel=1e-12)
    leaves = tree.counts[tree.feature < 0]
    assert sorted(leaves.tolist()) == [[0, 5], [1, 1], [1, 2], [2, 0]]


def test_tree_of_figure_2():
    """iHDw first makes a pure child.

    Two cuts do so equally well, f1 <= 39 and f2 <= 17.  The paper draws f2;
    our order of ties takes f1.  Both lead to the same leaves, of which one is
    impure, and no sample of the minority class A is misclassified.
    """
    model = RareTreeClassifier(criterion="ihdw", max_depth=2).fit(X, CLASS)
    tree = model.tree_
    assert (tree.feature[0], tree.threshold[0]) == (0, 39)
    assert tree.gain[0] == pytest.approx(0.0477093800746493, rel=1e-12)
    leaves = tree.counts[tree.feature < 0]
    assert sorted(leaves.tolist()) == [[0, 3], [0, 3], [4, 2]]
    assert (model.predict(X)[CLASS == "A"] == "A").all()


def test_the_tie_of_figure_2():
    cut_f1, cut_f2 = [[4, 5], [0, 3]], [[0, 3], [4, 5]]
    assert score("ihdw", cut_f1) == pytest.approx(score("ihdw", cut_f2), rel=1e-14)
    problem = Problem.of(X, CLASS == "B")
    found = search.scored_splits(problem, list(range(12)), Case("ihdw"), Limits())
    first = search.tied(found, lambda s: s.value)
    assert [(s.split.feature, s.split.threshold) for s in first] == [(0, 39), (1, 17)]
    turned = RareTreeClassifier(criterion="ihdw", max_depth=2).fit(X[:, ::-1], CLASS).tree_
    assert (turned.feature[0], turned.threshold[0]) == (0, 17)


@pytest.mark.parametrize("classes", [[40, 20, 10, 10], [5, 4, 3], [9, 1], [7, 7, 1, 1]])
def test_theorem_3(classes):
    """The best iHDw split sends whole classes left or right, as evenly as they allow, and
    is worth 1 - rho^(3/2) - (1 - rho)^(3/2) (equation 17)."""
    n = sum(classes)
    everything = product(*(range(c + 1) for c in classes))
    tables = [
        [list(left), [c - x for c, x in zip(classes, left, strict=True)]] for left in everything
    ]
    best = max(tables, key=lambda t: score("ihdw", t)) if len(tables) < 2000 else None
    evenly = min(
        (sum(s) / n for s in product(*((0, c) for c in classes))), key=lambda r: abs(r - 0.5)
    )
    worth = 1 - evenly**1.5 - (1 - evenly) ** 1.5
    if best is None:
        top = max(score("ihdw", t) for t in tables[::7])
        assert top <= worth + 1e-12
        return
    assert score("ihdw", best) == pytest.approx(worth, rel=1e-12)
    assert all(a * b == 0 for a, b in zip(*best, strict=True))
    assert math.isclose(abs(sum(best[0]) / n - 0.5), abs(evenly - 0.5))
