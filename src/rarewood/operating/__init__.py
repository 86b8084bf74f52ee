"""Operating points: where to draw the line between an alert and none.

A row is alerted if its score is at least the threshold, everywhere in this package.

:func:`operating_curve` counts what every threshold does, :func:`choose_threshold` chooses one by a
rule.
"""

from rarewood.operating.achieved import Achieved
from rarewood.operating.choice import OperatingPoint, choose_on_curve, choose_threshold
from rarewood.operating.confusion import Confusion, Costs
from rarewood.operating.curve import OperatingCurve, operating_curve
from rarewood.operating.rules import (
    AlertBudget,
    BestF,
    LowestCost,
    PrecisionFloor,
    RecallFloor,
)
from rarewood.operating.wording import as_rule

__all__ = [
    "Achieved",
    "AlertBudget",
    "BestF",
    "Confusion",
    "Costs",
    "LowestCost",
    "OperatingCurve",
    "OperatingPoint",
    "PrecisionFloor",
    "RecallFloor",
    "as_rule",
    "choose_on_curve",
    "choose_threshold",
    "operating_curve",
]
