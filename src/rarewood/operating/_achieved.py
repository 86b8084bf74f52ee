"""What a threshold achieves: on the rows it was chosen from, and on new ones."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.operating._confusion import Confusion, Costs
from rarewood.operating._resamples import Resamples

__all__ = ["Achieved", "Measure", "measure_achieved", "measures"]

Floats = NDArray[np.float64]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Achieved:
    """A measure at a threshold.

    Attributes
    ----------
    observed : float
        On the rows that the threshold was chosen from. It flatters: the threshold was chosen for
        doing well on them.
    expected : float
        On new rows: the observed value less the optimism that choosing has in resamples.
    interval : tuple of float
        Of the long-run value on new rows. The threshold is chosen anew in every resample, so that
        the interval knows of the choice.
    fixed_interval : tuple of float
        Of resamples in which the threshold stays what it is. It knows nothing of the choice, so it
        lies too high for what was maximised; it is right for a threshold that was set beforehand.
    """

    observed: float
    expected: float
    interval: Interval
    fixed_interval: Interval

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.expected:.4g} [{low:.4g}, {high:.4g}], observed {self.observed:.4g}"


@dataclass(frozen=True)
class Measure:
    """How a measure is computed, and on which scale its errors are alike.

    ``floor`` gives the interval of a simple share with the same counts, which the interval must
    contain; bootstrap intervals alone are empty where, say, all rare rows are found.
    """

    name: str
    value: Callable[[Confusion], Any]
    smallest: float
    largest: float
    floor: Callable[[Confusion, float], Interval]

    def to_scale(self, values: Any) -> Any:
        """Return values on the scale where errors are added: the arcsine of the root of shares."""
        shares = (np.asarray(values) - self.smallest) / (self.largest - self.smallest)
        return np.arcsin(np.sqrt(np.clip(shares, 0, 1)))

    def from_scale(self, values: Any) -> Any:
        """Undo :meth:`to_scale`."""
        shares = np.sin(np.clip(values, 0, np.pi / 2)) ** 2
        return self.smallest + (self.largest - self.smallest) * shares


def measures(beta: float, costs: Costs | None, n_drawn: tuple[float, float]) -> list[Measure]:
    """Return what is measured at a threshold.

    Parameters
    ----------
    beta : float
        Of the F-measure.
    costs : Costs or None
        For the cost of 1,000 rows.
    n_drawn : tuple of float
        How many observations one unit of weight is, for the rare class and the others.
    """
    floors = _Floors(beta, costs, *n_drawn)
    found = [
        Measure("recall", lambda counts: counts.recall, 0, 1, floors.recall),
        Measure("precision", lambda counts: counts.precision, 0, 1, floors.precision),
        Measure("f", lambda counts: counts.f(beta), 0, 1, floors.f),
        Measure("alerts_per_1000", lambda counts: counts.alerts_per_1000, 0, 1000, floors.alerts),
    ]
    if costs is not None:
        value = partial(Confusion.cost_per_1000, costs=costs)
        found.append(Measure("cost_per_1000", value, *_range(costs), floors.cost))
    return found


def _range(costs: Costs) -> Interval:
    """Return what 1,000 rows cost at least and at most."""
    each = (costs.fp, costs.fn, costs.tp, costs.tn)
    return 1000 * min(each), 1000 * max(each)


@dataclass(frozen=True)
class _Floors:
    """Intervals at a fixed threshold; ``positive`` and ``negative`` are ``n_drawn`` above."""

    beta: float
    costs: Costs | None
    positive: float
    negative: float

    def recall(self, counts: Confusion, confidence: float) -> Interval:
        return wilson(counts.recall, counts.n_positive * self.positive, confidence)

    def precision(self, counts: Confusion, confidence: float) -> Interval:
        n = counts.tp * self.positive + counts.fp * self.negative
        return wilson(counts.precision, n, confidence)

    def alerts(self, counts: Confusion, confidence: float) -> Interval:
        low, high = wilson(counts.alerts_per_1000 / 1000, self._n(counts), confidence)
        return 1000 * low, 1000 * high

    def f(self, counts: Confusion, confidence: float) -> Interval:
        wrong = counts.fp + counts.fn
        n = counts.n_positive * self.positive + counts.fp * self.negative
        shares = wilson(counts.tp / (counts.tp + wrong), n, confidence)
        # F as a function of the share of hits among hits and errors, at the same kinds of errors.
        square = self.beta**2
        mixed = (square * counts.fn + counts.fp) / wrong if wrong else (1 + square) / 2
        low, high = ((1 + square) * s / ((1 + square) * s + mixed * (1 - s)) for s in shares)
        return low, high

    def cost(self, counts: Confusion, confidence: float) -> Interval:
        assert self.costs is not None
        costs, n = self.costs, self._n(counts)
        down = up = 0.0
        # Beside a row that is rightly left alone; errors of parts add up by their squares
        # (Zou's and Donner's MOVER).
        for count, price in ((counts.tp, costs.tp), (counts.fp, costs.fp), (counts.fn, costs.fn)):
            share, extra = count / counts.n_rows, 1000 * (price - costs.tn)
            ends = sorted(extra * (end - share) for end in wilson(share, n, confidence))
            down, up = down + ends[0] ** 2, up + ends[1] ** 2
        here, (least, most) = counts.cost_per_1000(costs), _range(costs)
        return max(least, here - sqrt(down)), min(most, here + sqrt(up))

    def _n(self, counts: Confusion) -> float:
        return float(counts.n_positive * self.positive + (counts.fp + counts.tn) * self.negative)


def measure_achieved(
    measure: Measure, counts: Confusion, drawn: Resamples | None, confidence: float, wide: bool
) -> Achieved:
    """Measure a point, and what it will achieve, by how resamples erred about all rows.

    Parameters
    ----------
    measure : Measure
        What to measure.
    counts : Confusion
        All rows at the chosen threshold.
    drawn : Resamples or None
        None: only the observed value is known.
    confidence : float
        Of the intervals.
    wide : bool
        Whether the interval must contain that of a simple share.
    """
    observed = float(measure.value(counts))
    nothing = (float("nan"), float("nan"))
    if drawn is None or np.isnan(observed):
        return Achieved(observed, float("nan"), nothing, nothing)
    ends = [(1 - confidence) / 2, (1 + confidence) / 2]
    # What all rows are to a resample, new rows are to all rows.
    inside, outside = measure.value(drawn.inside), measure.value(drawn.outside)
    errors = measure.to_scale(outside) - measure.to_scale(inside)
    here = measure.to_scale(observed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # no resample alerted anything
        expected = measure.from_scale(here + np.nanmean(errors))
        low, high = measure.from_scale(here + np.nanquantile(errors, ends))
        fixed_low, fixed_high = np.nanquantile(measure.value(drawn.fixed), ends)
    if wide:
        least, most = measure.floor(counts, confidence)
        low, high = np.fmin(low, least), np.fmax(high, most)
    return Achieved(
        observed, float(expected), (float(low), float(high)), (float(fixed_low), float(fixed_high))
    )


def wilson(share: float, n: float, confidence: float) -> Interval:
    """Return Wilson's interval of a share of n observations."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * np.sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2) / (1 + z * z / n)
    return max(0.0, float(middle - half)), min(1.0, float(middle + half))
