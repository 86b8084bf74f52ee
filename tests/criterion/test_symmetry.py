"""What may be done to a table without changing its value, and what may not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import criteria
from oracle.cases import EVERY, Case
from support.draw import count_tables, examples, full_tables
from support.grown import score

CCP = (Case("ccp_entropy"), Case("ccp_gini"))
HELLINGER = Case("hellinger")


def assert_equal(case: Case, a: np.ndarray, b: np.ndarray) -> None:
    tiny = 1e-12 * float(criteria.scale(case, a))
    assert score(case, a) == pytest.approx(score(case, b), rel=1e-11, abs=tiny), case


@examples(100)
@given(table=count_tables(), data=st.data())
def test_children_may_change_places(table, data):
    order = data.draw(st.permutations(range(len(table))))
    for case in EVERY:
        assert_equal(case, table, table[order])


@examples(100)
@given(table=count_tables(), data=st.data())
def test_classes_may_change_names(table, data):
    order = data.draw(st.permutations(range(table.shape[1])))
    for case in EVERY:
        assert_equal(case, table, table[:, order])


@examples(100)
@given(table=count_tables(), factor=st.sampled_from([0.5, 2.0, 3.0, 0.1, 1000.0]))
def test_only_proportions_count(table, factor):
    for case in EVERY:
        assert_equal(case, table, table * factor)


@examples(100)
@given(table=full_tables(), data=st.data())
def test_ccp_ignores_the_size_of_a_class(table, data):
    factors = [data.draw(st.sampled_from([1, 2, 10, 1000, 10**6, 0.3])) for _ in table[0]]
    for case in CCP:
        assert_equal(case, table, table * factors)


@examples(100)
@given(
    table=full_tables(classes=(2, 2)),
    factors=st.tuples(*[st.sampled_from([1, 2, 10, 1000, 10**6, 0.3])] * 2),
)
def test_hellinger_of_two_classes_ignores_their_sizes(table, factors):
    assert_equal(HELLINGER, table, table * factors)


def test_hellinger_of_three_classes_does_not():
    """One against the rest: the sizes of the classes in the rest still count."""
    table = np.array([[6, 1, 3], [2, 7, 3]])
    assert score(HELLINGER, table) != pytest.approx(score(HELLINGER, table * [1, 1, 10]), rel=1e-3)


@pytest.mark.parametrize(
    "case", [c for c in EVERY if c not in (*CCP, HELLINGER) and c.alpha != 0.0], ids=str
)
def test_no_other_criterion_ignores_the_size_of_a_class(case):
    """In particular iHD and iHDw do not, though their paper calls them skew insensitive."""
    table = np.array([[8.0, 2.0], [3.0, 9.0]])
    skewed = table * [1, 50]
    assert score(case, table) != pytest.approx(score(case, skewed), rel=1e-3)


@pytest.mark.parametrize("name", ["ihd", "ihdw", "entropy", "gini"])
def test_the_size_of_a_class_even_changes_the_choice(name):
    """All rare rows with half of the common ones, or some rare rows and nothing else: what
    is better depends on how many common rows there are."""
    case = Case(name)
    thorough, precise = np.array([[20, 10], [0, 10]]), np.array([[8, 0], [12, 20]])
    assert score(case, thorough) > 1.2 * score(case, precise)
    assert 1.2 * score(case, thorough * [1, 50]) < score(case, precise * [1, 50])
