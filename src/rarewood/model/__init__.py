"""Fitted trees and forests, and how they are grown.

A fitted :class:`rarewood.RareTreeClassifier` holds a :class:`FittedTree` as ``tree_``, and a fitted
:class:`rarewood.RareForestClassifier` a :class:`FittedForest` as ``forest_``. The
tree of a :class:`rarewood.C45Classifier` is a :class:`FractionalTree`.
"""

from typing import TYPE_CHECKING

from rarewood._imports import deferred

if TYPE_CHECKING:
    from rarewood.model._fitted_forest import FittedForest
    from rarewood.model._fitted_tree import FittedTree
    from rarewood.model._fractional_tree import FractionalTree
    from rarewood.model._pilot import Pilot

__all__ = ["FittedForest", "FittedTree", "FractionalTree", "Pilot"]

__getattr__, __dir__ = deferred(
    __name__,
    {
        "_fitted_forest": ["FittedForest"],
        "_fitted_tree": ["FittedTree"],
        "_fractional_tree": ["FractionalTree"],
        "_pilot": ["Pilot"],
    },
)
