"""Operating points: thresholds on the score of the positive class.

Throughout this package a sample raises an alert if its score is at least the threshold.

:func:`operating_curve` counts true and false alerts at every threshold. :func:`choose_threshold`
chooses one by a rule, with intervals of the threshold and of its performance on new samples. Both
need scores of samples that the scoring model has not seen: :func:`out_of_fold_scores`,
:func:`out_of_bag_scores`. :class:`ThresholdedClassifier` combines these steps in a scikit-learn
estimator. :func:`correct_prior` converts probabilities of a balanced model to the true class
frequencies.
"""

from rarewood.operating._choice import choose_threshold
from rarewood.operating._confusion import Confusion, Costs
from rarewood.operating._curve import OperatingCurve, operating_curve
from rarewood.operating._limits import AlertBudget, PrecisionFloor, RecallFloor
from rarewood.operating._point import OperatingPoint
from rarewood.operating._prior import PriorCorrectedClassifier, correct_prior
from rarewood.operating._rule_text import rule_scorer
from rarewood.operating._rules import BestF, LowestCost
from rarewood.operating._scores import out_of_bag_scores, out_of_fold_scores
from rarewood.operating._thresholded import ThresholdedClassifier

__all__ = [
    "AlertBudget",
    "BestF",
    "Confusion",
    "Costs",
    "LowestCost",
    "OperatingCurve",
    "OperatingPoint",
    "PrecisionFloor",
    "PriorCorrectedClassifier",
    "RecallFloor",
    "ThresholdedClassifier",
    "choose_threshold",
    "correct_prior",
    "operating_curve",
    "out_of_bag_scores",
    "out_of_fold_scores",
    "rule_scorer",
]
