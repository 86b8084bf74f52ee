"""Fayyad and Irani's discretisation, one recursive call per interval, in 60-digit decimals."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from itertools import pairwise

from oracle.cases import Case
from oracle.criteria import CONTEXT, value
from oracle.cuts import midpoint

Sample = tuple[float, int, float]  # value, class, weight


def cuts(samples: Sequence[Sample], n_classes: int, case: Case) -> list[float]:
    """All cuts of a feature without missing values."""
    found = best_cut(samples, n_classes, case)
    if found is None:
        return []
    below = [sample for sample in samples if sample[0] <= found]
    above = [sample for sample in samples if sample[0] > found]
    if not accepts(counts(below, n_classes), counts(above, n_classes)):
        return []
    return [*cuts(below, n_classes, case), found, *cuts(above, n_classes, case)]


def best_cut(samples: Sequence[Sample], n_classes: int, case: Case) -> float | None:
    """The lowest of the best cuts; None without two values or without two classes."""
    values = sorted({x for x, _, _ in samples})
    candidates = [midpoint(low, high) for low, high in pairwise(values)]
    if not candidates or len({y for _, y, _ in samples}) < 2:
        return None
    scores = {}
    for cut in candidates:
        below = counts([s for s in samples if s[0] <= cut], n_classes)
        above = counts([s for s in samples if s[0] > cut], n_classes)
        scores[cut] = value(case, [below, above])
    highest = max(scores.values())
    enough = highest - abs(highest) * Decimal("1e-12") if highest.is_finite() else highest
    return min(cut for cut, score in scores.items() if score >= enough)


def counts(samples: Sequence[Sample], n_classes: int) -> list[float]:
    return [sum(w for _, y, w in samples if y == j) for j in range(n_classes)]


def accepts(below: list[float], above: list[float]) -> bool:
    """The rule of the paper, with its own letters."""
    with localcontext(CONTEXT):
        s1, s2 = [Decimal(x) for x in below], [Decimal(x) for x in above]
        s = [x + y for x, y in zip(s1, s2, strict=True)]
        n, n1, n2 = sum(s), sum(s1), sum(s2)
        k, k1, k2 = (sum(x > 0 for x in part) for part in (s, s1, s2))
        gain = entropy(s) - n1 / n * entropy(s1) - n2 / n * entropy(s2)
        delta = log2(Decimal(3) ** k - 2) - (k * entropy(s) - k1 * entropy(s1) - k2 * entropy(s2))
        return gain > log2(max(n - 1, Decimal(1))) / n + delta / n


def log2(x: Decimal) -> Decimal:
    return x.ln() / Decimal(2).ln()


def entropy(counts: list[Decimal]) -> Decimal:
    total = sum(counts)
    return -sum((x / total * log2(x / total) for x in counts if x > 0), Decimal(0))
