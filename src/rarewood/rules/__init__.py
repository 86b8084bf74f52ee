"""Rules of fitted trees and forests, with support, lift and p-values.

:func:`extract` returns a :class:`RuleSet`: a table of readable conditions with their measures,
which can be applied to new samples, validated on held-out samples, and written as text or SQL.
"""

from rarewood.rules._conditions import HalfSpace, Interval, Subset
from rarewood.rules._extraction import extract
from rarewood.rules._ruleset import RuleSet

__all__ = ["HalfSpace", "Interval", "RuleSet", "Subset", "extract"]
