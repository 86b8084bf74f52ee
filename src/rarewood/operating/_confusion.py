"""The four counts of a threshold, and all that is measured from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Confusion", "Costs"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Costs:
    """What a row costs, by what it is and whether it was alerted.

    Parameters
    ----------
    fp : float
        Cost of a false alarm.
    fn : float
        Cost of a rare row that was missed.
    tp, tn : float, default=0
        Cost of an alert that was right, such as the work of looking into it, and of a row that was
        rightly left alone. A negative cost is a gain.

    Notes
    -----
    A wrong answer must cost more than the right one: ``fn > tp`` and ``fp > tn``. Otherwise it
    would be best to alert always, or never, whatever the scores say.

    For probabilities that are calibrated the best threshold follows from the costs alone; it is
    :attr:`threshold`. Where they are not, and those of forests seldom are, count costs on labelled
    rows instead: :class:`LowestCost`.

    Examples
    --------
    >>> from rarewood.operating import Costs
    >>> Costs(fp=1, fn=9).threshold
    0.1
    """

    fp: float
    fn: float
    tp: float = 0.0
    tn: float = 0.0

    def __post_init__(self) -> None:
        for name in ("fp", "fn", "tp", "tn"):
            value = getattr(self, name)
            if isinstance(value, str | bool) or not np.isscalar(value) or not np.isfinite(value):
                raise ValueError(f"The cost {name}={value!r} must be a finite number.")
        if not self.fn > self.tp or not self.fp > self.tn:
            raise ValueError(
                f"Costs fp={self.fp:g}, fn={self.fn:g}, tp={self.tp:g}, tn={self.tn:g}: a wrong "
                "answer must cost more than the right one, so fn must be above tp, and fp above tn."
            )

    @property
    def threshold(self) -> float:
        """Calibrated probability from which on an alert is the cheaper answer."""
        false_alarm, miss = self.fp - self.tn, self.fn - self.tp
        return float(false_alarm / (false_alarm + miss))


@dataclass(frozen=True, eq=False)
class Confusion:
    """Counts of rows at a threshold, or arrays of them at many.

    Attributes
    ----------
    tp, fp : number or ndarray
        Rare rows, and others, with a score of at least the threshold: those that are alerted.
    fn, tn : number or ndarray
        Rare rows, and others, below it.

    Examples
    --------
    >>> from rarewood.operating import Confusion
    >>> counts = Confusion(tp=8, fp=12, fn=2, tn=978)
    >>> counts.recall, counts.precision, counts.alerts_per_1000
    (0.8, 0.4, 20.0)
    """

    tp: Any
    fp: Any
    fn: Any
    tn: Any

    @property
    def alerts(self) -> Any:
        """Rows that are alerted."""
        return self.tp + self.fp

    @property
    def n_positive(self) -> Any:
        """Rare rows, found or not."""
        return self.tp + self.fn

    @property
    def n_rows(self) -> Any:
        """All rows."""
        return self.tp + self.fn + self.fp + self.tn

    @property
    def recall(self) -> Any:
        """Share of the rare rows that are alerted."""
        return _ratio(self.tp, self.n_positive)

    @property
    def precision(self) -> Any:
        """Share of the alerts that are right; NaN where nothing is alerted."""
        return _ratio(self.tp, self.alerts)

    @property
    def false_alarm_rate(self) -> Any:
        """Share of the other rows that are alerted."""
        return _ratio(self.fp, self.fp + self.tn)

    @property
    def alerts_per_1000(self) -> Any:
        """Alerts for each 1,000 rows."""
        return _ratio(1000 * self.alerts, self.n_rows)

    def f(self, beta: float = 1.0) -> Any:
        """F-measure; 0 where nothing is rightly alerted.

        Parameters
        ----------
        beta : float, default=1.0
            How many times as much recall weighs as precision.

        Returns
        -------
        f : number or ndarray
            ``(1 + beta²) tp / ((1 + beta²) tp + beta² fn + fp)``.
        """
        square = beta * beta
        hits = (1 + square) * self.tp
        return _ratio(hits, hits + square * self.fn + self.fp)

    def cost(self, costs: Costs) -> Any:
        """Cost of all rows together.

        Parameters
        ----------
        costs : Costs
            What each kind of row costs.

        Returns
        -------
        cost : number or ndarray
            The sum.
        """
        right = costs.tp * self.tp + costs.tn * self.tn
        return costs.fp * self.fp + costs.fn * self.fn + right

    def cost_per_1000(self, costs: Costs) -> Any:
        """Cost of 1,000 rows.

        Parameters
        ----------
        costs : Costs
            What each kind of row costs.

        Returns
        -------
        cost : number or ndarray
            The mean, times 1,000.
        """
        return _ratio(1000 * self.cost(costs), self.n_rows)

    def take(self, places: Any) -> Confusion:
        """Return the counts at some places of the arrays.

        Parameters
        ----------
        places : int, slice or array of int
            What the arrays are indexed with.

        Returns
        -------
        counts : Confusion
            Plain numbers if ``places`` is an int.
        """
        chosen = (counts[places] for counts in (self.tp, self.fp, self.fn, self.tn))
        return Confusion(*(c.item() if isinstance(c, np.generic) else c for c in chosen))


def _ratio(part: Any, whole: Any) -> Any:
    """Return part / whole, NaN where there is nothing to divide by."""
    if np.ndim(part) == 0 and np.ndim(whole) == 0:
        return float(part) / float(whole) if whole else float("nan")
    shape = np.broadcast(part, whole).shape
    return np.divide(part, whole, out=np.full(shape, np.nan), where=np.asarray(whole) != 0)
