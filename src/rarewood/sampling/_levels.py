"""Undersampling and SMOTE by levels in per cent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from imblearn.over_sampling import SMOTE, SMOTEN, SMOTENC
from imblearn.under_sampling import RandomUnderSampler
from numpy.typing import NDArray
from sklearn.base import clone

from rarewood._validation import take_rows
from rarewood.sampling._append import append_labels, append_rows
from rarewood.table._encode import encode


class Levels(NamedTuple):
    """Levels of sampling: per cent of the largest class to remove, of the smallest to add."""

    undersample: float = 0.0
    smote: float = 0.0


class Resampled(NamedTuple):
    """Sampled training data: ``indices`` of the original samples, then samples made by SMOTE."""

    X: Any
    y: NDArray[Any]
    indices: NDArray[np.intp]


def check_levels(name: str, steps: Sequence[float], end: float) -> list[float]:
    """Return levels as a list; an error unless they ascend between 0 and ``end``."""
    is_number = all(isinstance(v, Real) and not isinstance(v, bool) for v in steps)
    levels = [float(v) for v in steps] if is_number else []
    if not is_number or not all(0 < v < end for v in levels) or levels != sorted(levels):
        limit = f" and below {end:g}" if np.isfinite(end) else ""
        raise ValueError(f"{name} must be ascending percentages above 0{limit}, got {steps!r}.")
    return levels


@dataclass(frozen=True)
class Sampler:
    """Samples training data at given levels, equally for every classifier.

    ``largest`` is the class to undersample, ``smallest`` the class for SMOTE, which has at least
    two samples. Draws depend on the seed, the fold and the levels only.
    """

    seed: int
    largest: Any
    smallest: Any
    k_neighbors: int
    categorical_features: Any

    def fit(
        self, estimator: Any, X: Any, y: NDArray[Any], params: Any, fold: int, levels: Levels
    ) -> Any:
        """Fit a clone of an estimator on the sampled training data of a fold."""
        sampled = self.draw(X, y, fold, levels)
        kept = {name: take_rows(value, sampled.indices) for name, value in params.items()}
        return clone(estimator).fit(sampled.X, sampled.y, **kept)

    def draw(self, X: Any, y: NDArray[Any], fold: int, levels: Levels) -> Resampled:
        """Return the sampled training data of a fold."""
        indices = np.arange(len(y))
        if levels.undersample > 0:
            indices = self._undersample(y, levels.undersample, self._seed(fold, levels.undersample))
            X, y = take_rows(X, indices), y[indices]
        if levels.smote > 0:
            X, y = self._smote(X, y, levels.smote, self._seed(fold, *levels))
        return Resampled(X, y, indices)

    def _seed(self, fold: int, *levels: float) -> int:
        keys = [self.seed, fold, *(round(1000 * level) for level in levels)]
        return int(np.random.SeedSequence(keys).generate_state(1)[0])

    def _undersample(self, y: NDArray[Any], level: float, seed: int) -> NDArray[np.intp]:
        """Return the samples that stay, at least one of the class."""
        n_kept = max(1, round(np.count_nonzero(y == self.largest) * (1 - level / 100)))
        sampler = RandomUnderSampler(sampling_strategy={self.largest: n_kept}, random_state=seed)
        sampler.fit_resample(np.arange(len(y)).reshape(-1, 1), y)
        return np.sort(sampler.sample_indices_)

    def _smote(self, X: Any, y: NDArray[Any], level: float, seed: int) -> tuple[Any, NDArray[Any]]:
        """Add samples; there are fewer neighbours where the class is too small."""
        of_class = np.flatnonzero(y == self.smallest)
        n_samples = len(of_class)
        n_new = round(n_samples * level / 100)
        if n_new == 0:
            return X, y
        matrix, schema = encode(X, self.categorical_features)
        sampler: Any = SMOTE()
        if schema.categories:
            is_all = len(schema.categories) == matrix.shape[1]
            sampler = SMOTEN() if is_all else SMOTENC(list(schema.categories))
        sampler.set_params(
            sampling_strategy={self.smallest: n_samples + n_new},
            k_neighbors=min(self.k_neighbors, n_samples - 1),
            random_state=seed,
        )
        new: Any = sampler.fit_resample(matrix, y)[0][len(matrix) :].astype(matrix.dtype)
        is_whole = (np.floor(matrix) == matrix).all(axis=0)  # integers stay integers
        new[:, is_whole] = np.rint(new[:, is_whole])
        labels = append_labels(y, np.repeat(of_class[:1], len(new)))
        return append_rows(X, matrix, schema, new), labels
