from __future__ import annotations

import itertools

import numpy as np
import pytest

from rarewood.evaluate import ScoreMatrix
from reproduction import Conclusion, checks, counts
from reproduction.conclusions import Finding, joined, judge, lasting


def table(values, models=("a", "b", "c"), rows=None, higher_is_better=True):
    values = np.asarray(values, dtype=float)
    names = rows or [f"data {i}" for i in range(len(values))]
    return ScoreMatrix(values, names, list(models), "auc", higher_is_better)


CLEAR = table([[0.9, 0.8, 0.7]] * 12)
EQUAL = table([[0.9, 0.8, 0.7], [0.7, 0.8, 0.9]] * 6)
SHORT = table([[0.9, 0.8, 0.7]] * 2)
# Column a is better than b on three rows of five, so on half of the rows without one of them.
NARROW = table([[0.9, 0.8, 0.1]] * 3 + [[0.7, 0.8, 0.1]] * 2)


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
    assert check(CLEAR).state == "yes"
    assert check(SHORT) == Finding("too few rows", "only 2 data sets")


def test_significance_needs_more_than_a_better_rank():
    for check in (
        checks.better_by_holm("a", ("b",)),
        checks.better_by_nemenyi("a", ("b",)),
        checks.better_in_pairs("a", "b"),
    ):
        assert check(EQUAL).state == "no"
        assert check(NARROW).state == "no"
    assert checks.no_difference(("a", "b", "c"))(EQUAL).state == "yes"
    assert checks.no_difference(("a", "b", "c"))(CLEAR).state == "no"


def test_not_better_is_not_equal():
    assert checks.not_better_in_pairs("a", "b")(CLEAR).state == "no"
    assert checks.not_better_in_pairs("b", "a")(CLEAR).state == "yes"  # it is worse
    assert checks.not_better_in_pairs("a", "b")(EQUAL).state == "yes"
    assert checks.not_better_in_pairs("a", "b")(SHORT).state == "too few rows"


def test_equal_ranks_are_a_tie():
    same = table([[0.9, 0.9, 0.7]] * 6)
    for check in (
        checks.best_rank("a"),
        checks.best_rank("b"),
        checks.smaller_mean_rank("a", "b"),
        counts.larger_mean(("a",), ("b",)),
        counts.wins_most("a", "b"),
    ):
        assert check(same).state == "tie"
    assert checks.worst_rank("b")(table([[0.7, 0.7, 0.9]] * 6)).state == "tie"


def test_low_values_can_be_good():
    errors = table(CLEAR.values, higher_is_better=False)
    assert checks.best_rank("c")(errors).state == "yes"
    assert counts.wins_most("c", "a")(errors).state == "yes"


def test_counts():
    assert counts.wins_most("a", "b")(CLEAR).state == "yes"
    assert counts.wins_most("b", "a")(CLEAR).state == "no"
    assert counts.wins_most("a", "b")(EQUAL).state == "tie"
    assert counts.ties_most("a", "b", 0.1001)(CLEAR).state == "yes"
    assert counts.ties_most("a", "c", 0.1001)(CLEAR).state == "no"
    assert counts.side_of_zero("a", False)(CLEAR).state == "no"
    assert counts.larger_mean(("a",), ("b", "c"))(CLEAR).state == "yes"
    assert counts.larger_mean(("b",), ("a",))(CLEAR).state == "no"


def test_one_row_decides_a_claim_about_all_rows():
    values = [[0.9, 0.8, 0.7]] * 5 + [[0.6, 0.5, 0.7]]
    found = counts.some_above(("a", "b"), "c")(table(values))
    assert found == Finding("no", "above c on 5 of 6; not on data 5 -0.1")
    assert counts.some_above(("a", "b"), "c")(table(values[:5])).state == "yes"
    assert counts.within_of("a", "b", 0.11)(EQUAL).state == "yes"
    found = counts.within_of("a", "c", 0.11)(table(values))
    assert found == Finding("no", "largest difference 0.2, data 0")


