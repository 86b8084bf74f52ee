"""Tables larger than memory: read in batches, kept as one byte for each value.

Give ``fit`` of an estimator with ``max_bins`` the path of a Parquet file or a folder, a
``pyarrow.dataset``, or an iterator of record batches, with the names of the columns that hold
labels and weights; :class:`Stream` sets how it is read. The model is the one that the same table
in memory gives, to the bit.
"""

from typing import TYPE_CHECKING

from rarewood._imports import deferred

if TYPE_CHECKING:
    from rarewood.table._stream import Stream

__all__ = ["Stream"]

# Workers of a cluster import the modules of this package without it.
__getattr__, __dir__ = deferred(__name__, {".table._stream": ["Stream"]})
