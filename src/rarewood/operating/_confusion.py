"""The four counts at a threshold, and the measures computed from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rarewood._docstrings import documented

COUNTS = ("tp", "fp", "fn", "tn")


@dataclass(frozen=True)
class Costs:
    """Costs of the four outcomes of a sample.

    Parameters
    ----------
    fp : float
        Cost of a false alert.
    fn : float
        Cost of a missed positive.
    tp, tn : float, default=0
        Cost of a true alert, such as the work of following it up, and of a true negative. A
        negative cost is a gain.

    Notes
    -----
    An error must cost more than the correct decision: ``fn > tp`` and ``fp > tn``. Otherwise
    always or never raising an alert would be optimal.

    For calibrated probabilities the best threshold follows from the costs alone:
    :attr:`threshold`. Probabilities of forests are seldom calibrated; for them, minimise the cost
    on labelled samples with :class:`LowestCost`.

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
        for name in COUNTS:
            value = getattr(self, name)
            if isinstance(value, str | bool) or not np.isscalar(value) or not np.isfinite(value):
                raise ValueError(f"The cost {name}={value!r} must be a finite number.")
        if not self.fn > self.tp or not self.fp > self.tn:
            raise ValueError(
                f"Costs fp={self.fp:g}, fn={self.fn:g}, tp={self.tp:g}, tn={self.tn:g}: an error "
                "must cost more than the correct decision; fn must be above tp, and fp above tn."
            )

    @property
    def threshold(self) -> float:
        """Lowest calibrated probability at which an alert is the cheaper decision."""
        false_alert, miss = self.fp - self.tn, self.fn - self.tp
        return float(false_alert / (false_alert + miss))


@documented
@dataclass(frozen=True, eq=False)
class Confusion:
    """Counts of samples at one threshold, or arrays of counts at many.

    Attributes
    ----------
    tp, fp : number or ndarray
        Positive and negative samples with a score of at least the threshold.
    fn, tn : number or ndarray
        Positive and negative samples with a score below the threshold.

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
        """Number of alerts."""
        return self.tp + self.fp

    @property
    def n_positive(self) -> Any:
        """Number of positive samples."""
        return self.tp + self.fn

    @property
    def n_samples(self) -> Any:
        """Number of samples."""
        return self.tp + self.fn + self.fp + self.tn

    @property
    def recall(self) -> Any:
        """Fraction of the positive samples that raise an alert."""
        return _ratio(self.tp, self.n_positive)

    @property
    def precision(self) -> Any:
        """Fraction of the alerts that are positive; NaN without alerts."""
        return _ratio(self.tp, self.alerts)

    @property
    def false_positive_rate(self) -> Any:
        """Fraction of the negative samples that raise an alert."""
        return _ratio(self.fp, self.fp + self.tn)

    @property
    def alerts_per_1000(self) -> Any:
        """Alerts per 1,000 samples."""
        return _ratio(1000 * self.alerts, self.n_samples)

    def f(self, beta: float = 1.0) -> Any:
        """F-measure, ``(1 + beta²) tp / ((1 + beta²) tp + beta² fn + fp)``.

        Parameters
        ----------
        beta : float, default=1.0
            Weight of recall relative to precision.

        Returns
        -------
        f : number or ndarray
            The F-measure; 0 without true positives.
        """
        square = beta * beta
        hits = (1 + square) * self.tp
        return _ratio(hits, hits + square * self.fn + self.fp)

    def cost(self, costs: Costs) -> Any:
        """Total cost of all samples.

        {costs -> cost}
        """
        correct = costs.tp * self.tp + costs.tn * self.tn
        return costs.fp * self.fp + costs.fn * self.fn + correct

    def cost_per_1000(self, costs: Costs) -> Any:
        """Mean cost of a sample, times 1,000.

        {costs -> cost}
        """
        return _ratio(1000 * self.cost(costs), self.n_samples)

    def take(self, places: Any) -> Confusion:
        """Select counts by position.

        Parameters
        ----------
        places : int, slice or array of int
            Index into the arrays.

        Returns
        -------
        counts : Confusion
            Plain numbers if ``places`` is an int.
        """
        chosen = (getattr(self, name)[places] for name in COUNTS)
        return Confusion(*(c.item() if isinstance(c, np.generic) else c for c in chosen))


def _ratio(part: Any, whole: Any) -> Any:
    """Return part / whole, NaN where the whole is 0."""
    if np.ndim(part) == 0 and np.ndim(whole) == 0:
        return float(part) / float(whole) if whole else float("nan")
    shape = np.broadcast(part, whole).shape
    return np.divide(part, whole, out=np.full(shape, np.nan), where=np.asarray(whole) != 0)
