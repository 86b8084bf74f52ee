"""Tables larger than memory: read in batches, kept as one byte for each value.

Pass the path of a Parquet file or a folder, a ``pyarrow.dataset``, or an iterator of record batches
to ``fit`` of an estimator, with the names of the columns of labels and weights; splitters other
than "oblique" also need ``max_bins``. :class:`Stream` has options for reading. The model is bitwise
equal to that of the same table in memory.
"""

from typing import TYPE_CHECKING

from rarewood._imports import deferred

if TYPE_CHECKING:
    from rarewood.table._stream import Stream

__all__ = ["Stream"]

# Workers of a cluster import the modules of this package without it.
__getattr__, __dir__ = deferred(__name__, {".table._stream": ["Stream"]})
