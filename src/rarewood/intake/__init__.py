"""Tables in files and data sets: opened, inspected, and prepared for models.

:func:`prepare` reads a file of any common format, or a data set by its name, and returns features,
labels and a description of the columns. Tables that cannot be used raise a :class:`TableError`
whose message is one line with the remedy.
"""

from rarewood.intake._errors import TableError
from rarewood.intake._open import open_table
from rarewood.intake._prepare import prepare
from rarewood.intake._prepare_stream import prepare_stream
from rarewood.intake._recipe import apply_recipe

__all__ = [
    "TableError",
    "apply_recipe",
    "open_table",
    "prepare",
    "prepare_stream",
]
