"""The oracles agree with each other, and with values worked out by hand."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given

from oracle import audit, bulk, criteria, search
from oracle.cases import EVERY, FEW, Case
from oracle.cuts import midpoint
from oracle.problem import Limits, Problem
from oracle.tree import grow, leaf_of, probabilities
from support.draw import count_tables, examples, problems

TABLE = [[3, 1], [1, 3]]


@pytest.mark.parametrize(
    ("case", "value"),
    [
        (Case("entropy"), math.log(2) + 0.75 * math.log(0.75) + 0.25 * math.log(0.25)),
        (Case("gini"), 0.5 - 0.375),
        (Case("gain_ratio"), 1 + (0.75 * math.log(0.75) + 0.25 * math.log(0.25)) / math.log(2)),
        (Case("dkm"), 1 - math.sqrt(0.75)),
        (Case("hellinger"), math.sqrt(2 * (math.sqrt(0.75) - 0.5) ** 2)),
        (Case("ccp_gini"), 0.125),
        (Case("ccp_counts_gini"), 0.125),
        (Case("ihd"), 1 - math.sqrt(0.375) - math.sqrt(0.125)),
        (Case("ihdw"), (1 - math.sqrt(0.375) - math.sqrt(0.125)) * (1 - 3 / 16)),
        (Case("alpha", 2.0), 0.125),
        (Case("alpha", 1.0, "complement"), 0.75 * math.log(3) + 0.25 * math.log(1 / 3)),
        (
            Case("dcsm"),
            -2 * math.exp(2) * (0.75 * math.exp(1 - 0.5625) + 0.25 * math.exp(1 - 0.0625)),
        ),
    ],
    ids=str,
)
def test_values_by_hand(case, value):
    assert float(criteria.value(case, TABLE)) == pytest.approx(value, rel=1e-14)


@examples(40)
@given(table=count_tables(kinds=("small", "large", "float")))
def test_long_doubles_agree_with_decimals(table):
    for case in EVERY:
        got, want = float(bulk.values(case, table[None])[0]), float(criteria.value(case, table))
        tiny = 1e-9 if case.name == "hellinger" else 1e-15
        assert got == pytest.approx(want, rel=1e-12, abs=tiny), case


@examples(15)
@given(problem=problems(rows=(2, 10), categorical=True, missing=True))
def test_search_in_bulk_agrees_with_search_split_by_split(problem):
    for case, limits in product(FEW, (Limits(), Limits(min_samples_leaf=2))):
        rows = list(range(problem.n_rows))
        slow = search.best_split(problem, rows, case, limits)
        fast = audit.best_value(problem, np.array(rows), case, limits)
        assert (slow is None) == (fast is None)
        if slow is not None:
            assert audit.is_close(fast, slow.value)


def test_midpoints():
    assert midpoint(1.0, 2.0) == 1.5
    assert midpoint(1e308, 1.7e308) == 1.35e308
    assert midpoint(1.0, math.nextafter(1.0, 2)) == 1.0
    above = math.nextafter(1.0, 2)
    assert midpoint(above, math.nextafter(above, 2)) == above
    assert midpoint(0.0, 5e-324) == 0.0


def test_a_tree_by_hand():
    """Two cuts separate three groups; a row follows them back to its group."""
    X = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]])
    root = grow(Problem.of(X, [0, 0, 1, 1, 2, 2]), Case("entropy"))
    assert root.counts == [2, 2, 2]
    assert root.split.threshold == 2.5
    assert [child.counts for child in root.children] == [[2, 0, 0], [0, 2, 2]]
    assert leaf_of(root, [4.4]).counts == [0, 2, 0]
    assert leaf_of(root, [math.nan]).counts == [0, 2, 0]  # larger child, then the first of equals


def test_leaf_probabilities_by_hand():
    path = [[6.0, 2.0], [1.0, 1.0]]
    assert probabilities(path, "raw", 0) == [0.5, 0.5]
    assert probabilities([[6.0, 2.0], [3.0, 0.0]], "laplace", 1) == [0.8, 0.2]
    assert probabilities(path, "m_estimate", 2) == [2.5 / 4, 1.5 / 4]
    shrunk = probabilities(path, "shrunk", 8)
    assert shrunk == pytest.approx([0.75 - 0.25 / 2, 0.25 + 0.25 / 2])
