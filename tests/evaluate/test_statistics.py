"""Statistics: their edges, their messages, their tables."""

from __future__ import annotations

import numpy as np
import pytest

from rarewood import evaluate
from rarewood.evaluate import ScoreMatrix

RNG = np.random.default_rng(0)
TABLE = RNG.random((15, 4)).round(2)


def test_nemenyi_equals_scikit_posthocs():
    import scikit_posthocs as posthocs

    theirs = posthocs.posthoc_nemenyi_friedman(TABLE).to_numpy()
    np.testing.assert_allclose(evaluate.nemenyi(TABLE), theirs, atol=1e-8)


def test_wilcoxon_of_all_pairs_and_of_a_control():
    from scipy import stats

    everything = evaluate.wilcoxon(TABLE)
    p = stats.wilcoxon(TABLE[:, 0] - TABLE[:, 2], zero_method="zsplit").pvalue
    assert everything.pvalue[0, 2] == everything.pvalue[2, 0] == pytest.approx(p)
    upper = np.triu_indices(4, 1)
    np.testing.assert_allclose(everything.holm[upper], evaluate.holm(everything.pvalue[upper]))
    one = evaluate.wilcoxon(TABLE, control=2)
    assert one.pvalue[2, 0] == everything.pvalue[2, 0]
    assert np.isnan(one.pvalue[0, 1])
    assert one.holm[2, 0] <= everything.holm[2, 0]


def test_wilcoxon_of_equal_models():
    same = np.column_stack([TABLE[:, 0], TABLE[:, 0]])
    assert evaluate.wilcoxon(same).pvalue[0, 1] == 1


def test_holm_posthoc():
    better = np.column_stack([np.arange(10) + 2, np.arange(10) + 1, np.arange(10)])
    found = evaluate.holm_posthoc(better, control=0)
    np.testing.assert_allclose(found.z, [0, np.sqrt(5), 2 * np.sqrt(5)])
    assert found.pvalue[0] == found.holm[0] == 1
    assert found.holm[2] == pytest.approx(2 * found.pvalue[2])
    reverse = evaluate.holm_posthoc(better, control=0, higher_is_better=False)
    np.testing.assert_allclose(reverse.z, -found.z)


@pytest.mark.parametrize("function", [evaluate.friedman, evaluate.nemenyi, evaluate.wilcoxon])
def test_scores_that_cannot_be_tested(function):
    with pytest.raises(ValueError, match=r"row per data set.*\(3,\)"):
        function([1, 2, 3])
    with pytest.raises(ValueError, match=r"missing in rows \[1\]"):
        function([[1, 2], [np.nan, 1], [1, 2]])


def test_equal_models_do_not_differ():
    found = evaluate.friedman(np.ones((5, 3)))
    assert found.chi2 == found.chi2_tie_corrected == found.f == 0
    assert found.pvalue == found.f_pvalue == 1
    np.testing.assert_array_equal(found.average_ranks, [2, 2, 2])


def test_always_the_same_order():
    found = evaluate.friedman(np.tile([3, 2, 1], (6, 1)))
    assert found.chi2 == pytest.approx(12)
    assert np.isinf(found.f)
    assert found.f_pvalue == 0


def test_means_that_differ_by_rounding_tie():
    row = [0.1 + 0.2, 0.3, 0.25]
    scores = ScoreMatrix([row, row], ["a", "b"], list("xyz"), "auc")
    np.testing.assert_array_equal(scores.ranks().values[0], [1.5, 1.5, 3])


def test_critical_difference_messages():
    with pytest.raises(ValueError, match="two models"):
        evaluate.nemenyi_critical_difference(1, 10, 0.05)
    with pytest.raises(ValueError, match="alpha"):
        evaluate.nemenyi_critical_difference(3, 10, 5)
    with pytest.raises(ValueError, match="0 to 3; got 4"):
        evaluate.wilcoxon(TABLE, control=4)


def test_corrected_t_edges():
    same = evaluate.corrected_resampled_ttest([0.0] * 10, 5, 5)
    assert (same.statistic, same.pvalue, same.df) == (0, 1, 9)
    always = evaluate.corrected_resampled_ttest([-0.1] * 10, 5, 5)
    assert (always.statistic, always.pvalue) == (-np.inf, 0)
    with pytest.raises(ValueError, match="at least two differences"):
        evaluate.corrected_resampled_ttest([1.0], 5, 5)
    with pytest.raises(ValueError, match="1 missing"):
        evaluate.corrected_resampled_ttest([1.0, np.nan], 5, 5)
    with pytest.raises(ValueError, match="positive"):
        evaluate.corrected_resampled_ttest([1.0, 2.0], 0, 5)


def test_win_draw_loss():
    """Model b beats a on the first data set, and nothing is significant on the second."""
    noise = RNG.normal(scale=0.01, size=(2, 3, 10))
    scores = 0.5 + noise
    scores[0, 1] += 0.2
    table = evaluate.win_draw_loss(scores, [(50, 50), (80, 20)], ["a", "b", "c"])
    assert table.wins[0, 1] == table.losses[1, 0] == 1  # column against row
    assert table.draws[0, 1] == table.draws[1, 0] == 1
    np.testing.assert_array_equal(table.wins, table.losses.T)
    totals = table.wins + table.draws + table.losses
    np.testing.assert_array_equal(totals, 2 * (1 - np.eye(3)))
    assert table.cells()[3][1] == "2/2/0"
    assert "Total" in str(table)
    worse = evaluate.win_draw_loss(
        scores, [(50, 50), (80, 20)], ["a", "b", "c"], higher_is_better=False
    )
    np.testing.assert_array_equal(worse.wins, table.losses)
    scores[1, 0, 0] = np.nan
    fewer = evaluate.win_draw_loss(scores, [(50, 50), (80, 20)], ["a", "b", "c"])
    assert fewer.draws[0, 1] == 0
