"""The parameter ``categorical_features``: names, indices or a mask become indices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def chosen_columns(
    categorical_features: Any, names: NDArray[np.object_] | None, n_features: int
) -> list[int]:
    """Return the indices for a list of names, a list of indices or a mask; none for None."""
    if categorical_features is None:
        return []
    wanted = np.asarray(categorical_features)
    if wanted.ndim != 1:
        raise ValueError(
            f"categorical_features must be a list, got an array with {wanted.ndim} dimensions."
        )
    if wanted.size == 0:
        return []
    if wanted.dtype.kind == "b":
        if len(wanted) != n_features:
            raise ValueError(
                "categorical_features as a mask needs one value for every column: X has "
                f"{n_features} columns, the mask {len(wanted)} values."
            )
        return [int(j) for j in np.flatnonzero(wanted)]
    if wanted.dtype.kind in "iu":
        if wanted.min() < 0 or wanted.max() >= n_features:
            raise ValueError(
                f"categorical_features as indices must lie between 0 and {n_features - 1}; got "
                f"{wanted.tolist()}."
            )
        return [int(j) for j in np.unique(wanted)]
    return _positions(wanted.tolist(), names)


def _positions(wanted: list[Any], names: NDArray[np.object_] | None) -> list[int]:
    if not all(isinstance(name, str) for name in wanted):
        raise ValueError(
            "categorical_features must hold only names, only indices or only booleans; got "
            f"{wanted!r}."
        )
    if names is None:
        raise ValueError(
            "categorical_features holds names, but X has none. Use indices or a mask, or pass a "
            "DataFrame with string column names."
        )
    places = {name: place for place, name in enumerate(names.tolist())}
    unknown = [name for name in wanted if name not in places]
    if unknown:
        raise ValueError(
            f"categorical_features names columns that X does not have: {unknown}. Its columns "
            f"are {list(places)}."
        )
    return sorted({places[name] for name in wanted})
