"""Rules with a limit: a budget of alerts, or a floor of recall or precision."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rarewood.operating._confusion import Confusion
from rarewood.operating._rules import ROUNDING, Rule, check_between, first_highest

if TYPE_CHECKING:
    from rarewood.operating._curve import OperatingCurve

Places = NDArray[np.intp]


@dataclass(frozen=True)
class AlertBudget(Rule):
    """Choose the lowest threshold with no more alerts than a budget.

    The budget is used as far as tied scores allow, even if the last alerts are all false on these
    samples. If the samples that share the highest score exceed the budget, the threshold lies above
    it and nothing raises an alert.

    Parameters
    ----------
    max_alerts : float
        Largest number of alerts.
    per : float, default=None
        Number of samples that the budget is for: ``AlertBudget(20, per=1000)`` allows 20 alerts per
        1,000 samples, and ``AlertBudget(0.02, per=1)`` the same fraction. By default the samples
        that the threshold is chosen on.

    Examples
    --------
    >>> from rarewood.operating import AlertBudget
    >>> print(AlertBudget(20, per=1000))
    at most 20 alerts per 1,000 samples
    """

    max_alerts: float
    per: float | None = None

    def __post_init__(self) -> None:
        check_between("max_alerts", self.max_alerts, inf, "a positive number")
        if self.per is not None:
            check_between("per", self.per, inf, "a positive number of samples, or None")
            if self.max_alerts > self.per:
                raise ValueError(
                    f"max_alerts={self.max_alerts:g} exceeds per={self.per:g}: there cannot be "
                    "more alerts than samples."
                )

    def choose(self, counts: Confusion) -> Places:
        alerts = np.asarray(counts.alerts)
        fits = alerts <= self._limit(counts)
        most = np.where(fits, alerts, -1).max(axis=-1, keepdims=True)
        places: Places = np.argmax(alerts == most, axis=-1)
        return places

    def score(self, counts: Confusion) -> Any:
        """Return the recall; above the budget, minus the fraction of samples in excess."""
        excess = (self._limit(counts) - counts.alerts) / counts.n_samples
        return np.where(self.reached(counts), counts.recall, excess)

    def reached(self, counts: Confusion) -> Any:
        """Whether the alerts are within the budget."""
        return counts.alerts <= self._limit(counts)

    def _limit(self, counts: Confusion) -> Any:
        size = 1 if self.per is None else counts.n_samples / self.per
        return self.max_alerts * size * (1 + ROUNDING)

    def candidates(self, curve: OperatingCurve) -> Places:
        """Return the points whose alerts are within eight standard deviations of the budget."""
        # With effective sizes, one drawn sample stands for several.
        scale = max(1.0, curve.n_samples / sum(curve.n_effective))
        middle = min(self._limit(curve), curve.n_samples)
        reach = 8 * sqrt(scale * (middle + 1)) + 20 * scale
        near = np.flatnonzero(np.abs(curve.alerts - middle) <= reach)
        coarse = np.linspace(0, len(curve) - 1, min(len(curve), 256)).astype(np.intp)
        return np.union1d(near, coarse)

    def __str__(self) -> str:
        per = "" if self.per is None else f" per {self.per:,g} samples"
        return f"at most {self.max_alerts:,g} alerts{per}"


@dataclass(frozen=True)
class RecallFloor(Rule):
    """Choose the highest threshold with at least a given recall.

    It is the one with the fewest alerts. It always exists, since the lowest threshold has recall 1.

    Parameters
    ----------
    recall : float
        Lowest fraction of the positives to find, above 0 and at most 1.

    Examples
    --------
    >>> from rarewood.operating import RecallFloor
    >>> print(RecallFloor(0.9))
    recall of at least 0.9
    """

    recall: float

    def __post_init__(self) -> None:
        check_between("recall", self.recall, 1, "above 0 and at most 1")

    def choose(self, counts: Confusion) -> Places:
        places: Places = np.argmax(self.reached(counts), axis=-1)
        return places

    def score(self, counts: Confusion) -> Any:
        """Return the fraction of samples without an alert; below 0 if the recall is too low."""
        quiet = 1 - counts.alerts_per_1000 / 1000
        return np.where(self.reached(counts), quiet, counts.recall - self.recall)

    def reached(self, counts: Confusion) -> Any:
        """Whether the recall is high enough."""
        return counts.recall >= self.recall - ROUNDING

    def __str__(self) -> str:
        return f"recall of at least {self.recall:g}"


@dataclass(frozen=True)
class PrecisionFloor(Rule):
    """Choose the threshold with the highest recall among those with at least a given precision.

    Of thresholds with equal recall the highest is chosen, which has the fewest alerts. If no
    threshold is that precise, the closest is the most precise one.

    Parameters
    ----------
    precision : float
        Lowest fraction of the alerts to be true, above 0 and at most 1.

    Examples
    --------
    >>> from rarewood.operating import PrecisionFloor
    >>> print(PrecisionFloor(0.5))
    precision of at least 0.5
    """

    precision: float

    def __post_init__(self) -> None:
        check_between("precision", self.precision, 1, "above 0 and at most 1")

    def choose(self, counts: Confusion) -> Places:
        precise = self.reached(counts)
        found = np.where(precise, counts.tp, -1)
        # Otherwise the most precise point; of equally precise ones the last has the highest recall.
        precision = np.where(np.isnan(counts.precision), -1.0, counts.precision)
        last_best = precision.shape[-1] - 1 - np.argmax(precision[..., ::-1], axis=-1)
        places: Places = np.where(precise.any(axis=-1), first_highest(found), last_best)
        return places

    def score(self, counts: Confusion) -> Any:
        """Return the recall; below 0 if the precision is too low, -1 without alerts."""
        missing = np.nan_to_num(counts.precision - self.precision, nan=-1.0)
        return np.where(self.reached(counts), counts.recall, missing)

    def reached(self, counts: Confusion) -> Any:
        """Whether the precision is high enough."""
        return counts.precision >= self.precision - ROUNDING

    def __str__(self) -> str:
        return f"precision of at least {self.precision:g}"
