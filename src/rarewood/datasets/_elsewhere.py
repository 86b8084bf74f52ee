"""Tables of scikit-learn, and of OpenML."""

from __future__ import annotations

from typing import Any

import numpy as np

from rarewood.datasets._files import as_categories, pandas
from rarewood.datasets._record import Dataset, make_record

SCIKIT_LEARN = ["breast_cancer", "digits", "iris", "wine"]


def load_scikit_learn(name: str) -> Dataset:
    """Load a table of scikit-learn; labels are the names of the classes."""
    import sklearn.datasets

    pandas()
    bunch: Any = getattr(sklearn.datasets, f"load_{name}")(as_frame=True)
    labels = np.asarray(bunch.target_names)[np.asarray(bunch.target)]
    return make_record(
        name,
        bunch.data,
        labels if labels.dtype.kind in "iu" else labels.astype(str),
        source=f"scikit-learn, load_{name}",
        licence="bundled with scikit-learn (BSD-3-Clause); see its description of the data",
    )


def load_openml(number: str) -> Dataset:
    """Load a table of OpenML by its id, with its default target; scikit-learn caches it."""
    if not number.isdigit():
        raise ValueError(f"Data sets of OpenML are given by id, as in 'openml:31'; got {number!r}.")
    from sklearn.datasets import fetch_openml

    pandas()
    try:
        bunch: Any = fetch_openml(data_id=int(number), as_frame=True)
    except OSError as error:
        raise OSError(
            f"Data set {number} of OpenML is not in the cache of scikit-learn and could not be "
            f"fetched: {error}. Retry with network access, or use a data set of "
            "rarewood.datasets.available()."
        ) from error
    if bunch.target is None:
        raise ValueError(f"Data set {number} of OpenML has no default target.")
    details = bunch.get("details") or {}
    labels = bunch.target.tolist()
    return make_record(
        str(details.get("name", f"openml_{number}")),
        as_categories(bunch.data),
        np.array(labels),
        source=f"OpenML, data set {number}",
        licence=str(details.get("licence", "not stated")),
        about=dict(details),
    )
