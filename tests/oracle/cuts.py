"""Every split that a node may consider, one after the other, by definition.

Numeric: each midpoint of consecutive distinct values, the missing rows on
either side; then all present values against the missing ones.  Categorical: see
the three functions below.  Nothing is skipped, nothing is shared.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, pairwise

from oracle.problem import Limits, Problem

Rows = list[int]


@dataclass(frozen=True)
class Split:
    """A way to divide the rows of a node.

    `position` orders the cuts of one feature; the two sides for missing rows
    share a position.  `sides` says which categories go to which child, `plane`
    which features are added up, and with which weights.
    """

    feature: int
    position: int | tuple[float, ...]
    threshold: float
    children: tuple[Rows, ...]
    missing_child: int | None
    sides: tuple[frozenset[int], ...] = ()
    plane: tuple[tuple[int, float], ...] = ()


def midpoint(low: float, high: float) -> float:
    """The double nearest to the middle of low < high, but never high itself."""
    middle = float((Fraction(low) + Fraction(high)) / 2)
    return low if middle >= high else middle


def splits(problem: Problem, rows: Rows, limits: Limits) -> Iterator[Split]:
    """All splits of a node whose children are large enough."""
    for feature in range(problem.n_features):
        if problem.n_categories[feature]:
            candidates = NOMINAL[limits.categorical_split](problem, rows, feature)
        else:
            candidates = numeric(problem, rows, feature)
        yield from (split for split in candidates if is_allowed(problem, split, limits))


def is_allowed(problem: Problem, split: Split, limits: Limits) -> bool:
    return all(
        len(child) >= max(1, limits.min_samples_leaf)
        and (limits.min_weight_leaf <= 0 or problem.weight(child) >= limits.min_weight_leaf)
        for child in split.children
    )


def present_and_missing(problem: Problem, rows: Rows, feature: int) -> tuple[Rows, Rows]:
    column = problem.X[:, feature]
    present = [i for i in rows if not math.isnan(column[i])]
    return present, [i for i in rows if math.isnan(column[i])]


def numeric(problem: Problem, rows: Rows, feature: int) -> Iterator[Split]:
    present, missing = present_and_missing(problem, rows, feature)
    x = {i: float(problem.X[i, feature]) for i in present}
    values = sorted(set(x.values()))
    for position, (low, high) in enumerate(pairwise(values)):
        threshold = midpoint(low, high)
        left = [i for i in present if x[i] <= threshold]
        right = [i for i in present if x[i] > threshold]
        for children, side in with_missing(left, right, missing):
            yield Split(feature, position, threshold, children, side)
    if present and missing:
        yield Split(feature, len(values) - 1, math.inf, (present, missing), 1)


def with_missing(
    left: Rows, right: Rows, missing: Rows
) -> Iterator[tuple[tuple[Rows, ...], int | None]]:
    if missing:
        yield (left + missing, right), 0
        yield (left, right + missing), 1
    else:
        yield (left, right), None


def rows_by_category(problem: Problem, present: Rows, feature: int) -> dict[int, Rows]:
    found: dict[int, Rows] = {}
    for i in present:
        found.setdefault(int(problem.X[i, feature]), []).append(i)
    return dict(sorted(found.items()))


def multiway(problem: Problem, rows: Rows, feature: int) -> Iterator[Split]:
    """One child per category that is present, and one for the missing rows."""
    present, missing = present_and_missing(problem, rows, feature)
    groups = rows_by_category(problem, present, feature)
    children = [*groups.values(), *([missing] if missing else [])]
    if len(children) > 1:
        sides = tuple(frozenset([c]) for c in groups)
        yield Split(feature, 0, math.nan, tuple(children), len(groups) if missing else None, sides)


def two_way(problem, rows, feature, subsets: Iterator[Sequence[int]]) -> Iterator[Split]:
    """The given subsets of the categories, each against the rest."""
    present, missing = present_and_missing(problem, rows, feature)
    groups = rows_by_category(problem, present, feature)
    position = 0
    for position, subset in enumerate(subsets):
        sides = (frozenset(subset), frozenset(groups) - frozenset(subset))
        left, right = ([i for c in sorted(side) for i in groups[c]] for side in sides)
        for children, side in with_missing(left, right, missing):
            yield Split(feature, position, math.nan, children, side, sides)
    if present and missing:
        sides = (frozenset(groups), frozenset())
        yield Split(feature, position + 1, math.nan, (present, missing), 1, sides)


def onehot(problem: Problem, rows: Rows, feature: int) -> Iterator[Split]:
    """One category against the rest."""
    categories = categories_present(problem, rows, feature)
    singles = [[c] for c in categories] if len(categories) > 1 else []
    yield from two_way(problem, rows, feature, iter(singles))


def subset(problem: Problem, rows: Rows, feature: int) -> Iterator[Split]:
    """Categories in the order of a class's share, cut like numbers, for each class."""
    present, _ = present_and_missing(problem, rows, feature)
    groups = rows_by_category(problem, present, feature)
    heads: list[Sequence[int]] = []
    for order in orderings(problem, groups):
        heads += [order[:i] for i in range(1, len(order))]
    yield from two_way(problem, rows, feature, iter(heads))


def orderings(problem: Problem, groups: dict[int, Rows]) -> Iterator[list[int]]:
    present_classes = [j for j, n in enumerate(problem.counts(list(chain(*groups.values())))) if n]
    for j in present_classes[1:] if len(present_classes) == 2 else present_classes:

        def share(category: int, j: int = j) -> Fraction:
            weights = [Fraction(w) for w in problem.weighted_counts(groups[category])]
            return weights[j] / sum(weights)

        yield sorted(groups, key=lambda category: (share(category), category))


def all_subsets(problem: Problem, rows: Rows, feature: int) -> Iterator[Split]:
    """Every two-way division of the categories: what `subset` should be the best of."""
    categories = categories_present(problem, rows, feature)
    pinned = categories[:1]  # the first category is always on the left: no division comes twice
    heads = (
        [*pinned, *chosen]
        for size in range(max(len(categories) - 1, 0))
        for chosen in combinations(categories[1:], size)
    )
    yield from two_way(problem, rows, feature, heads)


def categories_present(problem: Problem, rows: Rows, feature: int) -> list[int]:
    present, _ = present_and_missing(problem, rows, feature)
    return list(rows_by_category(problem, present, feature))


NOMINAL = {"multiway": multiway, "subset": subset, "onehot": onehot, "all": all_subsets}
