"""Rules on items that predict a class: search, strength and matching."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.rules._items import Items

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_STEP = 2**16  # rules tested between two looks at the clock
_BATCH = 2**24  # samples x items that are matched at once
_TIE = 1e-9  # by which a more frequent class is preferred


@dataclass(frozen=True, eq=False)
class ItemRules:
    """Rules with their class, their items, and the samples that they cover.

    ``a`` are the covered samples of the class of a rule, ``c`` the other ones; ``log_p`` is the
    logarithm of the p-value, which itself can be too small for a float.
    """

    items: list[Items]
    about: NDArray[np.intp]
    a: Ints
    c: Ints
    log_p: Floats

    def take(self, places: NDArray[np.intp]) -> ItemRules:
        """Return some of the rules."""
        return ItemRules(
            [self.items[place] for place in places],
            self.about[places],
            self.a[places],
            self.c[places],
            self.log_p[places],
        )


@dataclass(frozen=True)
class Bounds:
    """Limits of a search."""

    alpha: float
    max_length: int
    max_rules: int
    max_seconds: float | None
    redundant: bool


@dataclass(frozen=True)
class SearchReport:
    """How the search for the rules of one class ended."""

    n_tested: int
    is_cut: bool  # by max_rules
    length_at_stop: int | None  # items of the rules tested when max_seconds were over


def search(
    items: Items, feature_of_item: Items, y: NDArray[np.int32], n_classes: int, bounds: Bounds
) -> tuple[ItemRules, list[SearchReport]]:
    """Find the rules of each class, the most significant first."""
    start, found, reports = time.monotonic(), [], []
    for number in range(n_classes):
        own = _core.RuleSearch(
            items,
            feature_of_item,
            y == number,
            alpha=bounds.alpha,
            max_length=bounds.max_length,
            max_rules=bounds.max_rules,
            redundant=bounds.redundant,
        )
        # Classes share the time evenly; what one of them does not need is left to the others.
        limit = np.inf
        if bounds.max_seconds is not None:
            spent = time.monotonic() - start
            limit = spent + (bounds.max_seconds - spent) / (n_classes - number)
        stopped = None
        while not own.advance(_STEP):
            if time.monotonic() - start > limit:
                stopped = own.length
                break
        reports.append(SearchReport(own.n_tested, own.is_cut, stopped))
        found.append(own.take_rules())
    about = np.repeat(np.arange(n_classes), [len(one["a"]) for one in found])
    lists = [
        rule for one in found for rule in np.split(one["items"], one["begin"][1:-1]) if len(rule)
    ]
    joined = {name: np.concatenate([one[name] for one in found]) for name in ("a", "c", "log_p")}
    return ItemRules(lists, about, **joined), reports


def strengths(rules: ItemRules, class_counts: Ints, ranking: str) -> Floats:
    """Return the strength of each rule, higher is better; see :func:`neutral_strengths`."""
    own = class_counts[rules.about]
    others = class_counts.sum() - own
    if ranking == "p_value":
        values = 1 - rules.log_p / np.log(10)
    elif ranking == "confidence":
        values = rules.a / (rules.a + rules.c)
    else:  # half a sample where a rule covers no other one, so that the ratio is finite
        values = (rules.a / own) / (np.maximum(rules.c, 0.5) / others)
    strength: Floats = values * _preference(class_counts)[rules.about]
    return strength


def neutral_strengths(class_counts: Ints, ranking: str) -> Floats:
    """Return for each class the strength that says nothing, for samples without a rule of it."""
    values = class_counts / class_counts.sum() if ranking == "confidence" else 1.0
    neutral: Floats = values * _preference(class_counts)
    return neutral


def _preference(class_counts: Ints) -> Floats:
    """Return factors near 1 that let the more frequent of equally strong classes win."""
    preference: Floats = 1 + _TIE * class_counts / class_counts.sum()
    return preference


def rank(rules: ItemRules, strength: Floats) -> NDArray[np.intp]:
    """Return the order of the rules: the strongest first, then the most significant."""
    length = np.array([len(items) for items in rules.items], dtype=np.intp)
    return np.lexsort([length, rules.log_p, -strength])


def covered_counts(rules: ItemRules, items: Items, y: NDArray[np.int32], n_classes: int) -> Ints:
    """Return the samples of each class that each rule covers (n_rules x n_classes)."""
    counts = np.zeros((len(rules.items), n_classes), dtype=np.int64)
    if n_classes == 2:
        counts[np.arange(len(counts)), rules.about] = rules.a
        counts[np.arange(len(counts)), 1 - rules.about] = rules.c
        return counts
    for part, has_item in _batches(items, rules.items):
        for number, own in enumerate(rules.items):
            holds = np.logical_and.reduce(has_item[own])
            counts[number] += np.bincount(y[part][holds], minlength=n_classes)
    return counts


def class_scores(
    rules: ItemRules, strength: Floats, neutral: Floats, items: Items, n_best: int
) -> Floats:
    """Return the score of each sample for each class: mean strength of the best rules that hold.

    The rules are in the order of :func:`rank`; where none of a class holds, it is ``neutral``.
    """
    scores = np.tile(neutral, (len(items), 1))
    for part, has_item in _batches(items, rules.items):
        for number in range(len(neutral)):
            places = np.flatnonzero(rules.about == number)
            n_rows = has_item.shape[1]
            total, n_held = np.zeros(n_rows), np.zeros(n_rows, dtype=np.int64)
            for place in places:
                holds = np.logical_and.reduce(has_item[rules.items[place]])
                holds &= n_held < n_best
                total[holds] += strength[place]
                n_held += holds
                if n_held.min() >= n_best:
                    break
            has_rule = n_held > 0
            scores[part][has_rule, number] = total[has_rule] / n_held[has_rule]
    return scores


def _batches(items: Items, lists: list[Items]) -> Iterator[tuple[slice, NDArray[np.bool_]]]:
    """Yield parts of the samples, and which of them have each item (n_items x n_samples)."""
    used = np.unique(np.concatenate([np.zeros(0, dtype=np.int32), *lists]))
    n_items = int(used[-1]) + 1 if len(used) else 0
    step = max(1, _BATCH // max(n_items, 1))
    for begin in range(0, len(items), step):
        part = slice(begin, min(begin + step, len(items)))
        has_item: NDArray[Any] = np.zeros((n_items, part.stop - begin), dtype=bool)
        for column in items[part].T:
            rows = np.flatnonzero((column >= 0) & (column < n_items))
            has_item[column[rows], rows] = True
        yield part, has_item
