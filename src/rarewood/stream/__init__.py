"""Tables larger than memory: read in batches, kept as one byte for each value.

Give ``fit`` of an estimator with ``max_bins`` the path of a Parquet file or a folder, a
``pyarrow.dataset``, or an iterator of record batches, with the names of the columns that hold
labels and weights; :class:`Stream` says how it is read. The model is the one that the same table
in memory would give, to the bit.

The steps of a fit stand alone, so that rows can be read, surveyed and coded in different places:
:func:`open_rows`, :func:`make_layout`, :func:`read_targets`, :func:`survey_rows` and
:func:`code_rows`. What they return can be pickled and merged. Each name is
imported when it is first asked for: workers of a cluster need few of them.
"""

from typing import TYPE_CHECKING

from rarewood._deferred import deferred

if TYPE_CHECKING:
    from rarewood.stream._batch_targets import Settled, Targets, TargetSummary, read_targets
    from rarewood.stream._bin_statistics import TableSurvey, survey_rows
    from rarewood.stream._coding import code_rows
    from rarewood.stream._plan import Coded, Plan
    from rarewood.stream._predicting import over_batches
    from rarewood.stream._stream import Stream, as_stream, is_stream
    from rarewood.stream._training_data import StreamedData, streamed_data
    from rarewood.table._layout import Layout, make_layout
    from rarewood.table._opening import open_rows
    from rarewood.table._pieces import Piece
    from rarewood.table._rows import BATCH_ROWS, Rows

__all__ = [
    "BATCH_ROWS",
    "Coded",
    "Layout",
    "Piece",
    "Plan",
    "Rows",
    "Settled",
    "Stream",
    "StreamedData",
    "TableSurvey",
    "TargetSummary",
    "Targets",
    "as_stream",
    "code_rows",
    "is_stream",
    "make_layout",
    "open_rows",
    "over_batches",
    "read_targets",
    "streamed_data",
    "survey_rows",
]

__getattr__, __dir__ = deferred(
    __name__,
    {
        "_coding": ["code_rows"],
        ".table._layout": ["Layout", "make_layout"],
        ".table._opening": ["open_rows"],
        ".table._pieces": ["Piece"],
        "_plan": ["Coded", "Plan"],
        "_predicting": ["over_batches"],
        "_training_data": ["StreamedData", "streamed_data"],
        ".table._rows": ["BATCH_ROWS", "Rows"],
        "_stream": ["Stream", "as_stream", "is_stream"],
        "_bin_statistics": ["TableSurvey", "survey_rows"],
        "_batch_targets": ["Settled", "Targets", "TargetSummary", "read_targets"],
    },
)
