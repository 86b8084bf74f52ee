"""Bins of a model that compares their coordinates, as arrays, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.modelfile._archive import ModelFileError
from rarewood.modelfile._trees import Arrays, smallest, whole_numbers
from rarewood.table._schema import Schema


def pack_bins(schema: Schema) -> Arrays:
    """Return the number of bins of each feature, their edges and their coordinates."""
    bins = schema.bins
    if bins is None or bins.coordinates is None:
        return {}
    n_bins = np.array([len(own) for own in bins.coordinates])
    return {
        "n_bins": smallest(n_bins),
        "bin_edge": np.concatenate(bins.edges),
        "bin_coordinate": np.concatenate(bins.coordinates),
    }


def with_bins(schema: Schema, max_bins: Any, arrays: Mapping[str, NDArray[Any]]) -> Schema:
    """Return a schema with the bins of a file. Lengths are checked here, and bins by the core."""
    n_bins = whole_numbers(arrays["n_bins"], np.int64, "n_bins")
    is_numeric = schema.n_categories == 0
    if n_bins.shape != (schema.n_features,) or ((n_bins > 0) != is_numeric).any():
        raise ModelFileError("It does not have bins for each of its numeric columns.")
    if type(max_bins) is not int or not 2 <= max_bins <= _core.MAX_BINS >= n_bins.max():
        raise ModelFileError("A column has too many bins.")
    edges = _parts(arrays["bin_edge"], n_bins - is_numeric, "bin_edge")
    coordinates = _parts(arrays["bin_coordinate"], n_bins, "bin_coordinate")
    is_missing = np.zeros(schema.n_features, dtype=bool)  # with coordinates any value may be
    bins = _core.Bins(edges, schema.n_categories, is_missing, max_bins, coordinates)
    return replace(schema, bins=bins)


def _parts(array: NDArray[Any], sizes: NDArray[np.int64], name: str) -> list[NDArray[np.float64]]:
    """Divide an array among the features."""
    if array.dtype != np.float64 or array.shape != (sizes.sum(),):
        raise ModelFileError(f"Its array {name!r} must have {sizes.sum()} 64-bit floats.")
    return np.split(np.ascontiguousarray(array), np.cumsum(sizes)[:-1])
