"""The tasks of the command line as Python functions, and the registry of models.

:func:`models` lists the classifiers that can be compared or fitted by name, :func:`make_model`
makes one of them.
"""

from rarewood.workflow._models import ModelEntry, make_model, models

__all__ = ["ModelEntry", "make_model", "models"]
