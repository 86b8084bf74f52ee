"""Conclusions by counts and differences, as functions of a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate import ScoreMatrix
from reproduction.conclusions import Check, Finding, State, chosen, joined, lasting, too_few
from reproduction.models import label

__all__ = [
    "each_wins",
    "fewer_wins",
    "larger_mean",
    "more_wins",
    "rises",
    "side_of_zero",
    "size_within",
    "some_above",
    "some_difference",
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
            _most(wins, losses, fraction * len(matrix)),
            f"{label(better)} better than {label(worse)} on {wins} of {len(matrix)}, "
            f"worse on {losses}",
        )

    return lasting(check, (better, worse))


def _most(n_for: int, n_against: int, needed: float) -> State:
    """Return whether more rows than needed are for a conclusion; as many on both sides tie."""
    if n_for > needed:
        return "yes"
    return "tie" if n_for == n_against else "no"


def ties_most(one: str, other: str, within: float, fraction: float = 0.5) -> Check:
    """Whether two columns are equal up to rounding on more than a fraction of the rows."""

    def check(matrix: ScoreMatrix) -> Finding:
        diffs = np.abs(_column(matrix, one) - _column(matrix, other))
        n = int((diffs <= within).sum())
        words = f"{label(one)} and {label(other)} within {within:g} on {n} of {len(matrix)}"
        return Finding(_most(n, len(matrix) - n, fraction * len(matrix)), words)

    return lasting(check, (one, other))


def side_of_zero(column: str, is_above: bool, fraction: float = 0.5) -> Check:
    """Whether a column is above, or below, zero on more than a fraction of the rows."""

    def check(matrix: ScoreMatrix) -> Finding:
        values = _column(matrix, column)
        n_above, n_below = int((values > 0).sum()), int((values < 0).sum())
        sides = (n_above, n_below) if is_above else (n_below, n_above)
        return Finding(
            _most(*sides, fraction * len(matrix)),
            f"{label(column)} above zero on {n_above} and below on {n_below} of {len(matrix)}, "
            f"mean {values.mean():+.2f}",
        )

    return lasting(check, (column,))


def larger_mean(larger: Sequence[str], smaller: Sequence[str]) -> Check:
    """Whether each of some columns has a larger mean than each of others."""

    def check(matrix: ScoreMatrix) -> Finding:
        means = {name: float(_column(matrix, name).mean()) for name in (*larger, *smaller)}
        lead = min(means[name] for name in larger) - max(means[name] for name in smaller)
        state: State = "tie" if lead == 0 else "yes" if lead > 0 else "no"
        return Finding(state, ", ".join(f"{label(n)} {mean:.3g}" for n, mean in means.items()))

    return lasting(check, (*larger, *smaller))


def some_above(columns: Sequence[str], column: str) -> Check:
    """Whether, on every row, at least one of some columns is above another."""

    def check(matrix: ScoreMatrix) -> Finding:
        table = chosen(matrix, (*columns, column))
        if not len(table):
            return too_few(table)
        best = np.max([_column(table, name) for name in columns], axis=0)
        lead = np.round(best - _column(table, column), 12)
        below = [f"{table.datasets[i]} {lead[i]:+.3g}" for i in np.flatnonzero(lead <= 0)]
        words = f"above {label(column)} on {int((lead > 0).sum())} of {len(table)}"
        if below:
            words += f"; not on {', '.join(below)}"
        return Finding("no" if below else "yes", words)

    return check


def size_within(columns: Sequence[str], others: Sequence[str], factor: float) -> Check:
    """Whether columns are, in the geometric mean over the rows, at most a factor from others."""

    def check(matrix: ScoreMatrix) -> Finding:
        ratios = {}
        for one in columns:
            for other in others:
                logs = np.log(_column(matrix, one) / _column(matrix, other))
                ratios[one, other] = float(np.exp(logs.mean()))
        words = ", ".join(
            f"{label(one)} / {label(other)} {ratio:.2f}" for (one, other), ratio in ratios.items()
        )
        is_near = all(1 / factor <= ratio <= factor for ratio in ratios.values())
        return Finding("yes" if is_near else "no", words)

    return lasting(check, (*columns, *others))


def within_of(one: str, other: str, within: float) -> Check:
    """Whether two columns differ by at most ``within`` on every row."""

    def check(matrix: ScoreMatrix) -> Finding:
        table = chosen(matrix, (one, other))
        if not len(table):
            return too_few(table)
        diffs = np.round(np.abs(_column(table, one) - _column(table, other)), 12)
        place = int(diffs.argmax())
        words = f"largest difference {diffs[place]:.3g}, {table.datasets[place]}"
        return Finding("yes" if diffs[place] <= within else "no", words)

    return check


def rises(column: str, is_rising: bool) -> Check:
    """Whether the least-squares line of a column over the rows rises or falls."""

    def check(matrix: ScoreMatrix) -> Finding:
        values = _column(matrix, column)
        slope = float(np.polyfit(np.arange(len(values)), values, 1)[0])
        words = (
            f"{label(column)} from {values[0]:.4f} to {values[-1]:.4f}, slope {slope:+.2g} per row"
        )
        if abs(slope) < 1e-12:
            return Finding("tie", words)
        return Finding("yes" if (slope > 0) == is_rising else "no", words)

    return lasting(check, (column,))


def _more(lead: float) -> State:
    """Return whether there are more wins than losses, by more than one of them."""
    if lead == 0:
        return "tie"
    if abs(lead) == 1:
        return "one row"
    return "yes" if lead > 0 else "no"


def _not_more(win: float, loss: float) -> State:
    """Return whether there are no more wins than losses, also without any one data set."""
    if win - loss == 1 or win == loss > 0:
        return "one row"
    return "yes" if win <= loss else "no"


def more_wins(one: str, other: str | None) -> Check:
    """Whether a model has more wins than losses against another, or the largest surplus of all.

    A lead of one win is not sufficient, and equal numbers are a tie.
    """

    def check(matrix: ScoreMatrix) -> Finding:
        if other is not None:
            place = matrix.datasets.index(f"{one} against {other}")
            win, draw, loss = matrix.values[place]
            words = f"{label(one)} against {label(other)} {win:g}/{draw:g}/{loss:g}"
            return Finding(_more(win - loss), words)
        totals: dict[str, float] = {}
        for row, (win, _, loss) in zip(matrix.datasets, matrix.values, strict=True):
            name = row.partition(" against ")[0]
            if not name.endswith("_s"):
                totals[name] = totals.get(name, 0.0) + win - loss
        words = ", ".join(f"{label(name)} {total:+g}" for name, total in totals.items())
        lead = totals[one] - max(total for name, total in totals.items() if name != one)
        return Finding(_more(lead), f"wins minus losses: {words}")

    return check


def fewer_wins(one: str, other: str) -> Check:
    """Whether a model has fewer wins than losses against another, by more than one."""

    def check(matrix: ScoreMatrix) -> Finding:
        win, draw, loss = matrix.values[matrix.datasets.index(f"{one} against {other}")]
        words = f"{label(one)} against {label(other)} {win:g}/{draw:g}/{loss:g}"
        return Finding(_more(loss - win), words)

    return check


def some_difference(start: str, alpha: float = 0.05) -> Check:
    """Whether two models whose names begin with ``start`` differ, in a table of p-values.

    The smallest p-value is multiplied by the number of pairs (Bonferroni).
    """

    def check(matrix: ScoreMatrix) -> Finding:
        found = {}
        for row, (_, p) in zip(matrix.datasets, matrix.values, strict=True):
            one, _, other = row.partition(" against ")
            if one.startswith(start) and other.startswith(start):
                found[f"{label(one)} against {label(other)}"] = p
        words = ", ".join(f"{pair} p = {p:.2g}" for pair, p in found.items())
        return Finding("yes" if min(found.values()) * len(found) < alpha else "no", words)

    return check


def each_wins(is_winning: bool = True, model: str | None = None) -> Check:
    """Whether every row of a table of wins has more wins than losses, or no row has.

    ``model`` restricts the rows to those of one model. Without a win or a loss the answer of a row
    can be another: if both differ by one; for "no row has", with one win more, or with equal
    numbers above zero.
    """

    def check(matrix: ScoreMatrix) -> Finding:
        texts, states = [], []
        for row, (win, draw, loss) in zip(matrix.datasets, matrix.values, strict=True):
            if model is not None and row.partition(" against ")[0] != model:
                continue
            states.append(_more(win - loss) if is_winning else _not_more(win, loss))
            texts.append(f"{label(row.partition(' against ')[2])} {win:g}/{draw:g}/{loss:g}")
        return Finding(joined(states), ", ".join(texts))

    return check
