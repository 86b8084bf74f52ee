"""What a threshold achieves: on the rows it was chosen from, and on new ones."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.operating.confusion import Confusion, Costs
from rarewood.operating.resamples import Resamples

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
    largest: float | None = None  # of a share; None: any number is possible
    floor: Callable[[Confusion, float], Interval] | None = None

    def to_scale(self, values: Any) -> Any:
        """Return values on the scale where errors are added: the arcsine of the root of shares."""
        if self.largest is None:
            return values
        return np.arcsin(np.sqrt(np.clip(np.asarray(values) / self.largest, 0, 1)))

    def from_scale(self, values: Any) -> Any:
        """Undo :meth:`to_scale`."""
        if self.largest is None:
            return values
        return self.largest * np.sin(np.clip(values, 0, np.pi / 2)) ** 2


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
    rare, common = n_drawn

    def sizes(counts: Confusion) -> tuple[float, float, float, float]:
        return counts.tp * rare, counts.fp * common, counts.fn * rare, counts.tn * common

    def recall(counts: Confusion, confidence: float) -> Interval:
        tp, _, fn, _ = sizes(counts)
        return wilson(counts.recall, tp + fn, confidence)

    def precision(counts: Confusion, confidence: float) -> Interval:
        tp, fp, _, _ = sizes(counts)
        return wilson(counts.precision, tp + fp, confidence)

    def alerts(counts: Confusion, confidence: float) -> Interval:
        low, high = wilson(counts.alerts_per_1000 / 1000, sum(sizes(counts)), confidence)
        return 1000 * low, 1000 * high

    def f(counts: Confusion, confidence: float) -> Interval:
        tp, fp, fn, _ = sizes(counts)
        wrong = counts.fp + counts.fn
        shares = wilson(counts.tp / (counts.tp + wrong), tp + fp + fn, confidence)
        # F as a function of the share of hits among hits and errors, at the same kinds of errors.
        mixed = (beta**2 * counts.fn + counts.fp) / wrong if wrong else (1 + beta**2) / 2
        low, high = ((1 + beta**2) * s / ((1 + beta**2) * s + mixed * (1 - s)) for s in shares)
        return low, high

    found = [
        Measure("recall", lambda counts: counts.recall, 1, recall),
        Measure("precision", lambda counts: counts.precision, 1, precision),
        Measure("f", lambda counts: counts.f(beta), 1, f),
        Measure("alerts_per_1000", lambda counts: counts.alerts_per_1000, 1000, alerts),
    ]
    if costs is not None:

        def cost(counts: Confusion, confidence: float) -> Interval:
            tp, fp, fn, tn = sizes(counts)
            missed = 1 - np.array(wilson(counts.recall, tp + fn, confidence))[::-1]
            alarmed = wilson(counts.false_alarm_rate, fp + tn, confidence)
            share = counts.n_rare / counts.n_rows
            parts = (
                (1000 * share * (costs.fn - costs.tp), 1 - counts.recall, missed),
                (1000 * (1 - share) * (costs.fp - costs.tn), counts.false_alarm_rate, alarmed),
            )
            # Errors of independent parts add up by their squares (Zou and Donner's MOVER).
            down = np.sqrt(sum((k * (at - low)) ** 2 for k, at, (low, _) in parts))
            up = np.sqrt(sum((k * (high - at)) ** 2 for k, at, (_, high) in parts))
            here = counts.cost_per_1000(costs)
            return float(here - down), float(here + up)

        found.append(
            Measure("cost_per_1000", lambda counts: counts.cost_per_1000(costs), None, cost)
        )
    return found


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
    if wide and measure.floor is not None:
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
