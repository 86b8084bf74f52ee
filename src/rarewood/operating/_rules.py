"""Rules that choose a point of a curve: base class, best by a measure, given threshold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rarewood.operating._confusion import Confusion, Costs

if TYPE_CHECKING:
    from rarewood.operating._curve import OperatingCurve

Places = NDArray[np.intp]
ROUNDING = 1e-12  # a limit such as 0.29 of 100 samples is meant exactly


class Rule(ABC):
    """Chooses a point from counts that run from the highest threshold to the lowest."""

    def choose(self, counts: Confusion) -> Places:
        """Return the place of the chosen point, along the last axis of the counts."""
        return first_highest(self.score(counts))

    @abstractmethod
    def score(self, counts: Confusion) -> Any:
        """Return a score of each point, higher for better; below 0 if a limit is violated."""

    def reached(self, counts: Confusion) -> Any:
        """Whether each point satisfies the rule."""
        return np.ones(np.shape(counts.tp), dtype=bool)

    def candidates(self, curve: OperatingCurve) -> Places:
        """Return the points that can be chosen in a resample: the corners."""
        return np.union1d(curve.corners(), len(curve) - 1)


@dataclass(frozen=True)
class BestF(Rule):
    """Choose the threshold with the highest F-measure.

    Of equally good thresholds the highest is chosen, which has the fewest alerts.

    Parameters
    ----------
    beta : float, default=1.0
        Weight of recall relative to precision.

    Examples
    --------
    >>> from rarewood.operating import BestF
    >>> print(BestF(2))
    best F2
    """

    beta: float = 1.0

    def __post_init__(self) -> None:
        check_between("beta", self.beta, inf, "a positive number")

    def score(self, counts: Confusion) -> Any:
        """Return the F-measure."""
        return counts.f(self.beta)

    def __str__(self) -> str:
        return f"best F{self.beta:g}"


@dataclass(frozen=True)
class LowestCost(Rule):
    """Choose the threshold with the lowest total cost.

    Of equally good thresholds the highest is chosen, which has the fewest alerts. It can lie above
    all scores: then no alert is worth its cost.

    Parameters
    ----------
    fp, fn : float
        Cost of a false alert, and of a missed positive.
    tp, tn : float, default=0
        Cost of a true alert, and of a true negative; see :class:`Costs`.

    Examples
    --------
    >>> from rarewood.operating import LowestCost
    >>> print(LowestCost(fp=1, fn=20))
    lowest cost (fp 1, fn 20)
    """

    fp: float
    fn: float
    tp: float = 0.0
    tn: float = 0.0

    def __post_init__(self) -> None:
        _ = self.costs  # raises an error for invalid costs

    @property
    def costs(self) -> Costs:
        """The four costs."""
        return Costs(self.fp, self.fn, self.tp, self.tn)

    def score(self, counts: Confusion) -> Any:
        """Return the negative cost per 1,000 samples."""
        return -counts.cost_per_1000(self.costs)

    def __str__(self) -> str:
        right = [f"{name} {getattr(self, name):g}" for name in ("tp", "tn") if getattr(self, name)]
        return f"lowest cost ({', '.join([f'fp {self.fp:g}', f'fn {self.fn:g}', *right])})"


@dataclass(frozen=True)
class GivenThreshold(Rule):
    """Use a given threshold, to measure its performance."""

    threshold: float

    def __post_init__(self) -> None:
        if not isfinite(self.threshold):
            raise ValueError(f"threshold={self.threshold!r} must be a finite number.")

    def choose(self, counts: Confusion) -> Places:
        """Return the point of the threshold on a curve."""
        return np.asarray(counts.place(self.threshold))  # type: ignore[attr-defined]

    def score(self, counts: Confusion) -> Any:
        """Raise an error: there is nothing to choose."""
        raise TypeError("A given threshold cannot be used as a scorer; use a rule such as 'f'.")

    def candidates(self, curve: OperatingCurve) -> Places:
        """Return the point of the threshold, and the last point."""
        return np.array([curve.place(self.threshold), len(curve) - 1])

    def __str__(self) -> str:
        return f"threshold of {self.threshold:g}"


def first_highest(values: Any) -> Places:
    """Return the first place with the highest value, up to rounding."""
    values = np.asarray(values, dtype=np.float64)
    best = values.max(axis=-1, keepdims=True)
    scale = np.abs(values).max(axis=-1, keepdims=True)
    places: Places = np.argmax(values >= best - ROUNDING * scale, axis=-1)
    return places


def check_between(name: str, value: Any, high: float, expected: str) -> None:
    """Raise a ValueError unless a number is above 0 and at most ``high``."""
    is_number = np.isscalar(value) and not isinstance(value, str | bool)
    if not is_number or not isfinite(value) or not 0 < value <= high:
        raise ValueError(f"{name}={value!r} must be {expected}.")
