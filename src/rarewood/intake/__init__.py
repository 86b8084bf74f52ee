"""Tables that people point at: opened, looked at, and made ready for models.

:func:`open_table` takes a file of any common kind, or the name of a data set; :func:`prepare` makes
features and labels of it and says what it found. Whatever is wrong is a :class:`TableError` of one
line that says what to do.
"""

from rarewood.intake.arrow_files import ParquetSource
from rarewood.intake.errors import TableError
from rarewood.intake.findings import ColumnFinding, Findings
from rarewood.intake.memory import available_memory, parse_size
from rarewood.intake.opening import open_table
from rarewood.intake.preparing import Prepared, inspect, prepare
from rarewood.intake.recipe import follow, types_of
from rarewood.intake.source import Source
from rarewood.intake.streaming import PreparedStream, take_stream
from rarewood.intake.taking import take

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
