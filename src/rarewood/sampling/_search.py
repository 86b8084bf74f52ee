"""Greedy search for levels of sampling, by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone

from rarewood._validation import take_rows
from rarewood.sampling._resample import Levels, Resampled, smote, undersample

__all__ = ["Sampler", "Search", "fit_sampled"]


@dataclass(frozen=True)
class Sampler:
    """Samples training data at given levels, equally for every classifier.

    ``largest`` is the class to undersample, ``smallest`` the class for SMOTE. Draws depend on the
    seed, the fold and the levels only.
    """

    seed: int
    largest: Any
    smallest: Any
    k_neighbors: int
    categorical_features: Any

    def draw(self, X: Any, y: NDArray[Any], fold: int, levels: Levels) -> Resampled:
        """Return the sampled training data of a fold."""
        first = self._seed(fold, levels.undersample)
        second = self._seed(fold, levels.undersample, levels.smote)
        sampled = undersample(X, y, self.largest, levels.undersample, first)
        return smote(
            sampled,
            self.smallest,
            levels.smote,
            second,
            self.k_neighbors,
            self.categorical_features,
        )

    def _seed(self, fold: int, *levels: float) -> int:
        keys = [self.seed, fold, *(round(1000 * level) for level in levels)]
        return int(np.random.SeedSequence(keys).generate_state(1)[0])


@dataclass
class Search:
    """Scores levels by cross-validation, in which only training folds are sampled.

    ``scorer(estimator, X, y)`` is higher for better; ``params`` are those of ``fit``, with one
    value per sample; ``table`` collects the scores.
    """

    estimator: Any
    X: Any
    y: NDArray[Any]
    folds: list[tuple[NDArray[np.intp], NDArray[np.intp]]]
    sampler: Sampler
    scorer: Callable[..., float]
    params: dict[str, Any]
    n_jobs: int | None
    table: dict[str, list[Any]] = field(default_factory=dict)

    def score(self, levels: Levels) -> float:
        """Return the mean score of the folds, and add it to the table."""
        scores = Parallel(n_jobs=self.n_jobs)(
            delayed(_score)(self, number, levels) for number in range(len(self.folds))
        )
        row = {
            "undersample_level": levels.undersample,
            "smote_level": levels.smote,
            "mean_score": float(np.mean(scores)),
            "std_score": float(np.std(scores)),
            "scores": [float(score) for score in scores],
        }
        for name, value in row.items():
            self.table.setdefault(name, []).append(value)
        return float(np.mean(scores))

    def climb(self, undersample: Sequence[float], smote: Sequence[float]) -> tuple[Levels, float]:
        """Return the best levels, and their score.

        Undersampling increases while the score does not fall, then SMOTE while it rises.
        """
        best, levels = self.score(Levels()), Levels()
        if np.isnan(best):
            raise ValueError(
                "The score without sampling is NaN. Use another scoring, or folds in which it is "
                "defined."
            )
        for level in undersample:
            tried = Levels(level, 0.0)
            score = self.score(tried)
            if not score >= best:  # NaN is not an improvement
                break
            best, levels = score, tried
        for level in smote:
            tried = Levels(levels.undersample, level)
            score = self.score(tried)
            if not score > best:
                break
            best, levels = score, tried
        return levels, best


def _score(search: Search, number: int, levels: Levels) -> float:
    train, test = search.folds[number]
    model = fit_sampled(
        search.estimator,
        take_rows(search.X, train),
        search.y[train],
        {name: take_rows(value, train) for name, value in search.params.items()},
        search.sampler,
        number,
        levels,
    )
    return float(search.scorer(model, take_rows(search.X, test), search.y[test]))


def fit_sampled(
    estimator: Any,
    X: Any,
    y: NDArray[Any],
    params: dict[str, Any],
    sampler: Sampler,
    fold: int,
    levels: Levels,
) -> Any:
    """Fit a clone of an estimator on sampled training data."""
    sampled = sampler.draw(X, y, fold, levels)
    kept = {name: take_rows(value, sampled.indices) for name, value in params.items()}
    return clone(estimator).fit(sampled.X, sampled.y, **kept)
