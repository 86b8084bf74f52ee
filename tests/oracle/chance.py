"""What a node considers when features, cuts or hyperplanes are drawn, and what it chooses."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from oracle import bulk, cuts, planes, random
from oracle.cases import Case
from oracle.cuts import Rows, Split
from oracle.problem import Limits, Problem

HELLINGER = Case("hellinger")
TIE = 1e-12


@dataclass(frozen=True)
class Chance:
    """What is left to chance; by default nothing is."""

    max_features: int | None = None  # features tried at each node
    n_cuts: int = 0  # 0: every cut
    oblique_dim: int = 1
    oblique_draw: str = "points"


def candidates(
    problem: Problem, rows: Rows, key: int, limits: Limits, chance: Chance
) -> list[Split]:
    """The splits that a node considers, given the key of its random numbers."""
    wanted = chance.max_features or problem.n_features
    found: list[Split] = []
    tried: list[int] = []
    n_useful = 0
    for feature in sampled(problem.n_features, wanted, key):
        if n_useful == wanted:
            break
        tried.append(feature)
        splits = splits_of(problem, rows, feature, key, limits, chance)
        n_useful += splits is not None
        found += allowed(problem, splits or [], limits)
    if chance.oblique_dim > 1 and not found:  # every plane has missed the rows
        for feature in tried:
            if not problem.n_categories[feature]:
                found += allowed(problem, random_cuts(problem, rows, feature, key, chance), limits)
    return found


def sampled(n_features: int, wanted: int, key: int) -> Iterator[int]:
    """Features in the order in which a node looks at them: shuffled unless it looks at all."""
    features = list(range(n_features))
    own = random.of_node(key)
    for i in range(n_features):
        if wanted < n_features:
            j = i + own.below(n_features - i)
            features[i], features[j] = features[j], features[i]
        yield features[i]


def allowed(problem: Problem, splits: list[Split], limits: Limits) -> list[Split]:
    return [split for split in splits if cuts.is_allowed(problem, split, limits)]


def splits_of(
    problem: Problem, rows: Rows, feature: int, key: int, limits: Limits, chance: Chance
) -> list[Split] | None:
    """The splits that a feature leads; None if it is constant, and another one is tried."""
    own = random.of_feature(key, feature)
    if problem.n_categories[feature]:
        if chance.n_cuts:
            found = random_subsets(problem, rows, feature, key, chance)
        else:
            found = list(cuts.CATEGORICAL[limits.categorical_split](problem, rows, feature))
        return found or None
    if chance.oblique_dim > 1:
        features = planes.features_of_plane(problem, rows, feature, chance.oblique_dim, own)
        if features:
            kind, n = chance.oblique_draw, chance.n_cuts
            return list(planes.plane_splits(problem, rows, features, kind, n, own, key))
    if chance.n_cuts:
        return random_cuts(problem, rows, feature, key, chance) or None
    return list(cuts.numeric(problem, rows, feature)) or None


def random_cuts(
    problem: Problem, rows: Rows, feature: int, key: int, chance: Chance
) -> list[Split]:
    """Thresholds between the extremes, and the present values against the missing ones."""
    present, missing = cuts.present_and_missing(problem, rows, feature)
    own, extent = random.of_feature(key, feature), planes.extent(problem, rows, feature)
    found = []
    for _ in range(chance.n_cuts if extent else 0):
        threshold = planes.draw_threshold(own, *extent)
        left = [i for i in present if float(problem.X[i, feature]) <= threshold]
        right = [i for i in present if float(problem.X[i, feature]) > threshold]
        for children, side in cuts.with_missing(left, right, missing):
            found.append(Split(feature, (0, threshold), threshold, children, side))
    if present and missing:
        found.append(Split(feature, (math.inf,), math.inf, (present, missing), 1))
    return found


def random_subsets(
    problem: Problem, rows: Rows, feature: int, key: int, chance: Chance
) -> list[Split]:
    """Each category left with the same chance; one changes sides if they are all on the same."""
    any_size = chance.oblique_dim > 1 and chance.oblique_draw == "between"
    categories = cuts.categories_present(problem, rows, feature)
    subsets = []
    for draw in range(chance.n_cuts if len(categories) > 1 else 0):
        first = random.of_feature(key, feature).bits()
        own = random.Random(random.combine_key(first, draw))
        if any_size:
            limit = own.bits() >> 48
            drawn = [own.bits() for _ in range(0, len(categories), 4)]
            is_left = [
                (drawn[i // 4] >> i % 4 * 16 & 0xFFFF) < limit for i in range(len(categories))
            ]
        else:
            is_left = [own.uniform() >= 0.5 for _ in categories]
        if all(is_left) or not any(is_left):
            odd = own.below(len(categories))
            is_left[odd] = not is_left[odd]
        subsets.append([c for c, left in zip(categories, is_left, strict=True) if left])
    return list(cuts.two_way(problem, rows, feature, iter(subsets)))


# --------------------------------------------------------------------------- the choice


def values(problem: Problem, splits: list[Split], case: Case) -> np.ndarray:
    """The value of each split; an empty child more changes none."""
    most = max(len(split.children) for split in splits)
    tables = np.zeros((len(splits), most, problem.n_classes), dtype=np.longdouble)
    for i, split in enumerate(splits):
        for j, child in enumerate(split.children):
            tables[i, j] = [float(w) for w in problem.weighted_counts(child)]
    return bulk.values(case, tables)


def choose(problem: Problem, splits: list[Split], case: Case) -> tuple[Split, float]:
    """The best; of those as good, the lowest feature, the lowest cut, missing rows right."""
    found = values(problem, splits, case)
    leaders = [splits[i] for i in tied(found)]
    if case.prefers_hellinger:
        leaders = [leaders[i] for i in tied(values(problem, leaders, HELLINGER))]
    best = min(leaders, key=lambda s: (s.feature, s.position, s.missing_child == 0))
    return best, float(found.max())


def tied(found: np.ndarray) -> np.ndarray:
    top = found.max()
    return np.flatnonzero(found == top if np.isinf(top) else found >= top - TIE * abs(top))
