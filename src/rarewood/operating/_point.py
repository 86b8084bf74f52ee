"""A chosen threshold, its interval, and its performance: observed, and expected on new samples."""

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
from rarewood.operating._rules import Rule

Floats = NDArray[np.float64]
Interval = tuple[float, float]
_NAMES = {
    "recall": "recall",
    "precision": "precision",
    "f": "F{beta:g}",
    "alerts_per_1000": "alerts per 1000",
    "cost_per_1000": "cost per 1000",
}


@dataclass(frozen=True)
class Achieved:
    """A measure at a threshold, with the attributes that :class:`OperatingPoint` describes."""

    observed: float
    expected: float
    interval: Interval
    fixed_interval: Interval

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.expected:.4g} [{low:.4g}, {high:.4g}], observed {self.observed:.4g}"


@dataclass(frozen=True)
class Measure:
    """A measure, its range, and ``floor``: an interval that the reported one must contain.

    Bootstrap intervals alone are empty where, for example, all positive samples are found.
    """

    name: str
    value: Callable[[Confusion], Any]
    smallest: float
    largest: float
    floor: Callable[[Confusion, float], Interval]

    def to_scale(self, values: Any) -> Any:
        """Transform values to the arcsine scale, on which errors are additive."""
        fractions = (np.asarray(values) - self.smallest) / (self.largest - self.smallest)
        return np.arcsin(np.sqrt(np.clip(fractions, 0, 1)))

    def from_scale(self, values: Any) -> Any:
        """Invert :meth:`to_scale`."""
        fractions = np.sin(np.clip(values, 0, np.pi / 2)) ** 2
        return self.smallest + (self.largest - self.smallest) * fractions


def measures(beta: float, costs: Costs | None, n_drawn: tuple[float, float]) -> list[Measure]:
    """Return the measures; ``n_drawn`` are observations per weight of positives and negatives."""
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
    """Return the lowest and the highest possible cost of 1,000 samples."""
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
        fractions = wilson(counts.tp / (counts.tp + wrong), n, confidence)
        # F as a function of tp / (tp + fp + fn), with the ratio of fp to fn held fixed.
        square = self.beta**2
        mixed = (square * counts.fn + counts.fp) / wrong if wrong else (1 + square) / 2
        low, high = ((1 + square) * s / ((1 + square) * s + mixed * (1 - s)) for s in fractions)
        return low, high

    def cost(self, counts: Confusion, confidence: float) -> Interval:
        assert self.costs is not None
        costs, n = self.costs, self._n(counts)
        down = up = 0.0
        # Relative to a true negative; half-widths of the parts add up by their squares (MOVER, Zou
        # and Donner).
        for count, price in ((counts.tp, costs.tp), (counts.fp, costs.fp), (counts.fn, costs.fn)):
            fraction, extra = count / counts.n_samples, 1000 * (price - costs.tn)
            ends = sorted(extra * (end - fraction) for end in wilson(fraction, n, confidence))
            down, up = down + ends[0] ** 2, up + ends[1] ** 2
        here, (least, most) = counts.cost_per_1000(costs), _range(costs)
        return max(least, here - sqrt(down)), min(most, here + sqrt(up))

    def _n(self, counts: Confusion) -> float:
        return float(counts.n_positive * self.positive + (counts.fp + counts.tn) * self.negative)


