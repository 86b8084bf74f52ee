"""Decision trees and forests for rare classes, with a scikit-learn interface and a C++ core.

Submodules are imported on first access.
"""

from typing import TYPE_CHECKING

from rarewood._imports import deferred
from rarewood._version import __version__

if TYPE_CHECKING:
    from rarewood import (
        criteria,
        datasets,
        evaluate,
        explain,
        intake,
        model,
        modelfile,
        operating,
        plot,
        presets,
        pruning,
        report,
        rules,
        stream,
        workflow,
    )
    from rarewood import dask as dask
    from rarewood import sampling as sampling
    from rarewood.export import export_graphviz, export_mermaid, export_text
    from rarewood.forest import RareForestClassifier
    from rarewood.modelfile import load, save
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
    "model",
    "modelfile",
    "operating",
    "plot",
    "presets",
    "pruning",
    "report",
    "rules",
    "save",
    "stream",
    "workflow",
]  # not dask and sampling: they need more packages, and a star must not


__getattr__, __dir__ = deferred(
    __name__,
    {
        "export": ["export_graphviz", "export_mermaid", "export_text"],
        "forest": ["RareForestClassifier"],
        "modelfile": ["load", "save"],
        "tree": ["RareTreeClassifier"],
    },
    modules=(
        "criteria", "dask", "datasets", "evaluate", "explain", "intake", "model", "modelfile",
        "operating", "plot", "presets", "pruning", "report", "rules", "sampling", "stream",
        "workflow",
    ),
)  # fmt: skip
