"""Split criteria: their names, their parameters, and their value for a table of counts.

A criterion is a name, such as ``"hellinger"``, or an object with parameters, such as
``Alpha(0.7, reference="uniform")``. A recipe, such as ``BetaAlpha(1, 3)``, draws a criterion for
every tree of a forest. The criteria are written in C++, one file each; this package reads their
registry. :func:`custom` turns a function into a criterion.
"""

from rarewood.criteria._criterion import Alpha, Criterion, CriterionLike, Reference
from rarewood.criteria._custom import Custom, custom
from rarewood.criteria._recipes import BetaAlpha, Recipe, for_trees
from rarewood.criteria._registry import ALIASES, describe, names
from rarewood.criteria._score import check_known, resolve, score

__all__ = [
    "ALIASES",
    "Alpha",
    "BetaAlpha",
    "Criterion",
    "CriterionLike",
    "Custom",
    "Recipe",
    "Reference",
    "check_known",
    "custom",
    "describe",
    "for_trees",
    "names",
    "resolve",
    "score",
]

for _public in (Alpha, BetaAlpha, Criterion, Custom):
    _public.__module__ = __name__  # by which pickles and skops files name them
