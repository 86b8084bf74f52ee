"""Tables of scikit-learn, and of OpenML."""

from __future__ import annotations

from typing import Any

import numpy as np

from rarewood.datasets._files import nominal_as_categories, pandas
from rarewood.datasets._record import Dataset, make_record

__all__ = ["load_openml", "load_scikit_learn", "scikit_learn_names"]

_TABLES = ("breast_cancer", "digits", "iris", "wine")


def scikit_learn_names() -> list[str]:
    """Return the names of the tables for classification that come with scikit-learn."""
    return list(_TABLES)


def load_scikit_learn(name: str) -> Dataset:
    """Load a table that comes with scikit-learn; labels are the names of the classes."""
    import sklearn.datasets

    pandas()
    bunch: Any = getattr(sklearn.datasets, f"load_{name}")(as_frame=True)
    labels = np.asarray(bunch.target_names)[np.asarray(bunch.target)]
    return make_record(
        name,
        bunch.data,
        labels if labels.dtype.kind in "iu" else labels.astype(str),
        source=f"scikit-learn's load_{name}",
        licence="comes with scikit-learn (BSD-3-Clause); see its description of the data",
    )


def load_openml(number: str) -> Dataset:
    """Load a table of OpenML by its number; scikit-learn keeps it in its cache.

    Parameters
    ----------
    number : str
        OpenML's id of the data set.

    Returns
    -------
    record : Dataset
        The data set, with OpenML's default target.
    """
    if not number.isdigit():
        raise ValueError(f"OpenML's data sets have numbers, as in 'openml:31'; got {number!r}.")
    from sklearn.datasets import fetch_openml

    pandas()
    try:
        bunch: Any = fetch_openml(data_id=int(number), as_frame=True)
    except OSError as error:
        raise OSError(
            f"OpenML's data set {number} is not in the cache of scikit-learn and could not be "
            f"fetched: {error}. Try again with a network, or use a data set that is at hand: "
            "rarewood.datasets.available()."
        ) from error
    if bunch.target is None:
        raise ValueError(f"OpenML's data set {number} has no default target to predict.")
    details = bunch.get("details") or {}
    labels = bunch.target.tolist()
    return make_record(
        str(details.get("name", f"openml_{number}")),
        nominal_as_categories(bunch.data),
        np.array(labels),
        source=f"OpenML, data set {number}",
        licence=str(details.get("licence", "not stated")),
        about=dict(details),
    )
