"""Decision trees for rare classes, with a scikit-learn interface and a C++ core.

Each part is imported when it is first asked for: the command line's help needs none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rarewood._version import __version__

if TYPE_CHECKING:
    from rarewood import (
        criteria,
        datasets,
        evaluate,
        explain,
        intake,
        modelfile,
        operating,
        papers,
        plot,
        presets,
        pruning,
        report,
        rules,
        stream,
    )
    from rarewood import dask as dask
    from rarewood import sampling as sampling
    from rarewood.diagram import export_graphviz, export_mermaid
    from rarewood.forest import RareForestClassifier
    from rarewood.modelfile import load, save
    from rarewood.text import export_text
    from rarewood.tree import RareTreeClassifier

__all__ = [
    "RareForestClassifier",
    "RareTreeClassifier",
    "__version__",
    "criteria",
    "datasets",
    "evaluate",
    "explain",
    "export_graphviz",
    "export_mermaid",
    "export_text",
    "intake",
    "load",
    "modelfile",
    "operating",
    "papers",
    "plot",
    "presets",
    "pruning",
    "report",
    "rules",
    "save",
    "stream",
]  # not dask and sampling: they need more packages, and a star must not


_LAZY = (
    "criteria", "dask", "datasets", "evaluate", "explain", "intake", "modelfile", "operating",
    "papers", "plot", "presets", "pruning", "report", "rules", "sampling", "stream",
)  # fmt: skip
_LAZY_NAMES = {
    "RareForestClassifier": "forest",
    "RareTreeClassifier": "tree",
    "export_graphviz": "diagram",
    "export_mermaid": "diagram",
    "export_text": "text",
    "load": "modelfile",
    "save": "modelfile",
}


def __getattr__(name: str) -> Any:
    """Import a part when it is first asked for."""
    if name in _LAZY:
        return import_module(f"rarewood.{name}")
    if name in _LAZY_NAMES:
        value = getattr(import_module(f"rarewood.{_LAZY_NAMES[name]}"), name)
        globals()[name] = value  # the next time it is found at once
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
