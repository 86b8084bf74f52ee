"""The least and the most a split can be worth."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import criteria
from oracle.cases import EVERY, Case
from support.draw import count_tables, examples, full_tables
from support.grown import criterion, score

ZERO_BASED = [c for c in EVERY if c.name != "dcsm" and c.reference == "prior"]


@examples(80)
@given(
    classes=st.lists(st.integers(1, 50), min_size=2, max_size=5),
    children=st.lists(st.integers(1, 50), min_size=2, max_size=4),
)
def test_no_information_is_worth_nothing(classes, children):
    table = np.outer(children, classes)
    for case in EVERY:
        tiny = 1e-12 * float(criteria.scale(case, table))
        unsplit = score(case, [table.sum(axis=0)])
        assert score(case, table) == pytest.approx(unsplit, rel=1e-12, abs=tiny), case
        if case in ZERO_BASED:
            assert abs(unsplit) <= tiny, case


@examples(100)
@given(table=count_tables())
def test_not_splitting_is_never_better(table):
    for case in EVERY:
        gain = score(case, table) - score(case, [table.sum(axis=0)])
        assert gain >= -1e-12 * float(criteria.scale(case, table)), case


@examples(60)
@given(table=full_tables(classes=(2, 4), children=(2, 3), kinds=("small", "large", "skew")))
def test_some_split_whose_children_share_no_class_is_best(table):
    v, k = table.shape
    apart = np.zeros((v**k, v, k))
    for number, places in enumerate(product(range(v), repeat=k)):
        apart[number, list(places), np.arange(k)] = table.sum(axis=0)
    for case in EVERY:
        most = criterion(case).score(apart).max()
        tiny = 1e-12 * float(criteria.scale(case, table))
        assert score(case, table) <= most * (1 + math.copysign(1e-12, most)) + tiny, case


@examples(50)
@given(rare=st.integers(1, 100), common=st.integers(1, 10**12), split=st.booleans())
def test_hellinger_of_a_clean_split_is_the_square_root_of_two(rare, common, split):
    table = [[rare, 0], [0, common]]
    if split and common > 1:
        table = [[rare, 0], [0, 1], [0, common - 1]]
    assert score(Case("hellinger"), table) == pytest.approx(math.sqrt(2), rel=1e-14)


@pytest.mark.parametrize(
    ("case", "most"),
    [
        (Case("entropy"), math.log(2)),
        (Case("gini"), 0.5),
        (Case("gain_ratio"), 1.0),
        (Case("dkm"), 1.0),
        (Case("ccp_entropy"), math.log(2)),
        (Case("ccp_gini"), 0.5),
        (Case("ccp_counts_entropy"), math.log(2)),
        (Case("ccp_counts_gini"), 0.5),
        (Case("ihd"), 1 - math.sqrt(0.5)),
        (Case("ihdw"), 1 - math.sqrt(0.5)),
        (Case("dcsm"), -math.e),
    ],
    ids=str,
)
def test_clean_split_of_balanced_classes(case, most):
    assert score(case, [[7, 0], [0, 7]]) == pytest.approx(most, rel=1e-14)
