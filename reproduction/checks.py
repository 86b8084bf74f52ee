"""Conclusions by significance tests, as functions of a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rarewood.evaluate import ScoreMatrix, friedman, holm_posthoc, nemenyi
from reproduction.conclusions import Check, Finding
from reproduction.models import label

__all__ = [
    "all_of",
    "best_rank",
    "better_by_holm",
    "better_by_nemenyi",
    "better_in_pairs",
    "no_difference",
    "smaller_mean_rank",
    "worst_rank",
]

FEWEST_ROWS = 4  # rank tests have no power with fewer data sets


def _average_ranks(matrix: ScoreMatrix) -> dict[str, float]:
    ranks = matrix.ranks().values.mean(axis=0)
    return dict(zip(matrix.models, ranks.tolist(), strict=True))


def best_rank(column: str) -> Check:
    """Whether a column has the best average rank."""

    def check(matrix: ScoreMatrix) -> Finding:
        if len(matrix) < FEWEST_ROWS:
            return _too_few(matrix)
        ranks = _average_ranks(matrix)
        best = min(ranks.values())
        leader = min(ranks, key=lambda name: ranks[name])
        return Finding(
            ranks[column] <= best + 1e-9,
            f"average rank {ranks[column]:.2f}; best: {label(leader)}, {best:.2f}",
        )

    return check


def worst_rank(column: str) -> Check:
    """Whether a column has the worst average rank."""

    def check(matrix: ScoreMatrix) -> Finding:
        if len(matrix) < FEWEST_ROWS:
            return _too_few(matrix)
        ranks = _average_ranks(matrix)
        words = ", ".join(f"{label(name)} {rank:.2f}" for name, rank in ranks.items())
        return Finding(ranks[column] >= max(ranks.values()) - 1e-9, f"average ranks {words}")

    return check


def smaller_mean_rank(better: str, worse: str) -> Check:
    """Whether a column has a better average rank than another."""

    def check(matrix: ScoreMatrix) -> Finding:
        if len(matrix) < FEWEST_ROWS:
            return _too_few(matrix)
        ranks = _average_ranks(matrix)
        words = f"{label(better)} {ranks[better]:.2f}, {label(worse)} {ranks[worse]:.2f}"
        return Finding(ranks[better] < ranks[worse], words)

    return check


def better_by_holm(control: str, others: Sequence[str], alpha: float = 0.05) -> Check:
    """Whether a column is significantly better than others: Friedman, then Holm."""

    def check(matrix: ScoreMatrix) -> Finding:
        if len(matrix) < FEWEST_ROWS:
            return _too_few(matrix)
        place = matrix.models.index(control)
        test = holm_posthoc(matrix, place, matrix.higher_is_better)
        parts, holds = [], True
        for name in others:
            j = matrix.models.index(name)
            holds &= bool(test.z[j] > 0 and test.holm[j] < alpha)
            parts.append(f"{label(name)} {'+' if test.z[j] > 0 else '-'} p = {test.holm[j]:.2g}")
        return Finding(holds, f"{label(control)} against " + ", ".join(parts))

    return check


def better_by_nemenyi(control: str, others: Sequence[str], alpha: float = 0.05) -> Check:
    """Whether a column is significantly better than others by the Nemenyi test."""

    def check(matrix: ScoreMatrix) -> Finding:
        if len(matrix) < FEWEST_ROWS:
            return _too_few(matrix)
        pvalues = nemenyi(matrix, matrix.higher_is_better)
        ranks = _average_ranks(matrix)
        i = matrix.models.index(control)
        parts, holds = [], True
        for name in others:
            p = float(pvalues[i, matrix.models.index(name)])
            is_better = ranks[control] < ranks[name]
            holds &= is_better and p < alpha
            parts.append(f"{label(name)} {'+' if is_better else '-'} p = {p:.2g}")
        return Finding(holds, f"{label(control)} against " + ", ".join(parts))

    return check


def better_in_pairs(better: str, worse: str, alpha: float = 0.05) -> Check:
    """Whether a column is better than another by a Friedman test of the two, as in CCPDT."""

    def check(matrix: ScoreMatrix) -> Finding:
        if len(matrix) < FEWEST_ROWS:
            return _too_few(matrix)
        wins, losses, p = _wins_and_losses(matrix, better, worse)
        return Finding(
            wins > losses and p < alpha,
            f"{label(better)} better than {label(worse)} on {wins}, worse on {losses}; p = {p:.2g}",
        )

    return check


def no_difference(columns: Sequence[str], alpha: float = 0.05) -> Check:
    """Whether the Friedman test finds no difference between columns."""

    def check(matrix: ScoreMatrix) -> Finding:
        if len(matrix) < FEWEST_ROWS:
            return _too_few(matrix)
        places = [matrix.models.index(name) for name in columns]
        test = friedman(matrix.values[:, places], matrix.higher_is_better)
        p = test.pvalue_tie_corrected
        return Finding(p >= alpha, f"{', '.join(map(label, columns))}: p = {p:.2g}")

    return check


def _wins_and_losses(matrix: ScoreMatrix, better: str, worse: str) -> tuple[int, int, float]:
    """Wins, losses, and the p-value of the Friedman test of two columns."""
    sign = 1 if matrix.higher_is_better else -1
    i, j = matrix.models.index(better), matrix.models.index(worse)
    diffs = np.round(sign * (matrix.values[:, i] - matrix.values[:, j]), 12)
    wins, losses = int((diffs > 0).sum()), int((diffs < 0).sum())
    if wins + losses == 0 or len(matrix) < 2:
        return wins, losses, 1.0
    pair = friedman(matrix.values[:, [i, j]], matrix.higher_is_better)
    return wins, losses, pair.pvalue_tie_corrected


def all_of(*checks: Check) -> Check:
    """Whether all of several checks hold."""

    def check(matrix: ScoreMatrix) -> Finding:
        found = [one(matrix) for one in checks]
        states = [finding.holds for finding in found]
        holds = None if None in states and False not in states else all(states)
        return Finding(holds, "; ".join(finding.why for finding in found))

    return check


def _too_few(matrix: ScoreMatrix) -> Finding:
    return Finding(None, f"only {len(matrix)} data sets")
