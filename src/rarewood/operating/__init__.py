"""Operating points: where to draw the line between an alert and none.

A row is alerted if its score is at least the threshold, everywhere in this package.

:func:`operating_curve` counts what every threshold does; :func:`choose_threshold` chooses one by a
rule, and says how sure it is and what it will achieve on new rows. Both want scores of rows that
the scoring model has not seen: :func:`out_of_fold_scores`, :func:`out_of_bag_scores`.
:class:`ThresholdedClassifier` does all of it as an estimator of scikit-learn.
:func:`correct_prior` turns probabilities of balanced classes into those of their true frequency.
"""

from rarewood.operating._achieved import Achieved
from rarewood.operating._choice import choose_on_curve, choose_threshold
from rarewood.operating._confusion import Confusion, Costs
from rarewood.operating._curve import OperatingCurve, operating_curve
from rarewood.operating._limits import AlertBudget, PrecisionFloor, RecallFloor
from rarewood.operating._point import OperatingPoint
from rarewood.operating._prior import class_prior, correct_prior
from rarewood.operating._prior_corrected import PriorCorrectedClassifier
from rarewood.operating._rules import BestF, GivenThreshold, LowestCost
from rarewood.operating._scorers import rule_scorer
from rarewood.operating._scores import ScoredRows, out_of_bag_scores, out_of_fold_scores
from rarewood.operating._thresholded import ThresholdedClassifier
from rarewood.operating._wording import as_rule

__all__ = [
    "Achieved",
    "AlertBudget",
    "BestF",
    "Confusion",
    "Costs",
    "GivenThreshold",
    "LowestCost",
    "OperatingCurve",
    "OperatingPoint",
    "PrecisionFloor",
    "PriorCorrectedClassifier",
    "RecallFloor",
    "ScoredRows",
    "ThresholdedClassifier",
    "as_rule",
    "choose_on_curve",
    "choose_threshold",
    "class_prior",
    "correct_prior",
    "operating_curve",
    "out_of_bag_scores",
    "out_of_fold_scores",
    "rule_scorer",
]
