"""Statements of "Learning Decision Trees for Unbalanced Data" about its criteria.

Cieslak and Chawla, ECML PKDD 2008, section 2.  A split of two classes is a
point (fpr, tpr): the shares of the common and of the rare class on the left.
"""

from __future__ import annotations

import math

import pytest

from rarewood.criteria import score


def split(fpr: float, tpr: float, skew: float = 1.0, n: float = 1000.0) -> list[list[float]]:
    """Rare, common; `skew` common rows for each rare one."""
    return [[n * tpr, n * skew * fpr], [n * (1 - tpr), n * skew * (1 - fpr)]]


POINTS = [(0.0, 0.2), (0.2, 0.6), (0.8, 1.0), (0.2, 0.0), (0.6, 0.2), (1.0, 0.8)]


@pytest.mark.parametrize(("fpr", "tpr"), POINTS)
def test_contour_of_figure_1a(fpr, tpr):
    """Information gain is about 0.1 bits at these six points, says section 2.1."""
    bits = score("entropy", split(fpr, tpr)) / math.log(2)
    assert bits == pytest.approx(0.1, abs=0.03)
    turned = score("entropy", split(tpr, fpr)) / math.log(2)
    assert bits == pytest.approx(turned, rel=1e-12)


@pytest.mark.parametrize(("fpr", "tpr"), [*POINTS, (0.05, 0.3), (0.5, 0.5)])
@pytest.mark.parametrize("skew", [1, 10, 100, 1e6])
def test_hellinger_is_the_same_at_any_skew(fpr, tpr, skew):
    """Figure 4, and the formula in front of it."""
    want = math.hypot(math.sqrt(tpr) - math.sqrt(fpr), math.sqrt(1 - tpr) - math.sqrt(1 - fpr))
    assert score("hellinger", split(fpr, tpr, skew)) == pytest.approx(want, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_isometrics_flatten_with_skew(criterion):
    """Figures 1 and 3: the same rates are worth less at 1 : 10 than at 1 : 1."""
    for fpr, tpr in POINTS:
        assert score(criterion, split(fpr, tpr, 10)) < 0.8 * score(criterion, split(fpr, tpr))


@pytest.mark.parametrize("skew", [1, 10, 100])
@pytest.mark.parametrize("a", [0.1, 0.5, 0.9])
def test_contours_of_dkm_do_not_twist(a, skew):
    """Section 2.1 says they meet (0, a) and (1 - a, 0) at any skew; (a, 0) is what holds.
    Those of information gain do twist."""
    assert score("dkm", split(0, a, skew)) == pytest.approx(
        score("dkm", split(a, 0, skew)), rel=1e-12
    )
    if skew > 1:
        one, other = score("entropy", split(0, a, skew)), score("entropy", split(a, 0, skew))
        assert one != pytest.approx(other, rel=1e-2)


@pytest.mark.parametrize(("fpr", "tpr"), POINTS)
def test_equation_6(fpr, tpr):
    """sqrt(2 - 2 sqrt(P(L|+) P(L|-)) - 2 sqrt(P(R|+) P(R|-)))."""
    affinity = math.sqrt(tpr * fpr) + math.sqrt((1 - tpr) * (1 - fpr))
    assert score("hellinger", split(fpr, tpr)) == pytest.approx(math.sqrt(2 - 2 * affinity))


@pytest.mark.parametrize("skew", [1, 10, 100])
def test_range(skew):
    """Hellinger reaches sqrt 2 for a clean split and 0 for equal distributions; DKM's
    upper bound is 2 sqrt(P(+) P(-)) (section 2.2)."""
    clean, useless = split(0, 1, skew), split(0.3, 0.3, skew)
    rare = 1 / (1 + skew)
    assert score("hellinger", clean) == pytest.approx(math.sqrt(2), rel=1e-14)
    assert score("hellinger", useless) == pytest.approx(0, abs=1e-12)
    assert score("dkm", clean) == pytest.approx(2 * math.sqrt(rare * (1 - rare)), rel=1e-12)


def test_algorithm_1_is_multiway():
    """Calc_Hellinger sums over all values of a categorical feature."""
    table = [[6, 10], [3, 30], [1, 60]]
    squared = sum((math.sqrt(p / 10) - math.sqrt(n / 100)) ** 2 for p, n in table)
    assert score("hellinger", table) == pytest.approx(math.sqrt(squared), rel=1e-14)
