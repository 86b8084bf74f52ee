"""Equations between criteria that the literature states or that follow from it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given

from oracle.cases import Case
from support.draw import examples, full_tables
from support.grown import score

ENTROPY, GINI, DKM, HELLINGER = (Case(n) for n in ("entropy", "gini", "dkm", "hellinger"))
KINDS = ("small", "large", "float")


def near(value: float) -> pytest.approx:
    return pytest.approx(value, rel=1e-10, abs=1e-12)


def shares(table: np.ndarray) -> np.ndarray:
    return table.sum(axis=0) / table.sum()


def gini_of(table: np.ndarray) -> float:
    return 1 - (shares(table) ** 2).sum()


def dkm_of(table: np.ndarray) -> float:
    return np.sqrt(shares(table) * (1 - shares(table))).sum()


@examples(100)
@given(table=full_tables(classes=(2, 2), kinds=KINDS))
def test_dkm_is_hellinger_squared_times_the_geometric_mean_of_the_priors(table):
    factor = math.sqrt(shares(table).prod())
    assert score(DKM, table) == near(factor * score(HELLINGER, table) ** 2)


@examples(100)
@given(table=full_tables(kinds=KINDS))
def test_ihd_is_a_quarter_of_alpha_one_half(table):
    assert score(Case("ihd"), table) == near(score(Case("alpha", 0.5), table) / 4)


@examples(100)
@given(table=full_tables(kinds=KINDS))
def test_alpha_one_is_the_entropy_gain(table):
    assert score(Case("alpha", 1.0), table) == near(score(ENTROPY, table))


@examples(100)
@given(table=full_tables(kinds=KINDS))
def test_alpha_two_from_uniform_is_gini_in_disguise(table):
    k = table.shape[1]
    in_children = gini_of(table) - score(GINI, table)
    assert score(Case("alpha", 2.0, "uniform"), table) == near((k - 1 - k * in_children) / 2)


@examples(100)
@given(table=full_tables(classes=(2, 2), kinds=KINDS))
def test_alpha_two_from_uniform_for_two_classes(table):
    want = 0.5 - gini_of(table) + score(GINI, table)
    assert score(Case("alpha", 2.0, "uniform"), table) == near(want)


@examples(100)
@given(table=full_tables(kinds=KINDS))
def test_alpha_one_half_from_the_complement_is_dkm_in_disguise(table):
    k = table.shape[1]
    in_children = dkm_of(table) - score(DKM, table)
    want = 4 * (1 - in_children / math.sqrt(k - 1))
    assert score(Case("alpha", 0.5, "complement"), table) == near(want)


@examples(100)
@given(table=full_tables(kinds=KINDS))
def test_gain_ratio_is_gain_over_split_information(table):
    weights = table.sum(axis=1) / table.sum()
    information = -(weights * np.log(weights)).sum()
    assert score(Case("gain_ratio"), table) * information == near(score(ENTROPY, table))


@pytest.mark.parametrize("name", ["entropy", "gini"])
@examples(100)
@given(table=full_tables(kinds=KINDS))
def test_ccp_is_the_plain_gain_on_balanced_classes(name, table):
    balanced = table / table.sum(axis=0)
    assert score(Case(f"ccp_{name}"), table) == near(score(Case(name), balanced))


@pytest.mark.parametrize("name", ["entropy", "gini"])
def test_ccp_is_the_plain_gain_where_classes_are_balanced_already(name):
    table = [[7, 1, 4], [3, 9, 6]]
    assert score(Case(f"ccp_{name}"), table) == near(score(Case(name), table))


def test_ihdw_is_ihd_where_every_child_misses_a_class():
    table = [[4, 0, 3], [0, 8, 0], [1, 2, 0]]
    assert score(Case("ihdw"), table) == near(score(Case("ihd"), table))
