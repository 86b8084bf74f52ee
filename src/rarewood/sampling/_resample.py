"""Removing rows of the largest class and adding rows to the smallest, by levels in per cent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from imblearn.over_sampling import SMOTE, SMOTEN, SMOTENC
from imblearn.under_sampling import RandomUnderSampler
from numpy.typing import NDArray

from rarewood._validation import take_rows
from rarewood.sampling._append import append_labels, append_rows
from rarewood.table._encode import encode

__all__ = ["Levels", "Resampled", "check_levels", "remove_rows", "smote"]


@dataclass(frozen=True)
class Levels:
    """How much to sample.

    Parameters
    ----------
    undersample : float
        Per cent of the rows of the largest class to remove.
    smote : float
        Per cent of the rows of the smallest class to add.
    """

    undersample: float = 0.0
    smote: float = 0.0


@dataclass(frozen=True, eq=False)
class Resampled:
    """A training set after sampling.

    Parameters
    ----------
    X, y : table and labels
        The rows.
    rows : ndarray of int
        Where they come from; rows that SMOTE made, at the end, come from nowhere and are not here.
    """

    X: Any
    y: NDArray[Any]
    rows: NDArray[np.intp]


def remove_rows(X: Any, y: NDArray[Any], label: Any, level: float, seed: int) -> Resampled:
    """Remove rows of one class at random.

    Parameters
    ----------
    X, y : table and labels
        The rows.
    label : label
        The class.
    level : float
        Per cent of its rows to remove; at least one stays.
    seed : int
        Which rows.

    Returns
    -------
    resampled : Resampled
        The rows that stay, those of each class in their order.
    """
    if level == 0:
        return Resampled(X, y, np.arange(len(y)))
    n_kept = max(1, round(np.count_nonzero(y == label) * (1 - level / 100)))
    sampler = RandomUnderSampler(sampling_strategy={label: n_kept}, random_state=seed)
    sampler.fit_resample(np.arange(len(y)).reshape(-1, 1), y)
    rows = np.sort(sampler.sample_indices_)
    return Resampled(take_rows(X, rows), y[rows], rows)


def smote(
    sampled: Resampled,
    label: Any,
    level: float,
    seed: int,
    k_neighbors: int,
    categorical_features: Any,
) -> Resampled:
    """Add rows to one class, between its rows and their neighbours.

    Parameters
    ----------
    sampled : Resampled
        The rows.
    label : label
        The class, of at least two rows.
    level : float
        Per cent of its rows to add.
    seed : int
        Which ones.
    k_neighbors : int
        Neighbours that SMOTE draws from; fewer where the class is too small.
    categorical_features : "from_dtype", array-like or None
        Which columns are nominal.

    Returns
    -------
    resampled : Resampled
        The same rows, and the new ones at the end.
    """
    of_class = np.flatnonzero(sampled.y == label)
    n_rare = len(of_class)
    n_new = round(n_rare * level / 100)
    if n_new == 0:
        return sampled
    matrix, schema = encode(sampled.X, categorical_features)
    sampler = _smote_for(list(schema.categories), matrix.shape[1])
    sampler.set_params(
        sampling_strategy={label: n_rare + n_new},
        k_neighbors=min(k_neighbors, n_rare - 1),
        random_state=seed,
    )
    new: Any = sampler.fit_resample(matrix, sampled.y)[0][len(matrix) :].astype(matrix.dtype)
    is_whole = (np.floor(matrix) == matrix).all(axis=0)  # whole numbers stay whole
    new[:, is_whole] = np.rint(new[:, is_whole])
    return Resampled(
        append_rows(sampled.X, matrix, schema, new),
        append_labels(sampled.y, np.repeat(of_class[:1], len(new))),
        sampled.rows,
    )


def _smote_for(nominal: list[int], n_features: int) -> Any:
    """Return the variant of SMOTE for the kinds of the columns."""
    if not nominal:
        return SMOTE()
    return SMOTEN() if len(nominal) == n_features else SMOTENC(nominal)


def check_levels(name: str, steps: Sequence[float], end: float) -> list[float]:
    """Return levels as a list; an error unless they go up from above 0 to below the end."""
    is_number = all(isinstance(v, Real) and not isinstance(v, bool) for v in steps)
    levels = [float(v) for v in steps] if is_number else []
    if not is_number or not all(0 < v < end for v in levels) or levels != sorted(levels):
        limit = f" and below {end:g}" if np.isfinite(end) else ""
        raise ValueError(
            f"{name} must be ascending numbers, per cent above 0{limit}; got {steps!r}."
        )
    return levels
