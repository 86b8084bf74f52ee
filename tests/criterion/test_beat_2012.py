"""Statements of "Compact Ensemble Trees for Imbalanced Data" on its alpha divergence.

Park and Ghosh, MCS 2011 (proceedings 2012), equations 1 to 8 and appendix A.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from rarewood.criteria import Alpha, score

TABLES = [
    np.array([[8.0, 2], [12, 78]]),
    np.array([[30.0, 3, 7], [10, 40, 10]]),
    np.array([[5.0, 90], [3, 2], [1, 99]]),
]


@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.9, 1.3, 1.9])
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_definition_1(table, alpha):
    """D_alpha(p(x, y) || p(x) p(y)), over the joint distribution, in one sum."""
    joint = table / table.sum()
    product = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    terms = alpha * joint + (1 - alpha) * product - joint**alpha * product ** (1 - alpha)
    want = terms.sum() / (alpha * (1 - alpha))
    assert score(Alpha(alpha), table) == pytest.approx(want, rel=1e-10)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_special_cases(table):
    """Equations 2 (twice the squared differences of roots), 3 (KL) and 4 (half of chi squared)."""
    joint = table / table.sum()
    product = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    roots = 2 * ((np.sqrt(joint) - np.sqrt(product)) ** 2).sum()
    assert score(Alpha(0.5), table) == pytest.approx(roots, rel=1e-12)
    information = (joint * np.log(joint / product)).sum()
    assert score(Alpha(1.0), table) == pytest.approx(information, rel=1e-12)
    assert score("entropy", table) == pytest.approx(information, rel=1e-12)
    chi_squared = 0.5 * ((joint - product) ** 2 / product).sum()
    assert score(Alpha(2.0), table) == pytest.approx(chi_squared, rel=1e-12)


@pytest.mark.parametrize("alpha", [0.2, 0.5, 1.0, 1.7])
def test_equation_8(alpha):
    """The expansion to third order about the prior share of the rare class."""
    q, weight, step = 0.2, 0.3, 1e-3
    n = 1e6
    shares = [(weight, q + step), (1 - weight, q - step * weight / (1 - weight))]
    table = [[n * w * p, n * w * (1 - p)] for w, p in shares]
    a, b = 0.5 * (1 / q + 1 / (1 - q)), (1 / q**2 - 1 / (1 - q) ** 2) / 6
    want = sum(w * (a * (p - q) ** 2 + b * (alpha - 2) * (p - q) ** 3) for w, p in shares)
    assert score(Alpha(alpha), table) == pytest.approx(want, rel=1e-4)


def test_larger_alpha_looks_for_precision():
    """Section 3: a small, clean group of rare rows gains on a large, thorough one as alpha
    grows, and loses as it falls."""
    precise = [[20, 0], [80, 900]]
    thorough = [[100, 500], [0, 400]]
    ratios = [
        score(Alpha(a), precise) / score(Alpha(a), thorough) for a in (0.2, 0.6, 1.0, 1.4, 1.8)
    ]
    assert ratios == sorted(ratios)
    assert ratios[0] < 1 < ratios[-1]


@pytest.mark.parametrize("rare", [5, 30, 50])
def test_propositions_3_and_4(rare):
    """For two classes, alpha 2 from (1/2, 1/2) orders splits as Gini, and alpha 1/2 from
    the complement as DKM."""
    rng = np.random.default_rng(rare)
    heads = np.stack([rng.integers(0, rare + 1, 60), rng.integers(1, 100 - rare, 60)], axis=1)
    tables = [np.array([head, [rare, 100 - rare] - head]) for head in heads]
    for extended, plain in (
        (Alpha(2.0, reference="uniform"), "gini"),
        (Alpha(0.5, reference="complement"), "dkm"),
    ):
        ours, theirs = (np.array([score(c, t) for t in tables]) for c in (extended, plain))
        slope, offset = np.polyfit(theirs, ours, 1)
        assert slope > 0
        np.testing.assert_allclose(ours, slope * theirs + offset, atol=1e-10)


def test_appendix_a_with_sums_for_products():
    """Equation 14 prints a product over x where a sum is meant: DKM is
    2 sqrt(p q) - sum p(x) 2 sqrt(p(+|x) p(-|x))."""
    table = np.array([[8.0, 2], [12, 78]])
    p = table.sum(axis=0) / table.sum()
    children = sum(
        row.sum() / table.sum() * 2 * math.sqrt(np.prod(row / row.sum())) for row in table
    )
    assert score("dkm", table) == pytest.approx(2 * math.sqrt(p.prod()) - children, rel=1e-12)
