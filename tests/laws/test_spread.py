"""Trees that are grown on shards are those of the whole table, to the last bit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.draw import examples, problems
from laws.grown import assert_same_tree, grow_forest
from laws.medium import medium_problem
from laws.spread import Coded, conduct
from oracle.cases import EVERY, FEW, Case
from oracle.row_draw import Draw

HELLINGER = Case("hellinger")
DRAWS = st.builds(Draw, replace=st.booleans(), balance=st.booleans(), n_drawn=st.integers(0, 50))
SPREADS = st.fixed_dictionaries(
    {
        "gather_bytes": st.sampled_from([0, 20, 1 << 20]),
        "max_answer_bytes": st.sampled_from([1, 2000, 1 << 26]),
        "max_kept_bytes": st.sampled_from([0, 3000, 1 << 29]),
        "trees_at_once": st.integers(0, 3),
    }
)


def check(coded: Coded, shards, cases, n_trees=1, draw=None, limits=None, spread=None, **options):
    want = grow_forest(
        coded.problem, cases, n_trees, draw, limits, columns=coded.whole, **dict(options)
    )
    conductor = coded.conductor(cases, n_trees, draw, limits, spread, **options)
    trees = conduct(conductor, shards)
    assert len(trees) == len(want)
    for ours, whole in zip(trees, want, strict=True):
        assert_same_tree(ours, whole)


@st.composite
def tables(draw, **options):
    problem = draw(problems(rows=(1, 60), **options))
    coded = Coded(problem, draw(st.sampled_from([2, 5, 255])))
    cuts = draw(st.lists(st.integers(0, problem.n_rows), max_size=4))
    return coded, coded.shards(cuts)


@examples(100)
@given(table=tables(), spread=SPREADS)
def test_numeric_tables(table, spread):
    for case in FEW:
        check(*table, case, spread=spread)


@pytest.mark.parametrize("gather_bytes", [0, 1 << 16])
@pytest.mark.parametrize("case", EVERY, ids=str)
def test_every_criterion(case, gather_bytes):
    coded = Coded(medium_problem("continuous", 3000, 3), 64)
    check(coded, coded.shards([700, 2000]), case, spread={"gather_bytes": gather_bytes})
