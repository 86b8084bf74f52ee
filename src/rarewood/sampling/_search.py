"""The search for levels of sampling: greedy, and by cross-validation on the training rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone

from rarewood._validation import take_rows
from rarewood.sampling._resample import Levels, Resampled, remove_rows, smote

__all__ = ["Sampler", "Search", "fit_sampled"]


@dataclass(frozen=True)
class Sampler:
    """Draws a training set at given levels; the same one for every classifier.

    Parameters
    ----------
    seed : int
        What all draws are made of, together with the fold and the levels.
    largest, smallest : label
        The class that loses rows, and the class that gains some.
    k_neighbors : int
        Neighbours for SMOTE.
    categorical_features : "from_dtype", array-like or None
        Which columns are nominal.
    """

    seed: int
    largest: Any
    smallest: Any
    k_neighbors: int
    categorical_features: Any

    def draw(self, X: Any, y: NDArray[Any], fold: int, levels: Levels) -> Resampled:
        """Return a training set; ``fold`` is its number."""
        first = self._seed(fold, levels.undersample)
        second = self._seed(fold, levels.undersample, levels.smote)
        sampled = remove_rows(X, y, self.largest, levels.undersample, first)
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
    """Scores levels by cross-validation and goes up while that pays.

    Parameters
    ----------
    estimator : classifier
        What is to be fitted.
    X, y : table and labels
        All training rows.
    folds : list of (ndarray, ndarray)
        Rows to train on and to score on. Only the former are sampled.
    sampler : Sampler
        Draws the training sets.
    scorer : callable
        ``scorer(estimator, X, y)``, higher is better.
    params : dict
        What else ``fit`` of the estimator takes, one value for every row.
    n_jobs : int or None
        Folds to be scored at once.
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
        """Return the mean score of the folds, and keep it in the table."""
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
        """Raise one level while the score does not fall, then the other while it rises.

        Parameters
        ----------
        undersample, smote : sequence of float
            The levels to try, ascending.

        Returns
        -------
        levels : Levels
            The last ones that were good.
        score : float
            Their score.
        """
        best, levels = self.score(Levels()), Levels()
        if np.isnan(best):
            raise ValueError(
                "The score without sampling is NaN, so no level can be compared with it. Use "
                "another scoring, or folds in which it is defined."
            )
        for level in undersample:
            tried = Levels(level, 0.0)
            score = self.score(tried)
            if not score >= best:  # NaN is no improvement
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
    """Fit a clone of an estimator on a sampled training set."""
    sampled = sampler.draw(X, y, fold, levels)
    kept = {name: take_rows(value, sampled.rows) for name, value in params.items()}
    return clone(estimator).fit(sampled.X, sampled.y, **kept)
