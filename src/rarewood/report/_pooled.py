"""Out-of-fold predictions of a model, pooled over folds and repeats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate._predictions import Predictions

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Pooled:
    """Out-of-fold predictions of one model; each row occurs once per repeat.

    ``y`` are class numbers; ``score`` is the finite score of the rare class, None if the model
    predicts only labels.
    """

    y: NDArray[np.int64]
    is_rare: Flags
    predicted_rare: Flags
    score: Floats | None
    is_probability: bool

    @classmethod
    def of(cls, predictions: Predictions) -> Self:
        """Select the rare class of some predictions."""
        score = None
        if predictions.scores is not None:
            score = finite(predictions.scores[:, predictions.pos_index])
        return cls(
            y=predictions.y,
            is_rare=predictions.y == predictions.pos_index,
            predicted_rare=predictions.predicted == predictions.pos_index,
            score=score,
            is_probability=score is not None and predictions.is_probability,
        )

    def __len__(self) -> int:
        return len(self.y)

    @property
    def n_rare(self) -> int:
        """Number of rows of the rare class, summed over the repeats."""
        return int(self.is_rare.sum())

    def labels(self) -> dict[str, int]:
        """Return the confusion matrix of the predicted labels, summed over the repeats."""
        tp = int((self.is_rare & self.predicted_rare).sum())
        fp = int((~self.is_rare & self.predicted_rare).sum())
        return {"tp": tp, "fp": fp, "fn": self.n_rare - tp, "tn": len(self) - self.n_rare - fp}


def finite(score: Floats) -> Floats:
    """Replace infinite scores, such as those of a class missing in training, by finite ones."""
    is_finite = np.isfinite(score)
    if is_finite.all():
        return score
    low = float(score[is_finite].min()) if is_finite.any() else 0.0
    high = float(score[is_finite].max()) if is_finite.any() else 0.0
    return np.nan_to_num(score, nan=low - 1, neginf=low - 1, posinf=high + 1)
