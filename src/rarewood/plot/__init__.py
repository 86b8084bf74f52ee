"""Figures of trees, forests and criteria with matplotlib (``pip install 'rarewood[plot]'``).

Each function returns the axes of its figure. All but ``skew_gallery`` accept axes as ``ax``, and
create a new figure by default. matplotlib is imported when a figure is drawn.
"""

from rarewood.plot._alpha_sweep import alpha_sweep
from rarewood.plot._boundary import decision_boundary
from rarewood.plot._gallery import skew_gallery
from rarewood.plot._importances import feature_importances
from rarewood.plot._isometrics import isometrics, value_surface
from rarewood.plot._pilot import pilot
from rarewood.plot._roc_curves import roc
from rarewood.plot._sampling_search import sampling_search
from rarewood.plot._tree import tree

__all__ = [
    "alpha_sweep",
    "decision_boundary",
    "feature_importances",
    "isometrics",
    "pilot",
    "roc",
    "sampling_search",
    "skew_gallery",
    "tree",
    "value_surface",
]
