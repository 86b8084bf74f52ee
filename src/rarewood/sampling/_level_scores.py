"""Scores of levels of sampling by cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from rarewood._validation import take_rows
from rarewood.sampling._levels import Levels, Sampler


@dataclass(frozen=True)
class Folds:
    """What the scores of levels depend on.

    ``scorer(estimator, X, y)`` is higher for better; ``params`` are those of ``fit``, with one
    value per sample.
    """

    estimator: Any
    X: Any
    y: NDArray[Any]
    places: list[tuple[NDArray[np.intp], NDArray[np.intp]]]  # of training and test samples
    sampler: Sampler
    scorer: Callable[..., float]
    params: dict[str, Any]


@dataclass
class LevelScores:
    """Scores levels, of which only training folds are sampled, and collects them in ``table``.

    ``memory`` has the interface of ``joblib.Memory``.
    """

    folds: Folds
    memory: Any
    n_jobs: int | None
    table: dict[str, list[Any]] = field(default_factory=dict)

    def score(self, levels: Levels) -> float:
        """Return the mean score of the folds, and add it to the table."""
        cached = self.memory.cache(scores_of_folds, ignore=["n_jobs"])
        scores = cached(self.folds, levels, n_jobs=self.n_jobs)
        row = {
            "undersample_level": levels.undersample,
            "smote_level": levels.smote,
            "mean_score": float(np.mean(scores)),
            "std_score": float(np.std(scores)),
            "scores": scores,
        }
        for name, value in row.items():
            self.table.setdefault(name, []).append(value)
        return float(np.mean(scores))


def scores_of_folds(folds: Folds, levels: Levels, n_jobs: int | None) -> list[float]:
    """Return the score of each fold, a pure function of folds and levels."""
    scores = Parallel(n_jobs=n_jobs)(
        delayed(_score)(folds, number, levels) for number in range(len(folds.places))
    )
    return [float(score) for score in scores]


def _score(folds: Folds, number: int, levels: Levels) -> float:
    train, test = folds.places[number]
    params = {name: take_rows(value, train) for name, value in folds.params.items()}
    X = take_rows(folds.X, train)
    model = folds.sampler.fit(folds.estimator, X, folds.y[train], params, number, levels)
    return float(folds.scorer(model, take_rows(folds.X, test), folds.y[test]))
