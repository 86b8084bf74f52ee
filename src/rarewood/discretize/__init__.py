"""Supervised discretisation of numeric features.

:class:`MDLDiscretizer` is a transformer of scikit-learn: it replaces numbers by bins whose edges
are chosen with the class labels.
"""

from rarewood.discretize._discretizer import MDLDiscretizer

__all__ = ["MDLDiscretizer"]