def measure_achieved(
    measure: Measure, counts: Confusion, drawn: Resamples | None, confidence: float, wide: bool
) -> Achieved:
    """Estimate a measure at the chosen threshold, and its value on new samples.

    Without resamples only the observed value is returned. ``wide`` extends the interval to
    contain that of ``measure.floor``.
    """
    observed = float(measure.value(counts))
    nothing = (float("nan"), float("nan"))
    if drawn is None or np.isnan(observed):
        return Achieved(observed, float("nan"), nothing, nothing)
    ends = [(1 - confidence) / 2, (1 + confidence) / 2]
    # All samples relate to a resample as new samples relate to all samples.
    inside, outside = measure.value(drawn.inside), measure.value(drawn.outside)
    errors = measure.to_scale(outside) - measure.to_scale(inside)
    here = measure.to_scale(observed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # no alert in any resample
        expected = measure.from_scale(here + np.nanmean(errors))
        low, high = measure.from_scale(here + np.nanquantile(errors, ends))
        fixed_low, fixed_high = np.nanquantile(measure.value(drawn.fixed), ends)
    if wide:
        least, most = measure.floor(counts, confidence)
        low, high = np.fmin(low, least), np.fmax(high, most)
    return Achieved(
        observed, float(expected), (float(low), float(high)), (float(fixed_low), float(fixed_high))
    )


def wilson(fraction: float, n: float, confidence: float) -> Interval:
    """Return the Wilson score interval of a fraction of n observations."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (fraction + z * z / (2 * n)) / (1 + z * z / n)
    half = z * np.sqrt(fraction * (1 - fraction) / n + (z / (2 * n)) ** 2) / (1 + z * z / n)
    return max(0.0, float(middle - half)), min(1.0, float(middle + half))


@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """A chosen threshold, its interval, and its performance.

    Each measure has the attributes ``observed`` (on the samples that the threshold was chosen on,
    which is optimistic), ``expected`` (on new samples, corrected for the optimism of the choice),
    ``interval`` (of the long-run value on new samples; it accounts for the choice) and
    ``fixed_interval`` (percentiles at a threshold that was set beforehand, too high for a measure
    that was maximised).

    Attributes
    ----------
    threshold : float
        Lowest score that raises an alert.
    interval : tuple of float
        Interval of the thresholds chosen in resamples; NaN without resamples.
    rule : rule
        Rule that it was chosen by.
    reached : bool
        Whether the rule is satisfied on the samples that the threshold was chosen on.
    reached_fraction : float
        Fraction of the resamples in which the rule could be satisfied.
    counts : Confusion
        Counts of the samples that the threshold was chosen on.
    recall, precision, f, alerts_per_1000 : Achieved
        Measures at the threshold.
    cost_per_1000 : Achieved or None
        Cost per 1,000 samples, if there are costs.
    pos_label : label
        The positive class.
    beta : float
        Weight of recall in the F-measure.
    n_bootstrap : int
        Number of resamples.
    confidence : float
        Confidence level of all intervals.
    n_left_out : int
        Samples left out because they had no score (:class:`ThresholdedClassifier` and out-of-bag
        scores only).
    """

    threshold: float
    interval: tuple[float, float]
    rule: Rule
    reached: bool
    reached_fraction: float
    counts: Confusion
    recall: Achieved
    precision: Achieved
    f: Achieved
    alerts_per_1000: Achieved
    cost_per_1000: Achieved | None
    pos_label: Any
    beta: float
    n_bootstrap: int
    confidence: float
    n_left_out: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Convert the point to JSON types.

        Returns
        -------
        point : dict
            The attributes, with None for NaN.
        """
        return {name: _plain(value) for name, value in vars(self).items() if value is not None}

    def __str__(self) -> str:
        ends = f" [{self.interval[0]:.4g}, {self.interval[1]:.4g}]" if self.n_bootstrap else ""
        lines = [
            f"alert {self.pos_label!r} if score >= {self.threshold:.6g}{ends}: {self.rule}"
            + ("" if self.reached else ", NOT reached")
        ]
        for name, words in _NAMES.items():
            value = getattr(self, name)
            if value is not None:
                shown = str(value) if self.n_bootstrap else f"{value.observed:.4g} observed"
                lines.append(f"  {words.format(beta=self.beta):<16} {shown}")
        return "\n".join(lines)


def _plain(value: Any) -> Any:
    if isinstance(value, Achieved | Confusion):
        return {name: _plain(item) for name, item in vars(value).items()}
    if isinstance(value, Rule):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return None if value != value else value
