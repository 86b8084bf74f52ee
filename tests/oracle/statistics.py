"""Statistics of comparisons, as slowly and literally as possible."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from scipy import integrate, special


def midrank(row: list[float], place: int, higher_is_better: bool = True) -> Fraction:
    """1 + the better ones + half of the equal ones."""
    sign = 1 if higher_is_better else -1
    mine = sign * row[place]
    better = sum(sign * value > mine for value in row)
    equal = sum(sign * value == mine for value in row) - 1
    return Fraction(1 + better) + Fraction(equal, 2)


def friedman(table: list[list[float]], higher_is_better: bool = True) -> tuple[float, float, float]:
    """Plain and tie-corrected chi-square, and Iman's and Davenport's F, in exact fractions."""
    n, k = len(table), len(table[0])
    ranks = [[midrank(row, j, higher_is_better) for j in range(k)] for row in table]
    sums = [sum(row[j] for row in ranks) for j in range(k)]
    # Friedman's own form: the spread of the rank sums, over n times the variance of 1..k.
    spread = sum((total - Fraction(n * (k + 1), 2)) ** 2 for total in sums)
    plain = 12 * spread / (n * k * (k + 1))
    # With ties: over the variance that the ranks have.
    variance = sum((r - Fraction(k + 1, 2)) ** 2 for row in ranks for r in row)
    corrected = (k - 1) * spread / variance if variance else Fraction(0)
    rest = n * (k - 1) - plain
    f = (n - 1) * plain / rest if rest else math.inf
    return float(plain), float(corrected), float(f)


def holm(p: list[float]) -> list[float]:
    """The smallest level at which the step-down procedure rejects each hypothesis."""
    adjusted = []
    for mine in range(len(p)):
        order = sorted(range(len(p)), key=lambda i: (p[i], i))
        level = 0.0
        for step, i in enumerate(order):
            level = max(level, (len(p) - step) * p[i])
            if i == mine:
                break
        adjusted.append(min(level, 1.0))
    return adjusted


def hand_till(y: list[Any], P: list[list[float]]) -> float:
    """Compare every row of a class with every row of another."""
    classes = sorted(set(y))
    total = Fraction(0)
    for i, j in combinations(range(len(classes)), 2):
        for own, other in ((i, j), (j, i)):
            mine = [row[own] for label, row in zip(y, P, strict=True) if label == classes[own]]
            theirs = [row[own] for label, row in zip(y, P, strict=True) if label == classes[other]]
            wins = sum(Fraction(2 * (a > b) + (a == b), 2) for a in mine for b in theirs)
            total += Fraction(wins, len(mine) * len(theirs)) / 2
    return float(total / math.comb(len(classes), 2))


def corrected_t(diffs: list[float], n_train: float, n_test: float) -> tuple[float, float]:
    """The statistic by its definition, and the p-value by integrating the density of t."""
    j = len(diffs)
    mean = math.fsum(diffs) / j
    variance = math.fsum((d - mean) ** 2 for d in diffs) / (j - 1)
    t = mean / math.sqrt((1 / j + n_test / n_train) * variance)
    df = j - 1
    scale = special.gamma((df + 1) / 2) / (math.sqrt(df * math.pi) * special.gamma(df / 2))
    inside = integrate.quad(lambda x: scale * (1 + x * x / df) ** (-(df + 1) / 2), 0, abs(t))[0]
    return t, 1 - 2 * inside


def average_precision(y: np.ndarray, scores: np.ndarray) -> float:
    """Sum over the distinct scores of gained recall times precision."""
    total, before = 0.0, 0.0
    for threshold in sorted(set(scores.tolist()), reverse=True):
        said = scores >= threshold
        recall = (said & y).sum() / y.sum()
        total += (recall - before) * (said & y).sum() / said.sum()
        before = recall
    return total
