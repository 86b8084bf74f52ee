"""The split at the root is the best of all splits, and the right one among equals."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from oracle import audit, criteria, search
from oracle.cases import EVERY, FEW, PLAIN, Case
from oracle.cuts import Split
from oracle.problem import Limits, Problem
from rarewood import RareTreeClassifier
from support.draw import examples, problems
from support.grown import grow

STUMP = Limits(max_depth=1)


def check_root(problem: Problem, case: Case, limits: Limits = STUMP, **options) -> None:
    tree = grow(problem, case, limits, **options)
    rows = list(range(problem.n_rows))
    found = search.scored_splits(problem, rows, case, limits)
    unsplit = float(criteria.value_of_not_splitting(case, problem.weighted_counts(rows)))
    is_pure = np.count_nonzero(problem.counts(rows)) <= 1
    assert (tree.feature[0] >= 0) == bool(found and not is_pure), case
    if tree.feature[0] < 0:
        return
    best = search.best_of(found)
    assert audit.is_close(tree.gain[0] + unsplit, best.value), case
    if best.value - Decimal(unsplit) > 1e-9:
        check_tie_rule(tree, problem, case, best.split)


def check_tie_rule(tree, problem: Problem, case: Case, split: Split) -> None:
    """Among equals: the lowest feature, then the lowest cut.

    Which side the missing rows take among equals is left open, and so is
    everything where nothing is gained: there only rounding decides.
    """
    assert tree.feature[0] == split.feature, case
    if not problem.n_categories[split.feature]:
        assert tree.threshold[0] == split.threshold, case


@examples(60)
@given(problem=problems(rows=(2, 14)))
def test_best_cut_of_numbers(problem):
    for case in EVERY:
        check_root(problem, case)


@examples(40)
@given(problem=problems(rows=(2, 12), missing=True))
def test_best_cut_with_missing_values(problem):
    for case in EVERY:
        check_root(problem, case)


@examples(40)
@given(problem=problems(rows=(2, 12), weighted=True))
def test_best_cut_with_weights(problem):
    for case in FEW:
        check_root(problem, case)


@examples(40)
@given(problem=problems(rows=(2, 14), missing=True))
def test_plain_search_finds_it_too(problem):
    for case in FEW:
        check_root(problem, case, search="sort")


@examples(40)
@given(problem=problems(rows=(4, 14), missing=True), leaf=st.integers(2, 5))
def test_best_cut_with_large_enough_children(problem, leaf):
    for case in FEW:
        check_root(problem, case, Limits(max_depth=1, min_samples_leaf=leaf))


@examples(30)
@given(problem=problems(rows=(4, 12), weighted=True, missing=True))
def test_best_cut_with_heavy_enough_children(problem):
    limit = 0.2037 * float(problem.weights.sum())  # no sum of weights is within rounding of it
    for case in FEW:
        check_root(problem, case, Limits(max_depth=1, min_weight_leaf=limit))


@examples(30)
@given(problem=problems(rows=(2, 14), missing=True))
def test_the_estimator_finds_it(problem):
    rows = list(range(problem.n_rows))
    for case in PLAIN:
        model = RareTreeClassifier(criterion=case.name, max_depth=1).fit(problem.X, problem.y)
        found = search.scored_splits(problem, rows, case, STUMP)
        values = [float(s.value) for s in found] if len(model.classes_) > 1 else []
        assert model.tree_.n_nodes == (3 if values else 1)
        if values:
            unsplit = criteria.value_of_not_splitting(case, problem.weighted_counts(rows))
            assert audit.is_close(model.tree_.gain[0] + float(unsplit), max(values)), case
