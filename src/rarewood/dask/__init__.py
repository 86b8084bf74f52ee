"""Trees and forests fitted on a Dask cluster, identical to those fitted in one process.

Requires the extra ``dask`` here and on the workers: ``pip install 'rarewood[dask]'``. Workers do
not need the estimators, so these are imported on first use.
"""

from typing import TYPE_CHECKING

from rarewood._imports import deferred, require

for _package in ("distributed", "pyarrow"):
    require(_package, "Fitting on a Dask cluster", "rarewood[dask]")

if TYPE_CHECKING:
    from rarewood.dask._estimators import DaskRareForestClassifier, DaskRareTreeClassifier
    from rarewood.dask._report import FitReport

__all__ = ["DaskRareForestClassifier", "DaskRareTreeClassifier", "FitReport"]

__getattr__, __dir__ = deferred(
    __name__,
    {
        "_report": ["FitReport"],
        "_estimators": ["DaskRareForestClassifier", "DaskRareTreeClassifier"],
    },
)
