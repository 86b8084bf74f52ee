"""Rules with p-values: what a tree or a forest says, one leaf at a time.

:func:`extract` makes a :class:`RuleSet` of a fitted estimator: a table of readable conditions with
their support, confidence, lift and Fisher's p-value, which can be applied to new rows, tested again
on held-out rows, and written as text or SQL.
"""

from rarewood.rules._conditions import HalfSpace, Interval, Subset
from rarewood.rules._extraction import extract
from rarewood.rules._ruleset import RuleSet

__all__ = ["HalfSpace", "Interval", "RuleSet", "Subset", "extract"]
