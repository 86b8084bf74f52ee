"""Classifiers of other packages: adapters that let them take any table and any labels.

:class:`ForeignClassifier` is such a classifier with the columns of its training table, so that it
can be saved, loaded and explained like a model of rarewood; :func:`rarewood.workflow.fit` makes it.
"""

from rarewood.foreign._classifier import ForeignClassifier

__all__ = ["ForeignClassifier"]
