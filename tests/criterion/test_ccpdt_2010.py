"""Statements of "A Robust Decision Tree Algorithm for Imbalanced Data Sets" on CCP.

Liu, Chawla, Cieslak and Chawla, SDM 2010, sections 3.1 to 3.4.  We take
equation 3.16 with its weights normalised. The weights of Algorithm 2 are counts,
which undo the invariance that Figure 3 shows: ``ccp_counts_*``.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from rarewood import RareTreeClassifier
from rarewood.criteria import score

GRID = [(f, t) for f in np.linspace(0, 1, 6) for t in np.linspace(0, 1, 6) if 0 < f + t < 2]


def split(fpr: float, tpr: float, skew: float = 1.0, n: float = 1000.0) -> list[list[float]]:
    return [[n * tpr, n * skew * fpr], [n * (1 - tpr), n * skew * (1 - fpr)]]


def impurity(p: float) -> float:
    """Imp(p, 1 - p) of equation 3.15."""
    return -sum(x * math.log(x) for x in (p, 1 - p) if x > 0)


@pytest.mark.parametrize(("fpr", "tpr"), GRID)
def test_equation_3_16(fpr, tpr):
    """The weights tpr + fpr and 2 - tpr - fpr sum to 2: we divide by that, and the first
    term is the impurity of equal classes, which the weights belong to."""
    left, right = tpr + fpr, 2 - tpr - fpr
    children = left / 2 * impurity(tpr / left) + right / 2 * impurity((1 - tpr) / right)
    want = pytest.approx(math.log(2) - children, rel=1e-9, abs=1e-12)
    assert score("ccp_entropy", split(fpr, tpr, 10)) == want


@pytest.mark.parametrize("criterion", ["ccp_entropy", "ccp_gini"])
@pytest.mark.parametrize(("fpr", "tpr"), GRID)
def test_figure_3_no_contour_shifts(fpr, tpr, criterion):
    balanced = score(criterion, split(fpr, tpr))
    for skew in (10, 1000):
        assert score(criterion, split(fpr, tpr, skew)) == pytest.approx(
            balanced, rel=1e-9, abs=1e-12
        )


@pytest.mark.parametrize(("fpr", "tpr"), GRID)
def test_algorithm_2(fpr, tpr):
    """Line 10, with tpr in its first logarithm and the counts of the children as fractions."""
    table = split(fpr, tpr, 10)
    left, right = (sum(child) / np.sum(table) for child in table)
    children = left * impurity(tpr / (tpr + fpr)) if tpr + fpr else 0.0
    children += right * impurity((1 - tpr) / (2 - tpr - fpr))
    want = pytest.approx(math.log(2) - children, rel=1e-9, abs=1e-12)
    assert score("ccp_counts_entropy", table) == want


@pytest.mark.parametrize("base", ["entropy", "gini"])
def test_algorithm_2_reverses_the_preference_of_the_plain_gain(base):
    """Contrary to Figure 3, contours shift: a large child without rare rows gets the weight."""
    few_common, few_rare = (0.1, 0.6), (0.4, 0.9)
    values = {
        name: [score(name, split(*point, 10)) for point in (few_common, few_rare)]
        for name in (f"ccp_{base}", f"ccp_counts_{base}", base)
    }
    assert values[f"ccp_{base}"][0] == pytest.approx(values[f"ccp_{base}"][1])
    assert values[base][0] > 1.2 * values[base][1]
    assert values[f"ccp_counts_{base}"][1] > 1.5 * values[f"ccp_counts_{base}"][0]


@pytest.mark.parametrize(("fpr", "tpr"), [p for p in GRID if abs(p[0] - p[1]) > 0.1])
def test_figure_2_information_gain_falls_with_skew(fpr, tpr):
    """Much lower for 1 : 10 than for balanced classes, says section 3.2."""
    assert score("entropy", split(fpr, tpr, 10)) < 0.85 * score("entropy", split(fpr, tpr))


@pytest.mark.parametrize("plain", ["entropy", "gini"])
@pytest.mark.parametrize(("fpr", "tpr"), GRID)
def test_section_3_3_equal_classes_change_nothing(fpr, tpr, plain):
    want = pytest.approx(score(plain, split(fpr, tpr)), rel=1e-9, abs=1e-12)
    assert score(f"ccp_{plain}", split(fpr, tpr)) == want


@pytest.mark.parametrize("criterion", ["ccp_entropy", "ccp_gini"])
def test_figure_5_a_before_b_before_c(criterion):
    """A and B lie on a parallel to the diagonal, B and C on a line through the origin."""
    a, b, c = (0.1, 0.5), (0.2, 0.6), (0.1, 0.3)
    assert b[1] / b[0] == pytest.approx(c[1] / c[0])
    assert b[1] - b[0] == pytest.approx(a[1] - a[0])
    values = [score(criterion, split(*point, 10)) for point in (a, b, c)]
    assert values == sorted(values, reverse=True)


def test_ties_go_to_the_larger_hellinger_distance():
    """Section 3.4.  (fpr, tpr) of (1/4, 3/4) and (0, 2/5) are worth exactly 1/8 each."""
    even, clean = split(0.25, 0.75, 3, 20), split(0.0, 0.4, 3, 20)
    assert score("ccp_gini", even) == pytest.approx(1 / 8, rel=1e-14)
    assert score("ccp_gini", clean) == pytest.approx(1 / 8, rel=1e-14)
    assert score("hellinger", clean) > 1.2 * score("hellinger", even)

    def column(table):
        """Rows of the rare class first, then of the common one; 0 is left."""
        (a, c), (b, d) = np.array(table).round().astype(int)
        return np.repeat([0, 1, 0, 1], [a, b, c, d])

    X = np.stack([column(even), column(clean)], axis=1)
    y = np.repeat([1, 0], [20, 60])
    tree = RareTreeClassifier(criterion="ccp_gini", max_depth=1).fit(X, y).tree_
    assert tree.feature[0] == 1
