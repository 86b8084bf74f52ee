"""Random hyperplanes of a node, drawn one by one.

They live in the box of the node's rows: every feature runs from 0, its lowest value there, to 1,
its highest.  A plane is kept as weights of the raw values, and rows whose weighted sum is at most
the threshold go left.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator

import numpy as np

from oracle.cuts import Rows, Split, with_missing
from oracle.problem import Problem
from oracle.random import MASK, Random, combine_key, mix64

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


def draw_in_disc(random: Random) -> list[float]:
    """A point of the unit disc: points of the square are drawn until one is in it."""
    while True:
        bits = random.bits()
        parts = [bits & 0xFFFFFFFF, bits >> 32]
        point = [(part - 2**32 if part >= 2**31 else part) / 2**31 for part in parts]
        if 0 < point[0] * point[0] + point[1] * point[1] <= 1:
            return point


def bits_of(x: float) -> int:
    """The bits of a double; all missing values are equal, and so are both zeros."""
    if math.isnan(x):
        return 0x7FF8000000000000
    return struct.unpack("<Q", struct.pack("<d", x if x else 0.0))[0]


def content_hash(values: np.ndarray) -> int:
    """32 bits that depend on the values of a row."""
    parts = [combine_key(mix64(f + 1), bits_of(float(x))) for f, x in enumerate(values)]
    return mix64(sum(parts) & MASK) >> 32


def hash_for(key: int, number: int) -> int:
    """32 bits for a key and a number of 32 bits."""
    low, high = key & 0xFFFFFFFF, key >> 32
    x = number ^ low
    x = (x ^ x >> 16) * 0x7FEB352D & 0xFFFFFFFF
    x = ((x ^ x >> 15) + high) * 0x846CA68B & 0xFFFFFFFF
    return x ^ x >> 16


def landmarks(problem: Problem, rows: Rows, key: int) -> list[Rows]:
    """Of each class that is present, the 8 distinct rows with the smallest hashes."""
    found = []
    for c in sorted({int(problem.y[i]) for i in rows}):
        own = {hash_for(key, content_hash(problem.X[i])): i for i in rows if problem.y[i] == c}
        found.append([own[h] for h in sorted(own)[:8]])
    return found


def node_sample(problem: Problem, rows: Rows, key: int, n_most: int) -> Rows:
    """Of each class, the rows whose numbers have the smallest hashes."""
    sample: Rows = []
    for c in sorted({int(problem.y[i]) for i in rows}):
        own = sorted((hash_for(key ^ 0x73616D706C65, i), i) for i in rows if problem.y[i] == c)
        sample += [i for _, i in own[:n_most]]
    return sorted(sample)


def draw_between(
    problem: Problem, plane: list[tuple[int, float]], marks: list[Rows], random: Random
) -> float:
    """Between the sums of two landmarks of different classes, drawn by 16 bits each."""
    bits = random.bits()
    parts = [bits >> 16 * i & 0xFFFF for i in range(4)]
    a = parts[0] * len(marks) >> 16
    b = (a + 1 + (parts[1] * (len(marks) - 1) >> 16)) % len(marks)
    first = [marks[a][parts[2] * len(marks[a]) >> 16]]
    second = [marks[b][parts[3] * len(marks[b]) >> 16]]
    u = random.uniform()
    return float(sums(problem, first, plane)[0] * (1 - u) + sums(problem, second, plane)[0] * u)


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
    problem: Problem,
    rows: Rows,
    features: list[int],
    kind: str,
    n_cuts: int,
    random: Random,
    key: int,
) -> Iterator[Split]:
    """Splits by the planes drawn over the features, missing rows on either side."""
    dim = len(features)
    low = [extent(problem, rows, f)[0] for f in features]
    marks = landmarks(problem, rows, key) if kind == "between" else []
    width = [extent(problem, rows, f)[1] - low[j] for j, f in enumerate(features)]
    for position in range(n_cuts):
        first: list[float] = []
        if kind == "points":
            first, *differences = draw_points(dim, random)
            normal = normal_of(differences)
        elif kind == "between" and dim == 2:
            normal = draw_in_disc(random)
        else:
            normal = draw_direction(dim, random)
        weights = [normal[j] / width[j] for j in range(dim)]
        plane = list(zip(features, weights, strict=True))
        total = sums(problem, rows, plane)
        present = [(i, s) for i, s in zip(rows, total.tolist(), strict=True) if s == s]
        ends = [s for _, s in present]
        if kind == "between":
            threshold = draw_between(problem, plane, marks, random)
            edges = [extent(problem, rows, f) for f in features]
            most = sum(
                abs(w) * max(abs(low), abs(high))
                for w, (low, high) in zip(weights, edges, strict=True)
            )
            if not most < 1e300 or not any(s <= threshold for s in ends):
                continue
            if all(s <= threshold for s in ends):
                continue
        if not ends or min(ends) == max(ends):
            continue
        if kind == "points":
            threshold = 0.0
            for j in range(dim):
                threshold += weights[j] * (low[j] + first[j] * width[j])
        elif kind == "direction":
            threshold = draw_threshold(random, min(ends), max(ends))
        left = [i for i, s in present if s <= threshold]
        right = [i for i, s in present if s > threshold]
        missing = [i for i, s in zip(rows, total.tolist(), strict=True) if s != s]
        for children, side in with_missing(left, right, missing):
            where = (position, threshold)
            yield Split(features[0], where, threshold, children, side, plane=tuple(plane))
