"""Comparison of classifiers on data with rare classes, with corrected statistics.

:func:`compare` fits models on data sets fold by fold and stores every result in a file, so that a
run can be interrupted and resumed; its :class:`Results` have the tests of the literature as
methods. The same tests are functions of plain arrays, for scores from elsewhere.
"""

from rarewood._imports import deferred

TYPE_CHECKING = False  # as that of typing
if TYPE_CHECKING:
    from rarewood.evaluate._adjust import holm
    from rarewood.evaluate._comparison import compare
    from rarewood.evaluate._friedman_test import friedman
    from rarewood.evaluate._metrics import Metric, Outcome, metric_names
    from rarewood.evaluate._multiclass_auc import hand_till_auc
    from rarewood.evaluate._posthoc import (
        holm_posthoc,
        nemenyi,
        nemenyi_critical_difference,
        wilcoxon,
    )
    from rarewood.evaluate._prepare import prepared
    from rarewood.evaluate._protocols import Protocol, five_by_two
    from rarewood.evaluate._resampled import against_best, corrected_resampled_ttest, win_draw_loss
    from rarewood.evaluate._results import Results
    from rarewood.evaluate._score_matrix import ScoreMatrix
    from rarewood.evaluate._store import Store

__all__ = [
    "Metric",
    "Outcome",
    "Protocol",
    "Results",
    "ScoreMatrix",
    "Store",
    "against_best",
    "compare",
    "corrected_resampled_ttest",
    "five_by_two",
    "friedman",
    "hand_till_auc",
    "holm",
    "holm_posthoc",
    "metric_names",
    "nemenyi",
    "nemenyi_critical_difference",
    "prepared",
    "wilcoxon",
    "win_draw_loss",
]

# Scripts and the command line read a name of this package before its libraries are needed.
__getattr__, __dir__ = deferred(
    __name__,
    {
        "_adjust": ["holm"],
        "_comparison": ["compare"],
        "_friedman_test": ["friedman"],
        "_metrics": ["Metric", "Outcome", "metric_names"],
        "_multiclass_auc": ["hand_till_auc"],
        "_posthoc": ["holm_posthoc", "nemenyi", "nemenyi_critical_difference", "wilcoxon"],
        "_prepare": ["prepared"],
        "_protocols": ["Protocol", "five_by_two"],
        "_resampled": ["against_best", "corrected_resampled_ttest", "win_draw_loss"],
        "_results": ["Results"],
        "_score_matrix": ["ScoreMatrix"],
        "_store": ["Store"],
    },
)
