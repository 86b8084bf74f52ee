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
    from rarewood import datasets, evaluate, operating, papers, plot, report
    from rarewood import sampling as sampling

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
    "operating",
    "papers",
    "plot",
    "presets",
    "pruning",
    "report",
    "rules",
]  # not sampling: it needs imbalanced-learn, and a star must not


_LAZY = ("datasets", "evaluate", "operating", "papers", "plot", "report", "sampling")


def __getattr__(name: str) -> Any:
    """Import a part that is not needed for fitting when it is first asked for."""
    if name in _LAZY:
        return import_module(f"rarewood.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
