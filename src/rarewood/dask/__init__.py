"""Trees and forests on a Dask cluster, with the model of a fit in one process.

It needs the extra ``dask``: ``pip install 'rarewood[dask]'``, here and on the workers. Workers need
no estimators, so these are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from rarewood._deferred import deferred
from rarewood._optional import require

for _package in ("distributed", "pyarrow"):
    require(_package, "Fitting on a Dask cluster", "rarewood[dask]")

if TYPE_CHECKING:
    from rarewood.dask._forest import DaskRareForestClassifier
    from rarewood.dask._report import FitReport
    from rarewood.dask._tree import DaskRareTreeClassifier

__all__ = ["DaskRareForestClassifier", "DaskRareTreeClassifier", "FitReport"]

__getattr__, __dir__ = deferred(
    __name__,
    {
        "_report": ["FitReport"],
        "_forest": ["DaskRareForestClassifier"],
        "_tree": ["DaskRareTreeClassifier"],
    },
)