@pytest.mark.parametrize(
    "check",
    [
        counts.wins_most("a", "b"),
        counts.wins_most("b", "a"),
        checks.smaller_mean_rank("a", "b"),
        checks.smaller_mean_rank("b", "a"),
    ],
)
def test_a_lead_of_one_row_is_undecided_on_both_sides(check):
    found = check(NARROW)
    assert found.state == "one row"
    assert "without data" in found.why


def test_a_slope_that_rests_on_one_point():
    line = [[0.1, 0, 0], [0.2, 0, 0], [0.3, 0, 0], [0.4, 0, 0], [0.5, 0, 0]]
    assert counts.rises("a", True)(table(line)).state == "yes"
    assert counts.rises("a", False)(table(line)).state == "no"
    step = [[0.9, 0, 0], [0.1, 0, 0], [0.1, 0, 0], [0.1, 0, 0], [0.11, 0, 0]]
    found = counts.rises("a", False)(table(step))
    assert found.state == "one row"
    assert "without data 0" in found.why


def test_rows_without_a_number_count_only_for_their_columns():
    values = CLEAR.values.copy()
    values[:4, 2] = np.nan
    gaps = table(values)
    assert "on 12 of 12" in counts.wins_most("a", "b")(gaps).why
    assert "on 8 of 8" in counts.wins_most("a", "c")(gaps).why


def wins(*counts_of_rows):
    rows = ["x against y", "y against x", "x_s against y_s"][: len(counts_of_rows)]
    return table(counts_of_rows, ("win", "draw", "loss"), rows)


@pytest.mark.parametrize(
    ("row", "state"),
    [
        ([5, 3, 1], "yes"),
        ([2, 7, 0], "yes"),
        ([1, 8, 0], "one row"),
        ([0, 9, 0], "tie"),
        ([2, 5, 2], "tie"),
        ([0, 8, 1], "one row"),
        ([0, 7, 2], "no"),
    ],
)
def test_more_wins(row, state):
    found = counts.more_wins("x", "y")(wins(row))
    assert found == Finding(state, "x against y {}/{}/{}".format(*row))


def test_totals_of_wins():
    assert counts.more_wins("x", None)(wins([5, 3, 1], [1, 3, 5], [0, 3, 6])).state == "yes"
    assert counts.more_wins("y", None)(wins([5, 3, 1], [1, 3, 5])).state == "no"
    assert counts.more_wins("x", None)(wins([3, 3, 3], [3, 3, 3])).state == "tie"


def test_each_wins():
    found = counts.each_wins()(wins([5, 3, 1], [1, 3, 5]))
    assert found == Finding("no", "y 5/3/1, x 1/3/5")
    assert counts.each_wins()(wins([5, 3, 1], [3, 5, 1])).state == "yes"
    assert counts.each_wins()(wins([5, 3, 1], [3, 3, 3])).state == "tie"
    assert counts.each_wins()(wins([5, 3, 1], [1, 8, 0])).state == "one row"
    assert counts.each_wins(False)(wins([0, 9, 0], [1, 3, 5])).state == "yes"
    assert counts.each_wins(False)(wins([0, 9, 0], [1, 8, 0])).state == "one row"
    assert counts.each_wins(False)(wins([0, 9, 0], [2, 7, 0])).state == "no"
    assert counts.each_wins(False)(wins([0, 9, 0], [2, 5, 3])).state == "yes"


def answer(row, is_winning):
    win, _, loss = row
    if is_winning:
        return "tie" if win == loss else "yes" if win > loss else "no"
    return "yes" if win <= loss else "no"


@pytest.mark.parametrize("is_winning", [True, False])
def test_each_wins_with_one_data_set_less(is_winning):
    for row in itertools.product(range(4), repeat=3):
        found = answer(row, is_winning)
        fewer = [[n - (i == j) for j, n in enumerate(row)] for i in range(3) if row[i]]
        changes = any(answer(other, is_winning) != found for other in fewer)
        expected = "one row" if changes and found != "tie" else found
        assert counts.each_wins(is_winning)(wins(row)).state == expected, row


