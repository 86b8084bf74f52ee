"""Random hyperplanes of a node, drawn one by one.

They live in the box of the node's rows: every feature runs from 0, its lowest value there, to 1,
its highest.  A plane is kept as weights of the raw values, and rows whose weighted sum is at most
the threshold go left.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from oracle.cuts import Rows, Split, with_missing
from oracle.problem import Problem
from oracle.random import Random

Points = list[list[float]]


def extent(problem: Problem, rows: Rows, feature: int) -> tuple[float, float] | None:
    """Lowest and highest value that is present, if they differ."""
    x = [float(v) for v in problem.X[rows, feature] if v == v]
    return (min(x), max(x)) if x and min(x) < max(x) else None


def is_usable(problem: Problem, rows: Rows, feature: int) -> bool:
    """Numeric, and of a width that may be divided by."""
    found = None if problem.n_categories[feature] else extent(problem, rows, feature)
    return found is not None and 1e-290 < found[1] - found[0] < 1e290


def features_of_plane(
    problem: Problem, rows: Rows, lead: int, dim: int, random: Random
) -> list[int] | None:
    """The lead and dim - 1 others, drawn without replacement from those that may be used."""
    if not is_usable(problem, rows, lead):
        return None
    chosen = [lead]
    waiting = [f for f in range(problem.n_features) if not problem.n_categories[f]]
    for i in range(len(waiting)):
        if len(chosen) == dim:
            break
        j = i + random.below(len(waiting) - i)
        waiting[i], waiting[j] = waiting[j], waiting[i]
        if waiting[i] != lead and is_usable(problem, rows, waiting[i]):
            chosen.append(waiting[i])
    return chosen if len(chosen) == dim else None


def draw_points(dim: int, random: Random) -> Points:
    """As many points of the unit box as it has dimensions; all but the first as differences."""
    first = [random.uniform() for _ in range(dim)]
    rest = [[random.uniform() - first[j] for j in range(dim)] for _ in range(dim - 1)]
    return [first, *rest]


def normal_of(differences: Points) -> list[float]:
    """What is orthogonal to all: Gauss, pivots by column, the column without one set to 1."""
    rows, dim = [row.copy() for row in differences], len(differences) + 1
    order, normal = list(range(dim)), [0.0] * dim
    for i, row in enumerate(rows):
        best = max(range(i, dim), key=lambda j: abs(row[order[j]]))
        order[i], order[best] = order[best], order[i]
        pivot = order[i]
        if row[pivot] == 0:
            return normal
        for below in rows[i + 1 :]:
            factor = below[pivot] / row[pivot]
            for j in range(dim):
                below[j] -= factor * row[j]
            below[pivot] = 0.0
    normal[order[-1]] = 1.0
    for i in reversed(range(dim - 1)):
        known = 0.0
        for j in order[i + 1 :]:
            known += rows[i][j] * normal[j]
        normal[order[i]] = -known / rows[i][order[i]]
    return normal


def draw_direction(dim: int, random: Random) -> list[float]:
    """Nearly normal numbers: each is the sum of twelve uniform ones of 16 bits, minus 6."""

    def draw_normal() -> float:
        total = 0.0
        for _ in range(3):
            bits = random.bits()
            for part in range(4):
                total += ((bits >> 16 * part & 0xFFFF) + 0.5) / 2**16
        return total - 6

    return [draw_normal() for _ in range(dim)]


def draw_threshold(random: Random, low: float, high: float) -> float:
    u = random.uniform()
    threshold = low * (1 - u) + high * u
    return threshold if low <= threshold < high else low


def sums(problem: Problem, rows: Rows, plane: list[tuple[int, float]]) -> np.ndarray:
    """Weighted sums, added up in the order of the terms; NaN where a value is missing."""
    terms = [weight * problem.X[rows, f].astype(np.float64) for f, weight in plane]
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def plane_splits(
    problem: Problem, rows: Rows, features: list[int], kind: str, n_cuts: int, random: Random
) -> Iterator[Split]:
    """Splits by the planes drawn over the features, missing rows on either side."""
    dim = len(features)
    low = [extent(problem, rows, f)[0] for f in features]
    width = [extent(problem, rows, f)[1] - low[j] for j, f in enumerate(features)]
    for position in range(n_cuts):
        first: list[float] = []
        if kind == "points":
            first, *differences = draw_points(dim, random)
            normal = normal_of(differences)
        else:
            normal = draw_direction(dim, random)
        weights = [normal[j] / width[j] for j in range(dim)]
        plane = list(zip(features, weights, strict=True))
        total = sums(problem, rows, plane)
        present = [(i, s) for i, s in zip(rows, total.tolist(), strict=True) if s == s]
        ends = [s for _, s in present]
        if not ends or min(ends) == max(ends):
            continue
        if kind == "points":
            threshold = 0.0
            for j in range(dim):
                threshold += weights[j] * (low[j] + first[j] * width[j])
        else:
            threshold = draw_threshold(random, min(ends), max(ends))
        left = [i for i, s in present if s <= threshold]
        right = [i for i, s in present if s > threshold]
        missing = [i for i, s in zip(rows, total.tolist(), strict=True) if s != s]
        for children, side in with_missing(left, right, missing):
            where = (position, threshold)
            yield Split(features[0], where, threshold, children, side, plane=tuple(plane))
