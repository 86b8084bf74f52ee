"""Decision trees for rare classes, with a scikit-learn interface and a C++ core."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rarewood import criteria, presets, pruning, rules
from rarewood._version import __version__
from rarewood.diagram import export_graphviz, export_mermaid
from rarewood.forest import RareForestClassifier
from rarewood.text import export_text
from rarewood.tree import RareTreeClassifier

if TYPE_CHECKING:
    from rarewood import datasets, evaluate, modelfile, papers, plot
    from rarewood import sampling as sampling
    from rarewood.modelfile import load, save

__all__ = [
    "RareForestClassifier",
    "RareTreeClassifier",
    "__version__",
    "criteria",
    "datasets",
    "evaluate",
    "export_graphviz",
    "export_mermaid",
    "export_text",
    "load",
    "modelfile",
    "papers",
    "plot",
    "presets",
    "pruning",
    "rules",
    "save",
]  # not sampling: it needs imbalanced-learn, and a star must not


_LAZY = ("datasets", "evaluate", "modelfile", "papers", "plot", "sampling")
_LAZY_NAMES = {"load": "modelfile", "save": "modelfile"}


def __getattr__(name: str) -> Any:
    """Import a part that is not needed for fitting when it is first asked for."""
    if name in _LAZY:
        return import_module(f"rarewood.{name}")
    if name in _LAZY_NAMES:
        return getattr(import_module(f"rarewood.{_LAZY_NAMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
