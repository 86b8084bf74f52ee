"""Decision trees for rare classes, with a scikit-learn interface and a C++ core."""

from rarewood import criteria, presets, pruning, rules
from rarewood._version import __version__
from rarewood.forest import RareForestClassifier
from rarewood.text import export_text
from rarewood.tree import RareTreeClassifier

__all__ = [
    "RareForestClassifier",
    "RareTreeClassifier",
    "__version__",
    "criteria",
    "export_text",
    "presets",
    "pruning",
    "rules",
]
