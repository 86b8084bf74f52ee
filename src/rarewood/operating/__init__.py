"""Operating points: where to draw the line between an alert and none.

A row is alerted if its score is at least the threshold, everywhere in this package.
"""

from rarewood.operating.confusion import Confusion, Costs
from rarewood.operating.curve import OperatingCurve, operating_curve

__all__ = ["Confusion", "Costs", "OperatingCurve", "operating_curve"]
