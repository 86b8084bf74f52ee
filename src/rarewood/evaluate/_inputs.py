"""Validation of the data sets and models of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rarewood.datasets import Dataset, fetch
from rarewood.evaluate._cell import Table
from rarewood.table._frames import all_series


def as_tables(datasets: Any, folder: Any = None) -> list[Table]:
    """Return tables from names, records, or a dict of name to (X, y)."""
    if isinstance(datasets, str | Dataset):
        datasets = [datasets]
    if not isinstance(datasets, Mapping):
        datasets = [fetch(one, folder=folder) if isinstance(one, str) else one for one in datasets]
        strange = [type(one).__name__ for one in datasets if not isinstance(one, Dataset)]
        if strange:
            raise TypeError(
                "datasets must be names, records of rarewood.datasets, or a dict of name: (X, y); "
                f"got {strange[0]}."
            )
    named = datasets.items() if isinstance(datasets, Mapping) else ((d.name, d) for d in datasets)
    tables = [_table(name, *_parts(name, value)) for name, value in named]
    if not tables:
        raise ValueError("datasets is empty: pass at least one data set.")
    names = [table.name for table in tables]
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise ValueError(f"Two data sets have the name {twice[0]!r}: names must differ.")
    return tables


def _parts(name: Any, value: Any) -> tuple[Any, Any, Any]:
    if isinstance(value, Dataset):
        return value.X, value.y, value.pos_label
    if isinstance(value, tuple | list) and len(value) == 2:
        return value[0], value[1], None
    if hasattr(value, "data") and hasattr(value, "target"):  # scikit-learn's Bunch
        return value.data, value.target, None
    raise TypeError(
        f"The data set {name!r} must be a pair (X, y), a record of rarewood.datasets, or a Bunch "
        f"of scikit-learn; got {type(value).__name__}."
    )


def _table(name: Any, X: Any, y: Any, pos_label: Any) -> Table:
    labels = _labels(y)
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    features = X if isinstance(frame, nw.DataFrame) else np.asarray(X)
    if len(features) != len(labels):
        raise ValueError(
            f"The data set {name!r} has {len(features)} samples but {len(labels)} labels."
        )
    classes, counts = np.unique(labels, return_counts=True)
    if len(classes) < 2:
        raise ValueError(f"The data set {name!r} has a single class; at least two are needed.")
    number = int(counts.argmin())
    if pos_label is not None:
        places = np.flatnonzero(classes == pos_label)
        if not len(places):
            raise ValueError(
                f"pos_label {pos_label!r} of the data set {name!r} is not one of its labels, "
                f"{classes.tolist()}."
            )
        number = int(places[0])
    return Table(str(name), features, labels, classes, number)


def _labels(y: Any) -> NDArray[Any]:
    series = nw.from_native(y, series_only=True, pass_through=True)
    values = series.to_list() if isinstance(series, nw.Series) else np.asarray(y).tolist()
    return np.array(values)


def as_models(models: Any) -> dict[str, Any]:
    """Return models by name; factories are called."""
    if not isinstance(models, Mapping):
        raise TypeError(
            "models must be a dict of name: classifier, such as {'tree': RareTreeClassifier()}; "
            f"got {type(models).__name__}."
        )
    if not models:
        raise ValueError("models is empty: pass at least one model.")
    made = {}
    for name, model in models.items():
        if isinstance(model, type) or (callable(model) and not hasattr(model, "fit")):
            model = model()
        if not (hasattr(model, "fit") and hasattr(model, "predict")):
            raise TypeError(
                f"The model {name!r} must be a classifier with fit and predict, or a function that "
                f"returns one; got {type(model).__name__}."
            )
        made[str(name)] = model
    return made


def gaps(X: Any) -> tuple[bool, bool]:
    """Whether a table has categorical features, and whether values are missing."""
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        return False, X.dtype.kind == "f" and bool(np.isnan(X).any())
    columns = all_series(frame)
    has_missing = any(
        bool(c.is_null().any()) or (c.dtype.is_float() and bool(c.is_nan().any())) for c in columns
    )
    return not all(c.dtype.is_numeric() for c in columns), has_missing
