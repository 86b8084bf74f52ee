"""Conclusions by counts and differences, as functions of a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate import ScoreMatrix
from reproduction.conclusions import Check, Finding
from reproduction.models import label

__all__ = [
    "each_wins",
    "larger_mean",
    "more_wins",
    "rises",
    "side_of_zero",
    "some_above",
    "ties_most",
    "wins_most",
    "within_of",
]


def _column(matrix: ScoreMatrix, name: str) -> NDArray[np.float64]:
    values: NDArray[np.float64] = matrix.values[:, matrix.models.index(name)]
    return values


def wins_most(better: str, worse: str, fraction: float = 0.5) -> Check:
    """Whether a column is better than another on more than a fraction of the rows."""

    def check(matrix: ScoreMatrix) -> Finding:
        sign = 1 if matrix.higher_is_better else -1
        diffs = np.round(sign * (_column(matrix, better) - _column(matrix, worse)), 12)
        wins, losses = int((diffs > 0).sum()), int((diffs < 0).sum())
        return Finding(
            wins > fraction * len(matrix),
            f"{label(better)} better than {label(worse)} on {wins} of {len(matrix)}, "
            f"worse on {losses}",
        )

    return check


def ties_most(one: str, other: str, within: float, fraction: float = 0.5) -> Check:
    """Whether two columns are equal up to rounding on more than a fraction of the rows."""

    def check(matrix: ScoreMatrix) -> Finding:
        diffs = np.abs(_column(matrix, one) - _column(matrix, other))
        n = int((diffs <= within).sum())
        words = f"{label(one)} and {label(other)} within {within:g} on {n} of {len(matrix)}"
        return Finding(n > fraction * len(matrix), words)

    return check


def side_of_zero(column: str, is_above: bool, fraction: float = 0.5) -> Check:
    """Whether a column is above, or below, zero on more than a fraction of the rows."""

    def check(matrix: ScoreMatrix) -> Finding:
        values = _column(matrix, column)
        n = int((values > 0).sum() if is_above else (values < 0).sum())
        side = "above" if is_above else "below"
        return Finding(
            n > fraction * len(matrix),
            f"{label(column)} {side} zero on {n} of {len(matrix)}, mean {values.mean():+.2f}",
        )

    return check


def larger_mean(larger: Sequence[str], smaller: Sequence[str]) -> Check:
    """Whether each of some columns has a larger mean than each of others."""

    def check(matrix: ScoreMatrix) -> Finding:
        means = {name: float(_column(matrix, name).mean()) for name in (*larger, *smaller)}
        holds = min(means[name] for name in larger) > max(means[name] for name in smaller)
        return Finding(holds, ", ".join(f"{label(n)} {mean:.3g}" for n, mean in means.items()))

    return check


def some_above(columns: Sequence[str], column: str) -> Check:
    """Whether, on every row, at least one of some columns is above another."""

    def check(matrix: ScoreMatrix) -> Finding:
        best = np.max([_column(matrix, name) for name in columns], axis=0)
        n = int((best > _column(matrix, column)).sum())
        return Finding(n == len(matrix), f"above {label(column)} on {n} of {len(matrix)}")

    return check


def within_of(one: str, other: str, within: float, row: str | None = None) -> Check:
    """Whether two columns differ by at most ``within`` on every row, or on one."""

    def check(matrix: ScoreMatrix) -> Finding:
        diffs = np.abs(_column(matrix, one) - _column(matrix, other))
        if row is not None:
            diffs = diffs[[matrix.datasets.index(row)]]
        return Finding(bool(diffs.max() <= within), f"largest difference {diffs.max():.3g}")

    return check


def rises(column: str, is_rising: bool) -> Check:
    """Whether the least-squares line of a column over the rows rises or falls."""

    def check(matrix: ScoreMatrix) -> Finding:
        values = _column(matrix, column)
        slope = float(np.polyfit(np.arange(len(values)), values, 1)[0])
        words = (
            f"{label(column)} from {values[0]:.3f} to {values[-1]:.3f}, slope {slope:+.2g} per row"
        )
        return Finding(slope > 0 if is_rising else slope < 0, words)

    return check


def more_wins(one: str, other: str | None) -> Check:
    """Whether a model has more wins than losses against another, or the largest surplus of all.

    Undecided if all comparisons are draws.
    """

    def check(matrix: ScoreMatrix) -> Finding:
        if other is not None:
            place = matrix.datasets.index(f"{one} against {other}")
            win, draw, loss = matrix.values[place]
            words = f"{label(one)} against {label(other)} {win:g}/{draw:g}/{loss:g}"
            return Finding(bool(win > loss) if win + loss else None, words)
        totals: dict[str, float] = {}
        for row, (win, _, loss) in zip(matrix.datasets, matrix.values, strict=True):
            name = row.partition(" against ")[0]
            if not name.endswith("_s"):
                totals[name] = totals.get(name, 0.0) + win - loss
        words = ", ".join(f"{label(name)} {total:+g}" for name, total in totals.items())
        return Finding(bool(totals[one] >= max(totals.values())), f"wins minus losses: {words}")

    return check


def each_wins(is_winning: bool = True) -> Check:
    """Whether every row of a table of wins has more wins than losses, or fewer."""

    def check(matrix: ScoreMatrix) -> Finding:
        texts, holds, n_decided = [], True, 0
        for row, (win, draw, loss) in zip(matrix.datasets, matrix.values, strict=True):
            holds &= bool(win > loss if is_winning else win <= loss)
            n_decided += int(win + loss)
            texts.append(f"{label(row.partition(' against ')[2])} {win:g}/{draw:g}/{loss:g}")
        return Finding(holds if n_decided else None, ", ".join(texts))

    return check
