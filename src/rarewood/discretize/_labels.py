"""Bins as intervals in text, in arrays and DataFrames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.table._schema import Schema

Floats = NDArray[np.float64]
Labels = Sequence[list[str] | None]  # of the bins of each feature; None for a categorical one


def interval_labels(cuts: Floats) -> list[str]:
    """Return the text of each bin, with as many digits as the cuts need to differ."""
    for digits in range(6, 18):
        texts = [f"{cut:.{digits}g}" for cut in cuts]
        if len(set(texts)) == len(texts):
            break
    ends = ["-inf", *texts, "inf"]
    closing = ["]"] * len(texts) + [")"]
    return [f"({a}, {b}{end}" for a, b, end in zip(ends, ends[1:], closing, strict=False)]


def _values(codes: Floats, labels: list[str] | None, schema: Schema, feature: int) -> list[Any]:
    """Return the label or category of each code; None if it is missing."""
    known: list[Any] = schema.categories[feature].values.tolist() if labels is None else labels
    return [None if np.isnan(code) else known[int(code)] for code in codes]


def labelled_array(codes: Floats, labels: Labels, schema: Schema) -> NDArray[np.object_]:
    """Return intervals and categories as an array of objects; NaN where they are missing."""
    out = np.empty(codes.shape, dtype=object)
    for feature, own in enumerate(labels):
        values = _values(codes[:, feature], own, schema, feature)
        out[:, feature] = [np.nan if value is None else value for value in values]
    return out


def labelled_frame(
    codes: Floats, labels: Labels, schema: Schema, names: list[str], library: str, X: Any
) -> Any:
    """Return intervals as ordered categories of a DataFrame library, with the index of X."""
    import narwhals.stable.v2 as nw

    backend: Any = library
    series = {}
    for feature, (name, own) in enumerate(zip(names, labels, strict=True)):
        values = _values(codes[:, feature], own, schema, feature)
        dtype = None if own is None else nw.Enum(own)
        series[name] = nw.new_series(name, values, dtype, backend=backend)
    frame = nw.from_dict(series).to_native()
    if library == "pandas" and nw.dependencies.is_pandas_dataframe(X):
        frame.index = X.index
    return frame
