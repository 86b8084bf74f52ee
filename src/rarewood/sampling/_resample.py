"""Undersampling of the largest class and SMOTE of the smallest, by levels in per cent."""

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

__all__ = ["Levels", "Resampled", "check_levels", "smote", "undersample"]


@dataclass(frozen=True)
class Levels:
    """Levels of sampling: per cent of the largest class to remove, of the smallest to add."""

    undersample: float = 0.0
    smote: float = 0.0


@dataclass(frozen=True, eq=False)
class Resampled:
    """Sampled training data.

    ``indices`` are those of the original samples, which come before the ones made by SMOTE.
    """

    X: Any
    y: NDArray[Any]
    indices: NDArray[np.intp]


def undersample(X: Any, y: NDArray[Any], label: Any, level: float, seed: int) -> Resampled:
    """Remove a percentage of the samples of one class at random; at least one stays."""
    if level == 0:
        return Resampled(X, y, np.arange(len(y)))
    n_kept = max(1, round(np.count_nonzero(y == label) * (1 - level / 100)))
    sampler = RandomUnderSampler(sampling_strategy={label: n_kept}, random_state=seed)
    sampler.fit_resample(np.arange(len(y)).reshape(-1, 1), y)
    indices = np.sort(sampler.sample_indices_)
    return Resampled(take_rows(X, indices), y[indices], indices)


def smote(
    sampled: Resampled,
    label: Any,
    level: float,
    seed: int,
    k_neighbors: int,
    categorical_features: Any,
) -> Resampled:
    """Add a percentage of samples to one class of at least two samples, with SMOTE.

    ``k_neighbors`` is reduced where the class is too small.
    """
    of_class = np.flatnonzero(sampled.y == label)
    n_samples = len(of_class)
    n_new = round(n_samples * level / 100)
    if n_new == 0:
        return sampled
    matrix, schema = encode(sampled.X, categorical_features)
    sampler = _smote_for(list(schema.categories), matrix.shape[1])
    sampler.set_params(
        sampling_strategy={label: n_samples + n_new},
        k_neighbors=min(k_neighbors, n_samples - 1),
        random_state=seed,
    )
    new: Any = sampler.fit_resample(matrix, sampled.y)[0][len(matrix) :].astype(matrix.dtype)
    is_whole = (np.floor(matrix) == matrix).all(axis=0)  # integers stay integers
    new[:, is_whole] = np.rint(new[:, is_whole])
    return Resampled(
        append_rows(sampled.X, matrix, schema, new),
        append_labels(sampled.y, np.repeat(of_class[:1], len(new))),
        sampled.indices,
    )


def _smote_for(categorical: list[int], n_features: int) -> Any:
    """Return the variant of SMOTE for the types of the features."""
    if not categorical:
        return SMOTE()
    return SMOTEN() if len(categorical) == n_features else SMOTENC(categorical)


def check_levels(name: str, steps: Sequence[float], end: float) -> list[float]:
    """Return levels as a list; an error unless they ascend between 0 and ``end``."""
    is_number = all(isinstance(v, Real) and not isinstance(v, bool) for v in steps)
    levels = [float(v) for v in steps] if is_number else []
    if not is_number or not all(0 < v < end for v in levels) or levels != sorted(levels):
        limit = f" and below {end:g}" if np.isfinite(end) else ""
        raise ValueError(f"{name} must be ascending percentages above 0{limit}, got {steps!r}.")
    return levels
