"""Model files: a fitted model as a zip of numbers and JSON, which is safe to open.

>>> from rarewood import modelfile
>>> sorted(modelfile.__all__)
['ModelFileError', 'describe', 'load', 'save', 'trusted_types']
"""

from rarewood.modelfile._archive import ModelFileError
from rarewood.modelfile._files import describe, load, save
from rarewood.modelfile._trusted import trusted_types

__all__ = ["ModelFileError", "describe", "load", "save", "trusted_types"]
