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

__all__ = ["AlertBudget", "PrecisionFloor", "RecallFloor"]

Places = NDArray[np.intp]


@dataclass(frozen=True)
class AlertBudget(Rule):
    """Choose the lowest threshold that alerts no more rows than can be looked into.

    The budget is spent as far as tied scores allow, even if the last alerts found nothing in these
    rows: among new rows they may. Where the highest score alone is shared by too many rows, the
    threshold lies above it and nothing is alerted.

    Parameters
    ----------
    max_alerts : float
        How many alerts there may be.
    per : float, default=None
        In how many rows; ``AlertBudget(20, per=1000)`` are 20 alerts in 1,000 rows, and
        ``AlertBudget(0.02, per=1)`` is the same share. By default in the rows that are given.

    Examples
    --------
    >>> from rarewood.operating import AlertBudget
    >>> print(AlertBudget(20, per=1000))
    at most 20 alerts in 1000 rows
    """

    max_alerts: float
    per: float | None = None

    def __post_init__(self) -> None:
        check_between("max_alerts", self.max_alerts, inf, "a positive number")
        if self.per is not None:
            check_between("per", self.per, inf, "a positive number of rows, or None")
            if self.max_alerts > self.per:
                raise ValueError(
                    f"max_alerts={self.max_alerts:g} is more than per={self.per:g} rows: there "
                    "cannot be more alerts than rows."
                )

    def choose(self, counts: Confusion) -> Places:
        """Return the place of the chosen point, along the last axis of the counts."""
        alerts = np.asarray(counts.alerts)
        fits = alerts <= self._limit(counts)
        most = np.where(fits, alerts, -1).max(axis=-1, keepdims=True)
        places: Places = np.argmax(alerts == most, axis=-1)
        return places

    def score(self, counts: Confusion) -> Any:
        """Return the recall; below 0 if too many rows are alerted, by the excess share."""
        too_many = (self._limit(counts) - counts.alerts) / counts.n_rows
        return np.where(self.reached(counts), counts.recall, too_many)

    def reached(self, counts: Confusion) -> Any:
        """Whether there are no more alerts than the budget allows."""
        return counts.alerts <= self._limit(counts)

    def _limit(self, counts: Confusion) -> Any:
        budget = self.max_alerts if self.per is None else counts.n_rows * self.max_alerts / self.per
        return budget * (1 + ROUNDING)

    def candidates(self, curve: OperatingCurve) -> Places:
        """Return the points whose alerts are within eight standard deviations of the budget."""
        # Where sizes are effective ones, a row drawn stands for several.
        scale = max(1.0, curve.n_rows / sum(curve.n_effective))
        middle = min(self._limit(curve), curve.n_rows)
        reach = 8 * sqrt(scale * (middle + 1)) + 20 * scale
        near = np.flatnonzero(np.abs(curve.alerts - middle) <= reach)
        coarse = np.linspace(0, len(curve) - 1, min(len(curve), 256)).astype(np.intp)
        return np.union1d(near, coarse)

    def __str__(self) -> str:
        rows = "these rows" if self.per is None else f"{self.per:g} rows"
        return f"at most {self.max_alerts:g} alerts in {rows}"


@dataclass(frozen=True)
class RecallFloor(Rule):
    """Choose the highest threshold that finds a share of the rare rows.

    It is the one with the fewest alerts. It always exists, since the lowest threshold finds all.

    Parameters
    ----------
    recall : float
        The least share, above 0 and at most 1.

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
        """Return the place of the chosen point, along the last axis of the counts."""
        places: Places = np.argmax(self.reached(counts), axis=-1)
        return places

    def score(self, counts: Confusion) -> Any:
        """Return the share that is not alerted; below 0 if the recall is too low."""
        quiet = 1 - counts.alerts_per_1000 / 1000
        return np.where(self.reached(counts), quiet, counts.recall - self.recall)

    def reached(self, counts: Confusion) -> Any:
        """Whether enough of the rare rows are found."""
        return counts.recall >= self.recall - ROUNDING

    def __str__(self) -> str:
        return f"recall of at least {self.recall:g}"


@dataclass(frozen=True)
class PrecisionFloor(Rule):
    """Choose the threshold that finds most, of those at which a share of the alerts is right.

    Of thresholds that find as much the highest is taken: it alerts the fewest rows. Where no
    threshold is that precise, the closest is the most precise one.

    Parameters
    ----------
    precision : float
        The least share, above 0 and at most 1.

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
        """Return the place of the chosen point, along the last axis of the counts."""
        precise = self.reached(counts)
        found = np.where(precise, counts.tp, -1)
        # Without such a point: the most precise, and of equally precise ones the last finds most.
        precision = np.where(np.isnan(counts.precision), -1.0, counts.precision)
        last_best = precision.shape[-1] - 1 - np.argmax(precision[..., ::-1], axis=-1)
        places: Places = np.where(precise.any(axis=-1), first_highest(found), last_best)
        return places

    def score(self, counts: Confusion) -> Any:
        """Return the recall; below 0 if the precision is too low, and -1 without alerts."""
        missing = np.nan_to_num(counts.precision - self.precision, nan=-1.0)
        return np.where(self.reached(counts), counts.recall, missing)

    def reached(self, counts: Confusion) -> Any:
        """Whether enough of the alerts are right."""
        return counts.precision >= self.precision - ROUNDING

    def best_reachable(self, curve: OperatingCurve) -> str:
        """Say what comes closest, where nothing does what the rule asks for."""
        place = int(self.choose(curve))
        best = curve.take(place)
        return (
            f"the highest precision is {best.precision:.3g}, at the threshold "
            f"{curve.threshold[place]:.6g}, with a recall of {best.recall:.3g}"
        )

    def __str__(self) -> str:
        return f"precision of at least {self.precision:g}"
