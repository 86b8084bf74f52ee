"""Tables that people point at: opened, looked at, and made ready for models.

:func:`open_table` takes a file of any common kind, or the name of a data set; :func:`prepare` makes
features and labels of it and says what it found. Whatever is wrong is a :class:`TableError` of one
line that says what to do.
"""

from rarewood.intake._arrow_files import ParquetSource
from rarewood.intake._errors import TableError
from rarewood.intake._findings import ColumnFinding, Findings
from rarewood.intake._memory import available_memory, parse_size
from rarewood.intake._open import open_table
from rarewood.intake._prepare import Prepared, inspect, prepare
from rarewood.intake._prepare_stream import PreparedStream, take_stream
from rarewood.intake._raw_table import Source
from rarewood.intake._recipe import follow, types_of
from rarewood.intake._taking import take

__all__ = [
    "ColumnFinding",
    "Findings",
    "ParquetSource",
    "Prepared",
    "PreparedStream",
    "Source",
    "TableError",
    "available_memory",
    "follow",
    "inspect",
    "open_table",
    "parse_size",
    "prepare",
    "take",
    "take_stream",
    "types_of",
]
