"""Decision trees and forests for rare classes, with a scikit-learn interface and a C++ core.

Submodules are imported on first access.
"""

from rarewood._imports import deferred
from rarewood._version import __version__

TYPE_CHECKING = False  # as that of typing, whose import takes most of the time of this one
if TYPE_CHECKING:
    from rarewood import (
        criteria,
        datasets,
        discretize,
        evaluate,
        explain,
        export,
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
    from rarewood._show_versions import show_versions
    from rarewood.c45 import C45Classifier
    from rarewood.export import export_graphviz, export_mermaid, export_text
    from rarewood.forest import RareForestClassifier
    from rarewood.modelfile import load, save, trusted_types
    from rarewood.tree import RareTreeClassifier

__all__ = [
    "C45Classifier",
    "RareForestClassifier",
    "RareTreeClassifier",
    "__version__",
    "criteria",
    "datasets",
    "discretize",
    "evaluate",
    "explain",
    "export",
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
    "show_versions",
    "stream",
    "trusted_types",
    "workflow",
]  # not dask and sampling: they need more packages, and a star must not


__getattr__, __dir__ = deferred(
    __name__,
    {
        "_show_versions": ["show_versions"],
        "c45": ["C45Classifier"],
        "export": ["export_graphviz", "export_mermaid", "export_text"],
        "forest": ["RareForestClassifier"],
        "modelfile": ["load", "save", "trusted_types"],
        "tree": ["RareTreeClassifier"],
    },
    modules=(
        "criteria", "dask", "datasets", "discretize", "evaluate", "explain", "export", "intake",
        "model", "modelfile", "operating", "plot", "presets", "pruning", "report", "rules",
        "sampling", "stream", "workflow",
    ),
)  # fmt: skip
