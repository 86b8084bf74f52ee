"""Data sets with rare classes: from a folder, from installed packages, or from OpenML.

:func:`fetch` returns a :class:`Dataset`: the table, its rare class, how that was derived, and where
all of it comes from. Nominal columns stay nominal, and missing values stay missing.
"""

from rarewood.datasets._catalog import available, fetch
from rarewood.datasets._record import Dataset, derive

__all__ = ["Dataset", "available", "derive", "fetch"]
