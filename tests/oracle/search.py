"""The best split of a node: try them all, then settle ties by the rule."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, localcontext

from oracle import criteria
from oracle.cases import Case
from oracle.criteria import CONTEXT, INFINITY
from oracle.cuts import Rows, Split, splits
from oracle.problem import Limits, Problem

HELLINGER = Case("hellinger")
TIE = Decimal("1e-12")


@dataclass(frozen=True)
class Scored:
    split: Split
    value: Decimal
    hellinger: Decimal


def scored_splits(problem: Problem, rows: Rows, case: Case, limits: Limits) -> list[Scored]:
    found = []
    for split in splits(problem, rows, limits):
        table = [problem.weighted_counts(child) for child in split.children]
        hellinger = criteria.value(HELLINGER, table) if case.prefers_hellinger else Decimal(0)
        found.append(Scored(split, criteria.value(case, table), hellinger))
    return found


def best_of(found: list[Scored]) -> Scored | None:
    """The maximum; among values as good, the larger Hellinger distance where it
    counts (it is 0 for all where not), the lowest feature, the lowest cut."""
    if not found:
        return None
    leaders = tied(found, lambda s: s.value)
    leaders = tied(leaders, lambda s: s.hellinger)
    return min(leaders, key=lambda s: (s.split.feature, s.split.position))


def tied(found: list[Scored], key) -> list[Scored]:
    with localcontext(CONTEXT):
        top = max(key(s) for s in found)
        if top == INFINITY:
            return [s for s in found if key(s) == INFINITY]
        return [s for s in found if key(s) >= top - TIE * abs(top)]


def best_split(problem: Problem, rows: Rows, case: Case, limits: Limits) -> Scored | None:
    return best_of(scored_splits(problem, rows, case, limits))
