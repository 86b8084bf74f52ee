"""Trees and forests on a Dask cluster, with the model of a fit in one process.

It needs the extra ``dask``: ``pip install 'rarewood[dask]'``, here and on the workers.
"""

from rarewood._optional import require

for _package in ("distributed", "dask.dataframe", "pyarrow"):
    require(_package, "Fitting on a Dask cluster", "rarewood[dask]")

from rarewood.dask._report import FitReport  # noqa: E402
from rarewood.dask.forest import DaskRareForestClassifier  # noqa: E402
from rarewood.dask.tree import DaskRareTreeClassifier  # noqa: E402

__all__ = ["DaskRareForestClassifier", "DaskRareTreeClassifier", "FitReport"]
