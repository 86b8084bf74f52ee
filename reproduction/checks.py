"""Conclusions by ranks and significance tests, as functions of a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rarewood.evaluate import ScoreMatrix, friedman, holm_posthoc, nemenyi
from reproduction.conclusions import (
    FEWEST_ROWS,
    Check,
    Finding,
    State,
    chosen,
    joined,
    lasting,
    too_few,
)
from reproduction.models import label

__all__ = [
    "all_of",
    "best_rank",
    "better_by_holm",
    "better_by_nemenyi",
    "better_in_pairs",
    "no_difference",
    "not_better_in_pairs",
    "smaller_mean_rank",
    "worst_rank",
]

_SAME = 1e-9  # average ranks are multiples of a fraction


def _average_ranks(matrix: ScoreMatrix) -> dict[str, float]:
    ranks = matrix.ranks().values.mean(axis=0)
    return dict(zip(matrix.models, ranks.tolist(), strict=True))


def _listed(ranks: dict[str, float]) -> str:
    return ", ".join(f"{label(name)} {rank:.2f}" for name, rank in ranks.items())


def _first(lead: float) -> State:
    """Return whether a column is first, by its lead over the best of the others."""
    if abs(lead) <= _SAME:
        return "tie"
    return "yes" if lead > 0 else "no"


def best_rank(column: str) -> Check:
    """Whether a column has the best average rank, alone and without any one data set."""

    def check(matrix: ScoreMatrix) -> Finding:
        ranks = _average_ranks(matrix)
        others = min(rank for name, rank in ranks.items() if name != column)
        return Finding(_first(others - ranks[column]), f"average ranks {_listed(ranks)}")

    return lasting(check)


def worst_rank(column: str) -> Check:
    """Whether a column has the worst average rank, alone and without any one data set."""

    def check(matrix: ScoreMatrix) -> Finding:
        ranks = _average_ranks(matrix)
        others = max(rank for name, rank in ranks.items() if name != column)
        return Finding(_first(ranks[column] - others), f"average ranks {_listed(ranks)}")

    return lasting(check)


def smaller_mean_rank(better: str, worse: str) -> Check:
    """Whether a column has a better average rank than another, also without any one data set."""

    def check(matrix: ScoreMatrix) -> Finding:
        ranks = _average_ranks(matrix)
        pair = {name: ranks[name] for name in (better, worse)}
        return Finding(_first(pair[worse] - pair[better]), _listed(pair))

    return lasting(check)


def better_by_holm(control: str, others: Sequence[str], alpha: float = 0.05) -> Check:
    """Whether a column is significantly better than others: Friedman, then Holm."""

    def check(matrix: ScoreMatrix) -> Finding:
        table = chosen(matrix)
        if len(table) < FEWEST_ROWS:
            return too_few(table)
        test = holm_posthoc(table, table.models.index(control), table.higher_is_better)
        ranks, parts, states = _average_ranks(table), [], []
        for name in others:
            j = table.models.index(name)
            states.append(_significant(bool(test.z[j] > 0), float(test.holm[j]), alpha))
            parts.append(f"{label(name)} {ranks[name]:.2f} (p = {test.holm[j]:.2g})")
        return Finding(joined(states), _against(control, ranks, parts))

    return check


def better_by_nemenyi(control: str, others: Sequence[str], alpha: float = 0.05) -> Check:
    """Whether a column is significantly better than others by the Nemenyi test."""

    def check(matrix: ScoreMatrix) -> Finding:
        table = chosen(matrix)
        if len(table) < FEWEST_ROWS:
            return too_few(table)
        pvalues, ranks = nemenyi(table, table.higher_is_better), _average_ranks(table)
        i, parts, states = table.models.index(control), [], []
        for name in others:
            p = float(pvalues[i, table.models.index(name)])
            states.append(_significant(ranks[control] < ranks[name], p, alpha))
            parts.append(f"{label(name)} {ranks[name]:.2f} (p = {p:.2g})")
        return Finding(joined(states), _against(control, ranks, parts))

    return check


def _significant(is_better: bool, p: float, alpha: float) -> State:
    return "yes" if is_better and p < alpha else "no"


def _against(control: str, ranks: dict[str, float], parts: Sequence[str]) -> str:
    return f"average rank of {label(control)} {ranks[control]:.2f}; of " + ", ".join(parts)


def better_in_pairs(better: str, worse: str, alpha: float = 0.05) -> Check:
    """Whether a column is better than another by a Friedman test of the two, as in CCPDT."""

    def check(matrix: ScoreMatrix) -> Finding:
        table = chosen(matrix, (better, worse))
        if len(table) < FEWEST_ROWS:
            return too_few(table)
        wins, losses, p = _wins_and_losses(table)
        return Finding(
            _significant(wins > losses, p, alpha),
            f"{label(better)} better than {label(worse)} on {wins}, worse on {losses}; p = {p:.2g}",
        )

    return check


def not_better_in_pairs(better: str, worse: str, alpha: float = 0.05) -> Check:
    """Whether a column is not significantly better than another, so equal or worse.

    Weaker than a finding of equality: with fewer data sets the test finds less.
    """
    opposite: dict[State, State] = {"yes": "no", "no": "yes"}

    def check(matrix: ScoreMatrix) -> Finding:
        found = better_in_pairs(better, worse, alpha)(matrix)
        return Finding(opposite.get(found.state, found.state), found.why)

    return check


def _wins_and_losses(pair: ScoreMatrix) -> tuple[int, int, float]:
    """Wins and losses of the first of two columns, and the p-value of their Friedman test."""
    sign = 1 if pair.higher_is_better else -1
    diffs = np.round(sign * (pair.values[:, 0] - pair.values[:, 1]), 12)
    wins, losses = int((diffs > 0).sum()), int((diffs < 0).sum())
    if wins + losses == 0:
        return wins, losses, 1.0
    return wins, losses, friedman(pair.values, pair.higher_is_better).pvalue_tie_corrected


def no_difference(columns: Sequence[str], alpha: float = 0.05) -> Check:
    """Whether the Friedman test finds no difference between columns.

    Weaker than a finding of equality: with fewer data sets the test finds less.
    """

    def check(matrix: ScoreMatrix) -> Finding:
        table = chosen(matrix, columns)
        if len(table) < FEWEST_ROWS:
            return too_few(table)
        p = friedman(table.values, table.higher_is_better).pvalue_tie_corrected
        state: State = "yes" if p >= alpha else "no"
        return Finding(state, f"average ranks {_listed(_average_ranks(table))}; p = {p:.2g}")

    return check


def all_of(*checks: Check) -> Check:
    """Whether all of several checks hold."""

    def check(matrix: ScoreMatrix) -> Finding:
        found = [one(matrix) for one in checks]
        state = joined([finding.state for finding in found])
        return Finding(state, "; ".join(finding.why for finding in found))

    return check