def test_fewer_wins():
    assert counts.fewer_wins("x", "y")(wins([1, 3, 5])).state == "yes"
    assert counts.fewer_wins("x", "y")(wins([3, 3, 3])).state == "tie"
    assert counts.fewer_wins("x", "y")(wins([5, 3, 1])).state == "no"


def test_rows_of_one_model():
    both = wins([5, 3, 1], [1, 3, 5])
    assert counts.each_wins(model="x")(both) == Finding("yes", "y 5/3/1")
    assert counts.each_wins(model="y")(both) == Finding("no", "x 1/3/5")


def test_sizes():
    sizes = table([[10, 11, 30], [100, 110, 300]] * 3)
    assert counts.size_within(("a",), ("b",), 1.25)(sizes) == Finding("yes", "a / b 0.91")
    assert counts.size_within(("a", "c"), ("b",), 1.25)(sizes).state == "no"


def test_some_difference():
    rows = ["m_1 against m_2", "m_1 against z"]
    found = table([[0.1, 0.04], [0.2, 0.5]], ("difference", "p"), rows)
    assert counts.some_difference("m")(found) == Finding("yes", "m_1 against m_2 p = 0.04")
    found = table([[0.1, 0.4], [0.2, 0.01]], ("difference", "p"), rows)
    assert counts.some_difference("m")(found).state == "no"
    for least, state in ((0.02, "no"), (0.016, "yes")):  # three pairs
        p_values = [[0, least], [0, 0.3], [0, 0.9]]
        found = table(p_values, ("difference", "p"), ["m1 against m2", "m1 against m3", *rows[:1]])
        assert counts.some_difference("m")(found).state == state


def test_all_of():
    yes, no = checks.best_rank("a"), checks.best_rank("c")
    assert checks.all_of(yes, yes)(CLEAR).state == "yes"
    assert checks.all_of(yes, no)(CLEAR).state == "no"
    assert checks.all_of(yes, yes)(SHORT).state == "too few rows"
    assert joined(["tie", "yes", "no"]) == "no"
    assert joined(["yes", "one row", "tie"]) == "tie"
    assert joined(["yes", "one row"]) == "one row"


def test_lasting_leaves_ties_alone():
    tie = lasting(lambda _: Finding("tie", "equal"))
    assert tie(CLEAR) == Finding("tie", "equal")


AGAINST = table([[0.8, 0.9, 0.7]] * 12)
SUPPORT = {"yes": CLEAR, "no": AGAINST, "tie": table([[0.9, 0.9, 0.7]] * 12), "one row": NARROW}


@pytest.mark.parametrize("printed_here", SUPPORT)
@pytest.mark.parametrize("ours", SUPPORT)
def test_the_rule_of_the_verdicts(ours, printed_here):
    """Only the printed cells of the available rows decide whether there is a judgement."""
    conclusion = Conclusion("a is better", counts.wins_most("a", "b"))
    verdict = judge(conclusion, SUPPORT[ours], CLEAR, SUPPORT[printed_here])
    words = {"yes": "holds", "no": "does not hold", "tie": "tie", "one row": "one row"}
    expected = words[ours] if printed_here == "yes" else "cannot be judged"
    assert verdict.word == expected
    assert (verdict.ours.state, verdict.printed_here.state) == (ours, printed_here)
    unsupported = judge(conclusion, SUPPORT[ours], AGAINST, SUPPORT[printed_here])
    assert unsupported.word == words[ours]  # the available rows are not the reason


def test_verdicts_without_numbers():
    conclusion = Conclusion("a is better", counts.wins_most("a", "b"))
    nothing = table(np.empty((0, 3)))
    assert judge(conclusion, CLEAR, nothing, nothing).word == "holds"
    assert judge(conclusion, CLEAR, nothing, nothing).printed is None
    assert judge(conclusion, CLEAR, CLEAR, nothing).word == "cannot be judged"
    assert judge(conclusion, SHORT, CLEAR, CLEAR).word == "cannot be judged"
    assert judge(conclusion, table(np.full((3, 3), np.nan)), CLEAR, CLEAR).word == (
        "cannot be judged"
    )
