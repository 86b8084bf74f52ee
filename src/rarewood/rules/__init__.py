"""Rules with support, lift and p-values, of fitted trees and forests or found without a tree.

:func:`extract` returns a :class:`RuleSet`: a table of readable conditions with their measures,
which can be applied to new samples, validated on held-out samples, and written as text or SQL.
:class:`SparcccClassifier` finds significant rules on items and predicts with them.
"""

from rarewood.rules._conditions import HalfSpace, Interval, Subset
from rarewood.rules._extraction import extract
from rarewood.rules._ruleset import RuleSet
from rarewood.rules._sparccc import SparcccClassifier

__all__ = ["HalfSpace", "Interval", "RuleSet", "SparcccClassifier", "Subset", "extract"]
