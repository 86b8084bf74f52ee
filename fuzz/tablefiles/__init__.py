"""Tables as files, hostile or mutated: they are read, or refused with a clear error."""

from fuzz.tablefiles.check import check
from fuzz.tablefiles.files import draw, smaller
from fuzz.target import Target

TABLE_FILES = Target(
    "tablefiles",
    "CSV, Parquet and Arrow files of hostile values, with mutated bytes",
    draw,
    check,
    smaller,
    share=0.08,
)
