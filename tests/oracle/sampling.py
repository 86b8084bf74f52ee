"""Searches of the sampling wrapper by their definitions, over scores that are all known."""

from __future__ import annotations

from math import isnan


def search(scores, undersample, smote, kind, lookahead):
    """Return the levels found, from ``scores[undersampling, smote]`` of all levels."""
    without = (0.0, scores[0.0, 0.0])
    axis = [(level, scores[level, 0.0]) for level in undersample]
    chosen = _ends_with(without, axis, lambda new, old: new >= old, kind, lookahead)[0]
    start = (0.0, scores[chosen, 0.0])
    axis = [(level, scores[chosen, level]) for level in smote]
    return chosen, _ends_with(start, axis, lambda new, old: new > old, kind, lookahead)[0]


def tried(scores, undersample, smote, kind, lookahead):
    """Return the levels that a search evaluates, in order."""
    chosen, best = search(scores, undersample, smote, kind, lookahead)
    first = _prefix(undersample, 0.0, chosen, kind, lookahead)
    second = _prefix(smote, 0.0, best, kind, lookahead)
    return [(0.0, 0.0), *((level, 0.0) for level in first), *((chosen, level) for level in second)]


def _ends_with(start, axis, beats, kind, lookahead):
    """Return the chosen (level, score) of one axis."""
    usable = [(level, score) for level, score in axis if not isnan(score)]
    if kind == "best_per_axis":  # the last of the best, if a tie is a success, else the first
        best = start
        highest = max([start[1], *(score for _, score in usable)])
        for level, score in usable:
            if score == highest and beats(score, best[1]):
                best = level, score
        return best
    reach = 1 if kind == "greedy" else 1 + lookahead
    place, best = 0, start
    while True:  # the next success, if it is within reach
        window = axis[place : place + reach]
        successes = [i for i, (_, score) in enumerate(window) if beats(score, best[1])]
        if not successes:
            return best
        best = window[successes[0]]
        place += successes[0] + 1


def _prefix(levels, start, chosen, kind, lookahead):
    """Return the levels up to the chosen one, and those that fail after it."""
    n = 0 if chosen == start else list(levels).index(chosen) + 1
    more = {"greedy": 1, "lookahead": 1 + lookahead, "best_per_axis": len(levels)}[kind]
    return list(levels)[: n + more]
