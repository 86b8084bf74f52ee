"""The out-of-fold predictions of a model for the rare class, all folds and repeats together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate._predictions import Predictions

__all__ = ["Pooled"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Pooled:
    """What a model said of rows that it was not trained on.

    A row is here once for every repeat. Scores of the models of all folds stand side by side at one
    threshold, since that is how a threshold is used: it is set once, for whichever model comes out
    of training.

    Attributes
    ----------
    y : ndarray of int
        Number of the true class.
    is_rare, said_rare : ndarray of bool
        Whether a row is of the rare class, and whether the model labelled it so.
    score : ndarray of float or None
        Score of the rare class; finite. None if a model has only labels.
    is_probability : bool
        Whether the score is one.
    repeat : ndarray of int
        The repeat that a row was tested in.
    """

    y: NDArray[np.int64]
    is_rare: Flags
    said_rare: Flags
    score: Floats | None
    is_probability: bool
    repeat: NDArray[np.int64]

    @classmethod
    def of(cls, predictions: Predictions) -> Self:
        """Take the rare class's part of some predictions."""
        score = None
        if predictions.scores is not None:
            score = _finite(predictions.scores[:, predictions.pos_index])
        return cls(
            y=predictions.y,
            is_rare=predictions.y == predictions.pos_index,
            said_rare=predictions.predicted == predictions.pos_index,
            score=score,
            is_probability=score is not None and predictions.is_probability,
            repeat=predictions.repeat,
        )

    def __len__(self) -> int:
        return len(self.y)

    @property
    def n_rare(self) -> int:
        """Rows of the rare class, each as often as it was tested."""
        return int(self.is_rare.sum())

    def labels(self) -> dict[str, int]:
        """Return how many rows the model's own labels put where, pooled over the repeats."""
        hits = int((self.is_rare & self.said_rare).sum())
        false_alarms = int((~self.is_rare & self.said_rare).sum())
        n_rest = len(self) - self.n_rare
        return {
            "tp": hits,
            "fp": false_alarms,
            "fn": self.n_rare - hits,
            "tn": n_rest - false_alarms,
        }


def _finite(score: Floats) -> Floats:
    """Put scores of minus infinity, of a class that training did not have, below all others."""
    is_finite = np.isfinite(score)
    if is_finite.all():
        return score
    low = float(score[is_finite].min()) if is_finite.any() else 0.0
    high = float(score[is_finite].max()) if is_finite.any() else 0.0
    return np.nan_to_num(score, nan=low - 1, neginf=low - 1, posinf=high + 1)
