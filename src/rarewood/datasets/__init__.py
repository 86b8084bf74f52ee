"""Data sets with rare classes, from a folder, from installed packages, or from OpenML.

:func:`fetch` returns a :class:`Dataset`: features, labels, the class of interest and its origin.
Categorical features stay categorical, and missing values stay missing.
"""

from rarewood.datasets._catalog import available, fetch
from rarewood.datasets._record import Dataset, derive

__all__ = ["Dataset", "available", "derive", "fetch"]
