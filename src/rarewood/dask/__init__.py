"""Trees and forests on a Dask cluster, with the model of a fit in one process.

It needs the extra ``dask``: ``pip install 'rarewood[dask]'``, here and on the workers. Workers need
no estimators, so these are imported when they are first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rarewood._optional import require

for _package in ("distributed", "pyarrow"):
    require(_package, "Fitting on a Dask cluster", "rarewood[dask]")

if TYPE_CHECKING:
    from rarewood.dask._report import FitReport
    from rarewood.dask.forest import DaskRareForestClassifier
    from rarewood.dask.tree import DaskRareTreeClassifier

__all__ = ["DaskRareForestClassifier", "DaskRareTreeClassifier", "FitReport"]

_HOMES = {
    "DaskRareForestClassifier": "forest",
    "DaskRareTreeClassifier": "tree",
    "FitReport": "_report",
}


def __getattr__(name: str) -> Any:
    """Import an estimator when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"rarewood.dask.{_HOMES[name]}"), name)
    globals()[name] = value  # the next time it is found at once
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
