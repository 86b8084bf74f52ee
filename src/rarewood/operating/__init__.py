"""Operating points: thresholds on the score of the positive class.

Throughout this package a sample raises an alert if its score is at least the threshold.

:func:`operating_curve` counts true and false alerts at every threshold. :func:`choose_threshold`
chooses one by a rule, with intervals of the threshold and of its performance on new samples. Both
need scores of samples that the scoring model has not seen: :func:`out_of_fold_scores`,
:func:`out_of_bag_scores`. :class:`ThresholdedClassifier` combines these steps in a scikit-learn
estimator. :func:`correct_prior` converts probabilities of a balanced model to the true class
frequencies.
"""

from rarewood._imports import deferred

TYPE_CHECKING = False  # as that of typing
if TYPE_CHECKING:
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

# Scripts and the command line read a name of this package before its libraries are needed.
__getattr__, __dir__ = deferred(
    __name__,
    {
        "_choice": ["choose_threshold"],
        "_confusion": ["Confusion", "Costs"],
        "_curve": ["OperatingCurve", "operating_curve"],
        "_limits": ["AlertBudget", "PrecisionFloor", "RecallFloor"],
        "_point": ["OperatingPoint"],
        "_prior": ["PriorCorrectedClassifier", "correct_prior"],
        "_rule_text": ["rule_scorer"],
        "_rules": ["BestF", "LowestCost"],
        "_scores": ["out_of_bag_scores", "out_of_fold_scores"],
        "_thresholded": ["ThresholdedClassifier"],
    },
)
