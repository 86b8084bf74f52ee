"""Operating points by looking at every threshold, one after the other, in exact fractions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

Counts = tuple[Fraction, Fraction, Fraction, Fraction]


def count(is_rare: Sequence[bool], scores: Sequence[float], threshold: float, weights=None):
    """True and false alerts, misses, and rows rightly left alone."""
    weights = weights or [1] * len(scores)
    tp = fp = fn = tn = Fraction(0)
    for rare, score, weight in zip(is_rare, scores, weights, strict=True):
        if score >= threshold:
            tp, fp = (tp + Fraction(weight), fp) if rare else (tp, fp + Fraction(weight))
        else:
            fn, tn = (fn + Fraction(weight), tn) if rare else (fn, tn + Fraction(weight))
    return tp, fp, fn, tn


def thresholds(scores: Sequence[float]) -> list[float]:
    """One above all scores, then every score, falling."""
    return [math.nextafter(max(scores), math.inf), *sorted(set(scores), reverse=True)]


def f_measure(counts: Counts, beta: Fraction) -> Fraction:
    tp, fp, fn, _ = counts
    if not tp:
        return Fraction(0)
    precision, recall = tp / (tp + fp), tp / (tp + fn)
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def cost(counts: Counts, fp: Fraction, fn: Fraction, tp: Fraction, tn: Fraction) -> Fraction:
    return counts[0] * tp + counts[1] * fp + counts[2] * fn + counts[3] * tn


def best(is_rare, scores, value: Callable[[Counts], Fraction], weights=None) -> float:
    """The highest of the thresholds with the largest value."""
    tried = [(value(count(is_rare, scores, t, weights)), t) for t in thresholds(scores)]
    most = max(v for v, _ in tried)
    return max(t for v, t in tried if v == most)


def alert_budget(is_rare, scores, max_alerts: Fraction) -> float:
    """The threshold with most alerts within the budget."""
    kept = []
    for t in thresholds(scores):
        tp, fp, _, _ = count(is_rare, scores, t)
        if tp + fp <= max_alerts:
            kept.append(t)
    return min(kept)


def recall_floor(is_rare, scores, recall: Fraction) -> float:
    kept = []
    for t in thresholds(scores):
        tp, _, fn, _ = count(is_rare, scores, t)
        if tp / (tp + fn) >= recall:
            kept.append(t)
    return max(kept)


def precision_floor(is_rare, scores, precision: Fraction) -> float | None:
    """Most rare rows found, then the highest threshold; None if none is that precise."""
    kept = []
    for t in thresholds(scores):
        tp, fp, _, _ = count(is_rare, scores, t)
        if tp + fp and tp / (tp + fp) >= precision:
            kept.append((tp, t))
    return max(kept)[1] if kept else None


def chosen_in_resamples(is_rare, scores, choose: Callable, stratify: bool) -> dict[float, Fraction]:
    """How probable each threshold is, over all resamples of as many rows.

    Without strata, resamples in which a class is absent do not count.
    """
    n = len(scores)
    rare = [i for i in range(n) if is_rare[i]]
    common = [i for i in range(n) if not is_rare[i]]
    if stratify:
        draws = (
            a + b
            for a in product(rare, repeat=len(rare))
            for b in product(common, repeat=len(common))
        )
    else:
        draws = product(range(n), repeat=n)
    found: Counter[float] = Counter()
    for draw in draws:
        labels = [is_rare[i] for i in draw]
        if any(labels) and not all(labels):
            drawn = [scores[i] for i in draw]
            threshold = choose(labels, drawn)
            # Above all scores of the resample: none of its thresholds alerts anything.
            found[threshold if threshold <= max(drawn) else math.inf] += 1
    total = sum(found.values())
    return {threshold: Fraction(times, total) for threshold, times in found.items()}


def correct_prior(proba: Sequence[Fraction], trained, true) -> list[Fraction]:
    """Bayes' rule: likelihoods from the trained prior, then the posterior at the true one."""
    likelihoods = [p / prior for p, prior in zip(proba, trained, strict=True)]
    joint = [likelihood * prior for likelihood, prior in zip(likelihoods, true, strict=True)]
    return [share / sum(joint) for share in joint]
