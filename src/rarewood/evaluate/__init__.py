"""Compare classifiers on data with rare classes, with the right protocol and honest statistics.

:func:`compare` fits models on data sets fold by fold and keeps every result in a file, so that a
run can be stopped and resumed; its :class:`Results` know the tests of the literature. The tests are
functions of plain tables too, for numbers that come from elsewhere.
"""

from rarewood.evaluate._adjust import holm
from rarewood.evaluate._against_best import AgainstBest, against_best
from rarewood.evaluate._comparison import compare
from rarewood.evaluate._friedman_test import FriedmanResult, friedman
from rarewood.evaluate._matrix import midranks
from rarewood.evaluate._metrics import Metric, Outcome, metric_names, recall_at_precision
from rarewood.evaluate._multiclass_auc import hand_till_auc
from rarewood.evaluate._posthoc import (
    HolmResult,
    WilcoxonResult,
    holm_posthoc,
    nemenyi,
    nemenyi_critical_difference,
    wilcoxon,
)
from rarewood.evaluate._predictions import Predictions
from rarewood.evaluate._prepare import Preparation, prepared
from rarewood.evaluate._protocols import (
    Protocol,
    Split,
    five_by_two,
    repeated_stratified,
    stratified,
)
from rarewood.evaluate._resampled import (
    TTestResult,
    WinDrawLoss,
    corrected_resampled_ttest,
    win_draw_loss,
)
from rarewood.evaluate._results import Results
from rarewood.evaluate._score_matrix import ScoreMatrix
from rarewood.evaluate._store import Cell, Store

__all__ = [
    "AgainstBest",
    "Cell",
    "FriedmanResult",
    "HolmResult",
    "Metric",
    "Outcome",
    "Predictions",
    "Preparation",
    "Protocol",
    "Results",
    "ScoreMatrix",
    "Split",
    "Store",
    "TTestResult",
    "WilcoxonResult",
    "WinDrawLoss",
    "against_best",
    "compare",
    "corrected_resampled_ttest",
    "five_by_two",
    "friedman",
    "hand_till_auc",
    "holm",
    "holm_posthoc",
    "metric_names",
    "midranks",
    "nemenyi",
    "nemenyi_critical_difference",
    "prepared",
    "recall_at_precision",
    "repeated_stratified",
    "stratified",
    "wilcoxon",
    "win_draw_loss",
]
