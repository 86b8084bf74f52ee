from __future__ import annotations

import numpy as np
import pytest

from rarewood.evaluate import ScoreMatrix
from reproduction import Conclusion, checks, counts
from reproduction.conclusions import judge


def table(values, models=("a", "b", "c"), rows=None, higher_is_better=True):
    values = np.asarray(values, dtype=float)
    names = rows or [f"data {i}" for i in range(len(values))]
    return ScoreMatrix(values, names, list(models), "auc", higher_is_better)


CLEAR = table([[0.9, 0.8, 0.7]] * 12)
EQUAL = table([[0.9, 0.8, 0.7], [0.7, 0.8, 0.9]] * 6)
SHORT = table([[0.9, 0.8, 0.7]] * 2)


@pytest.mark.parametrize(
    "check",
    [
        checks.best_rank("a"),
        checks.worst_rank("c"),
        checks.smaller_mean_rank("a", "b"),
        checks.better_by_holm("a", ("b", "c")),
        checks.better_by_nemenyi("a", ("b", "c")),
        checks.better_in_pairs("a", "b"),
    ],
)
def test_rank_tests(check):
    assert check(CLEAR).holds is True
    assert check(SHORT).holds is None
    assert "only 2 data sets" in check(SHORT).why


def test_significance_needs_more_than_a_better_rank():
    for check in (
        checks.better_by_holm("a", ("b",)),
        checks.better_by_nemenyi("a", ("b",)),
        checks.better_in_pairs("a", "b"),
    ):
        assert check(EQUAL).holds is False
    assert checks.no_difference(("a", "b", "c"))(EQUAL).holds is True
    assert checks.no_difference(("a", "b", "c"))(CLEAR).holds is False


def test_low_values_can_be_good():
    errors = table(CLEAR.values, higher_is_better=False)
    assert checks.best_rank("c")(errors).holds is True
    assert counts.wins_most("c", "a")(errors).holds is True


def test_counts():
    assert counts.wins_most("a", "b")(CLEAR).holds is True
    assert counts.wins_most("a", "b")(EQUAL).holds is False
    assert counts.ties_most("a", "b", 0.1001)(CLEAR).holds is True
    assert counts.side_of_zero("a", False)(CLEAR).holds is False
    assert counts.larger_mean(("a",), ("b", "c"))(CLEAR).holds is True
    assert counts.some_above(("a", "b"), "c")(EQUAL).holds is False
    assert counts.within_of("a", "b", 0.11)(EQUAL).holds is True
    assert counts.within_of("a", "b", 0.01, row="data 1")(EQUAL).holds is False
    assert counts.rises("a", True)(table([[0.1, 0, 0], [0.2, 0, 0], [0.4, 0, 0]])).holds is True


def test_wins():
    rows = ["x against y", "y against x", "x_s against y_s"]
    wins = table([[5, 3, 1], [1, 3, 5], [0, 3, 6]], ("win", "draw", "loss"), rows)
    assert counts.more_wins("x", "y")(wins).holds is True
    assert counts.more_wins("x", None)(wins).holds is True
    assert counts.each_wins()(wins).holds is False
    assert "5/3/1" in counts.each_wins()(wins).why
    draws = table([[0, 9, 0]], ("win", "draw", "loss"), rows[:1])
    assert counts.more_wins("x", "y")(draws).holds is None
    assert counts.each_wins()(draws).holds is None


def test_all_of():
    yes, no = checks.best_rank("a"), checks.best_rank("c")
    assert checks.all_of(yes, yes)(CLEAR).holds is True
    assert checks.all_of(yes, no)(CLEAR).holds is False
    assert checks.all_of(yes, counts.wins_most("a", "b"))(SHORT).holds is None
    assert checks.all_of(yes, counts.wins_most("b", "a"))(SHORT).holds is False


def test_verdicts():
    conclusion = Conclusion("a is better", checks.better_in_pairs("a", "b"))
    few = table(CLEAR.values[:4])  # four wins of four: p is 0.046
    assert judge(conclusion, CLEAR, CLEAR, CLEAR).word == "holds"
    assert judge(conclusion, EQUAL, CLEAR, few).word == "does not hold"
    assert judge(conclusion, EQUAL, CLEAR, EQUAL).word == "cannot be judged"
    assert judge(conclusion, SHORT, CLEAR, few).word == "cannot be judged"
    nothing = table(np.full((3, 3), np.nan))
    assert judge(conclusion, nothing, CLEAR, few).word == "cannot be judged"
